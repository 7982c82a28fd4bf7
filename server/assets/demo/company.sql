-- Three months of a made-up company, in the application's own terms: the ledger adds up to the stock, every count is
-- in history and audit trail, roll-ups agree. Always the same for the same moment. Runs as the application, in one
-- transaction of that company, which is new and has its three users. Statements are separated by a line '-- ;;'.

-- A number from 0 to 1 that a text always gives.
create or replace function pg_temp.chance(p_key text) returns double precision
language sql immutable
return (hashtextextended(p_key, 20) & 1048575) / 1048576.0
-- ;;
-- An id of that instant (RFC 9562, version 7) that a text always gives.
create or replace function pg_temp.id_for(p_at timestamptz, p_key text) returns uuid
language sql immutable
return (
  select public.id_at(p_at, set_byte(bytes, 8, (get_byte(bytes, 8) & 63) | 128))
  from (select decode(md5(p_key), 'hex') as bytes) as hashed
)
-- ;;
create temp table demo on commit drop as
select companies.tenant_id, companies.time_zone as zone, now() as now,
  start_of_day(now() - interval '92 days', companies.time_zone) + interval '8 hours 12 minutes' as began
from companies
where companies.tenant_id = current_tenant()
-- ;;
create temp table demo_people on commit drop as
select users.id, users.name, users.role, row_number() over (order by users.role, users.email) as place
from users
where users.tenant_id = current_tenant()
-- ;;
-- 20 things in 10 sizes and 10 makes.
create temp table demo_products on commit drop as
select n, pg_temp.id_for(demo.began, 'component ' || n) as id,
  case when n % 5 < 3
    then digits || ((10 - (
      select sum(substr(digits, place, 1)::integer * case when place % 2 = 0 then 3 else 1 end)
      from generate_series(1, 12) as place
    ) % 10) % 10)::text
    else upper(left(replace(thing, ' ', ''), 3)) || '-' || lpad((1000 + n)::text, 5, '0')
  end as barcode,
  thing || ' ' || size || ', ' || make as description
from demo
cross join generate_series(1, 2000) as n
cross join lateral (
  select '4006381' || lpad((n * 37 % 100000)::text, 5, '0') as digits,
    (array['Hex bolt', 'Hex nut', 'Washer', 'Ball bearing', 'Angle bracket', 'Seal ring', 'Hose clamp', 'Spring',
      'Hinge', 'Wood screw', 'Cable tie', 'Pipe elbow', 'Pulley', 'Timing belt', 'Shaft collar', 'Dowel pin',
      'Rivet', 'Eye bolt', 'Grease nipple', 'Threaded rod'])[1 + n % 20] as thing,
    (array['M4', 'M5', 'M6', 'M8', 'M10', 'M12', 'M16', 'M20', '25 mm', '40 mm'])[1 + n / 20 % 10] as size,
    (array['zinc plated', 'stainless A2', 'stainless A4', 'black', 'brass', 'nylon', 'galvanised', 'plain',
      'heavy duty', 'pack of 50'])[1 + n / 200 % 10] as make
) as words
-- ;;
-- What a piece costs by what it is, how large and of what; of four in ten it rose after six weeks. Of some nobody has said it.
create temp table demo_costs on commit drop as
select priced.n, priced.id, rises.at, round((price * rise)::numeric, 4) as unit_cost
from demo
cross join (
  select n, id,
    (array[0.06, 0.02, 0.008, 1.2, 0.4, 0.09, 0.32, 0.2, 0.95, 0.015,
      0.01, 0.6, 2.9, 3.6, 1.1, 0.08, 0.012, 0.4, 0.15, 0.9])[1 + n % 20]
      * (array[0.6, 0.7, 0.85, 1, 1.3, 1.7, 2.4, 3.2, 1.1, 1.6])[1 + n / 20 % 10]
      * (array[1, 1.9, 2.6, 1.1, 2.2, 0.8, 1.3, 0.9, 1.8, 15])[1 + n / 200 % 10] as price
  from demo_products
  where pg_temp.chance('costed ' || n) < 0.95
) as priced
cross join lateral (
  values (began + interval '50 minutes', 1.0, 1.0), (began + interval '42 days', 1.06, 0.4)
) as rises (at, rise, share)
where pg_temp.chance('rise ' || n) < rises.share
-- ;;
create temp table demo_places on commit drop as
select products.n, products.id, products.barcode, places.location, places.covered,
  case when pg_temp.chance('stocked ' || n || places.location) < places.stocked
    then 60 + floor(pg_temp.chance('quantity ' || n || places.location) * places.most)::integer else 0
  end as quantity
