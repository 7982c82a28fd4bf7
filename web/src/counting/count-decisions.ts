import { newId } from '../lib/ids.ts'
import type { Job } from '../outbox/store.ts'
import type { CountJob } from './count-jobs.ts'
import { moveNotes } from './count-notes.ts'
import { countOutbox, type CountOutbox } from './count-outbox.ts'
import { isOfNothing, isStoredHere, recentResults, type CountOwner } from './count-results.ts'
import { isAnyEntry, piecesOf, takeOut, traceOf, type HeldEntry } from './held-entries.ts'

/** What takes an entry back at the server, in its turn. */
export type UndoJob = Job<CountJob> & { value: Extract<CountJob, { kind: 'undo' }> }

const isUndoJob = (job: Job<CountJob>): job is UndoJob => job.value.kind === 'undo'

/** What is to be taken back and waits for its turn, or was refused. */
export function listUndos(jobs: readonly Job<CountJob>[], state: Job<CountJob>['state']): UndoJob[] {
  return jobs.filter(isUndoJob).filter((undo) => undo.state === state)
}

/** The entries that are being taken back. */
export function keysBeingTakenBack(jobs: readonly Job<CountJob>[]): ReadonlySet<string> {
  return new Set(listUndos(jobs, 'waiting').map(({ value }) => value.key))
}

/** Takes an entry out that is not stored. The audit trail is told. */
export async function discardEntry(entry: HeldEntry): Promise<boolean> {
  return await countOutbox().replace(entry.id, [traceOf(entry, 'count_entry_discarded')])
}

type SentAs = { barcode: string; piecesPerScan: number }

function changesOf({ value }: HeldEntry, { barcode, piecesPerScan }: SentAs): Record<string, string> {
  return {
    ...(barcode === value.barcode ? {} : { to: barcode }),
    ...(piecesOf(value, piecesPerScan) === value.quantity ? {} : { pieces: String(piecesPerScan) }),
  }
}

/** Sends a refused entry again, as another entry; where it is given, under another code, or with its scans as those of a pack. */
export async function sendEntryAgain(
  entry: HeldEntry,
  as: SentAs = { barcode: entry.value.barcode, piecesPerScan: 1 },
): Promise<boolean> {
  const { barcode, piecesPerScan } = as
  const { scans: _, ...kept } = entry.value
  const recount = kept.recount || entry.refusal?.code === 'already_counted'
  const description = barcode === kept.barcode ? kept.description : barcode
  // Scans that are those of a pack are pieces from now on; as they were, the code may still turn out to be that of one.
  const quantity = piecesOf(entry.value, piecesPerScan)
  const value = { ...(piecesPerScan === 1 ? entry.value : kept), barcode, quantity, recount, description }
  // What did not belong into its count is told once more, unless it is another code by now.
  const isEntry = entry.isEntry || barcode !== kept.barcode
  const again = { id: newId(), group: entry.group, isEntry, value }
  const changes = changesOf(entry, as)
  const isChanged = Object.keys(changes).length > 0
  const jobs = isChanged ? [traceOf(entry, 'count_entry_changed', changes), again] : [again]
  const outbox = countOutbox()
  if (!(await outbox.replace(entry.id, jobs))) return false
  await moveNotes(outbox, entry.id, { key: again.id, barcode })
  return true
}

/** Takes out what could not be taken back: a person has seen it. */
export async function forgetRefusedUndo({ id }: UndoJob): Promise<boolean> {
  return await countOutbox().replace(id, [])
}

/** A count, and the outbox of whoever opened its screen: by now, somebody else may have signed in. */
type CountContext = { outbox: CountOutbox; count: CountOwner }

/** The order of a count's next scan: behind all that could be taken back. */
export function nextOrder({ outbox, count }: CountContext): number {
  const entries = outbox.getState().jobs.filter(isAnyEntry)
  const orders = entries.filter(({ group }) => group === count.group).map(({ value }) => value.order)
  const results = recentResults.of(count).map(({ order }) => order)
  return [...orders, ...results].reduce((most, order) => Math.max(most, order), 0) + 1
}

