-- What held_stock and high_volume_plans gave as functions of a company, as views: lists join them as they join tables, which
-- machines of a cluster take, too, where they refuse functions that read.

-- What a company holds of each component: at PRIMARY, SECONDARY, FULFILLMENT, DISTRIBUTION, QUARANTINE and in all, and of
-- its newest count the instant, location and source. Asked for some components, it looks only at theirs.
create view stock_held with (security_invoker = true) as
select tenant_id, component_id,
  array[
    coalesce(sum(quantity) filter (where location = 'PRIMARY'), 0),
    coalesce(sum(quantity) filter (where location = 'SECONDARY'), 0),
    coalesce(sum(quantity) filter (where location = 'FULFILLMENT'), 0),
    coalesce(sum(quantity) filter (where location = 'DISTRIBUTION'), 0),
    coalesce(sum(quantity) filter (where location = 'QUARANTINE'), 0),
    sum(quantity)
  ] as quantities,
  -- The greatest of such texts is the newest; sorting each component's rows takes several times as long.
  string_to_array(
    max(concat_ws(' ', to_char(counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), location, counted_source))
      filter (where counted_at is not null),
    ' '
  ) as counted
from stock
group by tenant_id, component_id
-- ;;
-- On which days and where components are counted weekly.
create view weekly_plans with (security_invoker = true) as
select tenant_id, component_id,
  json_object_agg(
    day, locations order by array_position(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], day)
  ) as config,
  array_agg(day) as days
from (
  select tenant_id, component_id, day, json_agg(location order by location) as locations
  from high_volume_assignments
  group by tenant_id, component_id, day
) as daily
group by tenant_id, component_id
-- ;;
grant select on stock_held, weekly_plans to inventory_manager_app
-- ;;
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
        where tenant_id = v_tenant and barcode = v_code;
        exit when found;
      end loop;
      if v_component.id is not null then
        select component_text(
          v_component.id, v_component.barcode, v_component.description, held.quantities, held.counted, planned.config,
          v_session.today = any (planned.days)
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
drop function held_stock(uuid), high_volume_plans(uuid, text)
