import { sql, type RawBuilder } from 'kysely'
import { findByKeys, joinWhole, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { betweenLines } from '../platform/http/list-text.ts'

type Page = { limit: number; cursor?: string | undefined; today: string }

/** The lines of a page of components: a statement's parts, of which the first selects id, barcode, description and place. */
function written(tx: Tx, page: RawBuilder<unknown>, today: string) {
  return sql`
    with page as materialized (${page}), written as (
      select place, barcode,
        component_text(id, barcode, description, quantities, counted_at, counted_location, counted_source, config,
          ${today} = any (days)) as component
      from page
      left join stock_held held
        on held.tenant_id = ${tx.tenantId}::uuid and held.component_id = page.id
          and held.component_id = any (array(select id from page))
      left join weekly_plans planned
        on planned.tenant_id = ${tx.tenantId}::uuid and planned.component_id = page.id
          and planned.component_id = any (array(select id from page))
    )`
}

/** How many components one statement writes, of which none takes 5 kB: what it gives is far from the longest text there can be. */
const mostOfAPart = 5_000
/** Where a page ends, in characters, however many components were asked for: 100,000 of the usual ones. */
const mostCharacters = 32 * 1024 * 1024

/** The first components after the cursor as lines. `next`: where more begin. */
async function listPart(tx: Tx, { limit, cursor, today }: Page) {
  const page = sql`
    select id, barcode, description, row_number() over (order by barcode) as place
    from components
    where tenant_id = ${tx.tenantId}::uuid and retired_at is null and barcode > ${cursor ?? ''}
    order by barcode
    limit ${limit + 1}`
  const { rows } = await sql<{ lines: string | null; listed: number; last: string | null }>`
    ${written(tx, page, today)}
    select count(*)::integer as listed,
      max(barcode collate "C") filter (where place = ${limit}) as last,
      string_agg(component, ${betweenLines} order by place) filter (where place <= ${limit}) as lines
    from written
  `.execute(tx.db)
  const { lines, listed, last } = onlyRow(rows)
  return { lines: lines ?? '', next: listed > limit ? last : null }
}

/**
 * Components by barcode from after the cursor on, as lines of JSON, written by the database: several times as fast as rows
 * that this process turns into text. `next`: the cursor of those that come after them, which also a page has that became too long.
 */
export async function listComponentLines(tx: Tx, { limit, cursor, today }: Page) {
  await findByKeys(tx)
  await joinWhole(tx)
  const parts: string[] = []
  let next = cursor ?? null
  let left = limit
  let characters = 0
  do {
    const size = Math.min(left, mostOfAPart)
    const part = await listPart(tx, { limit: size, cursor: next ?? undefined, today })
    parts.push(part.lines)
    characters += part.lines.length
    left -= size
    next = part.next
  } while (next !== null && left > 0 && characters < mostCharacters)
  return { lines: parts.join(betweenLines), next }
}

/** Some components as lines of that list. */
export async function listSomeComponentLines(
  tx: Tx,
  { barcodes, today }: { barcodes: readonly string[]; today: string },
): Promise<string> {
  await findByKeys(tx)
  const page = sql`
    select id, barcode, description, 0 as place
    from components
    where tenant_id = ${tx.tenantId}::uuid and retired_at is null and barcode = any (${barcodes}::text[])`
  const { rows } = await sql<{ lines: string | null }>`
    ${written(tx, page, today)}
    select string_agg(component, ${betweenLines}) as lines from written
  `.execute(tx.db)
  return onlyRow(rows).lines ?? ''
}