from demo_products as products
cross join (
  values ('PRIMARY', 0.98, 420, 1.0), ('SECONDARY', 0.75, 160, 0.96), ('FULFILLMENT', 0.55, 90, 0.8),
    ('DISTRIBUTION', 0.45, 240, 0.6)
) as places (location, stocked, most, covered)
-- ;;
create temp table demo_lists on commit drop as
select n, id, location, (array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])[1 + n % 5] as day
from demo_places
where n <= 100 and (location = 'PRIMARY' or (location = 'SECONDARY' and n % 3 = 0) or (location = 'FULFILLMENT' and n % 7 = 0))
-- ;;
-- A month that has only begun was begun with, too: up to 900 counts of the last eight hours in it, at the pace of two people.
create temp table demo_begun on commit drop as
select month, since, counts, extract(epoch from until - since) / nullif(counts, 0) as seconds_each
from (
  select month, since, until, least(900, greatest(0, floor(extract(epoch from until - since) / 5)))::integer as counts
  from (
    select date_trunc('month', now at time zone zone) as month, now - interval '10 minutes' as until,
      greatest(start_of_month(now, zone) + interval '2 minutes', now - interval '8 hours') as since
    from demo
  ) as begun
) as paced
-- ;;
-- What was counted when: the month's count on working days up to the 25th, the weekly lists each week on their day.
create temp table demo_counts on commit drop as
with monthly as (
  select places.*, 'monthly ' || n || ' ' || location || ' ' || month::date as key, month,
    month::date + floor((n / 2000.0 * 0.75 + pg_temp.chance('day ' || n || location || month) * 0.25) * 24)::integer as date
  from demo
  cross join generate_series(
    date_trunc('month', now at time zone zone) - interval '3 months', date_trunc('month', now at time zone zone),
    interval '1 month'
  ) as month
  cross join demo_places as places
  where pg_temp.chance('covered ' || n || location || month) < covered
),
in_turn as (
  select *, row_number() over (
      partition by month
      order by n * case location when 'PRIMARY' then 1 when 'SECONDARY' then 2 when 'FULFILLMENT' then 4 else 8 end, location
    ) as turn
  from monthly
),
weekly as (
  select places.*, 'weekly ' || places.n || ' ' || places.location || ' ' || date::date as key, date::date as date
  from demo
  cross join generate_series(
    date_trunc('day', now at time zone zone) - interval '91 days', date_trunc('day', now at time zone zone), interval '1 day'
  ) as date
  join demo_lists as listed on listed.day = trim(to_char(date, 'Day'))
  join demo_places as places on places.n = listed.n and places.location = listed.location
  where pg_temp.chance('weekly ' || places.n || places.location || date) < 0.94
),
planned as (
  select n, id, barcode, location, quantity, key,
    case when pg_temp.chance('admin ' || key) < 0.01 then 'admin' else 'monthly' end as count_type,
    least(
      -- Nobody counts at the weekend.
      (date + case extract(isodow from date) when 6 then 2 when 7 then 1 else 0 end
        + time '07:00' + pg_temp.chance('hour ' || key) * interval '9 hours') at time zone zone,
      since + (turn - 0.5) * seconds_each * interval '1 second'
    ) as at
  from in_turn
  cross join demo
  left join demo_begun as begun on begun.month = in_turn.month and in_turn.turn <= begun.counts
  union all
  select n, id, barcode, location, quantity, key, 'weekly',
    (date + time '06:10' + pg_temp.chance('hour ' || key) * interval '3 hours') at time zone zone
  from weekly
  cross join demo
),
timed as (
  select planned.*, pg_temp.chance('result ' || key) as luck,
    case when count_type = 'weekly' then start_of_day(at, zone) else start_of_month(at, zone) end as period_start
  from planned
  cross join demo
  where at between began + interval '1 hour' and now - interval '10 minutes'
)
select timed.*, people.id as user_id, people.name as user_name, people.role as user_role,
  case
    -- The first product is an example of how to count by program: it has the same quantity on any day.
    when n = 1 or quantity = 0 or luck < 0.965 then 'right'
    when luck < 0.985 then 'right at last'
    when luck < 0.998 or at < now - interval '4 days' then 'different'
    else 'tried'
  end as result,
  (1 + floor(pg_temp.chance('size ' || key) * 3)::integer)
    * case when pg_temp.chance('sign ' || key) < 0.7 then -1 else 1 end as difference
