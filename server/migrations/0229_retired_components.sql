-- A component that is kept no more is retired: it leaves all lists and is counted no more, and stays in its history. Who imports it
-- again brings it back. One is counted and found by its other barcodes (0228). And a scan whose clock is known is judged by its
-- moment when it comes two minutes late, not five.

alter table components add column retired_at timestamptz
-- ;;
alter table components add column retired_by text
-- ;;
create index components_retired_idx on components (tenant_id, barcode) where retired_at is not null
-- ;;
-- Components that an import brought back, which its undo retires again.
alter table import_changes add column reinstated boolean not null default false
-- ;;
-- A code, and where it is a UPC its other writing: decoders return UPC-A both ways.
create function upc_writings(p_code text) returns text[]
language sql immutable parallel safe
return case
  when p_code ~ '^0[0-9]{12}$' then array[p_code, substr(p_code, 2)]
  when p_code ~ '^[0-9]{12}$' then array[p_code, '0' || p_code]
  else array[p_code]
end
-- ;;
-- Shared by who may bring a component stock, for itself by who retires components.
create function retire_lock(p_tenant uuid) returns bigint
language sql immutable parallel safe
return hashtextextended('retire ' || p_tenant::text, 0)
-- ;;
-- Retires components that have no stock and nothing that waits, and says how many. The marks of the present month and day go, as by
-- a reset, and so does the weekly plan. The caller holds both locks for itself.
create function retire_components(p_tenant uuid, p_components uuid[], p_user_name text) returns integer
language plpgsql volatile
as $$
declare
  v_zone constant text := (select time_zone from companies where tenant_id = p_tenant);
  v_month constant timestamptz := start_of_month(now(), v_zone);
  v_retired integer;
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
  delete from high_volume_assignments where tenant_id = p_tenant and component_id = any (p_components);
  update components
  set retired_at = clock_timestamp(), retired_by = p_user_name, older_high_volume = null
  where tenant_id = p_tenant and id = any (p_components) and retired_at is null;
  get diagnostics v_retired = row_count;
  update companies set component_count = component_count - v_retired where tenant_id = p_tenant and v_retired > 0;
  return v_retired;
end
$$
-- ;;
-- Retires one component, or says what keeps it from that: 'retired' before, 'stock', 'on_its_way', 'difference' that waits.
create function retire_component(p_tenant uuid, p_component uuid, p_user_name text) returns text
language plpgsql volatile
as $$
declare
  v_obstacle text;
begin
  -- After imports and corrections under way and after whoever has the stock, and last, for a moment, after counts: one that waits for
  -- this stock meanwhile gives way after a tenth of a second.
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform from stock where tenant_id = p_tenant and component_id = p_component order by location for update;
  perform from components where tenant_id = p_tenant and id = p_component for no key update;
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  -- One statement, so that what a transfer takes from one place and puts to another is seen at one of them.
  select case
    when components.retired_at is not null then 'retired'
    when exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = p_component and stock.quantity > 0
    ) then 'stock'
    when exists (
      select from transfers
      where transfers.tenant_id = p_tenant and transfers.component_id = p_component and transfers.status = 'in_transit'
    ) then 'on_its_way'
    when exists (
      select from discrepancies
      where discrepancies.tenant_id = p_tenant and discrepancies.component_id = p_component
        and discrepancies.status in ('attempted', 'open', 'recount')
    ) then 'difference'
  end
  into v_obstacle
  from components
  where components.tenant_id = p_tenant and components.id = p_component;
  if v_obstacle is null then perform retire_components(p_tenant, array[p_component], p_user_name); end if;
  return v_obstacle;
end
$$
-- ;;
-- Brings retired components back, and says which of those given were retired.
create function reinstate_components(p_tenant uuid, p_components uuid[]) returns uuid[]
language plpgsql volatile
as $$
declare
  v_back uuid[];
