-- Most counts are found as they were expected, in time, by somebody who counts all day. Of a batch these are recorded by one
-- statement for all of them; each of the others is judged by record_count, as before.

-- Records those of the counts that match and ask for no judgement, of each component at most the first of the list, and gives the
-- place of each in the list with its reply. It may leave out any: whoever calls it has those judged one by one.
--
-- The counts are of several companies. Each row enters its own one (set_config) just before it is looked for or written, so that
-- row level security holds for it as for a count by itself: rows are taken one after the other, and what is found for each stands
-- in a subquery that the planner may not turn around (lateral, offset 0). No table is joined in another way.
create function record_matches(p_counts jsonb) returns table (place bigint, reply jsonb)
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
      asked.at >= company.this_month as is_of_this_month, period.month, coalesce(progress.counted, 0) as counted
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
    cross join lateral (
      select case
        when asked.at >= company.this_month then company.this_month
        else start_of_month(asked.at, company.time_zone)
      end as month
      offset 0
    ) period
    left join lateral (
      select counted from count_progress
      where tenant_id = asked.tenant and location = asked.location and month_start = period.month
      offset 0
    ) progress on true
    where (member.role = 'admin' or asked.source <> 'admin' and not company.strict_blind_counts)
      -- In time by any clock, and of no day that has not begun.
      and asked.at between asked.now - interval '2 minutes' and asked.now + interval '5 minutes'
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
      'outcome', 'counted', 'sets_mark', is_of_this_month, 'sets_weekly_mark', false,
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
-- ;;
-- Records counts in their order, or keeps codes that are unknown, and replies to each. Two or more are first looked through for
-- those that match: one by itself costs less by its own function.
create or replace function record_counts(p_counts jsonb, p_billing text) returns setof jsonb
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set lock_timeout = '100ms'
as $$
declare
  v_billing constant text := set_config('app.billing', p_billing, true);
  v_replies jsonb[];
  v_matches integer := 0;
  v_match record;
  v_count record;
  v_now timestamptz;
begin
  -- In one order, so that two nodes with the same companies come one after the other. The second lock is against
  -- change_time_zone, as in record_count.
  perform pg_advisory_xact_lock(hashtextextended('counts ' || ordered.tenant, 0)),
    pg_advisory_xact_lock_shared(time_zone_lock(ordered.tenant::uuid))
  from (select distinct asked ->> 'tenant' as tenant from jsonb_array_elements(p_counts) as asked order by 1) ordered;
  if jsonb_array_length(p_counts) > 1 then
    for v_match in select place, reply from record_matches(p_counts) loop
      v_replies[v_match.place] := v_match.reply;
      v_matches := v_matches + 1;
    end loop;
  end if;
  if v_matches = jsonb_array_length(p_counts) then
    return query select unnest(v_replies);
    return;
  end if;
  for v_count in
    select * from rows from (
      jsonb_to_recordset(p_counts) as (
        tenant uuid, session uuid, key text, hash text, plans text[], codes text[], quantity integer, location text,
        source text, count_session text, at timestamptz, sent_at timestamptz, day text, recount boolean
      )
    ) with ordinality as asked (
      tenant, session, key, hash, plans, codes, quantity, location, source, count_session, at, sent_at, day, recount,
      place
    )
  loop
    if v_replies[v_count.place] is not null then
      return next v_replies[v_count.place];
      continue;
    end if;
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
