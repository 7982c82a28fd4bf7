import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Actor } from '../platform/http/identity.ts'
import type { ImportRow } from './queries.ts'

/** Whether an import moved stock or changed bins or minimums at some of the locations. */
export async function changedAt(tx: Tx, id: string, codes: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from movements
      where tenant_id = ${tx.tenantId}::uuid and reference = ${id}::uuid and location = any (${codes}::text[])
    ) or exists (
      select from import_placements
      where tenant_id = ${tx.tenantId}::uuid and import_id = ${id}::uuid and location = any (${codes}::text[])
    ) as found
  `.execute(tx.db)
  return onlyRow(rows).found
}

/** Why an import stays as it is, and the component it is about. */
export type Obstacle = { sku: string; reason: 'moved' | 'counted' | 'counted_stock' | 'confirmed' }

/** Undoes an import; returns what keeps it from that, and then nothing was done. */
export async function undoImport(tx: Tx, actor: Actor, id: string): Promise<Obstacle | null> {
  const { rows } = await sql<Obstacle>`
    select obstacle as sku, reason from undo_import(${tx.tenantId}::uuid, ${id}::uuid, ${actor.userId}::uuid, ${actor.userName})
  `.execute(tx.db)
  return rows[0] ?? null
}

/** Barcodes of components that this undo retired, in the same transaction; sorted, at most `limit`. */
export async function listRetiredNow(
  tx: Tx,
  actor: Actor,
  { id, limit }: { id: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ barcode: string }>`
    select components.barcode
    from import_changes brought
    join components on components.tenant_id = brought.tenant_id and components.id = brought.component_id
    where brought.tenant_id = ${tx.tenantId}::uuid and brought.import_id = ${id}::uuid
      and (brought.created or brought.reinstated)
      and components.retired_at >= now() and components.retired_by = ${actor.userName}
    order by components.barcode
    limit ${limit}
  `.execute(tx.db)
  return rows.map(({ barcode }) => barcode)
}

/**
 * Barcodes of retired components that undoing the import put into use again, in the same transaction, because it gave them
 * stock; sorted, at most `limit`.
 */
export async function listReturnedNow(tx: Tx, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ barcode: string }>`
    select distinct components.barcode
    from movements returned
    join components on components.tenant_id = returned.tenant_id and components.id = returned.component_id
    where returned.tenant_id = ${tx.tenantId}::uuid and returned.reference = ${id}::uuid
      and returned.cause = 'import_undone' and components.reinstated_at >= now()
    order by components.barcode
    limit ${limit}
  `.execute(tx.db)
  return rows.map(({ barcode }) => barcode)
}

/** How many of the components that an import made or brought back are retired, by its undo or before. */
export async function countRetired(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ retired: number }>`
    select count(*)::integer as retired
    from import_changes brought
    join components on components.tenant_id = brought.tenant_id and components.id = brought.component_id
    where brought.tenant_id = ${tx.tenantId}::uuid and brought.import_id = ${id}::uuid
      and (brought.created or brought.reinstated) and components.retired_at is not null
  `.execute(tx.db)
  return onlyRow(rows).retired
}

/** Notes who has undone an import and how many components that retired, and returns it as it is then. */
export async function markUndone(
  tx: Tx,
  actor: Actor,
  { id, retired }: { id: string; retired: number },
): Promise<ImportRow> {
  return await tx.db
    .updateTable('imports')
    .set({
      status: 'undone',
      retired,
      undone_by: actor.userName,
      undone_at: sql<Date>`statement_timestamp()`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