begin
  if cardinality(p_components) = 0 then return '{}'; end if;
  with back as (
    update components
    set retired_at = null, retired_by = null
    where tenant_id = p_tenant and id = any (p_components) and retired_at is not null
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_back from back;
  update companies set component_count = component_count + cardinality(v_back)
  where tenant_id = p_tenant and cardinality(v_back) > 0;
  return v_back;
end
$$
-- ;;
drop function count_or_keep_code(
  uuid, uuid, text, text, text[], text[], integer, text, text, text, timestamptz, text, boolean
)
-- ;;
drop function record_count(
  uuid, uuid, text, text, text[], text[], integer, text, text, text, timestamptz, text, boolean
)
-- ;;
-- Records one count in one round trip and says what came of it as { outcome, … }:
--   unauthorized · forbidden · trial_expired · not_seated · location_not_in_plan · too_old · too_early · key_reused ·
--   not_found · retired · not_in_list · already_counted: nothing was changed;
--   counted: { sets_mark, sets_weekly_mark, role, strict, matched, tolerated, recorded, attempt, expected, component, counted,
--   total }, the marks being those of the present month and day.
-- A difference within the company's tolerance is accepted at once: stock, ledger and a decided discrepancy say so. A count that
-- comes late is judged by the stock there was when it was scanned, and changes nothing that was counted, asked for or cleared
-- since; where it differs and something newer was counted, its difference is dismissed. What matches
-- dismisses what others found before it.
-- What taking the count back needs stands in the answer as 'undo', which goes no further than the program.
-- Where a company counts strictly blind, the attempts of others than administrators go on within a period, whatever was found.
-- The setting app.billing of the transaction says whether companies pay ('stripe').
-- The same p_key with the same p_hash answers as before and changes nothing.
-- p_plans: the plans that offer p_location. p_codes: the codes to look the component up by, best first; what is a component's own
-- barcode comes before what is another one's alias. p_is_timed: p_at was compared with the clock of its device, and is right to a
-- minute.
create function record_count(
  p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer,
  p_location text, p_source text, p_count_session text, p_at timestamptz, p_day text, p_recount boolean,
  p_is_timed boolean
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
  v_late boolean;
  v_expected integer;
  v_waits boolean;
  v_recounts boolean;
  v_overtaken boolean := false;
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
    select id, barcode, description, retired_at into v_component
    from components
    where tenant_id = p_tenant and barcode = v_code;
    exit when found;
  end loop;
  if v_component.id is null then
    foreach v_code in array p_codes loop
      select components.id, components.barcode, components.description, components.retired_at into v_component
      from alias_barcodes
      join components on components.tenant_id = p_tenant and components.id = alias_barcodes.component_id
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = v_code;
      exit when found;
    end loop;
  end if;
  if v_component.id is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_component.retired_at is not null then return jsonb_build_object('outcome', 'retired'); end if;

  if p_source = 'weekly' then
    -- A condition with coalesce is not taken for a key under row level security.
    v_day := coalesce(p_day, trim(to_char(p_at at time zone v_actor.time_zone, 'Day')));
    perform from high_volume_assignments
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location and day = v_day;
    if not found then return jsonb_build_object('outcome', 'not_in_list'); end if;
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
  if v_disproved and v_was->>'status' = 'open' then v_settled := array[v_discrepancy]; end if;
  if v_recounts and v_recorded then
    -- A recount that was asked for is done by any later count of its kind. What was found before stays in its own period.
    v_dismissed := dismiss_answered(
      p_tenant,
      array(
        select id from discrepancies
        where tenant_id = p_tenant and component_id = v_component.id and location = p_location
          and count_type = p_source and status = 'recount' and period_start < v_period
          and (not v_late or updated_at <= p_at)
      ),
      'Counted again', v_actor.name
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
      'counted_since', nullif(v_disproved, false),
      'sets_mark', case when v_recorded and not v_marks then false end,
      'sets_weekly_mark', case when v_recorded and p_source = 'weekly' and not v_weekly_mark then false end
    ))
  );

  if cardinality(v_settled) > 0 then
    foreach v_other in array v_settled loop
      insert into audit_entries (
        tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
      )
      values (
        p_tenant, 'configuration', 'discrepancy_settled', v_other.sku, v_other.counted, p_location, v_other.count_type,
        v_actor.id, v_actor.role, v_actor.name,
        jsonb_build_object(
          'expected', v_other.expected, 'counted', v_other.counted, 'note', '',
          'reason', case when v_tolerated then 'Within tolerance' else 'Counted since' end
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
  v_month := start_of_month(p_at, v_actor.time_zone);
  if v_recorded and v_marks and coalesce(v_stock.counted_at, '-infinity') < v_month then
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
    'outcome', 'counted',
    'sets_mark', v_recorded and v_marks and p_at >= start_of_month(v_now, v_actor.time_zone),
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
-- record_count, which changes nothing for a code that it does not find or whose component is retired, and beside it the list of
-- such codes.
-- p_codes: the codes to look the component up by, as scanned first.
create function count_or_keep_code(
  p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer,
  p_location text, p_source text, p_count_session text, p_at timestamptz, p_day text, p_recount boolean,
  p_is_timed boolean
)
returns jsonb
language plpgsql volatile
as $$
declare
  v_reply constant jsonb := record_count(
    p_tenant, p_session, p_key, p_hash, p_plans, p_codes, p_quantity, p_location, p_source, p_count_session, p_at,
    p_day, p_recount, p_is_timed
  );
begin
  if v_reply ->> 'outcome' in ('not_found', 'retired') then
    perform keep_unknown_code(p_tenant, p_session, p_key, p_codes[1], p_location, p_source, p_at);
  end if;
  return v_reply;
end
$$
-- ;;
-- As before, each at its moment by the clock here: `sent_at` is what the clock of its device showed as it was sent.
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
  v_now timestamptz;
begin
  -- In one order, so that two nodes with the same companies come one after the other.
  for v_tenant in select distinct (c ->> 'tenant')::uuid from jsonb_array_elements(p_counts) c order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended('counts ' || v_tenant::text, 0));
  end loop;
  for v_count in
    select * from jsonb_to_recordset(p_counts) as c (
      tenant uuid, session uuid, key text, hash text, plans text[], codes text[], quantity integer, location text,
      source text, count_session text, at timestamptz, sent_at timestamptz, day text, recount boolean
    )
  loop
    v_now := clock_timestamp();
    -- By less a clock is right enough: what a request takes on its way looks the same. What was scanned after it was sent was
    -- so before the clock was set back, which says nothing of the scan.
    if abs(extract(epoch from v_now - v_count.sent_at)) > 60 and v_count.at <= v_count.sent_at + interval '1 minute' then
      -- In seconds, because days have 23 and 25 hours, too; at most a year, far older than any count may be.
      v_count.at := v_now - make_interval(
        secs => least(extract(epoch from v_count.sent_at - v_count.at), 31536000)::float8
      );
    end if;
    return next count_or_keep_code(
      v_count.tenant, v_count.session, v_count.key, v_count.hash, v_count.plans, v_count.codes, v_count.quantity,
      v_count.location, v_count.source, v_count.count_session, v_count.at, v_count.day, v_count.recount,
      v_count.sent_at is not null
    );
  end loop;
end
$$
-- ;;
-- As before, by any barcode of a component, its own first. Those that are retired are found no more.
create or replace function find_components(p_asked jsonb) returns table (outcome text, component text)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  v_asked record;
  v_tenant uuid;
  v_setting text;
  v_session record;
  v_code text;
  v_component record;
begin
  for v_asked in
    select * from jsonb_to_recordset(p_asked) as asked (tenant uuid, session uuid, "user" uuid, codes text[])
  loop
    v_tenant := v_asked.tenant;
    v_setting := set_config('app.tenant_id', v_tenant::text, true);
    v_component := null;
    component := null;
    select sessions.last_used_at, to_char(now() at time zone companies.time_zone, 'FMDay') as today
    into v_session
    from sessions
    join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
    join companies on companies.tenant_id = sessions.tenant_id
    where sessions.tenant_id = v_tenant and sessions.id = v_asked.session and sessions.user_id = v_asked."user"
      and sessions.ended_at is null and sessions.expires_at > now() and users.active;
    if found then
      if v_session.last_used_at < now() - interval '1 minute' then
        update sessions set last_used_at = now() where tenant_id = v_tenant and id = v_asked.session;
      end if;
      foreach v_code in array v_asked.codes loop
        select id, barcode, description into v_component
        from components
        where tenant_id = v_tenant and barcode = v_code and retired_at is null;
        exit when found;
      end loop;
      if v_component.id is null then
        foreach v_code in array v_asked.codes loop
          select components.id, components.barcode, components.description into v_component
          from alias_barcodes
          join components on components.tenant_id = v_tenant and components.id = alias_barcodes.component_id
          where alias_barcodes.tenant_id = v_tenant and alias_barcodes.barcode = v_code
            and components.retired_at is null;
          exit when found;
        end loop;
      end if;
      if v_component.id is not null then
        select component_text(
          v_component.id, v_component.barcode, v_component.description, held.quantities, held.counted_at,
          held.counted_location, held.counted_source, planned.config, v_session.today = any (planned.days)
        )
        into component
        from (values (1)) as one
        left join stock_held held on held.tenant_id = v_tenant and held.component_id = v_component.id
        left join weekly_plans planned on planned.tenant_id = v_tenant and planned.component_id = v_component.id;
      end if;
      outcome := case when component is null then 'not_found' else 'found' end;
    else
      outcome := 'unauthorized';
    end if;
    return next;
  end loop;
end
$$
-- ;;
-- As before. What is another barcode of a component becomes none of its own; what is retired is changed by being brought back.
create or replace function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text
)
language sql stable
set enable_seqscan = off
as $$
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice, aliased.fault) is not null then 'bad'
      when present.id is null then 'new'
      when present.retired_at is not null then 'changed'
      when rows.description <> '' and rows.description <> present.description then 'changed'
      when not rows.keep_existing and exists (
        select from (values
          ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
          ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
          ('QUARANTINE', rows.quarantine_quantity)
        ) as given (location, quantity)
        where given.quantity <> coalesce(
          (
            select stock.quantity from stock
            where stock.tenant_id = p_tenant and stock.component_id = present.id and stock.location = given.location
          ),
          0
        )
      ) then 'changed'
      else 'unchanged'
    end,
    coalesce(rows.fault, rows.twice, aliased.fault)
  from (
    select import_rows.*, imports.keep_existing,
      case when import_rows.fault is null then 'the barcode stands already at line ' || (
        min(import_rows.line) filter (where import_rows.fault is null) over (
          partition by import_rows.barcode order by import_rows.line rows between unbounded preceding and 1 preceding
        )
      ) end as twice
    from imports
    join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
    where imports.tenant_id = p_tenant and imports.id = p_import
  ) as rows
  left join lateral (
    select components.id, components.description, components.retired_at from components
    where components.tenant_id = p_tenant and components.barcode = rows.barcode
    offset 0
  ) as present on true
  left join lateral (
    select 'the barcode is another barcode of ' || owner.barcode || ' already' as fault
    from alias_barcodes
    join components owner on owner.tenant_id = p_tenant and owner.id = alias_barcodes.component_id
    where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = any (upc_writings(rows.barcode))
      and present.id is null
      -- Asked once: most companies have none.
      and (select exists (select from alias_barcodes other where other.tenant_id = p_tenant))
    limit 1
  ) as aliased on true