from timed
cross join demo
join demo_people as people
  on people.place = case when count_type = 'admin' then 1 when pg_temp.chance('who ' || key) < 0.55 then 2 else 3 end
-- ;;
-- Differences older than a week have been decided, three of four accepted. The newest ten wait in any case: between the 25th and
-- the first days of a month hardly anything is counted.
create temp table demo_decisions on commit drop as
select counts.key, at + interval '1 day' + pg_temp.chance('decided ' || counts.key) * interval '4 days' as at,
  case when pg_temp.chance('decision ' || counts.key) < 0.75 then 'accepted' else 'dismissed' end as status,
  (array['Damaged', 'Miscounted before', 'Found in another bin', 'Scrapped', 'Delivery short'])
    [1 + floor(pg_temp.chance('reason ' || counts.key) * 5)::integer] as reason
from (
  select key, at, row_number() over (order by at desc, key) as newest from demo_counts where result = 'different'
) as counts
cross join demo
where counts.newest > 10 and counts.at < demo.now - interval '7 days'
-- ;;
create temp table demo_moves on commit drop as
select id, n, location, began as at, quantity as delta, 'import' as cause, '' as note, 'import' as key
from demo_places
cross join demo
where quantity > 0
union all
-- Deliveries and picked orders; what goes out is a tenth at most each time, so that nothing falls below 0.
select id, n, location, at, delta, 'correction', '', 'correction ' || turn
from (
  select id, n, location, turn,
    began + pg_temp.chance('moved ' || n || location || turn) * (now - began - interval '2 hours') + interval '1 hour' as at,
    case when turn % 2 = 0
      then 10 + floor(pg_temp.chance('came ' || n || location || turn) * 90)::integer
      else -(1 + floor(pg_temp.chance('went ' || n || location || turn) * quantity / 10)::integer)
    end as delta
  from demo_places
  cross join demo
  cross join generate_series(1, 4) as turn
  where quantity > 0 and pg_temp.chance('moves ' || n || location) < 0.12
) as corrections
union all
select counts.id, counts.n, counts.location, decisions.at, counts.difference, 'discrepancy', decisions.reason, counts.key
from demo_decisions as decisions
join demo_counts as counts on counts.key = decisions.key
where decisions.status = 'accepted'
-- ;;
-- The stock a count met: the sum of what had moved before it.
create temp table demo_expected on commit drop as
select key, expected
from (
  select key, kind, sum(delta) over (partition by id, location order by at, kind rows unbounded preceding)::integer as expected
  from (
    select 'move' as kind, key, id, location, at, delta from demo_moves
    union all
    select 'seen', key, id, location, at, 0 from demo_counts
  ) as events
) as summed
where kind = 'seen'
-- ;;
create temp table demo_tries on commit drop as
select counts.key, counts.id, counts.barcode, counts.location, counts.count_type, counts.user_id, counts.user_name,
  counts.user_role, made.attempt, made.at, expected.expected,
  case when made.wrong then greatest(expected.expected + counts.difference, 0) else expected.expected end as counted,
  made.wrong, not made.wrong or made.attempt = 2 as recorded, counts.result
from demo_counts as counts
join demo_expected as expected on expected.key = counts.key
cross join lateral (
  select 1 as attempt, case when counts.result in ('right', 'tried') then counts.at else counts.at - interval '90 seconds' end as at,
    counts.result <> 'right' as wrong
  union all
  select 2, counts.at, counts.result = 'different'
  where counts.result in ('right at last', 'different')
) as made
-- ;;
analyze demo_products, demo_places, demo_counts, demo_decisions, demo_moves, demo_expected, demo_tries
-- ;;
insert into components (tenant_id, id, barcode, description, created_at, updated_at)
select tenant_id, id, barcode, description, began, began
from demo_products
cross join demo
-- ;;
insert into movements (
  tenant_id, id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, created_at
)
select tenant_id, pg_temp.id_for(at, 'movement ' || moves.key || moves.n || location), moves.id, location, delta,
  sum(delta) over (partition by moves.id, location order by at rows unbounded preceding), cause, note, people.id, people.name, at
