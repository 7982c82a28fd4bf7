-- A first count of what had arrived, and was not received yet, set the stock, and receiving it added the same pieces again.

-- As before; what is on its way there is known.
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
