-- A count cost the database 0.94 ms, a quarter of it to find out whether its request was there before: a plan made while
-- that table was small went by the requests' age. docs/performance.md has the figures.

-- By a number made of the company, so that no plan takes this index to look up a request's key.
drop index operations_by_age
-- ;;
create index operations_by_age on operations (uuid_hash_extended(tenant_id, 0), created_at)
-- ;;
-- The companies that have requests to forget. One caller at a time: others get none.
create or replace function companies_to_prune(p_days integer) returns setof uuid
language plpgsql volatile
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_prune', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from operations
      where tenant_id = v_tenant and uuid_hash_extended(tenant_id, 0) = uuid_hash_extended(v_tenant, 0)
        and created_at < now() - make_interval(days => p_days)
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
-- ;;
-- One row of these is written by each count. With room on its page for few versions only, old ones go soon, and finding
-- the newest stays a short walk.
alter table scan_days set (fillfactor = 10)
-- ;;
alter table count_progress set (fillfactor = 10)
-- ;;
-- Records one count in one round trip and says what came of it as { outcome, … }:
--   unauthorized · forbidden · trial_expired · not_seated · location_not_in_plan · too_old · too_early · key_reused ·
--   not_found · not_in_list · already_counted: nothing was changed;
--   counted: { role, strict, matched, tolerated, recorded, attempt, expected, component, counted, total }.
-- A difference within the company's tolerance is accepted at once: stock, ledger and a decided discrepancy say so.
-- The setting app.billing of the transaction says whether companies pay ('stripe').
-- The same p_key with the same p_hash answers as before and changes nothing.
-- p_plans: the plans that offer p_location. p_codes: the codes to look the component up by, best first.
create or replace function record_count(
  p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer,
  p_location text, p_source text, p_count_session text, p_at timestamptz, p_day text, p_recount boolean
)
returns jsonb
language plpgsql volatile
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
  v_discrepancy discrepancies;
  v_matched boolean;
  v_tolerated boolean;
  v_difference integer;
  v_recorded boolean;
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

  foreach v_code in array p_codes loop
    select id, barcode, description into v_component from components where tenant_id = p_tenant and barcode = v_code;
    exit when found;
  end loop;
  if v_component.id is null then return jsonb_build_object('outcome', 'not_found'); end if;

  if p_source = 'weekly' then
    -- A condition with coalesce is not taken for a key under row level security.
    v_day := coalesce(p_day, trim(to_char(p_at at time zone v_actor.time_zone, 'Day')));
    perform from high_volume_assignments
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location and day = v_day;
    if not found then return jsonb_build_object('outcome', 'not_in_list'); end if;
  end if;

  select quantity, counted_at, weekly_counted_at into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
  for update;
  if not found then
    insert into stock (tenant_id, component_id, location) values (p_tenant, v_component.id, p_location)
    on conflict (tenant_id, component_id, location) do nothing;
    select quantity, counted_at, weekly_counted_at into v_stock from stock
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    for update;
  end if;

  if p_source = 'weekly' and not p_recount
    and start_of_day(v_stock.weekly_counted_at, v_actor.time_zone) = start_of_day(p_at, v_actor.time_zone) then
    return jsonb_build_object('outcome', 'already_counted');
  end if;

  v_matched := v_stock.quantity = p_quantity;
  v_difference := p_quantity - v_stock.quantity;
  v_tolerated := not v_matched
    and coalesce(v_actor.count_tolerance_units, v_actor.count_tolerance_percent) is not null
    and abs(v_difference) <= coalesce(v_actor.count_tolerance_units, 2147483647)
    and (
      v_actor.count_tolerance_percent is null
      or abs(v_difference)::numeric * 100 <= v_actor.count_tolerance_percent * v_stock.quantity
    );
  -- A count that comes late says nothing about stock that was counted or moved since.
  if v_tolerated then
    v_tolerated := coalesce(v_stock.counted_at, '-infinity') <= p_at and not exists (
      select from movements
      where tenant_id = p_tenant and component_id = v_component.id and id >= id_at(p_at) and location = p_location
    );
  end if;
  v_period := case p_source
    when 'weekly' then start_of_day(p_at, v_actor.time_zone)
    else start_of_month(p_at, v_actor.time_zone)
  end;

  select * into v_discrepancy from discrepancies
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    and count_type = p_source and period_start = v_period and status in ('attempted', 'open', 'recount')
  for update;
  v_attempt := coalesce(v_discrepancy.attempts, 0) + 1;
  v_recorded := v_matched or v_tolerated or v_attempt > 1;

  if v_discrepancy.id is not null then
    update discrepancies
    set status = case when v_matched then 'matched' when v_tolerated then 'accepted' else 'open' end,
      expected = v_stock.quantity, counted = p_quantity, attempts = v_attempt,
      reason = case when v_tolerated then 'Within tolerance' else reason end,
      decided_by = case when v_tolerated then 'Count tolerance' else decided_by end,
      user_id = v_actor.id, user_name = v_actor.name, updated_at = clock_timestamp()
    where tenant_id = p_tenant and id = v_discrepancy.id;
  elsif not v_matched then
    insert into discrepancies (
      tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts,
      user_id, user_name, reason, decided_by
    )
    values (
      p_tenant, v_component.id, v_component.barcode, p_location, p_source, v_period,
      case when v_tolerated then 'accepted' else 'attempted' end, v_stock.quantity, p_quantity, 1, v_actor.id,
      v_actor.name, case when v_tolerated then 'Within tolerance' end,
      case when v_tolerated then 'Count tolerance' end
    )
    returning * into v_discrepancy;
  end if;
  if v_discrepancy.id is not null then
    insert into count_attempts (
      tenant_id, discrepancy_id, attempt, expected, counted, user_id, user_name, counted_at
    )
    values (
      p_tenant, v_discrepancy.id, v_attempt, v_stock.quantity, p_quantity, v_actor.id, v_actor.name, p_at
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
    );
    -- A late count from a device that was offline never moves a newer mark back.
    update stock
    set quantity = case when v_tolerated then p_quantity else quantity end,
      counted_source = case when coalesce(counted_at, '-infinity') <= p_at then p_source else counted_source end,
      counted_at = greatest(counted_at, p_at),
      weekly_counted_at = case
        when p_source = 'weekly' then greatest(weekly_counted_at, p_at) else weekly_counted_at
      end,
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
      'accepted_difference', case when v_tolerated then v_difference end
    ))
  );

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
  v_month := start_of_month(p_at, v_actor.time_zone);
  if v_recorded and coalesce(v_stock.counted_at, '-infinity') < v_month then
    insert into count_progress (tenant_id, location, month_start, counted)
    values (p_tenant, p_location, v_month, 1)
    on conflict (tenant_id, location, month_start) do update set counted = count_progress.counted + 1;
  end if;
  if p_source <> 'weekly' then
    v_total := v_actor.component_count;
    select counted into v_counted from count_progress
    where tenant_id = p_tenant and location = p_location and month_start = v_month;
  end if;

  v_reply := jsonb_build_object(
    'outcome', 'counted', 'role', v_actor.role, 'strict', v_actor.strict_blind_counts, 'matched', v_matched,
    'tolerated', v_tolerated, 'recorded', v_recorded, 'attempt', v_attempt, 'expected', v_stock.quantity,
    'counted', coalesce(v_counted, 0), 'total', v_total,
    'component', jsonb_build_object(
      'id', v_component.id, 'barcode', v_component.barcode, 'description', v_component.description,
      'counted_at', p_at, 'counted_source', p_source
    )
  );
  -- Somebody else's request under this key came in between: all of this is undone, and the next try finds its record.
  insert into operations (tenant_id, user_id, key, request_hash, reply)
  values (p_tenant, v_actor.id, p_key, p_hash, v_reply)
  on conflict (tenant_id, user_id, key) do nothing;
  if not found then raise exception using errcode = 'serialization_failure'; end if;
  return v_reply;
