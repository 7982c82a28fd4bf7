/** A stretch of a line of one direction; its text stays in reading order. */
export interface Run {
  text: string
  rightToLeft: boolean
}

type Side = 'left' | 'right'
type Kind = Side | 'number' | 'neutral'

/** UAX #9: level 1 runs right to left, levels 0 and 2 (inside 1) left to right. */
interface Stretch {
  text: string
  level: 0 | 1 | 2
}

/** Hebrew, Arabic and their neighbours, as letters and as joined forms. */
const rightToLeftLetter = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u
/**
 * Numbers with their separators and units, and characters with their marks, stay together. Signs that no number follows are looked
 * through once, from the first of them.
 */
const unit = /(?:(?<![#$%°€£])[#$%°€£]+)?\p{Nd}+(?:[.,:/+-]\p{Nd}+)*[#$%°€£]*|\P{M}\p{M}*|\p{M}+/gu
const brackets = /[()[\]{}<>«»]/g
const mirrorImages = new Map(
  Array.from('()[]{}<>«»', (bracket, place) => [bracket, ')(][}{><»«'.charAt(place)]),
)

/**
 * The runs of a line in the order they are drawn from left to right: the Unicode Bidirectional Algorithm (UAX #9)
 * cut down to one line without explicit controls. The first letter decides the direction of the line.
 */
export function visualRuns(line: string): Run[] {
  if (!rightToLeftLetter.test(line)) return [{ text: line, rightToLeft: false }]
  return turnRound(join(stretches(line))).map(({ text, level }) =>
    level === 1 ? { text: mirror(text), rightToLeft: true } : { text, rightToLeft: false },
  )
}

function stretches(line: string): Stretch[] {
  const units = line.match(unit) ?? []
  const kinds = units.map(kindOf)
  const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'right' ? 'right' : 'left'
  const sides = fillGaps(withBrackets(units, sidesOfText(kinds, base), base), base)
  return units.map((text, place) => {
    if (sides[place] === 'left') return { text, level: base === 'left' ? 0 : 2 }
    return { text, level: kinds[place] === 'number' ? 2 : 1 }
  })
}

function kindOf(text: string): Kind {
  if (/\p{Nd}/u.test(text)) return 'number'
  if (rightToLeftLetter.test(text)) return 'right'
  return /^\p{L}/u.test(text) ? 'left' : 'neutral'
}

/** Sides of letters and numbers; a number belongs to the letter before it (W7). Other signs are still open. */
function sidesOfText(kinds: readonly Kind[], base: Side): (Side | null)[] {
  let before = base
  return kinds.map((kind) => {
    if (kind === 'neutral') return null
    if (kind !== 'number') before = kind
    return before
  })
}

/** Adds the sides of pairs of brackets (N0): those of the line, unless all in and just before them is contrary. */
function withBrackets(
  units: readonly string[],
  sides: readonly (Side | null)[],
  base: Side,
): (Side | null)[] {
  const result = [...sides]
  const before = sidesBefore(sides, base)
  const last = { left: -1, right: -1 }
  const open: number[] = []
  for (const [end, text] of units.entries()) {
    const side = sides[end]
    if (side) last[side] = end
    if (/[([{]/.test(text)) open.push(end)
    if (!/[)\]}]/.test(text)) continue
    const start = open.pop()
    if (start === undefined || units[start] !== mirror(text)) continue
    if (Math.max(last.left, last.right) < start) continue
    result[start] = last[base] > start ? base : (before[start] ?? base)
    result[end] = result[start]
  }
  return result
}

/** The side of the letter or number before each place; that of the line where there is none. */
function sidesBefore(sides: readonly (Side | null)[], base: Side): Side[] {
  let before = base
  return sides.map((side) => {
    const found = before
    before = side ?? before
    return found
  })
}

/** Spaces and other signs take the side of what is around them if that agrees, else that of the line (N1, N2). */
function fillGaps(sides: readonly (Side | null)[], base: Side): Side[] {
  const before = sidesBefore(sides, base)
  const after = sidesBefore(sides.toReversed(), base).toReversed()
  return sides.map((side, place) => side ?? (before[place] === after[place] ? (after[place] ?? base) : base))
}

function join(parts: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const { text, level } of parts) {
    const last = joined.at(-1)
    if (last?.level === level) last.text += text
    else joined.push({ text, level })
  }
  return joined
}

/** Reverses each sequence of stretches above level 0 (UAX #9, L2; at level 2 no two are neighbours). */
function turnRound(parts: readonly Stretch[]): Stretch[] {
  const turned: Stretch[] = []
  const held: Stretch[] = []
  const turnHeld = () => {
    for (let part = held.pop(); part !== undefined; part = held.pop()) turned.push(part)
  }
  for (const part of parts) {
    if (part.level === 0) {
      turnHeld()
      turned.push(part)
    } else {
      held.push(part)
    }
  }
  turnHeld()
  return turned
}

function mirror(text: string): string {
  return text.replace(brackets, (bracket) => mirrorImages.get(bracket) ?? bracket)
}
