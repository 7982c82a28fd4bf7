import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql, type RawBuilder } from 'kysely'
import { findByKeys, joinWhole, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Reader } from '../platform/http/identity.ts'
import type { KeptList } from '../platform/http/kept-replies.ts'
import {
  betweenLines,
  listText,
  replaceLines,
  type ListPart,
  type ListText,
} from '../platform/http/list-text.ts'
import { countNotKept, isKept } from '../stock/kept-queries.ts'
import { countComponents } from '../stock/queries.ts'

const countedAt = sql`coalesce(counted_at, 'null')`
const countedSource = sql`coalesce(counted_source, 'null')`

/** What with-count-status says of each component: how it is written, and what stands in it. */
const wholeParts = [
  ['"id":"%s"', sql`id`],
  [',"barcode":%s', sql`barcode`],
  [',"description":%s', sql`description`],
  [',"last_counted_date":%s', countedAt],
  [
    ',"last_counted_location":%s',
    sql`case when counted_at is null then 'null' else to_json(location)::text end`,
  ],
  [',"last_counted_source":%s', countedSource],
  [',"is_high_volume":%s', sql`is_high_volume::text`],
  [',"is_high_volume_today":%s', sql`is_today::text`],
  [',"high_volume_config":%s', sql`coalesce(config::text, 'null')`],
  [',"counted":%s', sql`is_counted::text`],
  [',"counted_at":%s', countedAt],
  [',"counted_source":%s', countedSource],
  ['%s', sql`',"expected_quantity":' || expected`],
] as const

/** What of each component is said, by with-count-status and by the list to count. */
const texts = {
  whole: sql`format(
    ${sql.lit(`{${wholeParts.map(([written]) => written).join('')}}`)}, ${sql.join(wholeParts.map(([, said]) => said))}
  )`,
  short: sql`format('{"barcode":%s,"description":%s%s%s%s%s%s%s%s%s}', barcode, description, ',"aliases":' || aliases, ',"packs":' || packs,
    ',"bin":' || bin,
    case when is_high_volume then ',"is_high_volume":true' end, case when is_counted then ',"counted":true' end,
    ',"counted_at":' || counted_at, ',"counted_source":' || counted_source, ',"expected_quantity":' || expected
  )`,
}

type Wanted = { location: LocationCode; text: keyof typeof texts }

/** Conditions that leave only some components, by their barcodes; without these, none. */
function only(tx: Tx, barcodes: readonly string[] | null) {
  if (barcodes === null) return { components: sql``, others: sql`` }
  const named = sql`barcode = any (${barcodes}::text[])`
  return {
    components: sql`and components.${named}`,
    others: sql`and component_id = any (array(select id from components where tenant_id = ${tx.tenantId}::uuid and ${named}))`,
  }
}

/** On which days and where components are counted weekly; as a whole only where that is said. */
function plansOf(
  tx: Tx,
  { weekday }: Reader,
  { location, text, some }: Wanted & { some: RawBuilder<unknown> },
) {
  return text === 'whole'
    ? sql`
        select component_id, config, (config -> ${weekday})::jsonb ? ${location} as today
        from weekly_plans
        where tenant_id = ${tx.tenantId}::uuid ${some}`
    : sql`
        select component_id, null::json as config, bool_or(day = ${weekday} and location = ${location}) as today
        from high_volume_assignments
        where tenant_id = ${tx.tenantId}::uuid ${some}
        group by component_id`
}

/** The other barcodes of those components that have some; only where that is said. */
function aliasesOf(tx: Tx, { text, some }: Pick<Wanted, 'text'> & { some: RawBuilder<unknown> }) {
  return text === 'whole'
    ? sql`select null::uuid as component_id, null::text as aliases, null::text as packs where false`
    : sql`
        select component_id, json_agg(barcode order by barcode)::text as aliases,
          json_agg(json_build_object('barcode', barcode, 'pieces', pieces) order by barcode) filter (where pieces > 1)::text as packs
        from alias_barcodes
        where tenant_id = ${tx.tenantId}::uuid ${some}
        group by component_id`
}

/** The bins of those components that lie in some at a location; only where that is said. */
function binsOf(tx: Tx, { text, location, some }: Wanted & { some: RawBuilder<unknown> }) {
  return text === 'whole'
    ? sql`select null::uuid as component_id, null::text as bin where false`
    : sql`
        select component_id, to_json(bin)::text as bin
        from placements
        where tenant_id = ${tx.tenantId}::uuid and location = ${location} and bin <> '' ${some}`
}

/** The lines of what is listed as one text. */
function joined(text: keyof typeof texts) {
  return sql`select string_agg(${texts[text]}, ${betweenLines} order by code) as lines, false as is_too_long from listed`
}

