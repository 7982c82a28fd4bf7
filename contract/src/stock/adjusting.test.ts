import { describe, expect, it } from 'vitest'
import { adjustmentFault, type AdjustReason } from './adjusting.ts'

const cases: [reason: AdjustReason, amount: number, fault: string | null][] = [
  ['received', 12, null],
  ['received', -12, "'Received' adds to the stock. Give an amount above 0."],
  ['found', -1, "'Found' adds to the stock. Give an amount above 0."],
  ['issued', -3, null],
  ['issued', 3, "'Issued' takes from the stock. Give an amount below 0."],
  ['damaged', 3, "'Damaged' takes from the stock. Give an amount below 0."],
  ['lost', 3, "'Lost' takes from the stock. Give an amount below 0."],
  ['other', 3, 'Say in the note why the stock changes.'],
]

describe('a change of stock by an amount', () => {
  it.each(cases)('%s, %i: %s', (reason, amount, fault) => {
    expect(adjustmentFault({ reason, amount, note: '' })).toBe(fault)
  })

  it.each([3, -3])('for another reason may be %i where a note says why', (amount) => {
    expect(adjustmentFault({ reason: 'other', amount, note: 'Sample for a customer' })).toBeNull()
  })
})
