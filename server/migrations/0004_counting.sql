-- Counts: their history, the differences they find, and the one function that records a count.
create table count_history (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  component_id uuid,
  sku text not null,
  location text not null,
  quantity integer not null,
  count_type text not null check (count_type in ('monthly', 'weekly', 'admin')),
  count_session text not null,
  source text not null,
  user_id uuid not null,
  user_type text not null,
  user_name text not null,
  counted_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
)
-- ;;
create index count_history_of_sku on count_history (tenant_id, sku, location, id)
-- ;;
-- A count that did not match: `attempted` after the first entry, `open` (recorded, waiting for an administrator)
-- from the second on. `expected` is the stock at the moment of the latest entry.
create table discrepancies (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  component_id uuid not null,
  sku text not null,
  location text not null,
  count_type text not null check (count_type in ('monthly', 'weekly', 'admin')),
  period_start timestamptz not null,
  status text not null check (status in ('attempted', 'open', 'recount', 'matched', 'accepted', 'dismissed')),
  expected integer not null,
  counted integer not null,
  attempts integer not null,
  user_id uuid not null,
  user_name text not null,
  reason text,
  note text,
  decided_by text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, component_id) references components
)
-- ;;
create unique index one_undecided_discrepancy
  on discrepancies (tenant_id, component_id, location, count_type, period_start)
  where status in ('attempted', 'open', 'recount')
