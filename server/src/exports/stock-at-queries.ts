import { places, type Place } from '@inventory-manager/contract/stock/places'
import { sql } from 'kysely'
import { findByKeys, type Tx } from '../platform/db/database.ts'
import { firstIdAt } from '../platform/db/time-ids.ts'
import { unitCostAt } from '../stock/cost-queries.ts'
import { heldAt, pageRows, type Cursor } from './queries.ts'

/** An import is one transaction, none of whose statements goes on for more than five minutes. */
const longestImportMs = 15 * 60_000

type StockRow = Record<Place, number> & {
  barcode: string
  description: string
  total: number
  unit_cost: number | null
  value: number | null
}

/**
 * What there was of each component at a moment, by barcode, and what it was worth then: today's stock less what has moved since, so that
 * it is right in whichever order movements came. Those that came later, or of which there was none any more, have 0. An import, and
 * what undoes one, is of the moment it ended, so that no list has a part of one: neither of a moment in its midst, nor one that is
 * read while it ends.
 */
export async function listStockAt(
  tx: Tx,
  { at, cursor }: { at: Date; cursor: Cursor | null },
): Promise<{ rows: StockRow[]; next: Cursor | null }> {
  await findByKeys(tx)
  const after = cursor === null ? sql`` : sql`and barcode > ${cursor.below}`
  const since = sql`(
    select coalesce(sum(delta), 0) from movements
    where tenant_id = ${tx.tenantId}::uuid and component_id = page.id and location = stock.location
      and id >= ${firstIdAt(at.getTime() - longestImportMs)}::uuid
      and (
        created_at > ${at}
        or exists (
          select from imports
          where imports.tenant_id = ${tx.tenantId}::uuid and imports.id = movements.reference
            and case movements.cause when 'import' then finished_at when 'import_undone' then undone_at end > ${at}
        )
      )
  )`
  const each = places.map((place) => sql`${heldAt(place)} as ${sql.ref(place)}`)
  const { rows } = await sql<StockRow>`
    select page.barcode, page.description, held.*, cost.unit_cost::float8 as unit_cost,
      round(held.total::numeric * cost.unit_cost, 4)::float8 as value
    from (
      select id, barcode, description from components
      where tenant_id = ${tx.tenantId}::uuid ${after}
      order by barcode
      limit ${pageRows}
    ) as page
    cross join lateral (
      select ${sql.join(each)}, coalesce(sum(quantity), 0)::float8 as total
      from (
        select location, quantity - ${since} as quantity from stock
        where tenant_id = ${tx.tenantId}::uuid and component_id = page.id
      ) as stood
    ) as held
    cross join lateral (select ${unitCostAt(tx, { component: 'page.id', at: sql`${at}` })} as unit_cost) as cost
    order by page.barcode
  `.execute(tx.db)
  const last = rows.at(-1)
  return {
    rows,
    next: last === undefined || rows.length < pageRows ? null : { below: last.barcode, look: null },
  }
}
