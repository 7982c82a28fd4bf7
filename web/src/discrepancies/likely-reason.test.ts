import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import type { LikelyCause } from '@inventory-manager/contract/discrepancies/rules'
import { expect, it } from 'vitest'
import { likelyReason } from './likely-reason.ts'

const at = '2026-11-20T23:00:00.000Z'

function difference(amount: number, causes: LikelyCause[]): Discrepancy {
  return {
    id: '1',
    sku: 'A',
    description: '',
    location: 'PRIMARY',
    count_type: 'monthly',
    status: 'open',
    expected: 10,
    counted: 10 + amount,
    difference: amount,
    scanned_at: at,
    stock_now: 10,
    user_name: 'Sam',
    created_at: at,
    updated_at: at,
    reason: null,
    note: null,
    decided_by: null,
    attempts: [],
    likely_causes: causes,
  }
}

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

it('several differences have a reason where all have the same', () => {
  const swapped = difference(18, [{ kind: 'swapped_digits' }])
  expect(likelyReason([swapped, difference(90, [{ kind: 'extra_zero' }])])).toBe('Miscounted before')
  expect(likelyReason([swapped, difference(-2, [opposite])])).toBeNull()
  expect(likelyReason([swapped, difference(-2, [])])).toBeNull()
  expect(likelyReason([])).toBeNull()
})