/** Asks the server to take an entry back; once more in the place of what was refused. */
async function askToTakeBack(
  { id, barcode }: { id: string; barcode: string },
  { outbox, count }: CountContext,
) {
  const value = { kind: 'undo' as const, key: id, barcode }
  const undo = { id: newId(), group: count.group, isEntry: false, value }
  const refused = listUndos(outbox.getState().jobs, 'refused').find((other) => other.value.key === id)
  if (refused === undefined || !(await outbox.replace(refused.id, [undo]))) outbox.add(undo)
}

/** What taking the last entry back began with; null where there is none. */
export type Undoing = { barcode: string; came: 'done' | 'asked' | 'nothing_counted' } | null

/** What somebody may mean by the last entry. `isCounted`: the server has it, or may have it. */
type Last = { id: string; barcode: string; order: number; held: HeldEntry | null; isCounted: boolean }

/** The entries of a count that its last one is among; of two in one place the one that is stored first. */
function listEntries({ outbox, count }: CountContext): Last[] {
  const results = recentResults.of(count)
  const held = outbox
    .getState()
    .jobs.filter(isAnyEntry)
    .filter(({ group }) => group === count.group)
  return [
    ...results.filter(isStoredHere).map((result) => ({ ...result, held: null, isCounted: true })),
    ...held.map((entry) => ({ ...entry.value, id: entry.id, held: entry, isCounted: entry.isEntry })),
    ...results.filter(isOfNothing).map((result) => ({ ...result, held: null, isCounted: false })),
  ]
}

/** Entries of nothing that were to be taken back: whoever asks again means the one before. */
const passedOver = new Set<string>()

/** Takes the last entry back that was scanned before a place in the order. */
async function undoBefore(before: number, context: CountContext): Promise<Undoing> {
  const undoing = keysBeingTakenBack(context.outbox.getState().jobs)
  const [last] = listEntries(context)
    .filter(({ id, order }) => order < before && !undoing.has(id))
    .filter(({ id, isCounted }) => isCounted || !passedOver.has(id))
    .toSorted((one, other) => other.order - one.order)
  if (last === undefined) return null
  const { id, barcode, held, isCounted } = last
  if (held !== null && (await takeOut(context.outbox, held))) return { barcode, came: 'done' }
  if (isCounted) {
    await askToTakeBack(last, context)
    return { barcode, came: 'asked' }
  }
  passedOver.add(id)
  return { barcode, came: 'nothing_counted' }
}

/** Takes an entry back that the server holds, unless that is under way. */
async function undoStored(id: string, context: CountContext): Promise<Undoing> {
  const { outbox, count } = context
  const stored = recentResults.of(count).find((result) => result.id === id && isStoredHere(result))
  if (stored === undefined) return null
  if (!keysBeingTakenBack(outbox.getState().jobs).has(id)) await askToTakeBack(stored, context)
  return { barcode: stored.barcode, came: 'asked' }
}

let lastUndo: Promise<unknown> = Promise.resolve()

/** One after the other: what is pressed twice must not take the same entry back twice. */
function inTurn(undo: () => Promise<Undoing>): Promise<Undoing> {
  const undoing = lastUndo.then(undo)
  lastUndo = Promise.allSettled([undoing])
  return undoing
}

/** Takes one of the last ten results back by a request that waits its turn; null where there is nothing to take back any more. */
export async function undoChosenEntry(id: string, context: CountContext): Promise<Undoing> {
  return await inTurn(() => undoStored(id, context))
}

/**
 * Takes the last entry of a count back: out of the outbox where it was never sent; where the server has it, or may have it, by
 * a request that waits its turn behind it. Of one of which nothing was counted it says so, and leaves the one before it. Asked
 * twice, it takes two back, and nothing that is scanned meanwhile.
 */
export async function undoLastEntry(context: CountContext): Promise<Undoing> {
  const before = nextOrder(context)
  return await inTurn(() => undoBefore(before, context))
}