/** How long a list may be that is sent as a whole, in bytes: of 1,600,000 usual components, or 40,000 of the longest. */
const mostBytes = 128 * 1024 * 1024

/** So many components are hardly ever longer than that. */
const alwaysShort = 25_000

/** As `joined`, but nothing where that is too long: a sixth dearer, since all lines are written before they are joined. */
function joinedIfShort(text: keyof typeof texts) {
  return sql`, written as materialized (
      select code, ${texts[text]} as line from listed
    ), size as (
      select coalesce(sum(octet_length(line)), 0) > ${mostBytes} as is_too_long from written
    )
    select is_too_long, case when not is_too_long then
        (select string_agg(line, ${betweenLines} order by code) from written)
      end as lines
    from size`
}

async function mayBeTooLong(tx: Tx, barcodes: readonly string[] | null): Promise<boolean> {
  return barcodes === null && (await countComponents(tx)) > alwaysShort
}

/** Components by barcode as lines of JSON: all of them, or those of some barcodes. Throws 'list_too_long'. */
async function listLines(
  tx: Tx,
  reader: Reader,
  { barcodes, ...wanted }: Wanted & { barcodes: readonly string[] | null },
): Promise<string> {
  const { location, text } = wanted
  const some = only(tx, barcodes)
  await (barcodes === null ? joinWhole(tx) : findByKeys(tx))
  const lines = (await mayBeTooLong(tx, barcodes)) ? joinedIfShort(text) : joined(text)
  const { rows } = await sql<{ lines: string | null; is_too_long: boolean }>`
    with listed as (
      select components.id, barcode as code, to_json(barcode) as barcode, to_json(description) as description,
        ${location}::text as location,
        '"' || to_char(counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"' as counted_at,
        to_json(counted_source)::text as counted_source, planned.component_id is not null as is_high_volume,
        coalesce(planned.today, false) as is_today, planned.config,
        coalesce(counted_at >= date_trunc('month', ${reader.today}::timestamp) at time zone ${reader.timeZone}, false) as is_counted,
        case when ${reader.role} = 'admin' then coalesce(quantity, 0) end as expected, others.aliases, others.packs, placed.bin
      from components
      left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
        and stock.location = ${location}
      left join (${plansOf(tx, reader, { ...wanted, some: some.others })}) as planned on planned.component_id = components.id
      left join (${aliasesOf(tx, { text, some: some.others })}) as others on others.component_id = components.id
      left join (${binsOf(tx, { ...wanted, some: some.others })}) as placed on placed.component_id = components.id
      where components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null and ${isKept(tx, location)}
        ${some.components}
    )
    ${lines}
  `.execute(tx.db)
  const list = onlyRow(rows)
  if (list.is_too_long) throw new AppError('list_too_long')
  return list.lines ?? ''
}

const times = (text: string, part: string) => text.split(part).length - 1

/** How many of a part's components are counted, and all; no value of one can be taken for such a name: quotes in those are escaped. */
function figuresOf({ text }: ListPart) {
  return { counted: times(text, '"counted":true'), total: times(text, '"barcode":') }
}

const figures = new WeakMap<ListPart, ReturnType<typeof figuresOf>>()

function knownFiguresOf(part: ListPart) {
  const known = figures.get(part) ?? figuresOf(part)
  figures.set(part, known)
  return known
}

/** A list with the sums of what its parts say, and how many components it leaves out where it does. */
function withFigures({ parts }: Pick<ListText, 'parts'>, notKept: number): ListText {
  const sums = { counted: 0, total: 0 }
  for (const { counted, total } of parts.map(knownFiguresOf)) {
    sums.counted += counted
    sums.total += total
  }
  const besides = notKept === 0 ? '' : `,"not_kept":${notKept}`
  return { parts, rest: `"counted":${sums.counted},"total":${sums.total}${besides}}` }
}

/**
 * All components that a location keeps by barcode with their marks of this month, for administrators with the stock: a reply that the
 * database writes, or of which it writes only what was counted since it was last given.
 */
export async function listToCountAsJson(
  tx: Tx,
  reader: Reader,
  { kept, ...wanted }: Wanted & { kept: KeptList | null },
): Promise<ListText> {
  const written = kept === null ? null : await listLines(tx, reader, { ...wanted, barcodes: kept.changed })
  // What has come to the location is in no list of before.
  const replaced = kept === null || written === null ? null : replaceLines(kept.list, written)
  const list = replaced ?? listText(await listLines(tx, reader, { ...wanted, barcodes: null }), '')
  return withFigures(list, wanted.text === 'short' ? await countNotKept(tx, wanted.location) : 0)
}