from demo_moves as moves
cross join demo
join demo_people as people on people.place = 1
order by at
-- ;;
insert into stock (
  tenant_id, component_id, location, quantity, counted_at, counted_source, weekly_counted_at, scans
)
select tenant_id, places.id, places.location, coalesce(moved.quantity, 0), marks.at, marks.source, marks.weekly_at,
  coalesce(marks.scans, 0)
from demo_places as places
cross join demo
left join (
  select id, location, sum(delta) as quantity from demo_moves group by id, location
) as moved on moved.id = places.id and moved.location = places.location
left join (
  select id, location, max(at) as at, (array_agg(count_type order by at desc))[1] as source,
    max(at) filter (where count_type = 'weekly') as weekly_at, count(*) as scans
  from demo_tries
  where recorded
  group by id, location
) as marks on marks.id = places.id and marks.location = places.location
where moved.quantity is not null or marks.at is not null
-- ;;
insert into high_volume_assignments (tenant_id, component_id, day, location)
select tenant_id, id, day, location
from demo_lists
cross join demo
-- ;;
insert into discrepancies (
  tenant_id, id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts, user_id,
  user_name, reason, note, decided_by, created_at, updated_at
)
select tenant_id, pg_temp.id_for(first.at, 'discrepancy ' || last.key), last.id, last.barcode, last.location, last.count_type,
  counts.period_start,
  case counts.result when 'tried' then 'attempted' when 'right at last' then 'matched' else coalesce(decisions.status, 'open') end,
  last.expected, last.counted, last.attempt, last.user_id, last.user_name, decisions.reason,
  case when decisions.status is not null then '' end, case when decisions.status is not null then people.name end,
  first.at, coalesce(decisions.at, last.at)
from demo_counts as counts
cross join demo
join demo_people as people on people.place = 1
join demo_tries as first on first.key = counts.key and first.attempt = 1
join demo_tries as last on last.key = counts.key and last.attempt = case counts.result when 'tried' then 1 else 2 end
left join demo_decisions as decisions on decisions.key = counts.key
where counts.result <> 'right'
-- ;;
insert into count_attempts (
  tenant_id, id, discrepancy_id, attempt, expected, counted, user_id, user_name, counted_at, created_at
)
select tenant_id, pg_temp.id_for(tries.at, 'attempt ' || tries.attempt || tries.key),
  pg_temp.id_for(first.at, 'discrepancy ' || tries.key), tries.attempt, tries.expected, tries.counted, tries.user_id,
  tries.user_name, tries.at, tries.at
from demo_tries as tries
cross join demo
join demo_tries as first on first.key = tries.key and first.attempt = 1
where tries.result <> 'right'
-- ;;
insert into count_history (
  tenant_id, id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
  user_name, counted_at, created_at
)
select tenant_id, pg_temp.id_for(at, 'history ' || key), id, barcode, location, counted, count_type,
  initcap(count_type) || '_' || (at at time zone zone)::date, count_type, user_id, user_role, user_name, at, at
from demo_tries
cross join demo
where recorded
order by at
-- ;;
insert into scan_days (tenant_id, location, day, scans)
select tenant_id, location, (at at time zone zone)::date, count(*)
from demo_tries
cross join demo
where recorded
group by tenant_id, location, (at at time zone zone)::date
-- ;;
insert into count_progress (tenant_id, location, month_start, counted)
select tenant_id, location, start_of_month(at, zone), count(distinct id)
from demo_tries
cross join demo
where recorded
group by tenant_id, location, start_of_month(at, zone)
-- ;;
-- Label files on every Tuesday and Friday, and in the present month, which may have neither yet.
create temp table demo_label_days on commit drop as
select at, row_number() over (order by at) as turn, count(*) over () as turns
from (
  select (date + time '10:20') at time zone zone as at
  from demo
  cross join generate_series(
    date_trunc('day', began at time zone zone), date_trunc('day', now at time zone zone), interval '1 day'
  ) as date
  where extract(isodow from date) in (2, 5)
  union all
  select greatest(now - interval '2 hours', now - (now - start_of_month(now, zone)) / 2)
  from demo
) as days
cross join demo
where at > began + interval '1 hour' and at < now
-- ;;
-- Most things have a label that is still on the shelf, and every third of them had one before.
create temp table demo_prints on commit drop as
select products.n, products.id, printed.place, days.at,
  1 + floor(pg_temp.chance('copies ' || printed.place || ' ' || products.n) ^ 3 * 8)::integer as copies,
  case when pg_temp.chance('small label ' || products.n) < 0.3 then '2x1' else '4x1.5' end as size,
  case when pg_temp.chance('renamed ' || products.n) < 0.02 then 'Old name of ' || description else description end as description,
  2 + days.turn % 2 as person
