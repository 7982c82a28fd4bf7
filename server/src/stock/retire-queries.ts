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

/** Where there is stock of a component. */
export async function listStocked(tx: Tx, componentId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('stock')
    .select('location')
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .where('quantity', '>', 0)
    .orderBy('location')
    .execute()
  return rows.map(({ location }) => location)
}

/** Lets nobody retire a component until the transaction ends. */
export async function keepFromRetiring(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(retire_lock(${tx.tenantId}::uuid))`.execute(tx.db)
}

/** Of some barcodes those of retired components; nobody retires more until the transaction ends. */
export async function findRetired(tx: Tx, barcodes: readonly string[]): Promise<Set<string>> {
  await keepFromRetiring(tx)
  const rows = await tx.db
    .selectFrom('components')
    .select('barcode')
    .where('tenant_id', '=', tx.tenantId)
    .where('barcode', '=', sql<string>`any (${barcodes}::text[])`)
    .where('retired_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ barcode }) => barcode))
}

/** Brings a retired component back; false where it was not retired. */
export async function reinstate(tx: Tx, componentId: string): Promise<boolean> {
  const { rows } = await sql<{ back: string[] }>`
    select reinstate_components(${tx.tenantId}::uuid, ${[componentId]}::uuid[]) as back
  `.execute(tx.db)
  return onlyRow(rows).back.length > 0
}
