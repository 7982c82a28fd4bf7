import type { SkuReport } from '@inventory-manager/contract/audit/rules'
import { newId } from '../lib/ids.ts'
import type { Job, Refusal } from '../outbox/store.ts'
import type { NewJob, Outbox } from '../outbox/outbox.ts'
import type { CountJob, CountJobReply, EntryValue } from './count-jobs.ts'
import { dropNotes } from './count-notes.ts'
import { recentResults } from './count-results.ts'

/** An entry that the server did not take, or does not have yet. */
export type HeldEntry = Job<CountJob> & { value: EntryValue }

/** Whether a job is an entry, or tells the server of one that does not belong into its count. */
export function isAnyEntry(job: Job<CountJob>): job is HeldEntry {
  return job.value.kind === 'entry'
}

/** Whether a job is an entry of a count, or one that the server was told of and did not take. */
export function isHeldEntry(job: Job<CountJob>): job is HeldEntry {
  return isAnyEntry(job) && (job.isEntry || job.state === 'refused')
}

/** The entries of a count that wait to be sent, oldest first. */
export function listWaiting(jobs: readonly Job<CountJob>[], session: string): HeldEntry[] {
  return jobs.filter(isHeldEntry).filter(({ group, state }) => group === session && state === 'waiting')
}

/** What settles an entry that does not belong into its count: what nobody knows, the server has kept. */
const lastWords = new Set(['not_in_list', 'not_found', 'barcode_retired'])

/** Whether a person decides on an entry that the server did not take. */
export function isEntryToDecide(job: Job<CountJob>, { code }: Refusal): boolean {
  return isAnyEntry(job) && (job.isEntry || !lastWords.has(code))
}

/** How many pieces an entry counts where each scan of its code stands for so many; what was typed is a number of pieces. */
export function piecesOf(
  { quantity, scans = 0 }: Pick<EntryValue, 'quantity' | 'scans'>,
  piecesPerScan: number,
): number {
  return quantity + scans * (piecesPerScan - 1)
}

/** What tells the audit trail of a decision on an entry, and what it was changed to. */
export function traceOf(
  { group, value, refusal }: HeldEntry,
  action: SkuReport,
  changed: Record<string, string> = {},
): NewJob<CountJob> {
  const { barcode, quantity, location, timestamp, session } = value
  const facts = {
    session,
    counted_at: timestamp,
    ...(refusal === null ? {} : { reason: refusal.message }),
    ...changed,
  }
  const told = { kind: 'trace' as const, action, barcode, quantity, location, facts }
  return { id: newId(), group, isEntry: false, value: told }
}

type Held = Pick<Outbox<CountJob, CountJobReply>, 'getState' | 'replace'>

/** Takes an entry back that is not stored; false where the server may have it. */
export async function takeOut(outbox: Held, entry: HeldEntry): Promise<boolean> {
  const isOut = await outbox.replace(entry.id, [traceOf(entry, 'count_entry_taken_back')])
  if (!isOut) return false
  recentResults.takeBack(entry, entry.id)
  await dropNotes(outbox, entry.id)
  return true
}

const findEntry = ({ getState }: Pick<Held, 'getState'>, key: string): HeldEntry | undefined =>
  getState()
    .jobs.filter(isHeldEntry)
    .find(({ id }) => id === key)

/** Whether the entry with a key waits for a decision. */
export function isRefused(outbox: Pick<Held, 'getState'>, key: string): boolean {
  return findEntry(outbox, key)?.state === 'refused'
}

/** Takes the entry with a key out where the server has refused it: it stores nothing that could be taken back. */
export async function takeOutRefused(outbox: Held, key: string): Promise<boolean> {
  const entry = findEntry(outbox, key)
  return entry?.state === 'refused' && (await takeOut(outbox, entry))
}
