-- A location counts what is kept there: which components are not, is said by administrators.

-- A row for each component that a location leaves out. What is counted there, or comes there, loses its row.
create table not_kept (
  tenant_id uuid not null references companies,
  location text not null,
  component_id uuid not null,
  primary key (tenant_id, location, component_id),
  foreign key (tenant_id, component_id) references components
)
-- ;;
alter table not_kept enable row level security
-- ;;
alter table not_kept force row level security
-- ;;
create policy own_company on not_kept
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, delete on not_kept to inventory_manager_app
-- ;;
-- How many of these there are by location, so that a count need not ask how many components its location has.
alter table companies add column not_kept_counts jsonb not null default '{}'
-- ;;
-- Numbers by location less others.
create function less_not_kept(p_counts jsonb, p_fewer jsonb) returns jsonb
language sql immutable
as $$
  select coalesce(jsonb_object_agg(location, coalesce((p_counts ->> location)::integer, 0) - coalesce((p_fewer ->> location)::integer, 0)), '{}')
  from (select jsonb_object_keys(p_counts) as location union select jsonb_object_keys(p_fewer)) as named
$$
-- ;;
-- Has a location count components again that it left out, and gives those. Whoever calls it locks nothing after it.
create function keep_at(p_tenant uuid, p_location text, p_components uuid[]) returns uuid[]
language plpgsql volatile
as $$
declare
  v_kept uuid[];
begin
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and location = p_location and component_id in (select unnest(p_components))
    returning component_id
  )
  select coalesce(array_agg(component_id), '{}') into v_kept from kept;
  update companies
  set not_kept_counts = less_not_kept(not_kept_counts, jsonb_build_object(p_location, cardinality(v_kept)))
  where tenant_id = p_tenant and cardinality(v_kept) > 0;
  return v_kept;
end
$$
-- ;;
-- As keep_at, of components each at a location where there is stock of it now.
create function keep_with_stock(p_tenant uuid, p_components uuid[], p_locations text[]) returns void
language plpgsql volatile
as $$
declare
  v_fewer jsonb;
begin
  perform from companies where tenant_id = p_tenant and not_kept_counts <> '{}';
  if not found then return; end if;
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and (location, component_id) in (
      select given.location, given.component_id
      from unnest(p_components, p_locations) as given (component_id, location)
      cross join lateral (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
          and stock.quantity > 0
        offset 0
      ) as present
    )
    returning location
  )
  select jsonb_object_agg(location, fewer) into v_fewer
  from (select location, count(*) as fewer from kept group by location) as of_location;
  update companies set not_kept_counts = less_not_kept(not_kept_counts, v_fewer)
  where tenant_id = p_tenant and v_fewer is not null;
end
$$
-- ;;
-- Has a location leave components out, and says of each what came of it: left_out · already · retired · stock · on_its_way ·
-- difference · weekly. Of all but the first nothing is changed.
create function leave_out(p_tenant uuid, p_location text, p_components uuid[]) returns table (component_id uuid, barcode text, outcome text)
language plpgsql volatile
as $$
#variable_conflict use_column
declare
  v_zone text;
  v_month timestamptz;
  v_ids uuid[];
  v_barcodes text[];
  v_outcomes text[];
  v_left uuid[];
begin
  -- As retire_component.
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform from stock
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(p_components))
  order by component_id
  for update;
  perform from components
  where tenant_id = p_tenant and id in (select unnest(p_components))
  order by id
  for no key update;
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));

  select array_agg(judged.id), array_agg(judged.barcode), array_agg(judged.outcome) into v_ids, v_barcodes, v_outcomes
  from (
    select components.id, components.barcode, case
      when components.retired_at is not null then 'retired'
      when exists (
        select from not_kept
        where not_kept.tenant_id = p_tenant and not_kept.location = p_location and not_kept.component_id = components.id
      ) then 'already'
      when exists (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = components.id and stock.location = p_location
          and stock.quantity > 0
      ) then 'stock'
      when exists (
        select from transfers
        where transfers.tenant_id = p_tenant and transfers.component_id = components.id
          and transfers.to_location = p_location and transfers.status = 'in_transit'
      ) then 'on_its_way'
      when exists (
        select from discrepancies
        where discrepancies.tenant_id = p_tenant and discrepancies.component_id = components.id
          and discrepancies.location = p_location and discrepancies.status in ('attempted', 'open', 'recount')
      ) then 'difference'
      when exists (
        select from high_volume_assignments listed
        where listed.tenant_id = p_tenant and listed.component_id = components.id and listed.location = p_location
      ) then 'weekly'
      else 'left_out'
    end as outcome
    from components
    where components.tenant_id = p_tenant and components.id in (select unnest(p_components))
  ) as judged;
  v_left := array(select judged.id from unnest(v_ids, v_outcomes) as judged (id, outcome) where judged.outcome = 'left_out');

  -- What was counted there this month no longer counts, as of what is retired.
  select time_zone into v_zone from companies where tenant_id = p_tenant;
  v_month := start_of_month(now(), v_zone);
  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left))
    and weekly_counted_at >= start_of_day(now(), v_zone);
  with cleared as (
    update stock
    set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
    where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left))
      and counted_at >= v_month
    returning component_id
  )
  update count_progress
  set counted = counted - (select count(*)::integer from cleared)
  where tenant_id = p_tenant and month_start = v_month and location = p_location;
  insert into not_kept (tenant_id, location, component_id)
  select p_tenant, p_location, gone.id from unnest(v_left) as gone (id)
  on conflict (tenant_id, location, component_id) do nothing;
  update companies
  set not_kept_counts = less_not_kept(not_kept_counts, jsonb_build_object(p_location, -cardinality(v_left)))
  where tenant_id = p_tenant and cardinality(v_left) > 0;
  return query select * from unnest(v_ids, v_barcodes, v_outcomes);
end
$$
-- ;;
create or replace function retire_components(p_tenant uuid, p_components uuid[], p_user_name text) returns integer
language plpgsql volatile
as $$
declare
  v_zone constant text := (select time_zone from companies where tenant_id = p_tenant);
  v_month constant timestamptz := start_of_month(now(), v_zone);
  v_retired integer;
  v_kept jsonb;
begin
  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and component_id = any (p_components) and weekly_counted_at >= start_of_day(now(), v_zone);
  with cleared as (
    update stock
    set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
    where tenant_id = p_tenant and component_id = any (p_components) and counted_at >= v_month
    returning location
  )
  update count_progress
  set counted = counted - gone.marks
  from (select location, count(*)::integer as marks from cleared group by location) as gone
  where tenant_id = p_tenant and month_start = v_month and count_progress.location = gone.location;
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and component_id in (select unnest(p_components))
    returning location
  )
  select coalesce(jsonb_object_agg(location, fewer), '{}') into v_kept
  from (select location, count(*) as fewer from kept group by location) as of_location;
  delete from high_volume_assignments where tenant_id = p_tenant and component_id = any (p_components);
  update components
  set retired_at = clock_timestamp(), retired_by = p_user_name, older_high_volume = null
  where tenant_id = p_tenant and id = any (p_components) and retired_at is null;
  get diagnostics v_retired = row_count;
  update companies
  set component_count = component_count - v_retired, not_kept_counts = less_not_kept(not_kept_counts, v_kept)
  where tenant_id = p_tenant and v_retired > 0;
  return v_retired;