-- ;;
create table count_attempts (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  discrepancy_id uuid not null,
  attempt integer not null,
  expected integer not null,
  counted integer not null,
  user_id uuid not null,
  user_name text not null,
  counted_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, discrepancy_id) references discrepancies
)
-- ;;
create index attempts_of_discrepancy on count_attempts (tenant_id, discrepancy_id, attempt)
-- ;;
-- The client's own records of a count, under ids that it chooses: so the company leads the key.
create table weekly_counts (
  tenant_id uuid not null references companies,
  id text not null,
  day text not null,
  location text not null,
  progress jsonb not null,
  completed boolean not null,
  last_updated timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
)
-- ;;
create table cycle_counts (
  tenant_id uuid not null references companies,
  id text not null,
  location text not null,
  user_type text not null check (user_type in ('admin', 'user')),
  progress jsonb not null,
  completed boolean not null,
  start_date timestamptz not null,
  last_updated timestamptz not null default clock_timestamp(),
  -- Each role has its own record of a cycle: staff can neither see nor occupy the administrators' one.
  primary key (tenant_id, user_type, id)
)
-- ;;
-- Counts recorded on each day of the company's calendar: what the charts over time add up.
create table scan_days (
  tenant_id uuid not null references companies,
  location text not null,
  day date not null,
  scans integer not null,
  primary key (tenant_id, location, day)
)
-- ;;
-- How many components of a location carry a mark of the month that began at month_start:
-- kept with the marks, so that no count reads the whole list.
create table count_progress (
  tenant_id uuid not null references companies,
  location text not null,
  month_start timestamptz not null,
  counted integer not null check (counted >= 0),
  primary key (tenant_id, location, month_start)
)
-- ;;
-- Records one count in one round trip and says what came of it as { outcome, … }:
--   unauthorized · forbidden · location_not_in_plan · too_old · too_early · key_reused · not_found · not_in_list ·
--   already_counted: nothing was changed;
--   counted: { role, strict, matched, recorded, attempt, expected, component, counted, total }.
-- The same p_key with the same p_hash answers as before and changes nothing.
-- p_plans: the plans that offer p_location. p_codes: the codes to look the component up by, best first.
create function record_count(
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
  v_recorded boolean;
  v_attempt integer;
  v_counted integer;
  v_total integer;
  v_reply jsonb;
begin
  perform set_config('app.tenant_id', p_tenant::text, true);

  select users.id, users.name, users.role, companies.plan, companies.time_zone, companies.strict_blind_counts,
    companies.component_count, sessions.last_used_at
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
  v_period := case p_source
    when 'weekly' then start_of_day(p_at, v_actor.time_zone)
    else start_of_month(p_at, v_actor.time_zone)
  end;

  select * into v_discrepancy from discrepancies
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    and count_type = p_source and period_start = v_period and status in ('attempted', 'open', 'recount')
  for update;
  v_attempt := coalesce(v_discrepancy.attempts, 0) + 1;
  v_recorded := v_matched or v_attempt > 1;

  if v_discrepancy.id is not null then
    update discrepancies
    set status = case when v_matched then 'matched' else 'open' end,
      expected = v_stock.quantity, counted = p_quantity, attempts = v_attempt,
      user_id = v_actor.id, user_name = v_actor.name, updated_at = clock_timestamp()
    where tenant_id = p_tenant and id = v_discrepancy.id;
  elsif not v_matched then
    insert into discrepancies (
      tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts,
      user_id, user_name
    )
    values (
      p_tenant, v_component.id, v_component.barcode, p_location, p_source, v_period, 'attempted', v_stock.quantity,
      p_quantity, 1, v_actor.id, v_actor.name
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
    set counted_source = case when coalesce(counted_at, '-infinity') <= p_at then p_source else counted_source end,
      counted_at = greatest(counted_at, p_at),
      weekly_counted_at = case
        when p_source = 'weekly' then greatest(weekly_counted_at, p_at) else weekly_counted_at
      end,
      scans = scans + 1
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location;
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan',
    case p_source when 'admin' then 'admin_view' else p_source || '_count' end
      || case when v_matched then '_scan' else '_mismatch' end,
    v_component.barcode, p_quantity, p_location, p_source, v_actor.id, v_actor.role, v_actor.name,
    jsonb_strip_nulls(jsonb_build_object(
      'session', p_count_session,
      'counted_at', p_at,
      'attempt', case when v_discrepancy.id is not null then v_attempt end,
      'recorded', case when not v_matched then v_recorded end
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
    'recorded', v_recorded, 'attempt', v_attempt, 'expected', v_stock.quantity, 'counted', coalesce(v_counted, 0),
    'total', v_total,
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
-- ;;
-- Clears the month's marks of a location and says how many there were. History and audit stay.
create function reset_monthly_marks(p_tenant uuid, p_location text, p_month_start timestamptz) returns integer
language plpgsql volatile
as $$
declare
  v_reset integer;
begin
  perform 1 from stock
  where tenant_id = p_tenant and location = p_location and counted_at >= p_month_start
  order by component_id
  for update;

  update stock
  set counted_at = null, counted_source = null
  where tenant_id = p_tenant and location = p_location and counted_at >= p_month_start;
  get diagnostics v_reset = row_count;

  -- By as many as were cleared, not to 0: a count may commit between the two statements.
  update count_progress
  set counted = counted - v_reset
  where tenant_id = p_tenant and location = p_location and month_start = p_month_start and v_reset > 0;
  return v_reset;
end
$$
-- ;;
-- Clears the marks of one kind of count of a component at a location, so that it is counted again.
create function clear_marks(
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
    update stock set weekly_counted_at = null
    where tenant_id = p_tenant and component_id = p_component and location = p_location;
    return;
  end if;
  update stock set counted_at = null, counted_source = null
  where tenant_id = p_tenant and component_id = p_component and location = p_location;
  update count_progress
  set counted = counted - 1
  where tenant_id = p_tenant and location = p_location and month_start = p_month_start
    and v_counted_at >= p_month_start;
end
$$
-- ;;
-- Clears today's weekly marks of a day's list at a location and says how many there were.
create function reset_weekly_marks(p_tenant uuid, p_location text, p_day text, p_day_start timestamptz) returns integer
language plpgsql volatile
as $$
declare
  v_reset integer;
begin
  update stock
  set weekly_counted_at = null
  where tenant_id = p_tenant and location = p_location and weekly_counted_at >= p_day_start
    and exists (
      select from high_volume_assignments listed
      where listed.tenant_id = p_tenant and listed.component_id = stock.component_id
        and listed.location = p_location and listed.day = p_day
    );
  get diagnostics v_reset = row_count;
  return v_reset;
end
$$
-- ;;
alter table count_history enable row level security
-- ;;
alter table count_history force row level security
-- ;;
create policy own_company on count_history
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table discrepancies enable row level security
-- ;;
alter table discrepancies force row level security
-- ;;
create policy own_company on discrepancies
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table count_attempts enable row level security
-- ;;
alter table count_attempts force row level security
-- ;;
create policy own_company on count_attempts
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table count_progress enable row level security
-- ;;
alter table count_progress force row level security
-- ;;
create policy own_company on count_progress
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table weekly_counts enable row level security
-- ;;
alter table weekly_counts force row level security
-- ;;
create policy own_company on weekly_counts
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table cycle_counts enable row level security
-- ;;
alter table cycle_counts force row level security
-- ;;
create policy own_company on cycle_counts
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table scan_days enable row level security
-- ;;
alter table scan_days force row level security
-- ;;
create policy own_company on scan_days
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on weekly_counts, cycle_counts to inventory_manager_app
-- ;;
grant select, insert, update on scan_days to inventory_manager_app
-- ;;
grant select, insert on count_history, count_attempts to inventory_manager_app
-- ;;
grant select, insert, update on discrepancies, count_progress to inventory_manager_app
-- ;;
grant delete on operations to inventory_manager_app
