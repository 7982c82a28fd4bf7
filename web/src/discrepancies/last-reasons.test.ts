import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { expect, it } from 'vitest'
import { lastReasonFor, noReasons, withReason } from './last-reasons.ts'
import { sampleDifference } from './sample-difference.ts'

const difference = (amount: number, likely_causes: Discrepancy['likely_causes'] = []) =>
  sampleDifference({ id: String(amount), difference: amount, likely_causes })

it('what was chosen for pieces that are missing is not what explains some too many', () => {
  const last = withReason(noReasons, [difference(-3)], 'Lost or stolen')
  expect(lastReasonFor([difference(-1), difference(-2)], last)).toBe('Lost or stolen')
  expect(lastReasonFor([difference(5)], last)).toBe('')
  expect(lastReasonFor([difference(5), difference(-3)], last)).toBe('')
  const both = withReason(last, [difference(5)], 'Found')
  expect(lastReasonFor([difference(7)], both)).toBe('Found')
  expect(lastReasonFor([difference(-7)], both)).toBe('Lost or stolen')
})

it('a reason that was only suggested is not what somebody chose', () => {
  const swapped = difference(18, [{ kind: 'swapped_digits' }])
  expect(lastReasonFor([difference(5)], withReason(noReasons, [swapped], 'Miscounted before'))).toBe('')
  expect(lastReasonFor([difference(5)], withReason(noReasons, [swapped], 'Other'))).toBe('Other')
})

it('a reason that says the opposite of a difference is not begun with, though somebody chose it so', () => {
  expect(lastReasonFor([difference(4)], withReason(noReasons, [difference(5)], 'Damaged'))).toBe('')
  expect(lastReasonFor([difference(-4)], withReason(noReasons, [difference(-5)], 'Found'))).toBe('')
})

it('of some that are missing and some too many nothing is remembered', () => {
  expect(withReason(noReasons, [difference(5), difference(-3)], 'Other')).toEqual(noReasons)
})