end
$$
-- ;;
create or replace function record_count(
  p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer, p_location text,
  p_source text, p_count_session text, p_at timestamptz, p_day text, p_recount boolean, p_is_timed boolean
)
returns jsonb
language plpgsql
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_actor record;
  v_code text;
  v_day text;
  v_component record;
  v_stock record;
  v_period timestamptz;
  v_month timestamptz;
  v_this_month timestamptz;
  v_discrepancy discrepancies;
  v_late boolean;
  v_expected integer;
  v_waits boolean;
  v_recounts boolean;
  v_overtaken boolean := false;
  v_opens_nothing boolean;
  v_last_scan timestamptz;
  v_newer_at timestamptz;
  v_newer_by text;
  v_disproved boolean := false;
  v_matched boolean;
  v_tolerated boolean;
  v_difference integer;
  v_recorded boolean;
  v_marks boolean;
  v_weekly_mark boolean;
  v_was jsonb;
  v_dismissed jsonb;
  v_settled discrepancies[];
  v_recounted discrepancies[];
  v_closed discrepancies[];
  v_other discrepancies;
  v_entry uuid;
  v_attempt_id uuid;
  v_attempt integer;
  v_counted integer;
  v_total integer;
  v_reply jsonb;
begin
  -- Assigned, because that costs a tenth of a statement.
  v_code := set_config('app.tenant_id', p_tenant::text, true);
  -- Against change_time_zone, which moves the rows that a count writes to.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));

  select users.id, users.name, users.role, users.seated, companies.plan, companies.time_zone,
    companies.strict_blind_counts, companies.component_count, companies.not_kept_counts, companies.trial_ends_at,
    companies.count_tolerance_units, companies.count_tolerance_percent, sessions.last_used_at,
    operations.request_hash, operations.reply
  into v_actor
  from sessions
  join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  join companies on companies.tenant_id = sessions.tenant_id
  left join operations on operations.tenant_id = p_tenant and operations.user_id = users.id and operations.key = p_key
  where sessions.tenant_id = p_tenant and sessions.id = p_session
    and sessions.ended_at is null and sessions.expires_at > v_now and users.active;
  if not found then return jsonb_build_object('outcome', 'unauthorized'); end if;

  if v_actor.request_hash <> p_hash then return jsonb_build_object('outcome', 'key_reused'); end if;
  if v_actor.request_hash = p_hash then return v_actor.reply; end if;

  if p_source = 'admin' and v_actor.role <> 'admin' then return jsonb_build_object('outcome', 'forbidden'); end if;
  if v_actor.trial_ends_at <= v_now and current_setting('app.billing', true) = 'stripe' then
    perform from subscriptions where tenant_id = p_tenant and status in ('active', 'past_due');
    if not found then return jsonb_build_object('outcome', 'trial_expired'); end if;
  end if;
  if not v_actor.seated then return jsonb_build_object('outcome', 'not_seated'); end if;
  if not v_actor.plan = any (p_plans) then return jsonb_build_object('outcome', 'location_not_in_plan'); end if;
  if p_at < v_now - interval '7 days' then return jsonb_build_object('outcome', 'too_old'); end if;
  if p_at > v_now + interval '5 minutes' then return jsonb_build_object('outcome', 'too_early'); end if;
  -- A clock that is ahead must not count in a day that has not begun; within one it keeps the order of its scans.
  if p_at > v_now and start_of_day(p_at, v_actor.time_zone) > start_of_day(v_now, v_actor.time_zone) then
    p_at := v_now;
  end if;

  foreach v_code in array p_codes loop
    select id, barcode, description into v_component
    from components
    where tenant_id = p_tenant and barcode = v_code and retired_at is null;
    exit when found;
  end loop;
  if v_component.id is null then
    foreach v_code in array p_codes loop
      select components.id, components.barcode, components.description into v_component
      from alias_barcodes
      join components on components.tenant_id = p_tenant and components.id = alias_barcodes.component_id
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = v_code and components.retired_at is null;
      exit when found;
    end loop;
  end if;
  if v_component.id is null then
    return jsonb_build_object('outcome', case when is_retired(p_tenant, p_codes) then 'retired' else 'not_found' end);
  end if;

  if p_source = 'weekly' then
    -- A condition with coalesce is not taken for a key under row level security.
    v_day := coalesce(p_day, trim(to_char(p_at at time zone v_actor.time_zone, 'Day')));
    perform from high_volume_assignments
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location and day = v_day;
    if not found then
      -- A recount that was asked for can be done also where the SKU has left every day's list since.
      perform from discrepancies
      where tenant_id = p_tenant and component_id = v_component.id and location = p_location
        and count_type = 'weekly' and status = 'recount'
        and not exists (
          select from high_volume_assignments listed
          where listed.tenant_id = p_tenant and listed.component_id = v_component.id and listed.location = p_location
        );
      if not found then return jsonb_build_object('outcome', 'not_in_list'); end if;
    end if;
  end if;

  select quantity, counted_at, weekly_counted_at, cleared_at, weekly_cleared_at into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
  for update;
  if not found then
    insert into stock (tenant_id, component_id, location) values (p_tenant, v_component.id, p_location)
    on conflict (tenant_id, component_id, location) do nothing;
    select quantity, counted_at, weekly_counted_at, cleared_at, weekly_cleared_at into v_stock from stock
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    for update;
  end if;

  if p_source = 'weekly' and not p_recount
    and start_of_day(v_stock.weekly_counted_at, v_actor.time_zone) = start_of_day(p_at, v_actor.time_zone) then
    return jsonb_build_object('outcome', 'already_counted');
  end if;

  -- Clocks of devices may be off by as much as they may be ahead.
  v_late := p_at < v_now - interval '5 minutes';
  v_expected := v_stock.quantity;
  -- By as much as a known clock may be off, and an entry be on its way.
  if v_late or p_is_timed and p_at < v_now - interval '2 minutes' then
    -- The stock at the moment of the scan: without what has moved since, but with a difference that was accepted since, which
    -- was there before, and with the first quantity of all that somebody entered, before which nothing is known. An import
    -- that was undone has set and taken back nothing.
    select greatest(v_stock.quantity - coalesce(sum(delta), 0), 0) into v_expected
    from movements
    where tenant_id = p_tenant and component_id = v_component.id and id >= id_at(p_at) and location = p_location
      and cause <> 'discrepancy'
      and not exists (
        select from imports
        where imports.tenant_id = p_tenant and imports.id = movements.reference and imports.undone_at is not null
      )
      and not (
        cause in ('import', 'correction') and id = (
          select id from movements
          where tenant_id = p_tenant and component_id = v_component.id and location = p_location
            and not exists (
              select from imports
              where imports.tenant_id = p_tenant and imports.id = movements.reference and imports.undone_at is not null
            )
          order by id
          limit 1
        )
      );
  end if;
  v_matched := v_expected = p_quantity;
  v_difference := p_quantity - v_expected;
  v_tolerated := not v_matched
    and coalesce(v_actor.count_tolerance_units, v_actor.count_tolerance_percent) is not null
    and abs(v_difference) <= coalesce(v_actor.count_tolerance_units, 2147483647)
    and (
      v_actor.count_tolerance_percent is null
      or abs(v_difference)::numeric * 100 <= v_actor.count_tolerance_percent * v_expected
    );
  if v_late and not v_matched then
    select counted_at, user_name into v_newer_at, v_newer_by
    from standing_counts(p_tenant, v_component.barcode, p_location, null) as newer
    where newer.id >= id_at(p_at) and newer.counted_at > p_at
    order by newer.counted_at desc, newer.id desc
    limit 1;
  end if;
  -- A scan says nothing about stock that was counted or moved since, however soon it comes.
  if v_tolerated then
    v_tolerated := v_newer_at is null and coalesce(v_stock.counted_at, '-infinity') <= p_at and not exists (
      select from movements
      where tenant_id = p_tenant and component_id = v_component.id and id >= id_at(p_at) and location = p_location
    );
  end if;
  v_period := case p_source
    when 'weekly' then start_of_day(p_at, v_actor.time_zone)
    else start_of_month(p_at, v_actor.time_zone)
  end;

  -- Mostly nothing waits there, of whatever kind.
  perform from discrepancies
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    and status in ('attempted', 'open', 'recount');
  v_waits := found;
  if v_waits then
    select * into v_discrepancy from discrepancies
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and count_type = p_source and status in ('attempted', 'open', 'recount')
      and (period_start = v_period or status = 'recount' and period_start < v_period)
    order by period_start desc
    limit 1
    for update;
  end if;
  v_recounts := v_discrepancy.id is not null;
  if v_discrepancy.period_start < v_period then v_discrepancy := null; end if;
  if v_newer_at is not null and v_discrepancy.id is null then
    -- Another entry of what was counted since.
    select * into v_discrepancy from discrepancies
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and count_type = p_source and period_start = v_period and status = 'dismissed' and reason = 'Counted since'
      and updated_at > p_at
    order by id desc
    limit 1
    for update;
  end if;
  if v_late and v_discrepancy.id is not null then
    -- What was found, or asked for, after this scan stays as it is.
    v_last_scan := last_scan_of(p_tenant, v_discrepancy.id);
    v_overtaken := v_discrepancy.status = 'recount' and v_discrepancy.updated_at > p_at
      or coalesce(v_last_scan > p_at, false);
    v_tolerated := v_tolerated and not v_overtaken;
  end if;
  if v_newer_at is not null then
    v_disproved := case
      when v_overtaken then v_discrepancy.status in ('attempted', 'dismissed') and v_newer_at > v_last_scan
      else true
    end;
  end if;
  v_opens_nothing := v_overtaken and not v_matched and v_discrepancy.status in ('open', 'recount');
  v_attempt := coalesce(v_discrepancy.attempts, 0);
  if v_actor.strict_blind_counts and v_actor.role <> 'admin' then
    -- Attempts that began anew after a match would tell by the next verdict that it was one, and those that administrators begin
    -- would give another.
    select greatest(v_attempt, coalesce(max(attempts), 0)) into v_attempt from discrepancies
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and count_type = p_source and period_start = v_period;
  end if;
  v_attempt := v_attempt + 1;
  v_recorded := v_matched or v_tolerated or v_attempt > 1;

  if v_discrepancy.id is not null then
    v_was := jsonb_build_object(
      'status', v_discrepancy.status, 'reason', v_discrepancy.reason, 'decided_by', v_discrepancy.decided_by,
      'updated_at', v_discrepancy.updated_at
    );
  end if;
  if v_overtaken then
    -- A second entry that does not match is a count, whichever of the two was scanned first.
    update discrepancies
    set attempts = v_attempt,
      status = case
        when v_disproved then 'dismissed'
        when status = 'attempted' and not v_matched then 'open'
        else status
      end,
      reason = case when v_disproved then 'Counted since' else reason end,
      decided_by = case when v_disproved then v_newer_by else decided_by end,
      updated_at = case when v_disproved then v_now else updated_at end
    where tenant_id = p_tenant and id = v_discrepancy.id;
  elsif v_discrepancy.id is not null then
    update discrepancies
    set status = case
        when v_matched then 'matched'
        when v_tolerated then 'accepted'
        when v_disproved then 'dismissed'
        else 'open'
      end,
      expected = v_expected, counted = p_quantity, attempts = v_attempt,
      reason = case when v_tolerated then 'Within tolerance' when v_disproved then 'Counted since' else reason end,
      decided_by = case when v_tolerated then 'Count tolerance' when v_disproved then v_newer_by else decided_by end,
      user_id = v_actor.id, user_name = v_actor.name, updated_at = clock_timestamp()
    where tenant_id = p_tenant and id = v_discrepancy.id;
  elsif not v_matched then
    insert into discrepancies (
      tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts,
      user_id, user_name, reason, decided_by
    )
    values (
      p_tenant, v_component.id, v_component.barcode, p_location, p_source, v_period,
      case
        when v_tolerated then 'accepted'
        when v_disproved then 'dismissed'
        when v_recorded then 'open'
        else 'attempted'
      end,
      v_expected, p_quantity, v_attempt, v_actor.id, v_actor.name,
      case when v_tolerated then 'Within tolerance' when v_disproved then 'Counted since' end,
      case when v_tolerated then 'Count tolerance' when v_disproved then v_newer_by end
    )
    returning * into v_discrepancy;
  end if;
  if v_discrepancy.id is not null then
    insert into count_attempts (
      tenant_id, discrepancy_id, attempt, expected, counted, user_id, user_name, counted_at, overtaken
    )
    values (
      p_tenant, v_discrepancy.id, v_attempt, v_expected, p_quantity, v_actor.id, v_actor.name, p_at, v_overtaken
    )
    returning id into v_attempt_id;
  end if;
  if v_disproved and v_was->>'status' in ('open', 'recount') then v_settled := array[v_discrepancy]; end if;
  if (v_matched or v_tolerated) and not v_overtaken and v_was->>'status' in ('open', 'recount') then
    v_closed := array[v_discrepancy];
  end if;
  if v_recounts and v_recorded then
    -- A recount that was asked for is done by any later count of its kind. What was found before stays in its own period.
    select array(
      select difference from discrepancies difference
      where tenant_id = p_tenant and component_id = v_component.id and location = p_location
        and count_type = p_source and status = 'recount' and period_start < v_period
        and (not v_late or updated_at <= p_at)
    ) into v_recounted;
    v_dismissed := dismiss_answered(
      p_tenant, array(select id from unnest(v_recounted)), 'Counted again', v_actor.name
    );
  end if;
  if v_matched and v_waits then
    -- It disproves what was found before it, by whatever count.
    v_settled := array(
      select difference from discrepancies difference
      where tenant_id = p_tenant and component_id = v_component.id and location = p_location and status = 'open'
        and last_scan_of(p_tenant, id) <= p_at
    );
    v_dismissed := coalesce(v_dismissed, '[]') || coalesce(
      dismiss_answered(p_tenant, array(select id from unnest(v_settled)), 'Counted since', v_actor.name), '[]'
    );
  end if;

  if v_recorded then
    insert into count_history (
      tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
      user_name, counted_at
    )
    values (
      p_tenant, v_component.id, v_component.barcode, p_location, p_quantity, p_source, p_count_session, p_source,
      v_actor.id, v_actor.role, v_actor.name, p_at
    )
    returning id into v_entry;
    -- A late count from a device that was offline never moves a newer mark back, nor brings back one that was cleared.
    v_marks := true;
    v_weekly_mark := p_source = 'weekly';
    if v_late then
      v_marks := p_at >= coalesce(v_stock.cleared_at, '-infinity')
        and not was_reset(p_tenant, v_component.id, p_location, 'monthly', p_at, v_now, v_actor.time_zone);
      v_weekly_mark := v_weekly_mark and p_at >= coalesce(v_stock.weekly_cleared_at, '-infinity')
        and not was_reset(p_tenant, v_component.id, p_location, 'weekly', p_at, v_now, v_actor.time_zone);
    end if;
    update stock
    set quantity = case when v_tolerated then p_quantity else quantity end,
      counted_source = case
        when v_marks and coalesce(counted_at, '-infinity') <= p_at then p_source else counted_source
      end,
      counted_at = case when v_marks then greatest(counted_at, p_at) else counted_at end,
      weekly_counted_at = case when v_weekly_mark then greatest(weekly_counted_at, p_at) else weekly_counted_at end,
      scans = scans + 1
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location;
  end if;

  if v_tolerated then
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name
    )
    values (
      p_tenant, v_component.id, p_location, v_difference, p_quantity, 'discrepancy', 'Within the count tolerance',
      v_actor.id, v_actor.name
    );
    v_settled := array(
      select settled from settle_differences(
        p_tenant, v_discrepancy.id, v_component.id, p_location, v_difference, 'Count tolerance'
      ) as settled
    );
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan',
    case p_source when 'admin' then 'admin_view' else p_source || '_count' end
      || case when v_matched or v_tolerated then '_scan' else '_mismatch' end,
    v_component.barcode, p_quantity, p_location, p_source, v_actor.id, v_actor.role, v_actor.name,
    jsonb_strip_nulls(jsonb_build_object(
      'session', p_count_session,
      'counted_at', p_at,
      'attempt', case when v_discrepancy.id is not null then v_attempt end,
      'recorded', case when not v_matched then v_recorded end,
      'accepted_difference', case when v_tolerated then v_difference end,
      'settled_differences', cardinality(nullif(v_settled, '{}')),
      'counted_since', case
        when v_disproved or v_opens_nothing and coalesce(v_last_scan > p_at, false) then true
      end,
      'recount_since', case when v_opens_nothing and not coalesce(v_last_scan > p_at, false) then true end,
      'sets_mark', case when v_recorded and not v_marks then false end,
      'sets_weekly_mark', case when v_recorded and p_source = 'weekly' and not v_weekly_mark then false end
    ))
  );

  if cardinality(v_settled || v_recounted || v_closed) > 0 then
    foreach v_other in array v_settled || v_recounted || v_closed loop
      insert into audit_entries (
        tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
      )
      values (
        p_tenant, 'configuration', 'discrepancy_settled', v_other.sku, v_other.counted, p_location, v_other.count_type,
        v_actor.id, v_actor.role, v_actor.name,
        jsonb_build_object(
          'expected', v_other.expected, 'counted', v_other.counted, 'note', '',
          'reason', case
            when v_other.id = v_discrepancy.id and v_matched then 'Matched'
            when v_other.id = v_discrepancy.id and v_disproved then 'Counted since'
            when v_other.status = 'recount' and v_other.id is distinct from v_discrepancy.id then 'Counted again'
            when v_tolerated then 'Within tolerance'
            else 'Counted since'
          end
        )
      );
    end loop;
  end if;

  if v_actor.last_used_at < v_now - interval '1 minute' then
    update sessions set last_used_at = v_now where tenant_id = p_tenant and id = p_session;
  end if;

  if p_source = 'weekly' then
    select count(*), count(*) filter (where stock.weekly_counted_at >= start_of_day(v_now, v_actor.time_zone))
    into v_total, v_counted
    from high_volume_assignments listed
    left join stock on stock.tenant_id = listed.tenant_id and stock.component_id = listed.component_id
      and stock.location = listed.location
    where listed.tenant_id = p_tenant and listed.location = p_location
      and listed.day = v_day;
  end if;

  -- Last, because others who count this location wait for these rows until the commit.
  if v_recorded then
    insert into scan_days (tenant_id, location, day, scans)
    values (p_tenant, p_location, (p_at at time zone v_actor.time_zone)::date, 1)
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + 1;
  end if;
  v_this_month := start_of_month(v_now, v_actor.time_zone);
  v_month := case when p_at >= v_this_month then v_this_month else start_of_month(p_at, v_actor.time_zone) end;
  if v_recorded and v_marks and coalesce(v_stock.counted_at, '-infinity') < v_month then
    insert into count_progress (tenant_id, location, month_start, counted)
    values (p_tenant, p_location, v_month, 1)
    on conflict (tenant_id, location, month_start) do update set counted = count_progress.counted + 1;
  end if;
  if v_recorded and (v_actor.not_kept_counts ->> p_location)::integer > 0 then
    -- Whoever found it there is right: it is to be counted there from now on.
    if cardinality(keep_at(p_tenant, p_location, array[v_component.id])) > 0 then
      insert into audit_entries (tenant_id, kind, event, sku, location, source, user_id, user_type, user_name, metadata)
      values (
        p_tenant, 'configuration', 'component_kept', v_component.barcode, p_location, p_source, v_actor.id, v_actor.role,
        v_actor.name, '{"old_value": false, "new_value": true}'
      );
    end if;
    select not_kept_counts into v_actor.not_kept_counts from companies where tenant_id = p_tenant;
  end if;
  if p_source <> 'weekly' then
    v_total := v_actor.component_count - coalesce((v_actor.not_kept_counts ->> p_location)::integer, 0);
    select counted into v_counted from count_progress
    where tenant_id = p_tenant and location = p_location and month_start = v_this_month;
  end if;

  v_reply := jsonb_build_object(
    'outcome', 'counted',
    'sets_mark', v_recorded and v_marks and p_at >= v_this_month,
    'sets_weekly_mark', v_recorded and v_weekly_mark and p_at >= start_of_day(v_now, v_actor.time_zone),
    'role', v_actor.role, 'strict', v_actor.strict_blind_counts, 'matched', v_matched,
    'tolerated', v_tolerated, 'recorded', v_recorded, 'attempt', v_attempt, 'expected', v_expected,
    'counted', coalesce(v_counted, 0), 'total', v_total,
    'component', jsonb_build_object(
      'id', v_component.id, 'barcode', v_component.barcode, 'description', v_component.description,
      'counted_at', p_at, 'counted_source', p_source
    ),
    'undo', jsonb_build_object('entry', v_entry, 'attempt', v_attempt_id, 'location', p_location)
  );
  if v_discrepancy.id is not null or v_dismissed is not null then
    v_reply := jsonb_set(v_reply, '{undo}', v_reply->'undo' || jsonb_strip_nulls(jsonb_build_object(
      'was', v_was, 'disproved', nullif(v_disproved, false), 'dismissed', v_dismissed
    )));
  end if;
  -- Somebody else's request under this key came in between: all of this is undone, and the next try finds its record.
  insert into operations (tenant_id, user_id, key, request_hash, reply)
  values (p_tenant, v_actor.id, p_key, p_hash, v_reply)
  on conflict (tenant_id, user_id, key) do nothing;
  if not found then raise exception using errcode = 'serialization_failure'; end if;
  return v_reply;
