-- A count that is taken back leaves in what has ended what was expected when that was decided.

create or replace function restore_answered(p_tenant uuid, p_were jsonb) returns void
language plpgsql volatile
as $$
declare
  v_was record;
begin
  for v_was in
    select * from jsonb_to_recordset(p_were) as was (
      id uuid, status text, reason text, decided_by text, updated_at timestamptz
    )
  loop
    update discrepancies
    set status = v_was.status, reason = v_was.reason, decided_by = v_was.decided_by, updated_at = v_was.updated_at
    where tenant_id = p_tenant and id = v_was.id and status = 'dismissed'
      and reason in ('Counted again', 'Counted since');
  end loop;
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
    if v_discrepancy.status in ('recount', 'accepted', 'dismissed')
      and not (v_discrepancy.status = 'dismissed' and coalesce(v_kept ? 'disproved', false))
    then
      return jsonb_build_object('outcome', 'decided');
    end if;
    -- Where nobody is told a verdict twice, nobody is told one again by taking the entry back.
    if v_actor.strict_blind_counts and v_actor.role <> 'admin' and v_discrepancy.status <> 'matched' then
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
      'attempt', case when v_attempt.id is not null then v_number end
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
-- Nor does it bring back into a cycle what was counted there before its component was retired.
create or replace function counted_in_cycle(p_tenant uuid, p_cycle text, p_sku text, p_location text) returns jsonb
language plpgsql stable
as $$
declare
  v_reset_at timestamptz;
  v_asked_at timestamptz;
  v_back_at timestamptz;
  v_quantity integer;
begin
  select reset_at into v_reset_at from cycle_resets where tenant_id = p_tenant and id = p_cycle;
  select max(discrepancies.updated_at) into v_asked_at
  from components
  join discrepancies on discrepancies.tenant_id = components.tenant_id and discrepancies.component_id = components.id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and discrepancies.location = p_location and discrepancies.count_type = 'admin' and discrepancies.status = 'recount';
  -- What is retired leaves the cycles of its month; one of another month still says what was counted.
  select components.reinstated_at into v_back_at
  from components
  join companies on companies.tenant_id = components.tenant_id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and starts_with(
      p_cycle, to_char(components.reinstated_at at time zone companies.time_zone, '"Cycle_"YYYY-MM"_"')
    );
  select quantity into v_quantity
  from standing_counts(p_tenant, p_sku, p_location, greatest(v_reset_at, v_asked_at, v_back_at))
  where count_type = 'admin' and count_session = p_cycle
  order by counted_at desc, id desc
  limit 1;
  if not found then return null; end if;
  return jsonb_build_object(p_sku, v_quantity);
end
$$
-- ;;
-- The reply to a count that comes after its month is over tells the progress of the present one, as all others do.
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
    companies.strict_blind_counts, companies.component_count, companies.trial_ends_at,
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
  if p_source <> 'weekly' then
    v_total := v_actor.component_count;
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
      company.time_zone, company.component_count, company.strict_blind_counts,
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
      select time_zone, component_count, strict_blind_counts, start_of_month(asked.now, time_zone) as this_month
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
      'expected', quantity, 'counted', coalesce(months.counted, matching.counted), 'total', component_count,
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
