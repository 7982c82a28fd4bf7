import { newId } from '../lib/ids.ts'
import type { NewJob, Outbox } from '../outbox/outbox.ts'
import type { Job } from '../outbox/store.ts'
import type { CountJob, CountJobReply } from './count-jobs.ts'

type NoteValue = Extract<CountJob, { kind: 'note' }>

/** What is said of a count, in its turn behind it. */
export type NoteJob = Job<CountJob> & { value: NoteValue }

type NoteOutbox = Pick<Outbox<CountJob, CountJobReply>, 'getState' | 'add' | 'replace'>

export const isNoteJob = (job: Job<CountJob>): job is NoteJob => job.value.kind === 'note'

/** The notes that wait for their turn, or were refused. */
export function listNotes(jobs: readonly Job<CountJob>[], state: Job<CountJob>['state']): NoteJob[] {
  return jobs.filter(isNoteJob).filter((note) => note.state === state)
}

/** What waits to be said of counts, by their keys: of each what was written last. */
export function mapWaitingNotes(jobs: readonly Job<CountJob>[]): ReadonlyMap<string, string> {
  return new Map(listNotes(jobs, 'waiting').map(({ value }) => [value.key, value.note]))
}

function jobOf(group: string, said: Omit<NoteValue, 'kind'>): NewJob<CountJob> {
  return { id: newId(), group, isEntry: false, value: { kind: 'note', ...said } }
}

type Held = Pick<NoteOutbox, 'getState' | 'replace'>

const listNotesOf = ({ getState }: Held, key: string): NoteJob[] =>
  (['waiting', 'refused'] as const).flatMap((state) =>
    listNotes(getState().jobs, state).filter(({ value }) => value.key === key),
  )

/** Says something of a count, in the place of what was to be said of it and is not on its way yet. */
export async function addNote(
  outbox: NoteOutbox,
  { group, ...said }: Omit<NoteValue, 'kind'> & { group: string },
): Promise<void> {
  const note = jobOf(group, said)
  const before = listNotesOf(outbox, said.key).at(-1)
  if (before === undefined || !(await outbox.replace(before.id, [note]))) outbox.add(note)
}

/** What was to be said of an entry is said of the one that is sent in its place. */
export async function moveNotes(outbox: Held, from: string, to: Pick<NoteValue, 'key' | 'barcode'>) {
  for (const { id, group, value } of listNotesOf(outbox, from)) {
    await outbox.replace(id, [jobOf(group, { ...value, ...to })])
  }
}

/** Takes out what was to be said of an entry that was taken back before it was stored. */
export async function dropNotes(outbox: Held, key: string): Promise<void> {
  for (const { id } of listNotesOf(outbox, key)) await outbox.replace(id, [])
}

/** Sends a note again that was refused. */
export async function sendNoteAgain(outbox: Held, { id, group, value }: NoteJob): Promise<boolean> {
  return await outbox.replace(id, [jobOf(group, value)])
}

/** Takes a note out that was refused. */
export async function discardNote(outbox: Held, { id }: NoteJob): Promise<boolean> {
  return await outbox.replace(id, [])
}

/** Whether a job may go before a note without changing what comes of it. */
function mayPass({ state, value }: Job<CountJob>, note: NoteJob): boolean {
  if (state !== 'waiting' || value.kind === 'note') return false
  return value.kind !== 'undo' || value.key !== note.value.key
}

/**
 * Lets what waits behind a note go first, where the server that was asked knows no notes; false where nothing does. What was
 * written later of the same count takes its place.
 */
export function letPass(outbox: Pick<NoteOutbox, 'getState' | 'add'>, job: NoteJob): boolean {
  const { jobs } = outbox.getState()
  if (!jobs.some((other) => mayPass(other, job))) return false
  const newest = listNotes(jobs, 'waiting').findLast(({ value }) => value.key === job.value.key)
  if (newest === undefined || newest.id === job.id) outbox.add(jobOf(job.group, job.value))
  return true
}