end
$$
-- ;;
create or replace function record_matches(p_counts jsonb) returns table (place bigint, reply jsonb)
language plpgsql
as $$
declare
  v_locked bigint[];
begin
  -- By a statement before, because what is seen of differences must be newer than the lock. Stock that somebody else has
  -- locked is waited for by record_count.
  select array_agg(first.place) into v_locked
  from (
    select min(asked.place) as place
    from (
      select *, set_config('app.tenant_id', asked.tenant::text, true)
      from rows from (
        jsonb_to_recordset(p_counts) as (tenant uuid, codes text[], location text)
      ) with ordinality as asked (tenant, codes, location, place)
      offset 0
    ) asked
    cross join lateral (
      select id from components where tenant_id = asked.tenant and barcode = asked.codes[1] and retired_at is null
      offset 0
    ) component
    cross join lateral (
      select component_id from stock
      where tenant_id = asked.tenant and component_id = component.id and location = asked.location
      for update skip locked
    ) held
    group by asked.tenant, held.component_id, asked.location
  ) first;
  if v_locked is null then return; end if;

  return query
  with matching as materialized (
    select asked.place, asked.tenant, asked.key, asked.hash, asked.quantity, asked.location, asked.source,
      asked.count_session, asked.at, member.id as user_id, member.name as user_name, member.role,
      company.time_zone, company.strict_blind_counts,
      company.component_count - coalesce((company.not_kept_counts ->> asked.location)::integer, 0) as total,
      component.id as component_id, component.barcode, component.description,
      coalesce(held.counted_at, '-infinity') as counted_at, new_id() as entry,
      company.this_month as month, coalesce(progress.counted, 0) as counted
    from (
      select *, clock_timestamp() as now, set_config('app.tenant_id', asked.tenant::text, true)
      from rows from (
        jsonb_to_recordset(p_counts) as (
          tenant uuid, session uuid, key text, hash text, plans text[], codes text[], quantity integer, location text,
          source text, count_session text, at timestamptz, sent_at timestamptz
        )
      ) with ordinality as asked (
        tenant, session, key, hash, plans, codes, quantity, location, source, count_session, at, sent_at, place
      )
      where asked.place = any (v_locked) and asked.source <> 'weekly'
      offset 0
    ) asked
    cross join lateral (
      select user_id from sessions
      where tenant_id = asked.tenant and id = asked.session and ended_at is null and expires_at > asked.now
        -- Once a minute it is noted that a session is used.
        and last_used_at >= asked.now - interval '1 minute'
      offset 0
    ) session
    cross join lateral (
      select id, name, role from users where tenant_id = asked.tenant and id = session.user_id and active and seated
      offset 0
    ) member
    cross join lateral (
      select time_zone, component_count, not_kept_counts, strict_blind_counts,
        start_of_month(asked.now, time_zone) as this_month
      from companies
      where tenant_id = asked.tenant and plan = any (asked.plans)
        and (trial_ends_at > asked.now or current_setting('app.billing', true) <> 'stripe')
      offset 0
    ) company
    cross join lateral (
      select id, barcode, description from components
      where tenant_id = asked.tenant and barcode = asked.codes[1] and retired_at is null
      offset 0
    ) component
    cross join lateral (
      select counted_at from stock
      where tenant_id = asked.tenant and component_id = component.id and location = asked.location
        and quantity = asked.quantity
      offset 0
    ) held
    left join lateral (
      select counted from count_progress
      where tenant_id = asked.tenant and location = asked.location and month_start = company.this_month
      offset 0
    ) progress on true
    where (member.role = 'admin' or asked.source <> 'admin' and not company.strict_blind_counts)
      -- In time by any clock, of this month, and of no day that has not begun.
      and asked.at between asked.now - interval '2 minutes' and asked.now + interval '5 minutes'
      and asked.at >= company.this_month
      and (
        asked.at <= asked.now
        or start_of_day(asked.at, company.time_zone) = start_of_day(asked.now, company.time_zone)
      )
      and (
        asked.sent_at is null
        or asked.sent_at between asked.now - interval '1 minute' and asked.now + interval '1 minute'
      )
      and not exists (
        select from operations
        where tenant_id = asked.tenant and user_id = member.id and key = asked.key
        offset 0
      )
      and not exists (
        select from discrepancies
        where tenant_id = asked.tenant and component_id = component.id and location = asked.location
          and status in ('attempted', 'open', 'recount')
        offset 0
      )
      -- What is not kept there is from now on, by record_count.
      and (
        coalesce((company.not_kept_counts ->> asked.location)::integer, 0) = 0
        or not exists (
          select from not_kept
          where tenant_id = asked.tenant and location = asked.location and component_id = component.id
          offset 0
        )
      )
  ), history as (
    insert into count_history (
      tenant_id, id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
      user_name, counted_at
    )
    select tenant, entry, component_id, barcode, location, quantity, source, count_session, source, user_id, role,
      user_name, at
    from (select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered
  ), marks as (
    -- The rows are there. An update would have to find them by a join, which might take the companies in another order and leave
    -- marks out without a word; an insert finds its row by the key, and a row of another company is refused.
    insert into stock (tenant_id, component_id, location, counted_source, counted_at)
    select tenant, component_id, location, source, at
    from (select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered
    on conflict (tenant_id, component_id, location) do update
    set counted_source = case
        when coalesce(stock.counted_at, '-infinity') <= excluded.counted_at then excluded.counted_source
        else stock.counted_source
      end,
      counted_at = greatest(stock.counted_at, excluded.counted_at),
      scans = stock.scans + 1
  ), trail as (
    insert into audit_entries (
      tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
    )
    select tenant, 'inventory_scan', case source when 'admin' then 'admin_view' else 'monthly_count' end || '_scan',
      barcode, quantity, location, source, user_id, role, user_name,
      jsonb_build_object('session', count_session, 'counted_at', at)
    from (select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered
  ), days as (
    insert into scan_days (tenant_id, location, day, scans)
    select tenant, location, day, scans
    from (
      select *, set_config('app.tenant_id', tenant::text, true)
      from (
        select tenant, location, (at at time zone time_zone)::date as day, count(*) as scans
        from matching
        group by 1, 2, 3
      ) summed
      offset 0
    ) entered
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans
    returning scans
  ), months as (
    insert into count_progress (tenant_id, location, month_start, counted)
    select tenant, location, month, newly_counted
    from (
      select *, set_config('app.tenant_id', tenant::text, true)
      from (
        select tenant, location, month, count(*) as newly_counted
        from matching
        -- After the days, as whoever takes a count back locks them, too.
        where counted_at < month and (select count(*) from days) > 0
        group by 1, 2, 3
      ) summed
      offset 0
    ) entered
    on conflict (tenant_id, location, month_start) do update set counted = count_progress.counted + excluded.counted
    returning tenant_id, location, month_start, counted
  ), replies as materialized (
    select matching.place, tenant, user_id, key, hash, jsonb_build_object(
      'outcome', 'counted', 'sets_mark', true, 'sets_weekly_mark', false,
      'role', role, 'strict', strict_blind_counts, 'matched', true, 'tolerated', false, 'recorded', true, 'attempt', 1,
      'expected', quantity, 'counted', coalesce(months.counted, matching.counted), 'total', total,
      'component', jsonb_build_object(
        'id', component_id, 'barcode', barcode, 'description', description, 'counted_at', at, 'counted_source', source
      ),
      'undo', jsonb_build_object('entry', entry, 'attempt', null, 'location', matching.location)
    ) as reply
    from matching
    left join months on months.tenant_id = tenant and months.location = matching.location and months.month_start = month
  ), kept as (
    insert into operations (tenant_id, user_id, key, request_hash, reply)
    select tenant, user_id, key, hash, entered.reply
    from (select *, set_config('app.tenant_id', tenant::text, true) from replies offset 0) entered
  )
  select replies.place, replies.reply from replies;
end
$$
-- ;;
create or replace function move_stock(
  p_tenant uuid, p_component uuid, p_location text, p_delta integer, p_cause text, p_note text, p_user uuid, p_user_name text
)
returns boolean
language plpgsql volatile
as $$
declare
  v_after integer;
begin
  insert into stock (tenant_id, component_id, location) values (p_tenant, p_component, p_location)
  on conflict (tenant_id, component_id, location) do nothing;
  update stock set quantity = quantity + p_delta
  where tenant_id = p_tenant and component_id = p_component and location = p_location and quantity + p_delta >= 0
  returning quantity into v_after;
  if not found then return false; end if;
  if p_delta <> 0 then
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name
    )
    values (p_tenant, p_component, p_location, p_delta, v_after, p_cause, p_note, p_user, p_user_name);
  end if;
  if p_delta > 0 then perform keep_at(p_tenant, p_location, array[p_component]); end if;
  return true;
end
$$
-- ;;
create or replace function post_transfer(
  p_tenant uuid, p_transfer uuid, p_component uuid, p_location text, p_delta integer, p_cause text, p_note text, p_user uuid,
  p_user_name text
)
returns boolean
language plpgsql volatile
as $$
declare
  v_after integer;
begin
  insert into stock (tenant_id, component_id, location) values (p_tenant, p_component, p_location)
  on conflict (tenant_id, component_id, location) do nothing;
  update stock set quantity = quantity + p_delta
  where tenant_id = p_tenant and component_id = p_component and location = p_location and quantity + p_delta >= 0
  returning quantity into v_after;
  if not found then return false; end if;
  insert into movements (
    tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
  )
  values (
    p_tenant, p_component, p_location, p_delta, v_after, p_cause, p_note, p_user, p_user_name, p_transfer
  );
  if p_delta > 0 then perform keep_at(p_tenant, p_location, array[p_component]); end if;
  return true;
end
$$
-- ;;
create or replace function set_stock(
  p_tenant uuid, p_components uuid[], p_locations text[], p_quantities integer[], p_cause text, p_user uuid, p_user_name text,
  p_reference uuid
)
returns setof uuid
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  with made as (
    insert into stock as fresh (tenant_id, component_id, location, quantity)
    select p_tenant, given.component_id, given.location, given.quantity
    from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity)
    where given.quantity > 0
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do nothing
    returning fresh.component_id, fresh.location, fresh.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, made.component_id, made.location, made.quantity, made.quantity, p_cause, p_user, p_user_name,
      p_reference
    from made
  )
  select coalesce(array_agg(component_id), '{}'), coalesce(array_agg(location), '{}'), coalesce(array_agg(quantity), '{}')
  into v_components, v_locations, v_quantities
  from made;
  perform keep_with_stock(p_tenant, v_components, v_locations);
  return query select unnest(v_components);
  if cardinality(v_components) = cardinality(p_components) then return; end if;

  return query
  with changed as materialized (
    select given.component_id, given.location, given.quantity, given.quantity - present.quantity as delta
    from (
      select * from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity)
      except
      select * from unnest(v_components, v_locations, v_quantities)
      order by component_id, location
    ) as given
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
      for update
    ) as present
    where present.quantity <> given.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, changed.component_id, changed.location, changed.delta, changed.quantity, p_cause, p_user,
      p_user_name, p_reference
    from changed
  )
  insert into stock as present (tenant_id, component_id, location, quantity)
  select p_tenant, changed.component_id, changed.location, changed.quantity
  from changed
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity
  returning present.component_id;
  perform keep_with_stock(p_tenant, p_components, p_locations);
