import { expect, it } from 'vitest'
import { madeStatus, undoneStatus } from './made-status.ts'
import { sampleDifference } from './sample-difference.ts'

const difference = (id: string, sku: string) => sampleDifference({ id, sku })

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
