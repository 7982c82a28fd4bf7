-- A first count that set the stock (0309) is taken back by whoever made it as any match is, while nothing has moved there since.

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