$$
-- ;;
-- Takes the good rows of an import and says how many were created, updated, the same, and bad. Takes none where there is no good
-- one, or where there are bad ones and p_leave_out is false. What is retired comes back.
create or replace function take_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text, p_leave_out boolean)
returns table (created integer, updated integer, unchanged integer, bad integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_created integer;
  v_updated integer;
  v_good integer;
  v_bad integer;
  v_back uuid[];
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.old_description, judged.kind
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  v_bad := (select staged_rows from imports where tenant_id = p_tenant and id = p_import) - v_good;
  if v_good = 0 or v_bad > 0 and not p_leave_out then return query select 0, 0, 0, v_bad; return; end if;
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

  v_back := reinstate_components(p_tenant, array(
    select components.id
    from components
    join judged_rows judged on judged.barcode = components.barcode
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));

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
    tenant_id, import_id, component_id, barcode, created, old_description, new_description, reinstated
  )
  select p_tenant, p_import, described.id, described.barcode, false, judged.old_description, described.description,
    described.id = any (v_back)
  from judged_rows judged
  join described on described.barcode = judged.barcode;
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description, reinstated
  )
  select p_tenant, p_import, id, barcode, false, description, description, true
  from components
  where tenant_id = p_tenant and id = any (v_back)
  on conflict (tenant_id, import_id, component_id) do nothing;

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
  where given.quantity is not null and (
    not v_keep
    -- Not by what was judged: somebody else may have made it since.
    or components.id in (
      select made.component_id from import_changes made
      where made.tenant_id = p_tenant and made.import_id = p_import and made.created
    )
  );
  perform set_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
  );

  v_updated := 0;
  if v_created < v_good then
    select count(distinct changed.component_id) - v_created into v_updated
    from (
      select import_changes.component_id from import_changes
      where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
      union all
      select movements.component_id from movements
      where movements.tenant_id = p_tenant and movements.reference = p_import
    ) as changed;
  end if;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated, v_bad;
