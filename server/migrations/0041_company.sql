-- What the payment provider last said of a company's subscription; no row: nothing was ever paid for.
create table subscriptions (
  tenant_id uuid primary key references companies,
  customer_id text not null,
  subscription_id text,
  status text not null default 'none' check (status in ('none', 'active', 'past_due', 'ended')),
  period_ends_at timestamptz,
  ends_with_period boolean not null default false,
  updated_at timestamptz not null default clock_timestamp()
)
-- ;;
-- The provider's events already handled: each counts once, however often it is delivered.
create table billing_events (
  tenant_id uuid not null references companies,
  event_id text not null,
  type text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, event_id)
)
-- ;;
alter table subscriptions enable row level security
-- ;;
alter table subscriptions force row level security
-- ;;
create policy own_company on subscriptions
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table billing_events enable row level security
-- ;;
alter table billing_events force row level security
-- ;;
create policy own_company on billing_events
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on subscriptions to inventory_manager_app
-- ;;
grant select, insert on billing_events to inventory_manager_app
-- ;;
-- Settings of a company. A tolerance that is null does not limit; with both null every difference is a discrepancy.
alter table companies
  add column scanner_prefix text not null default '',
  add column scanner_suffix text not null default '',
  add column count_tolerance_units integer check (count_tolerance_units >= 1),
  add column count_tolerance_percent numeric(5, 2)
    check (count_tolerance_percent > 0 and count_tolerance_percent <= 100),
  add column accent_colour text check (accent_colour ~ '^#[0-9a-f]{6}$')
-- ;;
create table company_logos (
  tenant_id uuid primary key references companies,
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/svg+xml')),
  content bytea not null check (octet_length(content) <= 131072),
  hash text not null,
  updated_at timestamptz not null default clock_timestamp()
)
-- ;;
alter table company_logos enable row level security
-- ;;
alter table company_logos force row level security
-- ;;
create policy own_company on company_logos
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on company_logos to inventory_manager_app
-- ;;
-- What counts share and a change of the time zone has alone.
create function time_zone_lock(p_tenant uuid) returns bigint
language sql immutable parallel safe
return hashtextextended('time zone ' || p_tenant::text, 0)
-- ;;
-- Gives a company another time zone and moves everything that is kept by the company's calendar with it: days and
-- months keep their names and get the new zone's beginnings, and the present month's progress is counted anew.
create function change_time_zone(p_tenant uuid, p_zone text) returns void
language plpgsql volatile
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
  set period_start = ((period_start at time zone v_old) at time zone p_zone) - interval '400000 days'
  where tenant_id = p_tenant and status in ('attempted', 'open', 'recount');
  update discrepancies
  set period_start = period_start + interval '400000 days'
  where tenant_id = p_tenant and status in ('attempted', 'open', 'recount');

  update count_progress
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;
  delete from count_progress where tenant_id = p_tenant and month_start >= v_month;
  insert into count_progress (tenant_id, location, month_start, counted)
  select p_tenant, location, v_month, count(*)
  from stock
  where tenant_id = p_tenant and counted_at >= v_month
  group by location;

  delete from scan_days where tenant_id = p_tenant;
  insert into scan_days (tenant_id, location, day, scans)
  select p_tenant, location, (counted_at at time zone p_zone)::date, count(*)
  from count_history entry
  where tenant_id = p_tenant and undoes is null and not exists (
    select from count_history back
    where back.tenant_id = p_tenant and back.sku = entry.sku and back.location = entry.location
      and back.undoes = entry.id
  )
  group by 2, 3;
end
$$
-- ;;
grant delete on count_progress, scan_days to inventory_manager_app
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
  v_operation operations;
  v_component record;
  v_stock stock;
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
  perform set_config('app.tenant_id', p_tenant::text, true);
  -- Against change_time_zone, which moves the rows that a count writes to.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));

  select users.id, users.name, users.role, users.seated, companies.plan, companies.time_zone,
    companies.strict_blind_counts, companies.component_count, companies.trial_ends_at,
    companies.count_tolerance_units, companies.count_tolerance_percent, sessions.last_used_at
  into v_actor
  from sessions
  join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  join companies on companies.tenant_id = sessions.tenant_id
  where sessions.tenant_id = p_tenant and sessions.id = p_session
    and sessions.ended_at is null and sessions.expires_at > v_now and users.active;
  if not found then return jsonb_build_object('outcome', 'unauthorized'); end if;

  select * into v_operation from operations
  where tenant_id = p_tenant and user_id = v_actor.id and key = p_key;
  if found then
    if v_operation.request_hash <> p_hash then return jsonb_build_object('outcome', 'key_reused'); end if;
    return v_operation.reply;
  end if;

  if p_source = 'admin' and v_actor.role <> 'admin' then return jsonb_build_object('outcome', 'forbidden'); end if;
  if v_actor.trial_ends_at <= v_now and current_setting('app.billing', true) = 'stripe' and not exists (
    select from subscriptions where tenant_id = p_tenant and status in ('active', 'past_due')
  ) then
    return jsonb_build_object('outcome', 'trial_expired');
  end if;
  if not v_actor.seated then return jsonb_build_object('outcome', 'not_seated'); end if;
  if not v_actor.plan = any (p_plans) then return jsonb_build_object('outcome', 'location_not_in_plan'); end if;
  if p_at < v_now - interval '7 days' then return jsonb_build_object('outcome', 'too_old'); end if;
  if p_at > v_now + interval '5 minutes' then return jsonb_build_object('outcome', 'too_early'); end if;

  select components.id, components.barcode, components.description
  into v_component
  from components
  where components.tenant_id = p_tenant and components.barcode = any (p_codes)
  order by array_position(p_codes, components.barcode)
  limit 1;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;

  if p_source = 'weekly' and not exists (
    select from high_volume_assignments
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and day = coalesce(p_day, trim(to_char(p_at at time zone v_actor.time_zone, 'Day')))
  ) then
    return jsonb_build_object('outcome', 'not_in_list');
  end if;

  insert into stock (tenant_id, component_id, location) values (p_tenant, v_component.id, p_location)
  on conflict (tenant_id, component_id, location) do nothing;
  select * into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
  for update;

  -- Under the row's lock: the same request twice at once finds the first one's record here.
  insert into operations (tenant_id, user_id, key, request_hash) values (p_tenant, v_actor.id, p_key, p_hash)
  on conflict (tenant_id, user_id, key) do nothing;
  if not found then
    select * into v_operation from operations
    where tenant_id = p_tenant and user_id = v_actor.id and key = p_key;
    if v_operation.request_hash <> p_hash then return jsonb_build_object('outcome', 'key_reused'); end if;
    return v_operation.reply;
  end if;

  if p_source = 'weekly' and not p_recount
    and start_of_day(v_stock.weekly_counted_at, v_actor.time_zone) = start_of_day(p_at, v_actor.time_zone) then
    delete from operations where tenant_id = p_tenant and user_id = v_actor.id and key = p_key;
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
      and listed.day = coalesce(p_day, trim(to_char(p_at at time zone v_actor.time_zone, 'Day')));
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
  update operations set reply = v_reply
  where tenant_id = p_tenant and user_id = v_actor.id and key = p_key;
  return v_reply;
end
$$
