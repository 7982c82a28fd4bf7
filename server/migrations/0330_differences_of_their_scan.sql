-- A change of the time zone let differences keep the name of their month, and put their lines into that of their moment: of a count
-- within hours of a month's edge the one month had the line and the other the difference.

create or replace function change_time_zone(p_tenant uuid, p_zone text)
returns void
language plpgsql
as $$
declare
  v_old text;
  v_month timestamptz;
  v_last date;
begin
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  select time_zone into v_old from companies where tenant_id = p_tenant for no key update;
  update companies set time_zone = p_zone where tenant_id = p_tenant;
  v_month := start_of_month(now(), p_zone);

  update label_usage
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;
  update label_jobs
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;

  -- By way of the distant past, because two zones a day apart give one day the other's beginning.
  update discrepancies
  set period_start = (
    (((period_start at time zone v_old) at time zone p_zone) at time zone 'UTC') - interval '400000 days'
  ) at time zone 'UTC'
  where tenant_id = p_tenant and status in ('attempted', 'open', 'recount');
  update discrepancies
  set period_start = ((period_start at time zone 'UTC') + interval '400000 days') at time zone 'UTC'
  where tenant_id = p_tenant and status in ('attempted', 'open', 'recount');

  update count_progress
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;
  delete from count_progress where tenant_id = p_tenant and month_start >= v_month;
  insert into count_progress (tenant_id, location, month_start, counted)
  select p_tenant, location, v_month, count(*)
  from stock
  join components on components.tenant_id = p_tenant and components.id = stock.component_id
    and components.retired_at is null
  where stock.tenant_id = p_tenant and counted_at >= v_month and not exists (
    select from not_kept
    where not_kept.tenant_id = p_tenant and not_kept.location = stock.location and not_kept.component_id = stock.component_id
  )
  group by location
  on conflict (tenant_id, location, month_start) do nothing;
  perform forget_weekly_progress(p_tenant, array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION']);

  -- Up to the last day, in whatever zone, that a count which was put aside may have: what is left in the history moves there
  -- from its old day to its new one, and the rest keeps its days. Those after it are counted anew.
  select max((instant_of(next_id) + interval '1 day') at time zone 'UTC')::date into v_last
  from detached_history
  where tenant_id = p_tenant and history = 'count_history';
  v_last := coalesce(v_last, '-infinity');
  delete from scan_days where tenant_id = p_tenant and day > v_last;
  insert into scan_days (tenant_id, location, day, scans)
  select p_tenant, location, (counted_at at time zone p_zone)::date, count(*)
  from count_history entry
  where tenant_id = p_tenant and undoes is null and not exists (
    select from count_history back
    where back.tenant_id = p_tenant and back.sku = entry.sku and back.location = entry.location
      and back.undoes = entry.id and back.undoes is not null
  )
  group by 2, 3
  on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans;
  if v_last > '-infinity' then
    insert into scan_days (tenant_id, location, day, scans)
    select p_tenant, location, (counted_at at time zone v_old)::date, -count(*)
    from count_history entry
    where tenant_id = p_tenant and undoes is null and (counted_at at time zone v_old)::date <= v_last
      -- As the index of the history by time has it, and later than that day ends anywhere.
      and counted_at < (v_last + 2)::timestamp at time zone 'UTC' and not exists (
        select from count_history back
        where back.tenant_id = p_tenant and back.sku = entry.sku and back.location = entry.location
          and back.undoes = entry.id and back.undoes is not null
      )
    group by 2, 3
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans;
  end if;
  delete from scan_days where tenant_id = p_tenant and scans <= 0;

  -- A difference is of the day or month of its newest scan, as its line is, unless another one of its place waits in that. Those of
  -- counts that were put aside stay where they are.
  with scanned as materialized (
    select difference.id, difference.component_id, difference.location, difference.count_type,
      difference.status in ('attempted', 'open', 'recount') as waits,
      case
        when difference.count_type = 'weekly' then start_of_day(difference.period_start + interval '12 hours', p_zone)
        else start_of_month(difference.period_start + interval '15 days', p_zone)
      end as named,
      case
        when difference.count_type = 'weekly' then start_of_day(newest.counted_at, p_zone)
        else start_of_month(newest.counted_at, p_zone)
      end as period_start
    from discrepancies difference
    join (
      select attempt.discrepancy_id, max(attempt.counted_at) as counted_at
      from count_attempts attempt
      join discrepancies tried on tried.tenant_id = p_tenant and tried.id = attempt.discrepancy_id
        and attempt.attempt <= tried.attempts
      where attempt.tenant_id = p_tenant and not attempt.overtaken and not exists (
        select from count_attempts later
        where later.tenant_id = p_tenant and later.discrepancy_id = attempt.discrepancy_id
          and later.attempt = attempt.attempt and later.id > attempt.id
      )
      group by 1
    ) as newest on newest.discrepancy_id = difference.id
    where difference.tenant_id = p_tenant and (newest.counted_at at time zone p_zone)::date > v_last
  )
  update discrepancies difference
  set period_start = moved.period_start
  from (
    select mine.id, mine.period_start
    from scanned mine
    where mine.period_start <> mine.named and not (mine.waits and exists (
      select from scanned other
      where other.waits and other.id <> mine.id and other.component_id = mine.component_id
        and other.location = mine.location and other.count_type = mine.count_type
        and (other.named = mine.period_start or other.period_start = mine.period_start)
    ))
  ) as moved
  where difference.tenant_id = p_tenant and difference.id = moved.id;
end
$$;
