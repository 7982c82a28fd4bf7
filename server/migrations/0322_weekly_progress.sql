-- How far a day's list is at a location, kept as the month's progress is: a weekly count read the whole list before, 89 ms of the
-- database with 14,500 SKUs on it.

create table weekly_progress (
  tenant_id uuid not null references companies,
  location text not null,
  day text not null,
  -- When the day began in the company's time zone of which `counted` tells; null where both figures are to be counted anew.
  day_start timestamptz,
  total integer not null default 0,
  counted integer not null default 0,
  primary key (tenant_id, location, day)
)
-- ;;
alter table weekly_progress enable row level security
-- ;;
alter table weekly_progress force row level security
-- ;;
create policy own_company on weekly_progress
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on weekly_progress to inventory_manager_app
-- ;;
-- The progress of a day's list with a count of it, which `p_is_new` says is the SKU's first of the day. Whatever changes lists or takes
-- marks away calls forget_weekly_progress after that; both write the row and hold it until their commit, so neither misses the other.
create function add_to_weekly_progress(
  p_tenant uuid, p_component uuid, p_location text, p_day text, p_day_start timestamptz, p_is_new boolean
)
returns weekly_progress
language plpgsql volatile
as $$
declare
  v_list record;
  v_progress weekly_progress;
  v_asked weekly_progress;
begin
  -- In one order and after count_progress, because others who count wait for these rows until the commit.
  for v_list in
    select day, bool_or(is_listed) and p_is_new as is_new
    from (
      select day, true as is_listed from high_volume_assignments
      where tenant_id = p_tenant and component_id = p_component and location = p_location
      union all
      select p_day, false
    ) as lists
    group by day
    order by day
  loop
    continue when not v_list.is_new and v_list.day <> p_day;
    update weekly_progress set counted = counted + v_list.is_new::integer
    where tenant_id = p_tenant and location = p_location and day = v_list.day and day_start = p_day_start
    returning * into v_progress;
    if not found then
      v_progress := count_weekly_progress(p_tenant, p_location, v_list.day, p_day_start);
    end if;
    if v_list.day = p_day then v_asked := v_progress; end if;
  end loop;
  return v_asked;
end
$$
-- ;;
-- Counts a day's list anew, with what this transaction has counted.
create function count_weekly_progress(p_tenant uuid, p_location text, p_day text, p_day_start timestamptz)
returns weekly_progress
language plpgsql volatile
as $$
declare
  v_total integer;
  v_counted integer;
  v_progress weekly_progress;
begin
  -- From here on the row is this transaction's: what others counted is either seen below, or added when this one is committed.
  insert into weekly_progress (tenant_id, location, day) values (p_tenant, p_location, p_day)
  on conflict (tenant_id, location, day) do update set day_start = null;
  select count(*), count(*) filter (where stock.weekly_counted_at >= p_day_start)
  into v_total, v_counted
  from high_volume_assignments listed
  left join stock on stock.tenant_id = listed.tenant_id and stock.component_id = listed.component_id
    and stock.location = listed.location
  where listed.tenant_id = p_tenant and listed.location = p_location and listed.day = p_day;
  update weekly_progress set day_start = p_day_start, total = v_total, counted = v_counted
  where tenant_id = p_tenant and location = p_location and day = p_day
  returning * into v_progress;
  return v_progress;
end
$$
-- ;;
-- Has the lists of some locations counted anew by whoever counts next.
create function forget_weekly_progress(p_tenant uuid, p_locations text[])
returns void
language plpgsql volatile
as $$
begin
  insert into weekly_progress (tenant_id, location, day)
  select p_tenant, location, day
  from unnest(p_locations) as location, unnest(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) as day
  order by location, day
  on conflict (tenant_id, location, day) do update set day_start = null;