end
$$
-- ;;
-- Records counts in their order, all in the caller's transaction: one reply each, as count_or_keep_code gives it.
-- Whoever gets an error has recorded none of them. Nobody waits for a lock here for longer than 100 ms: a count must not
-- wait for another company's import, and whoever holds several rows must be the one to let go.
create or replace function record_counts(p_counts jsonb, p_billing text) returns setof jsonb
language plpgsql volatile
-- Every statement of a count finds its rows by a key. A plan made while a table was small must not read it whole when it
-- has grown. Here and not at record_count, since setting them costs as much as a statement.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set lock_timeout = '100ms'
as $$
declare
  v_billing constant text := set_config('app.billing', p_billing, true);
  v_tenant uuid;
  v_count record;
begin
  -- In one order, so that two nodes with the same companies come one after the other.
  for v_tenant in select distinct (c ->> 'tenant')::uuid from jsonb_array_elements(p_counts) c order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended('counts ' || v_tenant::text, 0));
  end loop;
  for v_count in
    select * from jsonb_to_recordset(p_counts) as c (
      tenant uuid, session uuid, key text, hash text, plans text[], codes text[], quantity integer, location text,
      source text, count_session text, at timestamptz, day text, recount boolean
    )
  loop
    return next count_or_keep_code(
      v_count.tenant, v_count.session, v_count.key, v_count.hash, v_count.plans, v_count.codes, v_count.quantity,
      v_count.location, v_count.source, v_count.count_session, v_count.at, v_count.day, v_count.recount
    );
  end loop;
end
$$