from demo_products as products
cross join (select max(turns) as turns from demo_label_days) as whole
cross join lateral (select 1 + floor(pg_temp.chance('labelled ' || products.n) * turns)::integer as turn) as last
cross join lateral (
  values (1, last.turn), (2, floor(pg_temp.chance('printed ' || products.n) * last.turn)::integer)
) as printed (place, turn)
join demo_label_days as days on days.turn = printed.turn
where pg_temp.chance('has label ' || products.n) < 0.9 and (printed.place = 1 or products.n % 3 = 0)
-- ;;
create temp table demo_labels on commit drop as
select at, size, person, sum(copies)::integer as labels, count(*) as components
from demo_prints
group by at, size, person
-- ;;
insert into label_usage (tenant_id, month_start, used)
select tenant_id, start_of_month(at, zone), sum(labels)
from demo_labels
cross join demo
group by tenant_id, start_of_month(at, zone)
-- ;;
-- A few were renamed since.
insert into labelled_components (tenant_id, component_id, labelled_at, description)
select tenant_id, id, at, description
from demo_prints
cross join demo
where place = 1
-- ;;
insert into label_prints (
  tenant_id, id, component_id, copies, size, symbology, format, description, user_id, user_name, printed_at
)
select demo.tenant_id, pg_temp.id_for(prints.at, 'print ' || prints.place || ' ' || prints.n), prints.id, copies, size,
  'code128', 'pdf', description, people.id, people.name, prints.at
from demo_prints as prints
cross join demo
join demo_people as people on people.place = prints.person
-- ;;
-- Codes that were scanned and that nobody knows yet.
create temp table demo_unknown on commit drop as
select codes.place, scan, codes.code, codes.location, people.id as user_id, people.name as user_name,
  now - (codes.place * 9 + scan * 2 || ' hours')::interval - interval '40 minutes' as at
from demo
cross join (
  values (1, '4006381000017', 'PRIMARY', 3), (2, '4006381999990', 'PRIMARY', 1), (3, 'PALLET-0042', 'SECONDARY', 2),
    (4, '0012345678905', 'PRIMARY', 2), (5, 'HEX-01O20', 'FULFILLMENT', 1), (6, '9780201379624', 'DISTRIBUTION', 1),
    (7, 'RMA 2231', 'PRIMARY', 4)
) as codes (place, code, location, times)
cross join lateral generate_series(1, codes.times) as scan
join demo_people as people on people.place = 2 + (codes.place + scan) % 2
-- ;;
insert into unknown_codes (
  tenant_id, id, code, location, times, found_by, user_id, user_name, first_seen_at, last_seen_at
)
select tenant_id, pg_temp.id_for(min(at), 'unknown ' || code), code, location, count(*),
  (array_agg(user_id order by at))[1], (array_agg(user_id order by at desc))[1],
  (array_agg(user_name order by at desc))[1], min(at), max(at)
from demo_unknown
cross join demo
group by tenant_id, code, location
-- ;;
insert into unknown_code_scans (tenant_id, id, unknown_code_id, user_id, user_name, request_key, scanned_at)
select tenant_id, pg_temp.id_for(at, 'unknown scan ' || scan || code),
  pg_temp.id_for(min(at) over (partition by code, location), 'unknown ' || code), user_id, user_name,
  'demo ' || code || ' ' || scan, at
from demo_unknown
cross join demo
-- ;;
-- The trail of all that, in the order it happened.
insert into audit_entries (
  tenant_id, id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata, created_at
)
select tenant_id, pg_temp.id_for(trail.at, 'audit ' || trail.key), kind, event, sku, quantity, location, source, people.id,
  people.role, people.name, metadata, trail.at