end
$$
-- ;;
-- It also takes no first count for the stock where something is on its way: what had arrived, and was not received yet, set the stock, and
-- receiving it added the same pieces again.
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
  v_today timestamptz;
  v_progress weekly_progress;
  v_discrepancy discrepancies;
  v_late boolean;
  v_expected integer;
  v_waits boolean;
  v_recounts boolean;
  v_overtaken boolean := false;
  v_opens_nothing boolean;
  v_last_scan timestamptz;
  v_last_entry record;
  v_restarts boolean := false;
  v_newer_at timestamptz;
  v_newer_by text;
  v_disproved boolean := false;
  v_matched boolean;
  v_tolerated boolean;
  v_first boolean := false;
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
  v_told integer;
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
    companies.count_tolerance_units, companies.count_tolerance_percent, companies.first_count_sets_stock,
    sessions.last_used_at,
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
  -- Of what nobody has moved or counted there nothing is known: its first count says what there is. What first counts that were taken
  -- back have moved there and back has not moved.
  if v_actor.first_count_sets_stock and not v_matched and v_expected = 0 and v_stock.quantity = 0
    and v_stock.counted_at is null then
    v_first := not exists (select from standing_counts(p_tenant, v_component.barcode, p_location, null))
      and not exists (
        select from movements
        where tenant_id = p_tenant and component_id = v_component.id and location = p_location
          and not exists (
            select from discrepancies taken_back
            where taken_back.tenant_id = p_tenant and taken_back.id = movements.reference
          )
      )
      -- Whoever counts what has arrived before it is received finds what is on its way there.
      and not exists (
        select from transfers
        where tenant_id = p_tenant and component_id = v_component.id and to_location = p_location
          and status = 'in_transit'
      );
    v_tolerated := v_tolerated or v_first;
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
    v_first := v_first and not v_overtaken;
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
  if v_discrepancy.status in ('attempted', 'open') and not v_matched and not v_tolerated and not v_overtaken
    and not v_disproved and (v_actor.role = 'admin' or not v_actor.strict_blind_counts) then
    -- Counting began anew with a reset since its last entry: this is a first one, beside what was found before.
    select counted_at, created_at into v_last_entry from count_attempts
    where tenant_id = p_tenant and discrepancy_id = v_discrepancy.id and attempt <= v_discrepancy.attempts
    order by attempt desc, id desc
    limit 1;
    v_restarts := was_reset(
      p_tenant, v_component.id, p_location, case when p_source = 'weekly' then 'weekly' else 'monthly' end,
      v_last_entry.counted_at, v_last_entry.created_at, v_actor.time_zone
    ) and not was_reset(
      p_tenant, v_component.id, p_location, case when p_source = 'weekly' then 'weekly' else 'monthly' end,
      p_at, v_now, v_actor.time_zone
    );
    if p_source = 'admin' and not v_restarts then
      perform from cycle_resets
      where tenant_id = p_tenant and id = p_count_session and reset_at > v_last_entry.counted_at
        and reset_at > v_last_entry.created_at and (reset_at <= p_at or not v_late);
      v_restarts := found;
    end if;
    -- Its number is none that the difference has, as that of an entry that came late.
    v_overtaken := v_restarts;
  end if;
  v_recorded := v_matched or v_tolerated or v_attempt > 1 and not v_restarts;

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
        when status = 'attempted' and not v_matched and not v_restarts then 'open'
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
      reason = case
        when v_first then 'First count'
        when v_tolerated then 'Within tolerance'
        when v_disproved then 'Counted since'
        else reason
      end,
      decided_by = case
        when v_first then null
        when v_tolerated then 'Count tolerance'
        when v_disproved then v_newer_by
        else decided_by
      end,
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
      case
        when v_first then 'First count'
        when v_tolerated then 'Within tolerance'
        when v_disproved then 'Counted since'
      end,
      case when v_first then null when v_tolerated then 'Count tolerance' when v_disproved then v_newer_by end
    )
    returning * into v_discrepancy;
  end if;
  if v_discrepancy.id is not null then
    insert into count_attempts (
      tenant_id, discrepancy_id, attempt, expected, counted, user_id, user_name, counted_at, overtaken, starts_anew
    )
    values (
      p_tenant, v_discrepancy.id, v_attempt, v_expected, p_quantity, v_actor.id, v_actor.name, p_at, v_overtaken,
      v_restarts
    )
    returning id into v_attempt_id;
  end if;
  if v_recorded and v_attempt > 2 then
    select v_attempt + 1 - max(attempt) into v_told from standing_attempts(p_tenant, v_component.id, p_location)
    where discrepancy_id = v_discrepancy.id and attempt < v_attempt and starts_anew;
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
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
    )
    values (
      p_tenant, v_component.id, p_location, v_difference, p_quantity, 'discrepancy',
      case when v_first then 'First count' else 'Within the count tolerance' end, v_actor.id, v_actor.name,
      case when v_first then v_discrepancy.id end
    );
    v_settled := array(
      select settled from settle_differences(
        p_tenant, v_discrepancy.id, v_component.id, p_location, v_difference,
        case when v_first then 'First count' else 'Count tolerance' end
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
      'first_count', case when v_first then true end,
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
            when v_first then 'First count'
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
  if p_source = 'weekly' then
    v_today := start_of_day(v_now, v_actor.time_zone);
    select * into v_progress from add_to_weekly_progress(
      p_tenant, v_component.id, p_location, v_day, v_today,
      v_recorded and v_weekly_mark and p_at >= v_today and coalesce(v_stock.weekly_counted_at, '-infinity') < v_today
    );
    v_counted := v_progress.counted;
    v_total := v_progress.total;
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
  if v_first then v_reply := v_reply || '{"first": true}'; end if;
  if v_told is not null then v_reply := v_reply || jsonb_build_object('told_attempt', v_told); end if;
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
create or replace function undo_count(p_tenant uuid, p_user uuid, p_key text) returns jsonb
language plpgsql volatile
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_actor record;
  v_count jsonb;
  v_kept jsonb;
  v_was jsonb;
  v_component uuid;
  v_sku text;
  v_source text;
  v_at timestamptz;
  v_recorded boolean;
  v_number integer;
  v_entry count_history;
  v_attempt count_attempts;
  v_before count_attempts;
  v_status text;
  v_discrepancy discrepancies;
  v_stock stock;
  v_location text;
  v_quantity integer;
  v_newest uuid;
  v_until uuid;
  v_first movements;
  v_moved bigint;
  v_back uuid[];
  v_again uuid[];
  v_mark record;
  v_weekly_mark timestamptz;
  v_month timestamptz;
  v_in_cycle jsonb;
begin
  -- As a count does.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));
  select users.name, users.role, companies.time_zone, companies.strict_blind_counts
  into v_actor
  from users join companies on companies.tenant_id = users.tenant_id
  where users.tenant_id = p_tenant and users.id = p_user;

  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count->>'outcome' is distinct from 'counted' then return jsonb_build_object('outcome', 'not_found'); end if;
  v_component := v_count->'component'->>'id';
  v_sku := v_count->'component'->>'barcode';
  v_source := v_count->'component'->>'counted_source';
  v_at := v_count->'component'->>'counted_at';
  v_recorded := v_count->'recorded';
  v_number := v_count->'attempt';

  v_kept := v_count->'undo';
  v_was := v_kept->'was';
  if v_kept is not null then
    select * into v_attempt from count_attempts where tenant_id = p_tenant and id = (v_kept->>'attempt')::uuid;
    select * into v_entry from count_history where tenant_id = p_tenant and id = (v_kept->>'entry')::uuid;
    v_location := v_kept->>'location';
  else
    -- A count that the version before recorded.
    select attempt.* into v_attempt
    from discrepancies difference
    join count_attempts attempt on attempt.tenant_id = difference.tenant_id and attempt.discrepancy_id = difference.id
    where difference.tenant_id = p_tenant and difference.component_id = v_component
      and difference.count_type = v_source and attempt.user_id = p_user and attempt.counted_at = v_at
      and attempt.attempt = v_number
    order by attempt.id desc
    limit 1;
    select * into v_entry from count_history
    where tenant_id = p_tenant and sku = v_sku and user_id = p_user and count_type = v_source and counted_at = v_at
      and sets_mark and v_recorded
    order by id desc
    limit 1;
    v_location := coalesce(
      v_entry.location,
      (select location from discrepancies where tenant_id = p_tenant and id = v_attempt.discrepancy_id)
    );
  end if;

  -- As a count does, the stock row first: what is decided from here on stays so.
  select * into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component and location = v_location
  for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count ? 'undone' or exists (
    select from count_history back
    where back.tenant_id = p_tenant and back.sku = v_sku and back.location = v_location and back.undoes = v_entry.id
  )
  then
    return jsonb_build_object('outcome', 'already_undone');
  end if;

  v_month := start_of_month(v_at, v_actor.time_zone);
  if v_source = 'weekly' and start_of_day(v_at, v_actor.time_zone) <> start_of_day(v_now, v_actor.time_zone)
    or v_source <> 'weekly' and v_month <> start_of_month(v_now, v_actor.time_zone)
  then
    return jsonb_build_object('outcome', 'other_period');
  end if;
  -- Of an entry without a verdict not even this tells whether it was right.
  if v_actor.strict_blind_counts and v_actor.role <> 'admin' and v_number > 2 then
    return jsonb_build_object('outcome', 'strict');
  end if;

  v_newest := coalesce(v_entry.id, v_attempt.id);
  if exists (select from standing_counts(p_tenant, v_sku, v_location, null) as later where later.id > v_newest)
    or exists (
      select from standing_attempts(p_tenant, v_component, v_location) as later where later.id > v_newest
    )
  then
    return jsonb_build_object('outcome', 'counted_since');
  end if;

  if v_attempt.id is not null then
    select * into v_discrepancy from discrepancies
    where tenant_id = p_tenant and id = v_attempt.discrepancy_id
    for update;
    if v_discrepancy.status = 'accepted' and v_discrepancy.attempts = v_number then
      -- What a first count has set, while nothing has moved there since.
      select * into v_first from movements
      where tenant_id = p_tenant and component_id = v_component and location = v_location
      order by id desc
      limit 1;
      if v_first.reference is distinct from v_discrepancy.id then v_first := null; end if;
    end if;
    if v_first.id is null and v_discrepancy.status in ('recount', 'accepted', 'dismissed')
      and not (v_discrepancy.status = 'dismissed' and coalesce(v_kept ? 'disproved', false))
    then
      return jsonb_build_object('outcome', 'decided');
    end if;
    -- Where nobody is told a verdict twice, nobody is told one again by taking the entry back.
    if v_actor.strict_blind_counts and v_actor.role <> 'admin' and v_discrepancy.status <> 'matched'
      and v_first.id is null
    then
      return jsonb_build_object('outcome', 'strict');
    end if;
    if v_was is null then
      v_was := jsonb_build_object(
        'reason', v_discrepancy.reason, 'decided_by', v_discrepancy.decided_by, 'updated_at', v_discrepancy.updated_at
      );
    end if;
    -- A first entry is no count, nor is one beside which only a match came late.
    select case when count(*) < 2 then 'attempted' else 'open' end into v_status
    from standing_attempts(p_tenant, v_component, v_location) as wrong
    where wrong.discrepancy_id = v_discrepancy.id and wrong.attempt < v_number and wrong.counted <> wrong.expected;
    select * into v_before from standing_attempts(p_tenant, v_component, v_location)
    where discrepancy_id = v_discrepancy.id and attempt < v_number and not overtaken
    order by attempt desc
    limit 1;
    -- What had ended, or was to be counted again, has kept since then what was decided about.
    v_until := case
      when v_was->>'status' in ('recount', 'dismissed') then id_at((v_was->>'updated_at')::timestamptz)
      else v_newest
    end;
    if v_attempt.overtaken then
      update discrepancies
      set attempts = v_number - 1, reason = v_was->>'reason', decided_by = v_was->>'decided_by',
        updated_at = (v_was->>'updated_at')::timestamptz,
        status = coalesce(v_was->>'status', case when status = 'open' then v_status else status end)
      where tenant_id = p_tenant and id = v_discrepancy.id;
    elsif v_before.id is null then
      update discrepancies
      set status = 'dismissed', attempts = 0, reason = 'Taken back', decided_by = v_actor.name,
        updated_at = clock_timestamp()
      where tenant_id = p_tenant and id = v_discrepancy.id;
    else
      update discrepancies
      set attempts = v_number - 1, counted = v_before.counted,
        -- With what other differences have moved that were accepted until then.
        expected = least(greatest(v_before.expected + (
          select coalesce(sum(delta), 0) from movements
          where tenant_id = p_tenant and component_id = v_component and id >= id_at(v_before.created_at) and id < v_until
            and location = v_location and cause = 'discrepancy'
        ), 0), 2147483647),
        user_id = v_before.user_id, user_name = v_before.user_name, reason = v_was->>'reason',
        decided_by = v_was->>'decided_by',
        updated_at = case
          when v_was->>'status' in ('recount', 'dismissed') then (v_was->>'updated_at')::timestamptz else v_now
        end,
        status = case
          when v_was ? 'status' then v_was->>'status'
          when v_discrepancy.decided_by is not null and v_before.created_at < case v_source
            when 'weekly' then v_stock.weekly_cleared_at else v_stock.cleared_at
          end then 'recount'
          else v_status
        end
      where tenant_id = p_tenant and id = v_discrepancy.id;
    end if;
  end if;
  if v_first.id is not null then
    update stock set quantity = quantity - v_first.delta
    where tenant_id = p_tenant and component_id = v_component and location = v_location;
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
    )
    values (
      p_tenant, v_component, v_location, -v_first.delta, v_stock.quantity - v_first.delta, 'discrepancy',
      'First count taken back', p_user, v_actor.name, v_discrepancy.id
    );
    -- What waits beside it is expected as before; what was settled with it stays so.
    update discrepancies
    set expected = greatest(expected - v_first.delta, 0), updated_at = clock_timestamp()
    where tenant_id = p_tenant and component_id = v_component and location = v_location
      and status in ('attempted', 'open') and id <> v_discrepancy.id;
  end if;
  perform restore_answered(p_tenant, v_kept->'dismissed') where v_kept ? 'dismissed';
  -- What was accepted since has settled them, as it would have had they waited then.
  v_back := v_attempt.discrepancy_id || array(
    select (was->>'id')::uuid from jsonb_array_elements(v_kept->'dismissed') as was
  );
  -- But for one that has waited beside this entry, they have not been told yet what was accepted since.
  v_again := case
    when v_attempt.overtaken and v_discrepancy.status in ('attempted', 'open') then v_back[2:] else v_back
  end;
  select coalesce(sum(delta), 0) into v_moved from movements
  where tenant_id = p_tenant and component_id = v_component and id >= v_newest and location = v_location
    and cause = 'discrepancy';
  with settled as (
    update discrepancies waiting
    set status = 'dismissed', reason = 'Settled by another count', decided_by = v_actor.name, updated_at = clock_timestamp()
    where waiting.tenant_id = p_tenant and waiting.id = any (v_back) and waiting.status in ('attempted', 'open') and exists (
      select from discrepancies accepted
      where accepted.tenant_id = p_tenant and accepted.component_id = v_component and accepted.location = v_location
        and accepted.status = 'accepted' and accepted.updated_at > instant_of(v_newest)
        and (
          waiting.counted = greatest(
            waiting.expected + case when waiting.id = any (v_again) then v_moved else 0 end, 0
          )
          or waiting.status = 'open' and last_scan_of(p_tenant, waiting.id) <= last_scan_of(p_tenant, accepted.id)
        )
    )
    returning waiting.*
  )
  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  select p_tenant, 'configuration', 'discrepancy_settled', sku, counted, location, count_type, p_user, v_actor.role,
    v_actor.name,
    jsonb_build_object('expected', expected, 'counted', counted, 'note', '', 'reason', 'Settled by another count')
  from settled;
  update discrepancies
  set expected = least(greatest(expected + v_moved, 0), 2147483647)
  where tenant_id = p_tenant and id = any (v_again) and status in ('attempted', 'open') and v_moved <> 0;
  -- What the count had opened waits for no decision any more; whether it was settled by another one is said above.
  with closed as (
    select * from discrepancies again
    where again.tenant_id = p_tenant and again.id = v_discrepancy.id and v_discrepancy.status = 'open'
      and (again.status in ('attempted', 'recount') or again.status = 'dismissed' and again.reason = 'Taken back')
  )
  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  select p_tenant, 'configuration', 'discrepancy_settled', sku, v_discrepancy.counted, location, count_type, p_user,
    v_actor.role, v_actor.name,
    jsonb_build_object(
      'expected', v_discrepancy.expected, 'counted', v_discrepancy.counted, 'note', '', 'reason', 'Taken back'
    )
  from closed;
  -- What the count had ended waits again: its own difference, and what it answered or disproved.
  v_back := case when v_discrepancy.status in ('matched', 'dismissed') then v_back else v_back[2:] end;
  with restored as (
    select * from discrepancies again
    where again.tenant_id = p_tenant and again.id = any (v_back) and again.status in ('open', 'recount')
  )
  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  select p_tenant, 'configuration', 'discrepancy_reopened', sku, counted, location, count_type, p_user, v_actor.role,
    v_actor.name,
    jsonb_build_object('expected', expected, 'counted', counted, 'note', '', 'reason', 'Count taken back')
  from restored;
  v_quantity := coalesce(v_entry.quantity, v_attempt.counted);

  if v_recorded then
    insert into count_history (
      tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
      user_name, counted_at, undoes, sets_mark
    )
    values (
      p_tenant, v_component, v_sku, v_location, v_quantity, v_source, v_entry.count_session, 'undo', p_user,
      v_actor.role, v_actor.name, v_now, v_entry.id, false
    );

    select counted_at, count_type into v_mark
    from standing_counts(p_tenant, v_sku, v_location, v_stock.cleared_at)
    where not was_reset(p_tenant, v_component, v_location, 'monthly', counted_at, created_at, v_actor.time_zone)
    order by counted_at desc, id desc
    limit 1;
    select max(counted_at) into v_weekly_mark
    from standing_counts(p_tenant, v_sku, v_location, v_stock.weekly_cleared_at)
    where count_type = 'weekly'
      and not was_reset(p_tenant, v_component, v_location, 'weekly', counted_at, created_at, v_actor.time_zone);
    update stock
    set counted_at = v_mark.counted_at, counted_source = v_mark.count_type, weekly_counted_at = v_weekly_mark,
      scans = scans - 1
    where tenant_id = p_tenant and component_id = v_component and location = v_location;

    update scan_days set scans = scans - 1
    where tenant_id = p_tenant and location = v_location and day = (v_at at time zone v_actor.time_zone)::date;
    update count_progress set counted = counted - 1
    where tenant_id = p_tenant and location = v_location and month_start = v_month
      and v_stock.counted_at >= v_month and coalesce(v_mark.counted_at, '-infinity') < v_month;
    if v_source = 'weekly' then perform forget_weekly_progress(p_tenant, array[v_location]); end if;
  end if;

  if v_recorded and v_source = 'admin' then
    perform from cycle_counts
    where tenant_id = p_tenant and user_type = 'admin' and id = v_entry.count_session
    for update;
    v_in_cycle := counted_in_cycle(p_tenant, v_entry.count_session, v_sku, v_location);
    update cycle_counts
    set completed = completed and v_in_cycle is not null, last_updated = clock_timestamp(),
      progress = coalesce(progress || v_in_cycle, progress - v_sku)
    where tenant_id = p_tenant and user_type = 'admin' and id = v_entry.count_session and progress ? v_sku;
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan', case v_source when 'admin' then 'admin_view' else v_source || '_count' end || '_undone',
    v_sku, v_quantity, v_location, v_source, p_user, v_actor.role, v_actor.name,
    jsonb_strip_nulls(jsonb_build_object(
      'session', v_entry.count_session, 'counted_at', v_at, 'undoes', v_entry.id,
      'attempt', case when v_attempt.id is not null then v_number end, 'moved_back', -v_first.delta
    ))
  );
  update operations set reply = reply || '{"undone": true}'
  where tenant_id = p_tenant and user_id = p_user and key = p_key;
  return jsonb_build_object(
    'outcome', 'undone', 'sku', v_sku, 'quantity', v_quantity, 'location', v_location, 'source', v_source
  );
