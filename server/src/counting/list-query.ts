import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { joinWhole, type Tx } from '../platform/db/database.ts'
import type { Reader } from '../platform/http/identity.ts'

/** What of each component is said, by with-count-status and by the list to count. */
const texts = {
  whole: sql`format(
    '{"id":"%s","barcode":%s,"description":%s,"last_counted_date":%s,"last_counted_location":%s,"last_counted_source":%s,'
    '"is_high_volume":%s,"is_high_volume_today":%s,"high_volume_config":%s,"counted":%s,"counted_at":%s,"counted_source":%s%s}',
    id, barcode, description, coalesce(counted_at, 'null'),
    case when counted_at is null then 'null' else to_json(location)::text end, coalesce(counted_source, 'null'),
    is_high_volume::text, is_today::text, coalesce(config::text, 'null'), is_counted::text, coalesce(counted_at, 'null'), coalesce(counted_source, 'null'),
    ',"expected_quantity":' || expected
  )`,
  short: sql`format('{"barcode":%s,"description":%s%s%s%s%s%s}', barcode, description,
    case when is_high_volume then ',"is_high_volume":true' end, case when is_counted then ',"counted":true' end,
    ',"counted_at":' || counted_at, ',"counted_source":' || counted_source, ',"expected_quantity":' || expected
  )`,
}

type Wanted = { location: LocationCode; text: keyof typeof texts }

/** On which days and where components are counted weekly; as a whole only where that is said. */
function plansOf(tx: Tx, { weekday }: Reader, { location, text }: Wanted) {
  return text === 'whole'
    ? sql`
        select component_id, config, (config -> ${weekday})::jsonb ? ${location} as today
        from weekly_plans
        where tenant_id = ${tx.tenantId}::uuid`
    : sql`
        select component_id, null::json as config, bool_or(day = ${weekday} and location = ${location}) as today
        from high_volume_assignments
        where tenant_id = ${tx.tenantId}::uuid
        group by component_id`
}

/**
 * All components by barcode with their marks of this month at a location, for administrators with the stock: a reply that the
 * database writes.
 */
export async function listToCountAsJson(tx: Tx, reader: Reader, { location, text }: Wanted): Promise<string> {
  await joinWhole(tx)
  const { rows } = await sql<{ components: string | null; counted: number; total: number }>`
    with listed as (
      select components.id, barcode as code, to_json(barcode) as barcode, to_json(description) as description,
        ${location}::text as location,
        '"' || to_char(counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"' as counted_at,
        to_json(counted_source)::text as counted_source, planned.component_id is not null as is_high_volume,
        coalesce(planned.today, false) as is_today, planned.config,
        coalesce(counted_at >= date_trunc('month', ${reader.today}::timestamp) at time zone ${reader.timeZone}, false) as is_counted,
        case when ${reader.role} = 'admin' then coalesce(quantity, 0) end as expected
      from components
      left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
        and stock.location = ${location}
      left join (${plansOf(tx, reader, { location, text })}) as planned on planned.component_id = components.id
      where components.tenant_id = ${tx.tenantId}::uuid
    )
    select count(*)::integer as total, (count(*) filter (where is_counted))::integer as counted,
      string_agg(${texts[text]}, ',' order by code) as components
    from listed
  `.execute(tx.db)
  const [listed] = rows
  if (listed === undefined) throw new Error('An aggregate always answers.')
  return `{"components":[${listed.components ?? ''}],"counted":${listed.counted},"total":${listed.total}}`
}