from (
  select 'registered' as key, 1 as place, began - interval '20 minutes' as at, 'authentication' as kind,
    'registration_completed' as event, 'AUTH_REGISTRATION_COMPLETED' as sku, null::integer as quantity,
    null as location, 'authentication' as source, '{"type": "auth_event"}'::jsonb as metadata
  from demo
  union all
  select 'imported', 1, began, 'bulk_import', 'components_imported', 'BULK_IMPORT_COMPONENTS', 2000, null, 'import',
    '{"type": "bulk_import", "created": 2000, "updated": 0, "unchanged": 0}'
  from demo
  union all
  select 'laid ' || location, 1, began + interval '40 minutes', 'configuration', 'placements_changed',
    'CONFIG_PLACEMENTS_CHANGED', null, null, 'screen',
    jsonb_build_object(
      'type', 'config_change', 'old_value', null,
      'new_value', jsonb_build_object('location', location, 'changed', count(*))
    )
  from demo
  cross join demo_places
  where quantity > 0
  group by location, began
  union all
  select 'costed ' || at, 1, at, 'configuration', 'costs_changed', 'CONFIG_COSTS_CHANGED', null, null, 'screen',
    jsonb_build_object(
      'type', 'config_change', 'old_value', null, 'new_value', jsonb_build_object('changed', count(*))
    )
  from demo_costs
  group by at
  union all
  select 'corrected ' || n || location || key, 1, at, 'configuration', 'quantity_updated', barcode, after, location,
    'correction', jsonb_build_object('old_value', after - delta, 'new_value', after)
  from (
    select moves.n, moves.location, moves.key, moves.at, moves.delta, moves.cause, products.barcode,
      sum(moves.delta) over (partition by moves.id, moves.location order by moves.at rows unbounded preceding)::integer as after
    from demo_moves as moves
    join demo_products as products on products.n = moves.n
  ) as moved
  where cause = 'correction'
  union all
  select 'tried ' || tries.attempt || tries.key, people.place, tries.at, 'inventory_scan',
    case count_type when 'admin' then 'admin_view' else count_type || '_count' end
      || case when wrong then '_mismatch' else '_scan' end,
    barcode, counted, location, count_type,
    jsonb_strip_nulls(jsonb_build_object(
      'session', initcap(count_type) || '_' || (at at time zone zone)::date, 'counted_at', at,
      'attempt', case when result <> 'right' then attempt end, 'recorded', case when wrong then recorded end
    ))
  from demo_tries as tries
  cross join demo
  join demo_people as people on people.id = tries.user_id
  union all
  select 'decided ' || decisions.key, 1, decisions.at, 'configuration', 'discrepancy_' || decisions.status, last.barcode,
    last.counted, last.location, last.count_type,
    jsonb_build_object('expected', last.expected, 'counted', last.counted, 'reason', decisions.reason, 'note', '')
  from demo_decisions as decisions
  join demo_tries as last on last.key = decisions.key and last.attempt = 2
  union all
  select 'labels ' || size || at, person, at, 'label_generation', 'labels_generated', 'LABEL_GENERATED', labels, 'PRIMARY', 'labels',
    jsonb_build_object('labels', labels, 'components', components, 'size', size)
  from demo_labels
  union all
  select 'signed in ' || place || at, place, at, 'authentication', event, 'AUTH_' || upper(event), null, null,
    'authentication', '{"type": "auth_event"}'
  from demo
  cross join demo_people as people
  cross join generate_series(
    date_trunc('day', began at time zone zone) + interval '1 day', date_trunc('day', now at time zone zone), interval '1 day'
  ) as date
  cross join (values ('login_successful', time '05:50'), ('logout_completed', time '16:20')) as daily (event, hour)
  cross join lateral (
    select (date + hour + pg_temp.chance(event || place || date) * interval '15 minutes') at time zone zone as at
  ) as moment
  where extract(isodow from date) < 6 and at < now
) as trail
cross join demo
join demo_people as people on people.place = trail.place
order by trail.at
-- ;;
-- The records that devices keep of the weekly lists, and the administrator's of the month in Admin View.
insert into weekly_counts (tenant_id, id, day, location, progress, completed, last_updated)
select demo.tenant_id, lists.day || '_' || lists.location || '_' || (tries.at at time zone zone)::date, lists.day,
  lists.location, jsonb_object_agg(tries.barcode, tries.counted), count(*) = max(lists.size), max(tries.at)
from demo
cross join (select day, location, count(*) as size from demo_lists group by day, location) as lists
join demo_tries as tries on tries.location = lists.location and tries.count_type = 'weekly' and tries.recorded
  and trim(to_char(tries.at at time zone zone, 'Day')) = lists.day
