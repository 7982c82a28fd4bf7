-- A change of the time zone looked for counts that were taken back among all of the history, and reckoned each in the old zone as well:
-- 2,000,000 counts held a company's counting up for half a minute (docs/performance-tried.md).

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
end
$$;
