-- Functions in statements that the machines of a cluster take as well, and one PostgreSQL no less. They refuse what depends on the
-- session's zone where a column is in it, a table of the session set from one of the companies, a function that reads
-- within a statement that reads, and rows of another statement for a table where none could be there already.
create or replace function change_time_zone(p_tenant uuid, p_zone text)
returns void
language plpgsql
as $$
declare
  v_old text;
  v_month timestamptz;
begin
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  select time_zone into v_old from companies where tenant_id = p_tenant for update;
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
  where tenant_id = p_tenant and counted_at >= v_month
  group by location
  on conflict (tenant_id, location, month_start) do nothing;

  delete from scan_days where tenant_id = p_tenant;
  insert into scan_days (tenant_id, location, day, scans)
  select p_tenant, location, (counted_at at time zone p_zone)::date, count(*)
  from count_history entry
  where tenant_id = p_tenant and undoes is null and not exists (
    select from count_history back
    where back.tenant_id = p_tenant and back.sku = entry.sku and back.location = entry.location
      and back.undoes = entry.id
  )
  group by 2, 3
  on conflict (tenant_id, location, day) do nothing;
end
$$
-- ;;
-- What is made is looked up where it is needed, instead of noted in the rows that were judged.
create or replace function commit_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (created integer, updated integer, unchanged integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_created integer;
  v_updated integer;
  v_good integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.old_description, judged.kind
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  analyze judged_rows;

  with inserted as (
    insert into components (tenant_id, barcode, description)
    select p_tenant, judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'new'
    order by judged.barcode
    on conflict (tenant_id, barcode) do nothing
    returning components.id, components.barcode, components.description
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, inserted.id, inserted.barcode, true, '', inserted.description from inserted;
  get diagnostics v_created = row_count;

  with described as (
    insert into components as present (tenant_id, barcode, description)
    select p_tenant, judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'changed' and judged.description <> ''
    order by judged.barcode
    on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
    where present.description <> excluded.description
    returning present.id, present.barcode, present.description
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, described.id, described.barcode, false, judged.old_description, described.description
  from judged_rows judged
  join described on described.barcode = judged.barcode;

  select coalesce(array_agg(components.id), '{}'), coalesce(array_agg(given.location), '{}'),
    coalesce(array_agg(given.quantity), '{}')
  into v_components, v_locations, v_quantities
  from judged_rows judged
  join components on components.tenant_id = p_tenant and components.barcode = judged.barcode
  cross join lateral (
    select * from import_rows
    where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
    offset 0
  ) as rows
  cross join lateral (values
    ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
    ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
    ('QUARANTINE', rows.quarantine_quantity)
  ) as given (location, quantity)
  where given.quantity is not null and (judged.kind = 'new' or not v_keep);
  perform set_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
  );

  select count(distinct changed.component_id) into v_updated
  from (
    select import_changes.component_id from import_changes
    where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
    union all
    select movements.component_id from movements
    where movements.tenant_id = p_tenant and movements.reference = p_import
  ) as changed;
  v_updated := v_updated - v_created;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated;
end
$$
-- ;;
create or replace function seat_users(p_tenant uuid, p_places integer) returns void
language plpgsql
as $$
begin
  update users set seated = ranked.seated
  from (
    select id,
      row_number() over (order by role = 'admin' desc, created_at, id) <= coalesce(p_places, 2147483647) as seated
    from users
    where tenant_id = p_tenant and active and role <> 'api_key'
  ) as ranked
  where users.tenant_id = p_tenant and users.id = ranked.id and users.seated <> ranked.seated;
end
$$
-- ;;
create or replace function unsealed_entries(p_tenant uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_from uuid;
  v_last uuid;
  v_late uuid[];
begin
  select settled_below into v_from from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  select entry_id into v_last from audit_seals where tenant_id = p_tenant order by entry_id desc limit 1;
  v_from := coalesce(v_from, '00000000-0000-0000-0000-000000000000');
  v_last := coalesce(v_last, '00000000-0000-0000-0000-000000000000');
  v_late := array(select late from late_entries(p_tenant, v_from, v_last) as late order by late limit p_limit);
  return query
    select waiting.id
    from (
      select unnest(v_late) as id
      union all
      (select entry.id from audit_entries entry where entry.tenant_id = p_tenant and entry.id > v_last order by entry.id limit p_limit)
    ) as waiting
    order by waiting.id
    limit p_limit;
end
$$
-- ;;
create or replace function undo_count(p_tenant uuid, p_user uuid, p_key text)
returns jsonb
language plpgsql
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
  v_in_cycle jsonb;
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
    select jsonb_build_object(v_sku, quantity) into v_in_cycle
    from standing_counts(p_tenant, v_sku, v_location, null)
    where count_type = 'admin' and count_session = v_entry.count_session
    order by id desc
    limit 1;
    update cycle_counts
    set completed = false, last_updated = clock_timestamp(),
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
-- Without what was detached.
create or replace function trail_length(p_tenant uuid)
returns bigint
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_seq bigint;
  v_from uuid;
  v_sealed_at timestamptz;
  v_detached constant bigint := coalesce((
    select sum(entries) from detached_history where tenant_id = p_tenant and history = 'audit_entries'
  ), 0);
begin
  select seq, settled_below, sealed_at into v_seq, v_from, v_sealed_at
  from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  if v_sealed_at < clock_timestamp() - interval '1 minute' then
    select entry_id into v_from from audit_seals where tenant_id = p_tenant order by entry_id desc limit 1;
    return v_seq - v_detached + (select count(*) from audit_entries where tenant_id = p_tenant and id > v_from);
  end if;
  v_from := coalesce(v_from, '00000000-0000-0000-0000-000000000000');
  return coalesce(v_seq, 0) - v_detached
    + (select count(*) from audit_entries where tenant_id = p_tenant and id >= v_from)
    - (select count(*) from audit_seals where tenant_id = p_tenant and entry_id >= v_from);
end
$$
