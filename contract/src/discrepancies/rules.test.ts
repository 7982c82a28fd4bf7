import { describe, expect, it } from 'vitest'
import { causeSentence } from './messages.ts'
import {
  causesInNumbers,
  hasSwappedDigits,
  isAcceptedByPerson,
  isDismissedByPerson,
  type LikelyCause,
} from './rules.ts'

describe('two numbers', () => {
  it.each([
    [12, 21, true],
    [123, 132, true],
    [123, 213, true],
    [123, 321, false],
    [12, 12, false],
    [10, 1, false],
    [1234, 2143, false],
  ])('%i and %i: swapped digits %s', (expected, counted, swapped) => {
    expect(hasSwappedDigits(expected, counted)).toBe(swapped)
    expect(hasSwappedDigits(counted, expected)).toBe(swapped)
  })

  it.each([
    [5, 50, ['extra_zero']],
    [500, 5, ['missing_zero']],
    [12, 21, ['swapped_digits']],
    [7, 14, ['counted_twice']],
    [37, 57, ['round_difference']],
    [10, 20, ['counted_twice', 'round_difference']],
    [0, 30, ['round_difference']],
    [0, 0, []],
    [7, 4, []],
  ])('expected %i, counted %i: %j', (expected, counted, kinds) => {
    expect(causesInNumbers(expected, counted).map(({ kind }) => kind)).toEqual(kinds)
  })
})

const at = '2026-11-21T09:30:00.000Z'
const sentences: [LikelyCause, string][] = [
  [{ kind: 'extra_zero' }, 'A zero too many may have been typed.'],
  [
    { kind: 'opposite_location', location: 'SECONDARY', difference: 3, timestamp: at },
    'Secondary Warehouse has the opposite difference (+3, today): it may have been moved there without a booking.',
  ],
  [
    { kind: 'movement', delta: -1200, cause: 'correction', user_name: 'Ada', timestamp: at },
    'Ada entered a correction of the stock (−1,200) around the time of the scan, today.',
  ],
  [
    { kind: 'double_entry', user_name: 'Sam', counted: 5, seconds: 3 },
    'Sam entered 5 twice within 3 seconds: the second was hardly a new count.',
  ],
  [
    { kind: 'in_parts', user_name: 'Sam', parts: [3, 2] },
    'Sam entered 3 and 2, together what is expected: it may lie in several places.',
  ],
  [
    { kind: 'same_as_last', status: 'dismissed', timestamp: at },
    'The same difference as last time (today, dismissed then): the stock figure itself may be wrong.',
  ],
]

describe('a likely cause', () => {
  it('names another location as the company does', () => {
    const cause = {
      kind: 'opposite_location' as const,
      location: 'SECONDARY' as const,
      difference: 3,
      timestamp: at,
    }
    expect(causeSentence(cause, () => 'today', { SECONDARY: 'Kühlhaus' })).toBe(
      'Kühlhaus has the opposite difference (+3, today): it may have been moved there without a booking.',
    )
  })

  it.each(sentences)('%j is said in plain words', (cause, sentence) => {
    expect(causeSentence(cause, () => 'today', {})).toBe(sentence)
  })
})

describe('a dismissed difference', () => {
  it.each([
    ['dismissed', null, true],
    ['dismissed', 'By mistake', true],
    ['dismissed', 'Counted since', false],
    ['dismissed', 'Settled by another count', false],
    ['accepted', 'Damaged', false],
    ['open', null, false],
  ])('%s (%s) was dismissed by a person: %s', (status, reason, byPerson) => {
    expect(isDismissedByPerson({ status, reason })).toBe(byPerson)
  })
})

describe('an accepted difference', () => {
  it.each([
    [{ status: 'accepted', reason: 'Damaged', decided_by: 'Ada' }, true],
    [{ status: 'accepted', reason: 'Within tolerance', decided_by: 'Ada' }, true],
    [{ status: 'accepted', reason: 'Within tolerance', decided_by: 'Count tolerance' }, false],
    [{ status: 'accepted', reason: 'First count', decided_by: 'Ada' }, true],
    [{ status: 'accepted', reason: 'First count', decided_by: null }, false],
    [{ status: 'dismissed', reason: 'Damaged', decided_by: 'Ada' }, false],
    [{ status: 'open', reason: null, decided_by: null }, false],
  ])('%j was accepted by a person: %s', (difference, byPerson) => {
    expect(isAcceptedByPerson(difference)).toBe(byPerson)
  })
})
