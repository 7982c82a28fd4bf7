import type pg from 'pg'
import { inject } from 'vitest'

/** Tables in which nothing of a company changes without an entry of its trail, written by the same transaction. */
const told = [
  'alias_barcodes',
  'component_costs',
  'components',
  'count_assignments',
  'count_attempts',
  'count_history',
  'count_notes',
  'count_progress',
  'count_resets',
  'cycle_counts',
  'cycle_resets',
  'discrepancies',
  'high_volume_assignments',
  'movements',
  'not_kept',
  'placements',
  'scan_days',
  'spot_counts',
  'spot_schedules',
  'stock',
  'transfers',
  'unknown_codes',
  'weekly_counts',
  'weekly_progress',
]

/** Entries of the history that were not taken back. */
const standing = `
  select entry.* from count_history entry
  where tenant_id = $1 and undoes is null and not exists (
    select from count_history back where back.tenant_id = $1 and back.undoes = entry.id
  )`

/** What holds of a company whenever nobody is changing anything: each gives the rows of which it does not. */
const invariants: Record<string, string> = {
  'stock is the sum of its movements': `
    select component_id, location, stock.quantity, sum(delta) as moved
    from stock full join movements using (tenant_id, component_id, location)
    where tenant_id = $1 group by component_id, location, stock.quantity
    having coalesce(stock.quantity, 0) <> coalesce(sum(delta), 0)`,
  'each movement says what there was after it': `
    select * from (
      select id, component_id, location, quantity_after,
        sum(delta) over (partition by component_id, location order by id) as moved
      from movements where tenant_id = $1
    ) as steps
    where quantity_after <> moved`,
  'what was sent and has not arrived is missing from stock, and nothing else': `
    select component_id, moved, away from (
      select component_id, sum(delta) as moved from movements
      where tenant_id = $1 and cause in ('transfer', 'transfer_cancelled') group by 1
    ) as steps full join (
      select component_id, sum(quantity - received_in_part) as away from transfers
      where tenant_id = $1 and status in ('in_transit', 'written_off') group by 1
    ) as sent using (component_id)
    where coalesce(moved, 0) <> -coalesce(away, 0)`,
  'a count that was answered as recorded stands in the history once, any other not at all': `
    select key, reply from operations
    where tenant_id = $1 and reply ->> 'outcome' = 'counted' and (reply ->> 'recorded')::boolean::integer <> (
      select count(*) from count_history where tenant_id = $1 and id = (reply -> 'undo' ->> 'entry')::uuid
    )`,
  'each count, and each that was taken back, has one entry of the trail': `
    select * from (
      select count(*) as counted, count(*) filter (where reply ->> 'undone' = 'true') as undone
      from operations where tenant_id = $1 and reply ->> 'outcome' = 'counted'
    ) as done, (
      select count(*) filter (where event ~ '_(scan|mismatch)$') as counted_told,
        count(*) filter (where event ~ '_undone$') as undone_told
      from audit_entries where tenant_id = $1 and kind = 'inventory_scan' and origin = 'server'
    ) as entries
    where counted <> counted_told or undone <> undone_told`,
  'scans of a day are those of the history': `
    select location, day, found, kept from (
      select location, (counted_at at time zone time_zone)::date as day, count(*) as found
      from (${standing}) as counts join companies using (tenant_id) group by 1, 2
    ) as counts full join (
      select location, day, scans as kept from scan_days where tenant_id = $1
    ) as days using (location, day)
    where coalesce(found, 0) <> coalesce(kept, 0)`,
  'scans of a component are those of the history': `
    select component_id, location, found, kept from (
      select component_id, location, count(*) as found from (${standing}) as counts group by 1, 2
    ) as counts full join (
      select component_id, location, scans as kept from stock where tenant_id = $1
    ) as said using (component_id, location)
    where coalesce(found, 0) <> coalesce(kept, 0)`,
  'the progress of the month is what is marked as counted in it': `
    select location, found, kept from (
      select location, count(*) as found
      from stock
      join components on components.tenant_id = $1 and components.id = component_id and retired_at is null
      join companies on companies.tenant_id = $1
      where stock.tenant_id = $1 and counted_at >= start_of_month(now(), time_zone) group by 1
    ) as marked full join (
      select location, counted as kept from count_progress join companies using (tenant_id)
      where tenant_id = $1 and month_start = start_of_month(now(), time_zone)
    ) as progress using (location)
    where coalesce(found, 0) <> coalesce(kept, 0)`,
  'the progress of a weekly list is what of it is marked as counted today': `
    select location, day, progress.total, progress.counted, found.total as listed, found.counted as marked
    from weekly_progress progress
    join companies using (tenant_id)
    cross join lateral (
      select count(*) as total, count(*) filter (where stock.weekly_counted_at >= progress.day_start) as counted
      from high_volume_assignments listed
      left join stock using (tenant_id, component_id, location)
      where listed.tenant_id = $1 and listed.location = progress.location and listed.day = progress.day
    ) as found
    where progress.tenant_id = $1 and progress.day_start = start_of_day(now(), time_zone)
      and (progress.total <> found.total or progress.counted <> found.counted)`,
  'a component is marked by its newest count that stands and was not reset': `
    select barcode, stock.location, stock.counted_at, mark.counted_at as should
    from stock
    join components on components.tenant_id = $1 and components.id = component_id
    join companies on companies.tenant_id = $1
    cross join lateral (
      select max(counted_at) as counted_at from standing_counts($1, barcode, stock.location, stock.cleared_at)
      where not was_reset($1, component_id, stock.location, 'monthly', counted_at, created_at, time_zone)
    ) as mark
    where stock.tenant_id = $1 and stock.counted_at is distinct from mark.counted_at`,
  'a difference that waits is what its last entry found': `
    select difference.id, difference.sku, difference.status, difference.counted, last.counted as found
    from discrepancies difference
    left join lateral (
      select counted from standing_attempts($1, difference.component_id, difference.location) as entry
      where entry.discrepancy_id = difference.id and not overtaken
      order by attempt desc limit 1
    ) as last on true
    where difference.tenant_id = $1 and difference.status in ('attempted', 'open', 'recount')
      and difference.counted is distinct from last.counted`,
  'a company knows how many components each location leaves out': `
    select said.location, said.number, found.number as left_out from (
      select key as location, value::integer as number
      from companies, jsonb_each_text(not_kept_counts) where tenant_id = $1
    ) as said full join (
      select location, count(*) as number from not_kept where tenant_id = $1 group by 1
    ) as found using (location)
    where coalesce(said.number, 0) <> coalesce(found.number, 0)`,
  'nothing that a location leaves out has stock there, a mark of this month, or is retired': `
    select barcode, not_kept.location from not_kept
    join components on components.tenant_id = $1 and components.id = not_kept.component_id
    join companies on companies.tenant_id = $1
    left join stock on stock.tenant_id = $1 and stock.component_id = not_kept.component_id
      and stock.location = not_kept.location
    where not_kept.tenant_id = $1
      and (quantity > 0 or counted_at >= start_of_month(now(), time_zone) or retired_at is not null)`,
  'nothing that a location leaves out is on a weekly list there, or has a difference that waits beyond its first entry': `
    select left_out.component_id, left_out.location from not_kept left_out
    where left_out.tenant_id = $1 and (
      exists (
        select from high_volume_assignments listed
        where listed.tenant_id = $1 and listed.component_id = left_out.component_id and listed.location = left_out.location
      ) or exists (
        select from discrepancies waiting
        where waiting.tenant_id = $1 and waiting.component_id = left_out.component_id and waiting.location = left_out.location
          and waiting.status in ('open', 'recount')
      )
    )`,
  'whoever may sign in has their address, and nobody else of the company': `
    select people.email, people.id, login.user_id from (
      select id, email from users where tenant_id = $1 and active and role <> 'api_key'
    ) as people full join (
      select user_id, email from login_emails where tenant_id = $1
    ) as login on login.user_id = people.id and login.email = people.email
    where people.id is null or login.user_id is null`,
  'a company knows how many components it has': `
    select component_count, components from companies, (
      select count(*) as components from components where tenant_id = $1 and retired_at is null
    ) as counted
    where tenant_id = $1 and component_count <> components`,
  ...Object.fromEntries(
    told.map((table) => [
      `what changed in ${table} is told by the trail`,
      `select to_jsonb(held) as row from ${table} held
       where tenant_id = $1 and not exists (
         select from audit_entries
         where audit_entries.tenant_id = $1 and (transaction_id::text::numeric % 4294967296)::text = held.xmin::text
       )`,
    ]),
  ),
}

/** What does not hold of a company that should, with the rows that show it. Wants nobody to change anything meanwhile. */
export async function listBroken(owner: pg.Pool, tenantId: string): Promise<string[]> {
  // A cluster does not say which transaction wrote a row.
  if (inject('clusterUrl') !== null) return []
  const broken: string[] = []
  for (const [invariant, statement] of Object.entries(invariants)) {
    const { rows } = await owner.query(statement, [tenantId])
    broken.push(...rows.map((row) => `${invariant}: ${JSON.stringify(row)}`))
  }
  return broken
}
