import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Actor } from '../platform/http/identity.ts'

/** What keeps a component from being retired; `retired`: that it is. */
export type Obstacle = 'retired' | 'stock' | 'on_its_way' | 'difference'

/** Retires a component, or says what keeps it from that. */
export async function retire(tx: Tx, actor: Actor, componentId: string): Promise<Obstacle | null> {
  const { rows } = await sql<{ obstacle: Obstacle | null }>`
    select retire_component(${tx.tenantId}::uuid, ${componentId}::uuid, ${actor.userName}) as obstacle
  `.execute(tx.db)
  return onlyRow(rows).obstacle
}

/** Brings a retired component back; false where it was not retired. */
export async function reinstate(tx: Tx, componentId: string): Promise<boolean> {
  const { rows } = await sql<{ back: string[] }>`
    select reinstate_components(${tx.tenantId}::uuid, ${[componentId]}::uuid[]) as back
  `.execute(tx.db)
  return onlyRow(rows).back.length > 0
}