end
$$
-- ;;
-- As before; what is retired comes back.
create or replace function import_components(
  p_tenant uuid, p_rows jsonb, p_keep boolean, p_user uuid, p_user_name text
)
returns jsonb
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_given record;
  v_created uuid[];
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_total integer := jsonb_array_length(p_rows);
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  with written as (
    insert into components as present (tenant_id, barcode, description)
    select p_tenant, given.barcode, coalesce(given.description, '')
    from jsonb_to_recordset(p_rows) as given (barcode text, description text)
    order by given.barcode
    on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
    where excluded.description <> '' and present.description <> excluded.description
    -- A row that this statement inserted was changed by nobody.
    returning present.id, present.xmax = 0 as is_new
  )
  select
    coalesce(array_agg(id) filter (where is_new), '{}'), coalesce(array_agg(id) filter (where not is_new), '{}')
  into v_created, v_changed
  from written;

  v_changed := v_changed || reinstate_components(p_tenant, array(
    select components.id
    from components
    join jsonb_to_recordset(p_rows) as given (barcode text) on given.barcode = components.barcode
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));

  for v_given in
    select given.barcode, given.high_volume
    from jsonb_to_recordset(p_rows) as given (barcode text, high_volume jsonb)
    where jsonb_typeof(given.high_volume) <> 'null'
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  select coalesce(array_agg(found.id), '{}'), coalesce(array_agg(part.location), '{}'),
    coalesce(array_agg(part.quantity), '{}')
  into v_components, v_locations, v_quantities
  from jsonb_to_recordset(p_rows) as given (barcode text, stock jsonb)
  cross join lateral (
    select components.id from components
    where components.tenant_id = p_tenant and components.barcode = given.barcode
    offset 0
  ) as found
  cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
  where not p_keep or found.id in (select unnest(v_created));

  v_changed := v_changed || array(
    select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
  );
  select count(*) into v_changes
  from (select unnest(v_changed) except select unnest(v_created)) as changed;

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created), 'updated', v_changes, 'unchanged', v_total - cardinality(v_created) - v_changes
  );
