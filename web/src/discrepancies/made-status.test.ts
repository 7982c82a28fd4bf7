import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { expect, it } from 'vitest'
import { madeStatus, undoneStatus } from './made-status.ts'

const at = '2026-11-20T23:00:00.000Z'

const difference = (id: string, sku: string): Discrepancy => ({
  id,
  sku,
  description: '',
  location: 'PRIMARY',
  count_type: 'monthly',
  status: 'open',
  expected: 10,
  counted: 8,
  difference: -2,
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
})

const [one, before, other] = [difference('2', 'A'), difference('1', 'A'), difference('3', 'B')] as const

it('a decision can be taken back where it is of one difference and has settled no other', () => {
  const accepted = { tone: 'good', text: '1 accepted and posted to today’s stock.' }
  const accept = { decision: 'accept', reason: 'Damaged', note: '', items: [one] } as const
  expect(madeStatus(accept, { decided: 1, listed: [one, other] })).toEqual({ ...accepted, decided: one })
  expect(madeStatus(accept, { decided: 1, listed: [one, before, other] })).toEqual(accepted)
  const ended = { ...before, status: 'dismissed' } as const
  expect(madeStatus(accept, { decided: 1, listed: [one, ended] })).toEqual({ ...accepted, decided: one })
})

it('what was dismissed leaves others as they are, and several are not taken back by one press', () => {
  const dismissed = { tone: 'good', text: '1 dismissed. Stock stays as it is.', decided: one }
  const dismiss = { decision: 'dismiss', note: '', items: [one] } as const
  expect(madeStatus(dismiss, { decided: 1, listed: [one, before] })).toEqual(dismissed)
  expect(madeStatus({ ...dismiss, items: [one, other] }, { decided: 2, listed: [one, other] })).toEqual({
    tone: 'good',
    text: '2 dismissed. Stock stays as it is.',
  })
})

it('taking back can be tried again where nobody answered, and not where it was refused', () => {
  expect(undoneStatus(one, { failure: 'The server cannot be reached.', isUnheard: true })).toEqual({
    tone: 'bad',
    text: 'The server cannot be reached.',
    decided: one,
  })
  expect(undoneStatus(one, { failure: 'Nothing was reopened.', isUnheard: false })).toEqual({
    tone: 'bad',
    text: 'Nothing was reopened.',
  })
  expect(undoneStatus(one, { status: 'open' })).toEqual({
    tone: 'good',
    text: 'A at Primary Warehouse waits again: to decide.',
  })
})
