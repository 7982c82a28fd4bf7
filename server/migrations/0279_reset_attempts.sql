-- A reset left first wrong entries waiting, so that the first entry of the new count was taken for the second, and recorded at once. Now
-- they are over with the marks: counting starts again (decisions, 'Reset'). Under strict blind counts their numbers go on all the same:
-- whoever may reset must not be told more often what is wrong.

create or replace function reset_monthly_marks(p_tenant uuid, p_location text, p_month_start timestamptz)
returns integer
language plpgsql
as $$
declare
  v_attempted constant uuid[] := array(
    select component_id from discrepancies
    where tenant_id = p_tenant and location = p_location and count_type in ('monthly', 'admin')
      and period_start = p_month_start and status = 'attempted'
  );
  v_reset integer;
begin
  -- Stock before differences, as counts have it.
  perform 1 from stock
  where tenant_id = p_tenant and location = p_location
    and (counted_at >= p_month_start or component_id = any (v_attempted))
  order by component_id
  for update;

  update stock
  set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and counted_at >= p_month_start;
  get diagnostics v_reset = row_count;

  -- By as many as were cleared, not to 0: a count may commit between the two statements.
  update count_progress
  set counted = counted - v_reset
  where tenant_id = p_tenant and location = p_location and month_start = p_month_start and v_reset > 0;
  -- Counting starts again, and so do the entries of each component.
  update discrepancies
  set status = 'dismissed', reason = 'Count reset', updated_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and count_type in ('monthly', 'admin')
    and period_start = p_month_start and status = 'attempted';
  insert into count_resets (tenant_id, location, count_type, day, reset_at)
  values (p_tenant, p_location, 'monthly', '', clock_timestamp())
  on conflict (tenant_id, location, count_type, day)
    do update set reset_at = greatest(count_resets.reset_at, excluded.reset_at);
  return v_reset;
end
$$;

create or replace function reset_weekly_marks(p_tenant uuid, p_location text, p_day text, p_day_start timestamptz)
returns integer
language plpgsql
as $$
declare
  v_attempted constant uuid[] := array(
    select component_id from discrepancies
    where tenant_id = p_tenant and location = p_location and count_type = 'weekly' and period_start = p_day_start
      and status = 'attempted'
  );
  v_reset integer;
begin
  perform 1 from stock
  where tenant_id = p_tenant and location = p_location
    and (weekly_counted_at >= p_day_start or component_id = any (v_attempted))
  order by component_id
  for update;

  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and weekly_counted_at >= p_day_start
    and exists (
      select from high_volume_assignments listed
      where listed.tenant_id = p_tenant and listed.component_id = stock.component_id
        and listed.location = p_location and listed.day = p_day
    );
  get diagnostics v_reset = row_count;
  -- As of a month.
  update discrepancies
  set status = 'dismissed', reason = 'Count reset', updated_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and count_type = 'weekly' and period_start = p_day_start
    and status = 'attempted'
    and exists (
      select from high_volume_assignments listed
      where listed.tenant_id = p_tenant and listed.component_id = discrepancies.component_id
        and listed.location = p_location and listed.day = p_day
    );
  insert into count_resets (tenant_id, location, count_type, day, reset_at)
  values (p_tenant, p_location, 'weekly', p_day, clock_timestamp())
  on conflict (tenant_id, location, count_type, day)
    do update set reset_at = greatest(count_resets.reset_at, excluded.reset_at);
  return v_reset;
end
$$;
