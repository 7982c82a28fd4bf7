import { describe, expect, it } from 'vitest'
import type { Job } from '../outbox/store.ts'
import type { CountJob } from './count-jobs.ts'
import type { CountResult } from './count-verdicts.ts'
import { listNotable, noteOn } from './notable.ts'

const timestamp = '2026-11-21T10:00:00.000Z'

function result(id: string, part: Partial<CountResult> = {}): CountResult {
  const fixed = { barcode: `B-${id}`, quantity: 3, timestamp, order: 1, description: '', message: '' }
  return { ...fixed, id, verdict: 'matched', ...part }
}

function entry(id: string, part: Partial<Job<CountJob>> = {}): Job<CountJob> {
  return {
    id,
    owner: 'c/u',
    group: 's',
    value: {
      kind: 'entry',
      barcode: `B-${id}`,
      quantity: 4,
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp,
      day: null,
      recount: false,
      order: 1,
      description: '',
    },
    isEntry: true,
    state: 'waiting',
    refusal: null,
    sent: false,
    page: 'p',
    ...part,
  }
}

const none = { jobs: [], takingBack: new Set<string>(), notes: new Map<string, string>(), results: [] }

const idsOf = (part: Partial<Parameters<typeof listNotable>[1]>) =>
  listNotable('s', { ...none, ...part }).map(({ id }) => id)

describe('something may be said', () => {
  it('of what waits, newest first, and then of what is stored', () => {
    expect(idsOf({ jobs: [entry('3'), entry('4')], results: [result('2'), result('1')] })).toEqual([
      '4',
      '3',
      '2',
      '1',
    ])
  })

  it('of a first entry that did not match, as of what is recorded', () => {
    const results = (['mismatched', 'recorded', 'review'] as const).map((verdict) =>
      result(verdict, { verdict }),
    )
    expect(idsOf({ results })).toEqual(['mismatched', 'recorded', 'review'])
  })

  it('of nothing that was taken back or is to be, was refused, or is of another count', () => {
    const verdicts = ['unknown', 'retired', 'again', 'refused', 'undone'] as const
    const results = [...verdicts.map((verdict) => result(verdict, { verdict })), result('going')]
    const jobs = [
      entry('refused', { state: 'refused' }),
      entry('other', { group: 'other' }),
      entry('told', { isEntry: false }),
      entry('gone'),
    ]
    expect(idsOf({ results, jobs, takingBack: new Set(['going', 'gone']) })).toEqual([])
  })

  it('of ten at the most', () => {
    const results = Array.from({ length: 10 }, (_, index) => result(`${index}`))
    expect(idsOf({ jobs: [entry('new')], results })).toHaveLength(10)
    expect(idsOf({ jobs: [entry('new')], results }).at(-1)).toBe('8')
  })
})

it('what waits to be said stands before what is stored, also where that is to be taken away', () => {
  const stored = result('1', { note: 'Stored' })
  expect(noteOn(stored, new Map())).toBe('Stored')
  expect(noteOn(stored, new Map([['1', '']]))).toBe('')
  expect(listNotable('s', { ...none, results: [stored], notes: new Map([['1', 'New']]) })).toEqual([
    { id: '1', barcode: 'B-1', quantity: 3, timestamp, note: 'New' },
  ])
})
