import { z } from '../zod.ts'
import { isCauseInNumbers, type LikelyCause } from './rules.ts'

/** What packs of the component may explain: so many of them, of so many pieces each. */
export const packCause = z.object({
  kind: z.enum(['packs_as_pieces', 'pieces_as_packs', 'packs_missed', 'packs_twice']),
  packs: z.int(),
  pieces: z.int(),
})

export type PackCause = z.output<typeof packCause>

type Counted = { expected: number; counted: number }

/** A smaller difference has nearer causes. */
const leastDifference = 5
/** More single packs are not mistaken in one count. */
const mostPacks = 3

/** How many packs of so many pieces a difference is of, where it is of whole ones, and what was there, or counted, holds as many. */
function packsIn(difference: number, { each, held }: { each: number; held: number }): number {
  const packs = Math.abs(difference) / each
  return Number.isInteger(packs) && packs <= held ? packs : 0
}

/** Packs that were counted as one piece each, or pieces as one pack each: what was taken for something else is part of either number. */
function ofWrongUnit({ expected, counted }: Counted, pieces: number): PackCause | null {
  const difference = counted - expected
  const packs = packsIn(difference, { each: pieces - 1, held: Math.min(expected, counted) })
  if (packs === 0) return null
  return { kind: difference < 0 ? 'packs_as_pieces' : 'pieces_as_packs', packs, pieces }
}

/** Packs that nobody counted, or that somebody counted twice: those were there. */
function ofWholePacks({ expected, counted }: Counted, pieces: number): PackCause | null {
  const difference = counted - expected
  const packs = packsIn(difference, { each: pieces, held: Math.floor(expected / pieces) })
  if (packs === 0) return null
  return { kind: difference < 0 ? 'packs_missed' : 'packs_twice', packs, pieces }
}

/** Whether all that was counted was taken for something else, and nothing was left over: that is no chance. */
function isOfAll({ kind, packs }: PackCause, { expected, counted }: Counted): boolean {
  if (kind === 'packs_as_pieces') return packs === counted
  return kind === 'pieces_as_packs' && packs === expected
}

/**
 * What the packs of a component, by how many pieces each is of, tell of a difference; null where they tell nothing.
 *
 * Nearly every difference is of whole packs of 2, so that would be said always and mean nothing. Where all that was counted was taken
 * for something else, any pack is believed. Else as many packs are as six go into their pieces, and at most three: one of 6, two of 12,
 * three of 18 and more. So of all differences up to twenty pieces it is said of one in ten at most, as often as of one that it is a
 * multiple of ten.
 */
export function causeInPacks(numbers: Counted, packs: readonly number[]): PackCause | null {
  if (Math.abs(numbers.counted - numbers.expected) < leastDifference) return null
  const causes = [ofWrongUnit, ofWholePacks].flatMap((causeOf) =>
    packs.map((pieces) => causeOf(numbers, pieces)).filter((cause) => cause !== null),
  )
  const isFew = (cause: PackCause) => cause.packs <= Math.min(Math.floor(cause.pieces / 6), mostPacks)
  const few = causes.filter(isFew).toSorted((one, other) => one.packs - other.packs)
  return causes.find((cause) => isOfAll(cause, numbers)) ?? few[0] ?? null
}

type Explained = { likely_causes: readonly LikelyCause[]; pack_cause?: PackCause | undefined }

/** All that may explain a difference, the likeliest first: what was found in records, its packs, and what the numbers alone tell. */
export function rankedCauses({ likely_causes: causes, pack_cause: ofPacks }: Explained) {
  if (ofPacks === undefined) return causes
  const first = causes.filter((cause) => !isCauseInNumbers(cause))
  return [...first, ofPacks, ...causes.filter(isCauseInNumbers)]
}
