import type { ImportRowKind, PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import { stockFields } from '@inventory-manager/contract/stock/places'
import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** The quantities of a staged row by place, as rows of `values`. */
const stagedQuantities = sql.join(
  stockFields.map(
    ({ place, field }, at) =>
      sql`(${sql.lit(at + 1)}, ${sql.lit(place)}, ${sql.ref(`import_rows.${field}`)})`,
  ),
)

/** How many of the rows at some lines say other stock of their components than there is. */
export async function countOtherStock(tx: Tx, id: string, lines: readonly number[]): Promise<number> {
  if (lines.length === 0) return 0
  await findByWholeKeys(tx)
  const { rows } = await sql<{ rows: number }>`
    select count(*)::integer as rows
    from import_rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = import_rows.barcode
      offset 0
    ) as present
    where import_rows.tenant_id = ${tx.tenantId}::uuid and import_rows.import_id = ${id}::uuid
      and import_rows.line = any (${lines}::integer[])
      and exists (
        select from (values ${stagedQuantities}) as given (place, location, quantity)
        where given.quantity <> coalesce(
          (
            select stock.quantity from stock
            where stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = present.id
              and stock.location = given.location
          ),
          0
        )
      )
  `.execute(tx.db)
  return onlyRow(rows).rows
}

type StockChange = PreviewRow['stock'][number]
type StockByLine = Map<number, StockChange[]>
type Judged = Pick<PreviewRow, 'line' | 'retired'> & { kind: ImportRowKind }

/**
 * What rows that can be taken would make of the stock of their components, and what they say of stock that is left as it is, by their
 * line. `keeps`: whether the import leaves the stock of existing components so.
 */
export async function mapStock(
  tx: Tx,
  id: string,
  { rows, keeps }: { rows: readonly Judged[]; keeps: boolean },
): Promise<{ stock: StockByLine; keptStock: StockByLine }> {
  const told = rows.filter(
    ({ kind, retired }) =>
      kind === 'new' || kind === 'changed' || (kind === 'unchanged' && keeps && !retired),
  )
  const [stock, keptStock]: [StockByLine, StockByLine] = [new Map(), new Map()]
  if (told.length === 0) return { stock, keptStock }
  const { rows: changes } = await sql<StockChange & { line: number; kept: boolean }>`
    select import_rows.line, given.location, coalesce(stock.quantity, 0) as old_quantity, given.quantity,
      ${keeps} and components.id is not null and components.retired_at is null as kept
    from import_rows
    left join components
      on components.tenant_id = import_rows.tenant_id and components.barcode = import_rows.barcode
    cross join lateral (values ${stagedQuantities}) as given (place, location, quantity)
    left join stock
      on stock.tenant_id = components.tenant_id and stock.component_id = components.id
        and stock.location = given.location
    where import_rows.tenant_id = ${tx.tenantId}::uuid and import_rows.import_id = ${id}::uuid
      and import_rows.line = any (${told.map(({ line }) => line)}::integer[])
      and given.quantity <> coalesce(stock.quantity, 0)
    order by import_rows.line, given.place
  `.execute(tx.db)
  for (const { line, kept, ...change } of changes) {
    const byLine = kept ? keptStock : stock
    byLine.set(line, [...(byLine.get(line) ?? []), change])
  }
  return { stock, keptStock }
}
