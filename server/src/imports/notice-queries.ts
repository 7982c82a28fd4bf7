import { importQuantityFields } from '@inventory-manager/contract/imports/rules'
import { sql, type RawBuilder } from 'kysely'
import { findByKeys, type Tx } from '../platform/db/database.ts'

/** The lengths of barcodes of digits that begin with zeros. */
async function listZeroLedLengths(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ length: number }>`
    select distinct length(barcode) as length from components
    where tenant_id = ${tx.tenantId}::uuid and barcode ~ '^0+[1-9][0-9]*$'
  `.execute(tx.db)
  return rows.map(({ length }) => length)
}

type Shortened = { rows: number; barcode: string; component: string }

/** Of rows by their lines, whose barcodes are digits: how many are the barcode of a component with zeros before it, and the first of them. */
export async function findShortened(
  tx: Tx,
  id: string,
  lines: readonly number[],
): Promise<Shortened | undefined> {
  if (lines.length === 0) return undefined
  const lengths = await listZeroLedLengths(tx)
  if (lengths.length === 0) return undefined
  await findByKeys(tx)
  const { rows } = await sql<Shortened>`
    select import_rows.barcode, whole.barcode as component, (count(*) over ())::integer as rows
    from import_rows
    cross join lateral (
      select components.barcode
      from unnest(${lengths}::integer[]) as longer (digits)
      cross join lateral (
        select components.barcode from components
        where components.tenant_id = ${tx.tenantId}::uuid
          and components.barcode = lpad(import_rows.barcode, longer.digits, '0')
        offset 0
      ) as components
      where longer.digits > length(import_rows.barcode)
      limit 1
    ) as whole
    where import_rows.tenant_id = ${tx.tenantId}::uuid and import_rows.import_id = ${id}::uuid
      and import_rows.line = any (${lines}::integer[])
    order by import_rows.line
    limit 1
  `.execute(tx.db)
  return rows[0]
}

/** What a row of a file of these columns lacks that has a barcode alone. */
export function lackOf(fields: readonly string[]): 'description' | 'all' {
  return fields.includes('description') ? 'description' : 'all'
}

const isOfStock = (field: string) => importQuantityFields.some((each) => each === field)

/** Whether a row that is judged has a barcode alone: no description or, in a file of stock alone, none of that. */
export function isBare(fields: readonly string[]): RawBuilder<boolean> {
  if (lackOf(fields) === 'description') return sql<boolean>`description = ''`
  const others = fields.filter((field) => field !== 'barcode')
  if (others.length === 0 || !others.every(isOfStock)) return sql<boolean>`false`
  const quantities = sql.join(importQuantityFields.map((field) => sql.ref(field)))
  return sql<boolean>`num_nonnulls(${quantities}) = 0`
}
