import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { undoRefusals } from '@inventory-manager/contract/counting/messages'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { undoCount, type UndoneCount } from './undo-queries.ts'

/**
 * Takes an entry back; throws 'not_found', 'cannot_undo' and 'location_not_in_plan', with which the undo is rolled back.
 */
export async function undo(tx: Tx, actor: Actor, key: string): Promise<UndoneCount> {
  const undone = await undoCount(tx, actor, key)
  if (undone.outcome === 'not_found') {
    throw new AppError('not_found', { sentence: entryMessages.nothingToUndo })
  }
  if (undone.outcome !== 'undone') {
    throw new AppError('cannot_undo', { sentence: undoRefusals[undone.outcome] })
  }
  requireLocation(actor, undone.location)
  return undone
}
