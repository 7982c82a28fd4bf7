import type { ImportRowKind, PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { newestCost } from '../stock/cost-queries.ts'

/** Whether a file of these columns says anything of unit costs. */
export function namesCosts(fields: readonly string[]): boolean {
  return fields.includes('unit_cost')
}

type CostChange = NonNullable<PreviewRow['cost']>

/** What rows that can be taken would make of the unit costs of their components, by their line. */
export async function mapCostChanges(
  tx: Tx,
  id: string,
  rows: readonly { line: number; kind: ImportRowKind }[],
): Promise<Map<number, CostChange>> {
  const lines = rows.filter(({ kind }) => kind === 'new' || kind === 'changed').map(({ line }) => line)
  if (lines.length === 0) return new Map()
  await findByWholeKeys(tx)
  const { rows: changes } = await sql<CostChange & { line: number }>`
    select import_rows.line, costs.unit_cost::float8 as old_unit_cost, import_rows.unit_cost::float8 as unit_cost
    from import_rows
    left join components
      on components.tenant_id = ${tx.tenantId}::uuid and components.barcode = import_rows.barcode
    left join lateral ${newestCost(tx, 'components.id')} as costs on true
    where import_rows.tenant_id = ${tx.tenantId}::uuid and import_rows.import_id = ${id}::uuid
      and import_rows.line = any (${lines}::integer[])
      and import_rows.unit_cost is not null and import_rows.unit_cost is distinct from costs.unit_cost
  `.execute(tx.db)
  return new Map(changes.map(({ line, ...change }) => [line, change]))
}

type Asked = { id: string; putBack: boolean }

/** How many unit costs an import changed or, with `putBack`, its undo put back. */
export async function countCosted(tx: Tx, { id, putBack }: Asked): Promise<number> {
  let query = tx.db
    .selectFrom('import_costs')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('costed'))
    .where('tenant_id', '=', tx.tenantId)
    .where('import_id', '=', id)
  if (putBack) query = query.where('put_back', 'is not', null)
  return (await query.executeTakeFirstOrThrow()).costed
}

type CostOfImport = { sku: string; oldCost: number | null; newCost: number }

/** As countCosted, the unit costs themselves: what they were before the import and what it made of them, by barcode. */
export async function listCosted(tx: Tx, { id, putBack }: Asked): Promise<CostOfImport[]> {
  await findByWholeKeys(tx)
  const { rows } = await sql<CostOfImport>`
    select components.barcode as sku, made.old_cost::float8 as "oldCost", made.new_cost::float8 as "newCost"
    from import_costs made
    cross join lateral (
      select barcode from components
      where tenant_id = ${tx.tenantId}::uuid and id = made.component_id
      offset 0
    ) as components
    where made.tenant_id = ${tx.tenantId}::uuid and made.import_id = ${id}::uuid
      and (made.put_back is not null or not ${putBack}::boolean)
    order by components.barcode
  `.execute(tx.db)
  return rows
}