end
$$
-- ;;
create or replace function clear_marks(
  p_tenant uuid, p_component uuid, p_location text, p_count_type text, p_month_start timestamptz
)
returns void
language plpgsql volatile
as $$
declare
  v_counted_at timestamptz;
begin
  select counted_at into v_counted_at from stock
  where tenant_id = p_tenant and component_id = p_component and location = p_location
  for update;
  if p_count_type = 'weekly' then
    update stock set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
    where tenant_id = p_tenant and component_id = p_component and location = p_location;
    perform forget_weekly_progress(p_tenant, array[p_location]);
    return;
  end if;
  update stock set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
  where tenant_id = p_tenant and component_id = p_component and location = p_location;
  update count_progress
  set counted = counted - 1
  where tenant_id = p_tenant and location = p_location and month_start = p_month_start
    and v_counted_at >= p_month_start;
end
$$
-- ;;
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
  perform forget_weekly_progress(p_tenant, array[p_location]);
  return v_reset;
end
$$;
-- ;;
create or replace function retire_components(p_tenant uuid, p_components uuid[], p_user_name text) returns integer
language plpgsql volatile
as $$
declare
  v_zone constant text := (select time_zone from companies where tenant_id = p_tenant);
  v_month constant timestamptz := start_of_month(now(), v_zone);
  v_retired integer;
  v_kept jsonb;
  v_unlisted text[];
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
  with unlisted as (
    delete from high_volume_assignments
    where tenant_id = p_tenant and component_id = any (p_components)
    returning location
  )
  select array_agg(distinct location) into v_unlisted from unlisted;
  perform forget_weekly_progress(p_tenant, v_unlisted);
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and component_id in (select unnest(p_components))
    returning location
  )
  select coalesce(jsonb_object_agg(location, fewer), '{}') into v_kept
  from (select location, count(*) as fewer from kept group by location) as of_location;
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
end
$$;