end
$$
-- ;;
-- Takes an import back, or says what keeps it from that: a component, and why. What it created is retired, what gets stock again
-- comes back.
create or replace function undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (obstacle text, reason text)
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_brought uuid[];
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

  insert into components as present (tenant_id, barcode, description)
  select p_tenant, changed.barcode, changed.old_description
  from import_changes changed
  cross join lateral (
    select components.description from components
    where components.tenant_id = p_tenant and components.id = changed.component_id
    offset 0
  ) as now
  where changed.tenant_id = p_tenant and changed.import_id = p_import and not changed.created
    and now.description = changed.new_description
  order by changed.barcode
  on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now();

  perform reinstate_components(p_tenant, array(
    select components.id
    from components
    join stock on stock.tenant_id = p_tenant and stock.component_id = components.id and stock.quantity > 0
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));
  v_brought := array(
    select component_id from import_changes
    where tenant_id = p_tenant and import_id = p_import and (created or reinstated)
  );
  if cardinality(v_brought) = 0 then return; end if;
  -- Last, because counts wait for it. What has something that keeps it from being retired, or was counted since, stays.
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
  ), p_user_name);
end
$$
-- ;;
-- Takes a count back as undo_count does, but none of a component that was retired since: a difference that waited again, or stock that
-- came of one, would stand where nobody looks.
create function undo_count_in_use(p_tenant uuid, p_user uuid, p_key text) returns jsonb
language plpgsql volatile
as $$
declare
  v_count jsonb;
begin
  -- Nobody retires one until the end of the transaction.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));
  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count->>'outcome' = 'counted' then
    perform from components
    where tenant_id = p_tenant and id = (v_count->'component'->>'id')::uuid and retired_at is not null;
    if found then return jsonb_build_object('outcome', 'retired'); end if;
  end if;
  return undo_count(p_tenant, p_user, p_key);
end
$$