where tries.at > now - interval '29 days'
group by demo.tenant_id, lists.day, lists.location, (tries.at at time zone zone)::date
-- ;;
insert into cycle_counts (tenant_id, id, location, user_type, progress, completed, start_date, last_updated)
select demo.tenant_id, 'Cycle_' || to_char(tries.at at time zone zone, 'YYYY-MM') || '_' || tries.location,
  tries.location, 'admin', jsonb_object_agg(tries.barcode, tries.counted),
  max(tries.at) < start_of_month(now, zone), min(tries.at), max(tries.at)
from demo
cross join demo_tries as tries
where tries.count_type = 'admin' and tries.recorded
group by demo.tenant_id, tries.location, to_char(tries.at at time zone zone, 'YYYY-MM'), now, zone
-- ;;
-- Stock on its way between the locations, and some that came.
create temp table demo_transfers on commit drop as
select sent.barcode, sent.to_location, sent.received, sent.quantity, sent.note, people.id as user_id, people.name as user_name,
  people.role as user_role,
  send_transfer(
    demo.tenant_id, sent.id, 'PRIMARY', sent.to_location, sent.quantity, sent.received, sent.note, people.id, people.name
  ) as transfer_id
from demo
cross join (
  select stock.id, stock.barcode, plan.to_location, plan.received, least(plan.quantity, stock.quantity) as quantity, plan.note
  from (
    values (1, 'FULFILLMENT', 24, false, 'For the orders of tomorrow'), (2, 'SECONDARY', 40, false, ''),
      (3, 'DISTRIBUTION', 60, false, 'Pallet 7'), (4, 'FULFILLMENT', 12, true, ''), (5, 'SECONDARY', 30, true, 'Shelf is full')
  ) as plan (place, to_location, quantity, received, note)
  join (
    select n, id, barcode, quantity, row_number() over (order by n) as place
    from demo_places
    where location = 'PRIMARY' and quantity > 100
  ) as stock on stock.place = plan.place
) as sent
join demo_people as people on people.place = 1
-- ;;
insert into audit_entries (
  tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
)
select tenant_id, 'configuration', case when received then 'stock_moved' else 'transfer_sent' end, barcode, quantity,
  'PRIMARY', 'transfer', user_id, user_role, user_name,
  jsonb_build_object('transfer_id', transfer_id, 'from', 'PRIMARY', 'to', to_location, 'note', note)
from demo_transfers
cross join demo
-- ;;
-- Five shelves in a rack, fifty racks in an aisle. A fifth have a minimum, a third of their stock; few lie below theirs.
insert into placements (tenant_id, component_id, location, bin, minimum)
select demo.tenant_id, laid.id, laid.location,
  chr(65 + laid.shelf / 250) || '-' || lpad((1 + laid.shelf / 5 % 50)::text, 2, '0') || '-' || 1 + laid.shelf % 5,
  case
    when pg_temp.chance('minimum ' || n || laid.location) >= 0.2 then null
    when pg_temp.chance('low ' || n || laid.location) < 0.012 then ceil((stock.quantity + 5) / 10.0) * 10
    else ceil(stock.quantity / 30.0) * 10
  end
from demo
cross join (
  select n, id, location, (row_number() over (partition by location order by n) - 1)::integer as shelf
  from demo_places
  where quantity > 0
) as laid
join stock on stock.tenant_id = demo.tenant_id and stock.component_id = laid.id and stock.location = laid.location
-- ;;
insert into component_costs (tenant_id, component_id, since, unit_cost)
select demo.tenant_id, costs.id, costs.at, costs.unit_cost
from demo
cross join demo_costs as costs
-- ;;
-- What is low by now was told long ago.
insert into low_stock (tenant_id, component_id, location, since, mailed)
select placements.tenant_id, placements.component_id, placements.location, began, true
from demo
join placements on placements.tenant_id = demo.tenant_id
join stock on stock.tenant_id = placements.tenant_id and stock.component_id = placements.component_id
  and stock.location = placements.location
where placements.minimum > stock.quantity
-- ;;
update companies
set component_count = 2000, currency = 'EUR', created_at = began - interval '20 minutes', trial_ends_at = began + interval '14 days'
from demo
where companies.tenant_id = demo.tenant_id
-- ;;
update users
set created_at = began - interval '20 minutes'
from demo
where users.tenant_id = demo.tenant_id
