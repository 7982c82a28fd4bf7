import type { ImportRowKind } from '@inventory-manager/contract/imports/preview-row'
import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { OtherBarcode } from '../stock/alias-queries.ts'

/** Whether a file of these columns names other barcodes. */
export function namesOthers(fields: readonly string[]): boolean {
  return fields.includes('other_barcodes')
}

/** The other barcodes that rows which can be taken would add to their components, by their line. */
export async function mapAddedBarcodes(
  tx: Tx,
  id: string,
  rows: readonly { line: number; kind: ImportRowKind }[],
): Promise<Map<number, OtherBarcode[]>> {
  const lines = rows.filter(({ kind }) => kind === 'new' || kind === 'changed').map(({ line }) => line)
  const byLine = new Map<number, OtherBarcode[]>()
  if (lines.length === 0) return byLine
  await findByWholeKeys(tx)
  const { rows: added } = await sql<OtherBarcode & { line: number }>`
    select import_rows.line, given.barcode, coalesce(given.pieces, 1) as pieces
    from import_rows
    cross join lateral rows from (
      jsonb_to_recordset(import_rows.others) as (barcode text, pieces integer)
    ) with ordinality as given (barcode, pieces, place)
    where import_rows.tenant_id = ${tx.tenantId}::uuid and import_rows.import_id = ${id}::uuid
      and import_rows.line = any (${lines}::integer[])
      -- Of a row that can be taken, one that is there is its component's.
      and not exists (
        select from alias_barcodes
        where alias_barcodes.tenant_id = ${tx.tenantId}::uuid
          and alias_barcodes.barcode = any (upc_writings(given.barcode))
      )
    order by import_rows.line, given.place
  `.execute(tx.db)
  for (const { line, ...barcode } of added) byLine.set(line, [...(byLine.get(line) ?? []), barcode])
  return byLine
}

/** How many other barcodes an import has added. */
export async function countAdded(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    select count(*)::integer as added from import_aliases
    where tenant_id = ${tx.tenantId}::uuid and import_id = ${id}::uuid and added
  `.execute(tx.db)
  return onlyRow(rows).added
}

type NamedOther = OtherBarcode & { sku: string }

/** The other barcodes that an import has given to components that were there, and that they have still; sorted. `limit`: of so many, whichever they are. */
export async function listAdded(tx: Tx, { id, limit }: { id: string; limit: number }): Promise<NamedOther[]> {
  await findByWholeKeys(tx)
  const { rows } = await sql<NamedOther>`
    select * from (
      select components.barcode as sku, made.barcode, made.pieces
      from import_aliases made
      cross join lateral (
        select alias_barcodes.component_id from alias_barcodes
        where alias_barcodes.tenant_id = ${tx.tenantId}::uuid and alias_barcodes.barcode = made.barcode
        offset 0
      ) as present
      cross join lateral (
        select components.barcode from components
        where components.tenant_id = ${tx.tenantId}::uuid and components.id = made.component_id
        offset 0
      ) as components
      left join lateral (
        select brought.created from import_changes brought
        where brought.tenant_id = ${tx.tenantId}::uuid and brought.import_id = ${id}::uuid
          and brought.component_id = made.component_id
        offset 0
      ) as brought on true
      where made.tenant_id = ${tx.tenantId}::uuid and made.import_id = ${id}::uuid and made.added
        and present.component_id = made.component_id and brought.created is not true
      limit ${limit}
    ) as listed
    order by sku, barcode
  `.execute(tx.db)
  return rows
}

/** One that an import would have added and that means another component by now, with that; null where there is none. */
export async function findGivenMeanwhile(
  tx: Tx,
  id: string,
): Promise<{ code: string; other: string } | null> {
  await findByWholeKeys(tx)
  const { rows } = await sql<{ code: string; other: string }>`
    select made.barcode as code, owner.barcode as other
    from import_aliases made
    cross join lateral unnest(upc_writings(made.barcode)) as writing (code)
    left join lateral (
      select alias_barcodes.component_id from alias_barcodes
      where alias_barcodes.tenant_id = ${tx.tenantId}::uuid and alias_barcodes.barcode = writing.code
      offset 0
    ) as aliased on true
    left join lateral (
      select components.id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = writing.code
      offset 0
    ) as own on true
    cross join lateral (
      select components.barcode from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = coalesce(own.id, aliased.component_id)
      offset 0
    ) as owner
    where made.tenant_id = ${tx.tenantId}::uuid and made.import_id = ${id}::uuid and made.added
      and (own.id is not null or aliased.component_id <> made.component_id)
    limit 1
  `.execute(tx.db)
  return rows[0] ?? null
}
