import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { notesFor, type CountNotes } from './count-notes.ts'
import { mapTakenBack } from './taken-back-queries.ts'

/** What is told beside counts of the history, by their ids: notes, to whoever is told of them, and when they were taken back. */
export type BesideCounts = { notes: CountNotes; takenBack: ReadonlyMap<string, Date> }

export async function besideCounts(
  tx: Tx,
  actor: Pick<Actor, 'role'>,
  counts: readonly { id: string }[],
): Promise<BesideCounts> {
  return { notes: await notesFor(tx, actor, counts), takenBack: await mapTakenBack(tx, counts) }
}
