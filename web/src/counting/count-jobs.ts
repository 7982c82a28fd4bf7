import { recordCount, type CountReply } from '@inventory-manager/contract/counting/endpoints'
import { saveCycleCount, type CycleCount } from '@inventory-manager/contract/counting/record-endpoints'
import { noteCount } from '@inventory-manager/contract/counting/note-endpoints'
import { undoCount } from '@inventory-manager/contract/counting/undo-endpoints'
import { locationCodes } from '@inventory-manager/contract/locations'
import { lookupCodes, weekDays } from '@inventory-manager/contract/stock/rules'
import { maxBarcodeLength, countTypes } from '@inventory-manager/contract/values'
import { z } from '@inventory-manager/contract/zod'
import { logAudit } from '@inventory-manager/contract/audit/report-endpoints'
import { ApiError, isAnsweredOnTheWay, isPassing } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import type { Job } from '../outbox/store.ts'

const entryValue = z.object({
  kind: z.literal('entry'),
  barcode: z.string(),
  quantity: z.number(),
  location: z.enum(locationCodes),
  source: z.enum(countTypes),
  session: z.string(),
  timestamp: z.string(),
  day: z.nullable(z.enum(weekDays)),
  recount: z.boolean(),
  /** Of a code that nobody knew, how many of the quantity are scans that counted one each: it may turn out to be that of a pack. */
  scans: z.optional(z.number()),
  /** Counts up with each scan of a session on this device: its clock may be set back. 0 is one from before this was kept. */
  order: z._default(z.number(), 0),
  /** What the person counting knows the component by. */
  description: z.string(),
})

const countJob = z.discriminatedUnion('kind', [
  entryValue,
  /** Takes the entry with this key back. */
  z.object({ kind: z.literal('undo'), key: z.string(), barcode: z.string() }),
  /** Says something of the count with this key; empty takes it away. */
  z.object({ kind: z.literal('note'), key: z.string(), barcode: z.string(), note: z.string() }),
  /** Tells the audit trail what a person decided on an entry that never got stored. */
  z.object({
    kind: z.literal('trace'),
    action: z.string(),
    barcode: z.string(),
    quantity: z.number(),
    location: z.string(),
    facts: z.record(z.string(), z.string()),
  }),
])

export type EntryValue = z.output<typeof entryValue>

/** What a count puts into the outbox. */
export type CountJob = z.output<typeof countJob>

/**
 * What the server said: of a count its reply, and what its cycle then says of it; of anything else that it is done. `stored`: how
 * many entries it holds more for it.
 */
export type CountJobReply = {
  count: CountReply | null
  inCycle: CycleCount['progress'] | null
  stored: 1 | 0 | -1
}

/** What is done and says nothing of a count. */
export const doneWith = (stored: CountJobReply['stored']): CountJobReply => ({
  count: null,
  inCycle: null,
  stored,
})

export function readCountJob(value: unknown): CountJob | null {
  const read = countJob.safeParse(value)
  return read.success ? read.data : null
}

const sendTimeoutMs = 15_000

/** The SKU that a reply is of. A device whose list is older may have sent another barcode of it. */
function answeredBarcode(reply: CountReply, scanned: string): string {
  return (reply.matched === true ? reply.component.barcode : reply.barcode) ?? scanned
}

/** The SKU that a reply has recorded; null where it has not, as after a first wrong quantity. */
export function recordedBarcode(reply: CountReply | null, scanned: string): string | null {
  if (reply === null || !('progress' in reply) || reply.progress === undefined) return null
  return answeredBarcode(reply, scanned)
}

/** What an entry is shown and found by once it is answered: as it was scanned, unless that is another barcode. */
export function shownBarcode(reply: CountReply | null, scanned: string): string {
  const sku = reply === null ? scanned : answeredBarcode(reply, scanned)
  return lookupCodes(scanned).includes(sku) ? scanned : sku
}

/**
 * A recorded count of an administrator is part of the month's cycle; saving it twice changes nothing. Answers what the cycle
 * then says of it: another number where another count is newer, nothing where the cycle was reset since.
 */
async function saveInCycle(entry: EntryValue, reply: CountReply, options: { owner: string; key: string }) {
  const barcode = recordedBarcode(reply, entry.barcode)
  if (barcode === null) return null
  const body = {
    id: entry.session,
    location: entry.location,
    user_type: 'admin' as const,
    progress: { [barcode]: entry.quantity },
    completed: false,
    reply: 'given' as const,
  }
  const idempotencyKey = `${options.key}-cycle`
  const { cycle_count: saved } = await call(
    saveCycleCount,
    { body },
    { owner: options.owner, idempotencyKey, timeoutMs: sendTimeoutMs },
  )
  return Object.hasOwn(saved.progress, barcode) ? { [barcode]: saved.progress[barcode] } : {}
}

async function sendEntry({ id, owner }: Job<CountJob>, entry: EntryValue): Promise<CountJobReply> {
  const { kind: _, description: __, order: ___, ...body } = entry
  const reply = await call(recordCount, { body }, { owner, idempotencyKey: id, timeoutMs: sendTimeoutMs })
  const counted = { count: reply, inCycle: null, stored: 1 } as const
  if (entry.source !== 'admin') return counted
  try {
    return { ...counted, inCycle: await saveInCycle(entry, reply, { owner, key: id }) }
  } catch (error) {
    // The count is stored: what the cycle's record refuses must not make it look refused.
    if (isAnsweredOnTheWay(error)) throw new ApiError(error.message, { kind: 'network', cause: error })
    if (!(error instanceof ApiError) || isPassing(error)) throw error
    return counted
  }
}

type Said = Extract<CountJob, { kind: 'note' }>

/** Whether the server, being of the version before, has no such call: of a count it does not find it says so in another code. */
export function knowsNoNotes(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'not_found'
}

async function sendNote({ key, note }: Said, options: Parameters<typeof call>[2]): Promise<CountJobReply> {
  try {
    await call(noteCount, { body: { key, note } }, options)
    return doneWith(0)
  } catch (error) {
    if (!knowsNoNotes(error)) throw error
    // Another server takes it, or this one once it is of this version.
    throw new ApiError(error.message, { kind: 'bad_reply', status: 404, code: 'not_found', cause: error })
  }
}

/** Sends one job for its owner; throws ApiError. */
export async function sendCountJob(job: Job<CountJob>): Promise<CountJobReply> {
  const { value, id, owner } = job
  const options = { owner, idempotencyKey: id, timeoutMs: sendTimeoutMs }
  switch (value.kind) {
    case 'entry':
      return await sendEntry(job, value)
    case 'undo':
      await call(undoCount, { body: { key: value.key } }, options)
      return doneWith(-1)
    case 'note':
      return await sendNote(value, options)
    case 'trace': {
      const { barcode, quantity, location, action, facts } = value
      const sku = barcode.slice(0, maxBarcodeLength)
      const metadata = { event_type: action, barcode, ...facts }
      await call(logAudit, { body: { sku, quantity, location, source: 'screen', metadata } }, options)
      return doneWith(0)
    }
  }
}
