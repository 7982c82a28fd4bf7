import type { LikelyCause } from '@inventory-manager/contract/discrepancies/rules'
import { expect, it } from 'vitest'
import { likelyReason } from './likely-reason.ts'
import { sampleDifference } from './sample-difference.ts'

const difference = (amount: number, causes: LikelyCause[]) =>
  sampleDifference({ difference: amount, likely_causes: causes })

const at = '2026-11-20T23:00:00.000Z'

const doubled: LikelyCause = { kind: 'double_entry', user_name: 'Sam', counted: 8, seconds: 2 }
const opposite: LikelyCause = {
  kind: 'opposite_location',
  location: 'SECONDARY',
  difference: 2,
  timestamp: at,
}

it('a slip with digits is one that was made before, where the new count is taken for right', () => {
  expect(likelyReason([difference(18, [{ kind: 'swapped_digits' }])])).toBe('Miscounted before')
  expect(likelyReason([difference(90, [{ kind: 'extra_zero' }])])).toBe('Miscounted before')
  expect(likelyReason([difference(-9, [{ kind: 'missing_zero' }])])).toBe('Miscounted before')
  expect(likelyReason([difference(10, [{ kind: 'counted_twice' }])])).toBe('Miscounted before')
})

it('what was moved without a booking was shipped from here or received here', () => {
  expect(likelyReason([difference(-2, [opposite])])).toBe('Shipped, not booked')
  expect(likelyReason([difference(2, [{ ...opposite, difference: -2 }])])).toBe('Received, not booked')
})

it('a second entry in the same moment tells no reason, and the next cause may', () => {
  expect(likelyReason([difference(-2, [doubled])])).toBeNull()
  expect(likelyReason([difference(-2, [doubled, opposite])])).toBe('Shipped, not booked')
})

it('a pack that was taken for a piece, or a piece for a pack, is of a wrong unit, and one that was missed was miscounted', () => {
  const ofPacks = (kind: 'packs_as_pieces' | 'pieces_as_packs' | 'packs_missed' | 'packs_twice') =>
    sampleDifference({ likely_causes: [], pack_cause: { kind, packs: 1, pieces: 12 } })
  expect(likelyReason([ofPacks('packs_as_pieces')])).toBe('Wrong unit or pack size')
  expect(likelyReason([ofPacks('pieces_as_packs')])).toBe('Wrong unit or pack size')
  expect(likelyReason([ofPacks('packs_missed')])).toBe('Miscounted before')
  expect(likelyReason([ofPacks('packs_twice')])).toBe('Miscounted before')
  expect(likelyReason([{ ...ofPacks('packs_as_pieces'), likely_causes: [opposite] }])).toBe(
    'Shipped, not booked',
  )
})

it('several differences have a reason where all have the same', () => {
  const swapped = difference(18, [{ kind: 'swapped_digits' }])
  expect(likelyReason([swapped, difference(90, [{ kind: 'extra_zero' }])])).toBe('Miscounted before')
  expect(likelyReason([swapped, difference(-2, [opposite])])).toBeNull()
  expect(likelyReason([swapped, difference(-2, [])])).toBeNull()
  expect(likelyReason([])).toBeNull()
})
