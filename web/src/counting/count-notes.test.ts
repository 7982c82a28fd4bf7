import { describe, expect, it } from 'vitest'
import type { NewJob } from '../outbox/outbox.ts'
import type { Job } from '../outbox/store.ts'
import type { CountJob } from './count-jobs.ts'
import { addNote, dropNotes, isNoteJob, letPass, mapWaitingNotes, moveNotes } from './count-notes.ts'

const common = { owner: 'c/u', group: 's', refusal: null, page: 'p' } as const

/** An entry of A-1, or what takes another one back or says something of it. */
function job(id: string, value: CountJob['kind'], part: Partial<Job<CountJob>> & { key?: string } = {}) {
  const { key = 'count', ...rest } = part
  const values: Record<CountJob['kind'], CountJob> = {
    entry: {
      kind: 'entry',
      barcode: 'A-1',
      quantity: 3,
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp: '2026-11-21T10:00:00.000Z',
      day: null,
      recount: false,
      order: 1,
      description: 'Bolt',
    },
    undo: { kind: 'undo', key, barcode: 'A-1' },
    note: { kind: 'note', key, barcode: 'A-1', note: `Text of ${id}` },
    trace: { kind: 'trace', action: 'x', barcode: 'A-1', quantity: 3, location: 'PRIMARY', facts: {} },
  }
  const made: Job<CountJob> = {
    ...common,
    id,
    value: values[value],
    isEntry: value === 'entry',
    state: 'waiting',
    sent: false,
    ...rest,
  }
  return made
}

/** An outbox of some jobs, in which what was sent is replaced no more; `does` is what was asked of it. */
function outboxOf(jobs: Job<CountJob>[]) {
  const does: unknown[] = []
  const said = (made: readonly NewJob<CountJob>[]) =>
    made.map(({ value }) => (value.kind === 'note' ? [value.key, value.barcode, value.note] : value.kind))
  return {
    does,
    getState: () => ({ jobs, stored: new Map<string, number>(), isDurable: true, isHeldUp: false }),
    add: (made: NewJob<CountJob>) => void does.push(['add', ...said([made])]),
    async replace(id: string, made: readonly NewJob<CountJob>[]) {
      const found = jobs.find((each) => each.id === id)
      if (found === undefined || (found.state === 'waiting' && found.sent)) return false
      does.push(['replace', id, ...said(made)])
      return true
    },
  }
}

const refusal = { code: 'cannot_note', message: 'No.' }
const told = { group: 's', key: 'count', barcode: 'A-1', note: 'New' }

describe('something is said of a count', () => {
  it('by a job of its own', async () => {
    const outbox = outboxOf([job('other', 'note', { key: 'other count' })])
    await addNote(outbox, told)
    expect(outbox.does).toEqual([['add', ['count', 'A-1', 'New']]])
  })

  it.each([
    ['waits', {}],
    ['was refused', { state: 'refused', refusal, sent: true }],
  ] as const)('in the place of what %s', async (_, part) => {
    const outbox = outboxOf([job('before', 'note', part)])
    await addNote(outbox, told)
    expect(outbox.does).toEqual([['replace', 'before', ['count', 'A-1', 'New']]])
  })

  it('behind what may be on its way, and then that is what is shown', async () => {
    const outbox = outboxOf([job('before', 'note', { sent: true })])
    await addNote(outbox, told)
    expect(outbox.does).toEqual([['add', ['count', 'A-1', 'New']]])
    const waiting = [job('first', 'note', { sent: true }), job('second', 'note'), job('e', 'entry')]
    expect(mapWaitingNotes(waiting)).toEqual(new Map([['count', 'Text of second']]))
  })

  it('is not shown of it once the server has refused it', () => {
    expect(mapWaitingNotes([job('n', 'note', { state: 'refused', refusal })])).toEqual(new Map())
  })
})

describe('what is said of an entry', () => {
  it('goes along with the one that is sent in its place', async () => {
    const refused = { state: 'refused', refusal, sent: true } as const
    const outbox = outboxOf([job('n', 'note', refused), job('other', 'note', { ...refused, key: 'other' })])
    await moveNotes(outbox, 'count', { key: 'again', barcode: 'A-2' })
    expect(outbox.does).toEqual([['replace', 'n', ['again', 'A-2', 'Text of n']]])
  })

  it('is dropped with it', async () => {
    const outbox = outboxOf([job('n', 'note'), job('other', 'note', { key: 'other' })])
    await dropNotes(outbox, 'count')
    expect(outbox.does).toEqual([['replace', 'n']])
  })
})

describe('a note that the server does not know yet', () => {
  function pass(jobs: Job<CountJob>[]) {
    const outbox = outboxOf(jobs)
    const [note] = jobs.filter(isNoteJob)
    if (note === undefined) throw new Error('There is no note.')
    return [letPass(outbox, note), ...outbox.does]
  }
  const again = ['add', ['count', 'A-1', 'Text of n']]

  it.each(['entry', 'trace'] as const)('lets an %s pass, and comes again behind it', (kind) => {
    expect(pass([job('n', 'note', { sent: true }), job('other', kind)])).toEqual([true, again])
  })

  it('lets the undo of another count pass, not that of its own', () => {
    expect(pass([job('n', 'note'), job('u', 'undo', { key: 'other' })])).toEqual([true, again])
    expect(pass([job('n', 'note'), job('u', 'undo')])).toEqual([false])
  })

  it('waits where there is nothing else, or only other notes', () => {
    expect(pass([job('n', 'note')])).toEqual([false])
    expect(pass([job('n', 'note'), job('m', 'note', { key: 'other' })])).toEqual([false])
    expect(pass([job('n', 'note'), job('e', 'entry', { state: 'refused', refusal })])).toEqual([false])
  })

  it('gives way to what was written later of the same count', () => {
    expect(pass([job('n', 'note', { sent: true }), job('e', 'entry'), job('m', 'note')])).toEqual([true])
  })
})
