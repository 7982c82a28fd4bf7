import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** What is said of a component, at a location or everywhere: before an import, by it, and now. */
export type Said<Value> = { sku: string; location?: string; before: Value; made: Value; now: Value }

/** How many components that were there an import described otherwise. */
export async function countDescribed(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ described: number }>`
    select count(*)::integer as described from import_changes
    where tenant_id = ${tx.tenantId}::uuid and import_id = ${id}::uuid
      and not created and new_description <> old_description
  `.execute(tx.db)
  return onlyRow(rows).described
}

/** `limit`: of so many, whichever they are. */
type Asked = { id: string; limit: number }

/** The descriptions that an import changed of components that were there, by barcode. */
export async function listDescribed(tx: Tx, { id, limit }: Asked): Promise<Said<string>[]> {
  await findByWholeKeys(tx)
  const { rows } = await sql<Said<string>>`
    select * from (
      select changed.barcode as sku, changed.old_description as before, changed.new_description as made,
        components.description as now
      from import_changes changed
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = changed.component_id
      where changed.tenant_id = ${tx.tenantId}::uuid and changed.import_id = ${id}::uuid
        and not changed.created and changed.new_description <> changed.old_description
      limit ${limit}
    ) as listed
    order by sku
  `.execute(tx.db)
  return rows
}

type Placement = { bin: string; minimum: number | null }

/** The bins and minimums that an import changed of components that were there, by barcode. */
export async function listPlaced(tx: Tx, { id, limit }: Asked): Promise<Said<Placement>[]> {
  await findByWholeKeys(tx)
  const { rows } = await sql<Said<Placement>>`
    select * from (
      select components.barcode as sku, made.location,
        jsonb_build_object('bin', made.old_bin, 'minimum', made.old_minimum) as before,
        jsonb_build_object('bin', made.new_bin, 'minimum', made.new_minimum) as made,
        jsonb_build_object('bin', coalesce(present.bin, ''), 'minimum', present.minimum) as now
      from import_placements made
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = made.component_id
      left join placements present on present.tenant_id = ${tx.tenantId}::uuid
        and present.component_id = made.component_id and present.location = made.location
      where made.tenant_id = ${tx.tenantId}::uuid and made.import_id = ${id}::uuid
        and (made.new_bin <> made.old_bin or made.new_minimum is distinct from made.old_minimum)
        and not exists (
          select from import_changes brought
          where brought.tenant_id = ${tx.tenantId}::uuid and brought.import_id = ${id}::uuid
            and brought.component_id = made.component_id and brought.created
        )
      limit ${limit}
    ) as listed
    order by sku, location
  `.execute(tx.db)
  return rows
}
