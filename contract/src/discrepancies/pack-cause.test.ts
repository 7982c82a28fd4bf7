import { describe, expect, it } from 'vitest'
import { causeSentence } from './messages.ts'
import { causeInPacks, rankedCauses, type PackCause } from './pack-cause.ts'
import type { LikelyCause } from './rules.ts'

describe('packs of a component', () => {
  it.each([
    ['two packs counted as two pieces', [57, 35, 12], { kind: 'packs_as_pieces', packs: 2 }],
    ['two pieces counted as two packs', [57, 79, 12], { kind: 'pieces_as_packs', packs: 2 }],
    ['a pack that was missed', [57, 51, 6], { kind: 'packs_missed', packs: 1 }],
    ['three packs that were counted twice', [57, 111, 18], { kind: 'packs_twice', packs: 3 }],
    ['packs alone, each counted as one piece', [600, 50, 12], { kind: 'packs_as_pieces', packs: 50 }],
    ['pairs alone, each counted as one piece', [20, 10, 2], { kind: 'packs_as_pieces', packs: 10 }],
    ['pieces alone, each counted as a pack', [7, 21, 3], { kind: 'pieces_as_packs', packs: 7 }],
  ] as const)('tell of %s', (_, [expected, counted, pieces], cause) => {
    expect(causeInPacks({ expected, counted }, [pieces])).toEqual({ ...cause, pieces })
  })

  it.each([
    ['pairs, of which nearly every difference is', [57, 47, 2]],
    ['two packs of 6', [57, 45, 6]],
    ['four packs', [200, 104, 24]],
    ['a difference of a few pieces', [4, 2, 2]],
    ['a number that is none of whole packs', [57, 54, 12]],
    ['fewer pieces than would have been packs', [57, 1, 29]],
    ['packs counted twice where there were none', [5, 17, 12]],
    ['no difference', [57, 57, 12]],
  ] as const)('tell nothing of %s', (_, [expected, counted, pieces]) => {
    expect(causeInPacks({ expected, counted }, [pieces])).toBeNull()
  })

  it('tell of the fewest of them where there are several', () => {
    expect(causeInPacks({ expected: 57, counted: 33 }, [12, 24])).toEqual({
      kind: 'packs_missed',
      packs: 1,
      pieces: 24,
    })
    expect(causeInPacks({ expected: 57, counted: 54 }, [])).toBeNull()
  })

  it('tell of all differences up to twenty of one in ten at most', () => {
    for (let pieces = 2; pieces <= 100; pieces += 1) {
      let told = 0
      for (let difference = -20; difference <= 20; difference += 1) {
        if (causeInPacks({ expected: 1000, counted: 1000 + difference }, [pieces]) !== null) told += 1
      }
      expect([pieces, told <= 4]).toEqual([pieces, true])
    }
  })

  it.each([
    [{ kind: 'packs_as_pieces', packs: 1 }, 'A pack of 1,200 may have been counted as one piece.'],
    [{ kind: 'packs_as_pieces', packs: 2 }, '2 packs of 1,200 may have been counted as one piece each.'],
    [{ kind: 'pieces_as_packs', packs: 1 }, 'One piece may have been counted as a pack of 1,200.'],
    [{ kind: 'pieces_as_packs', packs: 2 }, '2 pieces may have been counted as packs of 1,200.'],
    [{ kind: 'packs_missed', packs: 1 }, 'A pack of 1,200 may have been missed.'],
    [{ kind: 'packs_twice', packs: 3 }, '3 packs of 1,200 may have been counted twice.'],
  ] as const)('as %j are said in plain words', (cause, sentence) => {
    expect(causeSentence({ ...cause, pieces: 1200 }, () => 'today', {})).toBe(sentence)
  })
})

it('what is in records comes before packs, and what numbers alone tell after them', () => {
  const ofRecords: LikelyCause = { kind: 'in_parts', user_name: 'Sam', parts: [3, 2] }
  const ofNumbers: LikelyCause = { kind: 'round_difference', difference: -10 }
  const ofPacks: PackCause = { kind: 'packs_missed', packs: 1, pieces: 10 }
  const causes = [ofRecords, ofNumbers]
  expect(rankedCauses({ likely_causes: causes, pack_cause: ofPacks })).toEqual([
    ofRecords,
    ofPacks,
    ofNumbers,
  ])
  expect(rankedCauses({ likely_causes: causes })).toEqual(causes)
})
