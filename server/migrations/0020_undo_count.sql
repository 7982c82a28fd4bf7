-- Taking one's own last count back, as a new entry.
-- `undoes`: the entry that this one takes back. `sets_mark`: whether the entry is a count of its component, which
-- history added by hand and taking-back entries are not.
alter table count_history
  add column undoes uuid,
  add column sets_mark boolean not null default true
-- ;;
-- When the marks were last cleared: counts from before say nothing about the marks any more.
alter table stock
  add column cleared_at timestamptz,
  add column weekly_cleared_at timestamptz
-- ;;
create function note_cleared_marks() returns trigger
language plpgsql
as $$
begin
  new.cleared_at := clock_timestamp();
  return new;
end
$$
-- ;;
create function note_cleared_weekly_marks() returns trigger
language plpgsql
as $$
begin
  new.weekly_cleared_at := clock_timestamp();
  return new;
end
$$
-- ;;
create trigger marks_cleared before update of counted_at on stock
  for each row when (new.counted_at is null) execute function note_cleared_marks()
-- ;;
create trigger weekly_marks_cleared before update of weekly_counted_at on stock
  for each row when (new.weekly_counted_at is null and old.weekly_counted_at is not null)
  execute function note_cleared_weekly_marks()
-- ;;
-- The counts of a component at a location that stand: neither taken back nor made before their marks were cleared.
create function standing_counts(
  p_tenant uuid, p_sku text, p_location text, p_cleared_at timestamptz
)
returns setof count_history
language sql stable
as $$
  select entry.*
  from count_history entry
  where entry.tenant_id = p_tenant and entry.sku = p_sku and entry.location = p_location
    and entry.sets_mark and entry.created_at > coalesce(p_cleared_at, '-infinity')
    and not exists (
      select from count_history back
      where back.tenant_id = p_tenant and back.sku = p_sku and back.location = p_location and back.undoes = entry.id
    )
$$
-- ;;
-- The attempts at a component and location that stand. A number given again, or above its difference's own, was
-- taken back.
create function standing_attempts(p_tenant uuid, p_component uuid, p_location text)
returns setof count_attempts
language sql stable
as $$
  select attempt.*
  from discrepancies difference
  join count_attempts attempt on attempt.tenant_id = difference.tenant_id and attempt.discrepancy_id = difference.id
  where difference.tenant_id = p_tenant and difference.component_id = p_component and difference.location = p_location
    and attempt.attempt <= difference.attempts
    and not exists (
      select from count_attempts later
      where later.tenant_id = p_tenant and later.discrepancy_id = attempt.discrepancy_id
        and later.attempt = attempt.attempt and later.id > attempt.id
    )
$$
-- ;;
-- Takes the count back that p_user sent under p_key, and says what came of it as { outcome, … }:
--   not_found · already_undone · counted_since · other_period · decided · strict: nothing was changed;
--   undone: { sku, quantity, location, source }.
-- Marks, progress, roll-ups, the administrators' cycle and the difference become what they would be without it.
create function undo_count(p_tenant uuid, p_user uuid, p_key text) returns jsonb
language plpgsql volatile
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_actor record;
  v_count jsonb;
  v_component uuid;
  v_sku text;
  v_source text;
  v_at timestamptz;
  v_recorded boolean;
  v_number integer;
  v_entry count_history;
  v_attempt count_attempts;
  v_before count_attempts;
  v_discrepancy discrepancies;
  v_stock stock;
  v_location text;
  v_quantity integer;
  v_newest uuid;
  v_mark record;
  v_weekly_mark timestamptz;
  v_month timestamptz;
  v_in_cycle integer;
begin
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

  -- As a count does, the stock row first: what is decided from here on stays so.
  select * into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component and location = v_location
  for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count ? 'undone' then return jsonb_build_object('outcome', 'already_undone'); end if;

  v_month := start_of_month(v_at, v_actor.time_zone);
  if v_source = 'weekly' and start_of_day(v_at, v_actor.time_zone) <> start_of_day(v_now, v_actor.time_zone)
    or v_source <> 'weekly' and v_month <> start_of_month(v_now, v_actor.time_zone)
  then
    return jsonb_build_object('outcome', 'other_period');
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
    if v_discrepancy.status in ('recount', 'accepted', 'dismissed') then
      return jsonb_build_object('outcome', 'decided');
    end if;
    -- Where nobody is told a verdict twice, nobody is told one again by taking the entry back.
    if v_actor.strict_blind_counts and v_actor.role <> 'admin' and v_discrepancy.status <> 'matched' then
      return jsonb_build_object('outcome', 'strict');
    end if;
    select * into v_before from standing_attempts(p_tenant, v_component, v_location)
    where discrepancy_id = v_discrepancy.id and attempt = v_number - 1;
    if not found then
      update discrepancies
      set status = 'dismissed', attempts = 0, reason = 'Taken back', decided_by = v_actor.name,
        updated_at = clock_timestamp()
      where tenant_id = p_tenant and id = v_discrepancy.id;
    else
      update discrepancies
      set attempts = v_before.attempt, expected = v_before.expected, counted = v_before.counted,
        user_id = v_before.user_id, user_name = v_before.user_name, updated_at = clock_timestamp(),
        status = case
          when v_discrepancy.decided_by is not null and v_before.created_at < case v_source
            when 'weekly' then v_stock.weekly_cleared_at else v_stock.cleared_at
          end then 'recount'
          when v_before.attempt = 1 then 'attempted'
          else 'open'
        end
      where tenant_id = p_tenant and id = v_discrepancy.id;
    end if;
  end if;
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
    order by counted_at desc, id desc
    limit 1;
    select max(counted_at) into v_weekly_mark
    from standing_counts(p_tenant, v_sku, v_location, v_stock.weekly_cleared_at)
    where count_type = 'weekly';
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
    select quantity into v_in_cycle
    from standing_counts(p_tenant, v_sku, v_location, null)
    where count_type = 'admin' and count_session = v_entry.count_session
    order by id desc
    limit 1;
    update cycle_counts
    set completed = false, last_updated = clock_timestamp(),
      progress = case
        when v_in_cycle is null then progress - v_sku else progress || jsonb_build_object(v_sku, v_in_cycle)
      end
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