end
$$
-- ;;
create or replace function undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (obstacle text, reason text)
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_finished constant timestamptz := (select finished_at from imports where tenant_id = p_tenant and id = p_import);
  v_costs constant boolean := (
    select 'unit_cost' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  -- What this file may say but for stock, which goes back by the ledger.
  v_own constant text[] := array(
    select given.field from imports cross join unnest(imports.fields) as given (field)
    where imports.tenant_id = p_tenant and imports.id = p_import and given.field <> 'barcode'
      and given.field !~ '_quantity$'
  );
  v_said uuid[];
  v_fields text[];
  v_by uuid[];
  v_brought uuid[];
  v_components uuid[];
  v_locations text[];
  v_bins text[];
  v_minimums integer[];
  v_sinces timestamptz[];
begin
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform 1
  from stock
  where tenant_id = p_tenant and (
    component_id in (
      select component_id from import_changes where tenant_id = p_tenant and import_id = p_import and created
    )
    or (component_id, location) in (
      select moved.component_id, moved.location from movements moved
      where moved.tenant_id = p_tenant and moved.reference = p_import
    )
  )
  order by component_id, location
  for update;

  return query
  select components.barcode, 'moved'
  from movements posted
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = posted.component_id
    offset 0
  ) as components
  where posted.tenant_id = p_tenant and posted.reference = p_import and exists (
    select from movements later
    where later.tenant_id = p_tenant and later.component_id = posted.component_id
      and later.location = posted.location and later.id > posted.id
      and later.reference is distinct from p_import
      and not exists (
        select from imports undone
        where undone.tenant_id = p_tenant and undone.id = later.reference and undone.status = 'undone'
      )
  )
  order by components.barcode
  limit 1;
  if found then return; end if;

  return query
  select made.barcode, 'moved'
  from import_changes made
  where made.tenant_id = p_tenant and made.import_id = p_import and made.created and exists (
    select from movements
    where movements.tenant_id = p_tenant and movements.component_id = made.component_id
      and movements.reference is distinct from p_import
      and not exists (
        select from imports undone
        where undone.tenant_id = p_tenant and undone.id = movements.reference and undone.status = 'undone'
      )
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  return query
  select made.barcode, 'counted'
  from import_changes made
  where made.tenant_id = p_tenant and made.import_id = p_import and made.created and (
    exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = made.component_id
        and (stock.scans > 0 or stock.counted_at is not null or stock.weekly_counted_at is not null)
    )
    or exists (
      select from discrepancies
      where discrepancies.tenant_id = p_tenant and discrepancies.component_id = made.component_id
        and discrepancies.status in ('attempted', 'open', 'recount')
    )
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  return query
  select components.barcode, 'counted_stock'
  from movements posted
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = posted.component_id
    offset 0
  ) as components
  where posted.tenant_id = p_tenant and posted.reference = p_import and (
    -- By what came after it: clocks of devices may be off, and marks may have been cleared.
    exists (
      select from standing_counts(p_tenant, components.barcode, posted.location, null) as later where later.id > posted.id
    )
    or exists (
      select from standing_attempts(p_tenant, posted.component_id, posted.location) as later
      join discrepancies difference on difference.tenant_id = p_tenant and difference.id = later.discrepancy_id
      where difference.status = 'open' and later.id > posted.id
    )
    -- Where counts have been put aside since, their marks still say it.
    or exists (
      select from detached_history aside
      where aside.tenant_id = p_tenant and aside.history = 'count_history' and aside.next_id > posted.id
    ) and exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = posted.component_id and stock.location = posted.location
        and greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(posted.id)
    )
  )
  order by components.barcode
  limit 1;
  if found then return; end if;

  -- What a newer file gave as well moved nothing; where it says what another one set, it is its stock by now.
  return query
  select components.barcode, 'confirmed'
  from imports newer
  join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
  cross join unnest(confirmed.components) as named (component_id)
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = named.component_id
    offset 0
  ) as components
  where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished and not newer.keep_existing
    and exists (
      select from movements posted
      where posted.tenant_id = p_tenant and posted.component_id = named.component_id
        -- So that they are found by their component, not all of an import's for each.
        and posted.reference is not distinct from p_import
        and lower(posted.location) || '_quantity' = any (coalesce(confirmed.fields, newer.fields))
    )
  order by components.barcode
  limit 1;
  if found then return; end if;

  with taken as materialized (
    select posted.component_id, posted.location, -posted.delta as delta, present.quantity - posted.delta as quantity
    from movements posted
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = posted.component_id
        and stock.location = posted.location
      offset 0
    ) as present
    where posted.tenant_id = p_tenant and posted.reference = p_import and posted.cause = 'import'
  ),
  returned as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, taken.component_id, taken.location, taken.delta, taken.quantity, 'import_undone', p_user,
      p_user_name, p_import
    from taken
  )
  insert into stock (tenant_id, component_id, location, quantity)
  select p_tenant, taken.component_id, taken.location, taken.quantity from taken
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity;
  perform keep_with_stock(p_tenant, array_agg(component_id), array_agg(location))
  from movements
  where tenant_id = p_tenant and reference = p_import and cause = 'import_undone' and delta > 0;

  -- Who describes or places the same components, or sets what they cost, waits; by id, as all do who lock several.
  perform 1
  from components
  where tenant_id = p_tenant and id in (
    select component_id from import_changes where tenant_id = p_tenant and import_id = p_import and not created
    union all
    select component_id from import_costs where tenant_id = p_tenant and import_id = p_import
    union all
    select component_id from import_placements where tenant_id = p_tenant and import_id = p_import
  )
  order by id
  for no key update;

  -- By component and field of this file, which newer one that stands says it next: the value is that one's by now.
  select coalesce(array_agg(next.component_id), '{}'), coalesce(array_agg(next.field), '{}'),
    coalesce(array_agg(next.import_id), '{}')
  into v_said, v_fields, v_by
  from (
    select distinct on (named.component_id, given.field) named.component_id, given.field, newer.id as import_id
    from imports newer
    join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
    cross join unnest(coalesce(confirmed.fields, newer.fields)) as given (field)
    cross join unnest(confirmed.components) as named (component_id)
    where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
      and given.field = any (v_own)
    order by named.component_id, given.field, newer.finished_at
  ) as next;

  -- Its undo gives back what there was before this one, unless somebody has said it between.
  insert into import_changes as theirs (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, next.import_id, changed.component_id, changed.barcode, false, changed.old_description,
    changed.new_description
  from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
  cross join lateral (
    select mine.* from import_changes mine
    where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
    offset 0
  ) as changed
  cross join lateral (
    select components.described_at from components
    where components.tenant_id = p_tenant and components.id = changed.component_id
    offset 0
  ) as now
  where next.field = 'description' and not changed.created and changed.new_description <> changed.old_description
    and (now.described_at > v_finished) is not true
  on conflict (tenant_id, import_id, component_id) do update set old_description = excluded.old_description
  where theirs.old_description = excluded.new_description;
  v_components := array(
    select changed.component_id
    from import_changes changed
    cross join lateral (
      select components.description, components.described_at from components
      where components.tenant_id = p_tenant and components.id = changed.component_id
      offset 0
    ) as now
    where changed.tenant_id = p_tenant and changed.import_id = p_import and not changed.created
      and now.description = changed.new_description and (now.described_at > v_finished) is not true
    except
    select next.component_id from unnest(v_said, v_fields) as next (component_id, field)
    where next.field = 'description'
  );
  insert into components as present (tenant_id, barcode, description)
  select p_tenant, changed.barcode, changed.old_description
  from unnest(v_components) as back (component_id)
  cross join lateral (
    select mine.barcode, mine.old_description from import_changes mine
    where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
    offset 0
  ) as changed
  order by changed.barcode
  on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now();

  if v_costs then
    insert into import_costs as theirs (tenant_id, import_id, component_id, old_cost, new_cost, since)
    select p_tenant, next.import_id, made.component_id, made.old_cost, made.new_cost, made.since
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_costs mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
      offset 0
    ) as made
    where next.field = 'unit_cost' and not exists (
      -- What is of no file, and no undo has put back, somebody has said.
      select from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = made.component_id and costs.since > made.since
        and not exists (
          select from import_costs other
          where other.tenant_id = p_tenant and other.component_id = made.component_id
            and costs.since in (other.since, other.put_back)
          offset 0
        )
      offset 0
    )
    on conflict (tenant_id, import_id, component_id) do update set old_cost = excluded.old_cost
    where theirs.old_cost = excluded.new_cost;
    v_components := array(
      select made.component_id
      from import_costs made
      where made.tenant_id = p_tenant and made.import_id = p_import and not exists (
        select from component_costs costs
        where costs.tenant_id = p_tenant and costs.component_id = made.component_id and costs.since > made.since
          and not exists (
            select from import_costs other
            where other.tenant_id = p_tenant and other.component_id = made.component_id
              and costs.since in (other.since, other.put_back)
            offset 0
          )
        offset 0
      )
      except
      select next.component_id from unnest(v_said, v_fields) as next (component_id, field)
      where next.field = 'unit_cost'
    );
    select coalesce(array_agg(made.component_id), '{}'),
      coalesce(array_agg(greatest(statement_timestamp(), last.since + interval '1 microsecond')), '{}')
    into v_components, v_sinces
    from unnest(v_components) as back (component_id)
    cross join lateral (
      select mine.component_id, mine.new_cost from import_costs mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
      offset 0
    ) as made
    cross join lateral (
      select costs.since, costs.unit_cost from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = made.component_id
      order by costs.since desc
      limit 1
    ) as last
    where made.new_cost = last.unit_cost;
    update import_costs
    set put_back = given.since
    from unnest(v_components, v_sinces) as given (component_id, since)
    where import_costs.tenant_id = p_tenant and import_costs.import_id = p_import
      and import_costs.component_id = given.component_id;
    insert into component_costs (tenant_id, component_id, since, unit_cost)
    select p_tenant, made.component_id, made.put_back, made.old_cost
    from import_costs made
    where made.tenant_id = p_tenant and made.import_id = p_import and made.put_back is not null
    on conflict do nothing;
  end if;

  if exists (select from import_placements where tenant_id = p_tenant and import_id = p_import) then
    insert into import_placements as theirs (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, next.import_id, made.component_id, made.location, made.old_bin, made.new_bin, made.new_minimum,
      made.new_minimum
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
        and lower(mine.location) || '_bin' = next.field
      offset 0
    ) as made
    cross join lateral (
      select placements.bin_at from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present
    where made.new_bin <> made.old_bin and (present.bin_at > v_finished) is not true
    on conflict (tenant_id, import_id, component_id, location) do update set old_bin = excluded.old_bin
    where theirs.old_bin = excluded.new_bin;
    insert into import_placements as theirs (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, next.import_id, made.component_id, made.location, made.new_bin, made.new_bin, made.old_minimum,
      made.new_minimum
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
        and lower(mine.location) || '_minimum' = next.field
      offset 0
    ) as made
    cross join lateral (
      select placements.minimum_at from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present
    where made.new_minimum is distinct from made.old_minimum and (present.minimum_at > v_finished) is not true
    on conflict (tenant_id, import_id, component_id, location) do update set old_minimum = excluded.old_minimum
    where theirs.old_minimum = excluded.new_minimum;
    select coalesce(array_agg(made.component_id), '{}'), coalesce(array_agg(made.location), '{}'),
      coalesce(array_agg(case when back.has_bin then made.old_bin else present.bin end), '{}'),
      coalesce(array_agg(case when back.has_minimum then made.old_minimum else present.minimum end), '{}')
    into v_components, v_locations, v_bins, v_minimums
    from (
      select given.component_id, upper(split_part(given.field, '_', 1)) as location,
        bool_or(given.field like '%bin') as has_bin, bool_or(given.field like '%minimum') as has_minimum
      from (
        select made.component_id, lower(made.location) || part.field as field
        from import_placements made
        cross join lateral (
          select placements.bin, placements.minimum, placements.bin_at, placements.minimum_at from placements
          where placements.tenant_id = p_tenant and placements.component_id = made.component_id
            and placements.location = made.location
          offset 0
        ) as present
        cross join lateral (
          values ('_bin', present.bin = made.new_bin and (present.bin_at > v_finished) is not true),
            ('_minimum', present.minimum = made.new_minimum and (present.minimum_at > v_finished) is not true)
        ) as part (field, is_still)
        where made.tenant_id = p_tenant and made.import_id = p_import and part.is_still
        except
        select next.component_id, next.field from unnest(v_said, v_fields) as next (component_id, field)
      ) as given (component_id, field)
      group by 1, 2
    ) as back
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
        and mine.location = back.location
      offset 0
    ) as made
    cross join lateral (
      select placements.bin, placements.minimum from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present;
    delete from placements
    where tenant_id = p_tenant and (component_id, location) in (
      select given.component_id, given.location
      from unnest(v_components, v_locations, v_bins, v_minimums) as given (component_id, location, bin, minimum)
      where given.bin = '' and given.minimum is null
    );
    insert into placements (tenant_id, component_id, location, bin, minimum)
    select p_tenant, given.component_id, given.location, given.bin, given.minimum
    from unnest(v_components, v_locations, v_bins, v_minimums) as given (component_id, location, bin, minimum)
    where given.bin <> '' or given.minimum is not null
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do update set bin = excluded.bin, minimum = excluded.minimum;
  end if;

  perform reinstate_components(p_tenant, array(
    select components.id
    from components
    join stock on stock.tenant_id = p_tenant and stock.component_id = components.id and stock.quantity > 0
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));
  v_brought := array(
    select component_id from import_changes
    where tenant_id = p_tenant and import_id = p_import and (created or reinstated)
    except
    select unnest(confirmed.components)
    from imports newer
    join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
    where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
  );
  if cardinality(v_brought) = 0 then return; end if;
  -- Last, because counts wait for it. What has something that keeps it from being retired stays, and what came into use since.
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  perform retire_components(p_tenant, array(
    select brought.id
    from unnest(v_brought) as brought (id)
    where not exists (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = brought.id
          and (stock.quantity > 0 or greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(p_import))
      )
      and not exists (
        select from transfers
        where transfers.tenant_id = p_tenant and transfers.component_id = brought.id and transfers.status = 'in_transit'
      )
      and not exists (
        select from discrepancies
        where discrepancies.tenant_id = p_tenant and discrepancies.component_id = brought.id
          and discrepancies.status in ('attempted', 'open', 'recount')
      )
      -- Retiring takes the weekly plan away: one that is there was made since.
      and not exists (
        select from high_volume_assignments planned
        where planned.tenant_id = p_tenant and planned.component_id = brought.id
      )
      and not exists (
        select from alias_barcodes aliased
        where aliased.tenant_id = p_tenant and aliased.component_id = brought.id and aliased.created_at > v_finished
      )
      and not exists (
        select from labelled_components labelled
        where labelled.tenant_id = p_tenant and labelled.component_id = brought.id and labelled.labelled_at > v_finished
      )
      and not exists (
        select from components
        where components.tenant_id = p_tenant and components.id = brought.id and components.reinstated_at > v_finished
      )
  ), p_user_name);
end
$$
