import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { isStale } from './queries.ts'

/** Closes imports that nobody has decided about in time. */
export async function expireImports(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('imports')
    .set({ status: 'expired', finished_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('status', '=', 'staged')
    .where(isStale)
    .execute()
}

/** Forgets rows of imports that nobody decided about; says whether there may be more. */
export async function forgetStagedRows(tx: Tx, atOnce: number): Promise<boolean> {
  await expireImports(tx)
  const { numAffectedRows } = await sql`
    delete from import_rows
    where tenant_id = ${tx.tenantId}::uuid and (import_id, line) in (
      select import_rows.import_id, import_rows.line
      from imports
      join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
      where imports.tenant_id = ${tx.tenantId}::uuid and imports.status = 'expired'
      limit ${atOnce}
    )
  `.execute(tx.db)
  return Number(numAffectedRows) === atOnce
}
