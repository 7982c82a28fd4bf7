import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { createNote, deleteNote, findNote, lockCount, updateNote, type NotedCount } from './note-queries.ts'

type Change = { count: NotedCount; before: string; note: string }

async function change(tx: Tx, actor: Actor, { count, before, note }: Change): Promise<void> {
  if (note === '') await deleteNote(tx, count)
  else if (before === '') await createNote(tx, actor, { ...count, note })
  else await updateNote(tx, count, note)
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'count_noted',
    sku: count.sku,
    location: count.location,
    source: count.source,
    metadata: { old_value: before, new_value: note },
  })
}

/**
 * Says something about the actor's count that was sent under a key, or takes it away where the note is empty; the same once more
 * changes nothing. Throws 'count_not_found', 'cannot_note' of one that was taken back, and 'location_not_in_plan'.
 */
export async function noteOn(
  tx: Tx,
  actor: Actor,
  { key, note }: { key: string; note: string },
): Promise<NotedCount> {
  const count = await lockCount(tx, actor, key)
  if (count === null) throw new AppError('count_not_found')
  requireLocation(actor, count.location)
  const before = await findNote(tx, count)
  if (note === before) return count
  if (count.isTakenBack) throw new AppError('cannot_note')
  await change(tx, actor, { count, before, note })
  return count
}
