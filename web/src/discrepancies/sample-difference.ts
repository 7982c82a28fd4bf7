import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'

const at = '2026-11-20T23:00:00.000Z'

/** A difference as tests need one: 8 counted of 10, and what is given. */
export function sampleDifference(given: Partial<Discrepancy>): Discrepancy {
  return {
    id: '1',
    sku: 'A',
    description: '',
    location: 'PRIMARY',
    count_type: 'monthly',
    status: 'open',
    expected: 10,
    counted: 8,
    difference: -2,
    unit_cost: null,
    value: null,
    scanned_at: at,
    stock_now: 10,
    user_name: 'Sam',
    created_at: at,
    updated_at: at,
    reason: null,
    note: null,
    decided_by: null,
    attempts: [],
    likely_causes: [],
    ...given,
  }
}
