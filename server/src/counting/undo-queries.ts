import type { undoRefusals } from '@inventory-manager/contract/counting/messages'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Actor } from '../platform/http/identity.ts'

export type UndoneCount = {
  outcome: 'undone'
  sku: string
  quantity: number
  location: LocationCode
  source: string
}

type UndoOutcome = { outcome: 'not_found' | keyof typeof undoRefusals } | UndoneCount

/** Takes the actor's count back that was sent under a key, or says why not and changes nothing. */
export async function undoCount(tx: Tx, actor: Actor, key: string): Promise<UndoOutcome> {
  const { rows } = await sql<{ outcome: UndoOutcome }>`
    select undo_count_in_use(${tx.tenantId}::uuid, ${actor.userId}::uuid, ${key}) as outcome
  `.execute(tx.db)
  return onlyRow(rows).outcome
}
