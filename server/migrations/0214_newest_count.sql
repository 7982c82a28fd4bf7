-- Where everything has been counted, as in any warehouse after a month, a list spent a quarter of its time on the text of each stock
-- row's count, of which the greatest was kept. The newest is found by a number now, and only that one is written.

-- What a company holds of each component: at PRIMARY, SECONDARY, FULFILLMENT, DISTRIBUTION, QUARANTINE and in all, and of
-- its newest count the instant, location and source. Asked for some components, it looks only at theirs.
create or replace view stock_held with (security_invoker = true) as
select tenant_id, component_id, quantities,
  -- As nodes of the version before read it, for as long as they are there.
  case when counted_at is not null then array[
    to_char(counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    (array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION', 'QUARANTINE'])[newest / 4 % 8 + 1],
    (array['monthly', 'weekly', 'admin'])[newest % 4 + 1]
  ] end as counted,
  counted_at,
  (array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION', 'QUARANTINE'])[newest / 4 % 8 + 1] as counted_location,
  (array['monthly', 'weekly', 'admin'])[newest % 4 + 1] as counted_source
from (
  select tenant_id, component_id, max(counted_at) as counted_at,
    array[
      coalesce(sum(quantity) filter (where location = 'PRIMARY'), 0),
      coalesce(sum(quantity) filter (where location = 'SECONDARY'), 0),
      coalesce(sum(quantity) filter (where location = 'FULFILLMENT'), 0),
      coalesce(sum(quantity) filter (where location = 'DISTRIBUTION'), 0),
      coalesce(sum(quantity) filter (where location = 'QUARANTINE'), 0),
      sum(quantity)
    ] as quantities,
    -- Microseconds, then five bits for location and source.
    max(
      (date_part('epoch', counted_at) * 1000000)::bigint * 32
      + case location
        when 'PRIMARY' then 0 when 'SECONDARY' then 4 when 'FULFILLMENT' then 8 when 'DISTRIBUTION' then 12 else 16
      end
      + case counted_source when 'monthly' then 0 when 'weekly' then 1 when 'admin' then 2 else 3 end
    ) as newest
  from stock
  group by tenant_id, component_id
) as summed
-- ;;
-- A component as the contract's JSON text, of its row, stock_held and weekly_plans: `format` takes a third of the
-- time of json_build_object. The one of the version before stays for its nodes.
create function component_text(
  p_id uuid, p_barcode text, p_description text, p_quantities bigint[], p_counted_at timestamptz, p_counted_location text,
  p_counted_source text, p_config json, p_is_today boolean
)
returns text
language sql stable
return format(
  '{"id":"%s","barcode":%s,"description":%s,"primary_quantity":%s,"secondary_quantity":%s,'
  '"fulfillment_quantity":%s,"distribution_quantity":%s,"quarantine_quantity":%s,"total_quantity":%s,'
  '"last_counted_date":%s,"last_counted_location":%s,"last_counted_source":%s,"is_high_volume":%s,'
  '"is_high_volume_today":%s,"high_volume_config":%s}',
  p_id, to_json(p_barcode), to_json(p_description), coalesce(p_quantities[1], 0), coalesce(p_quantities[2], 0),
  coalesce(p_quantities[3], 0), coalesce(p_quantities[4], 0), coalesce(p_quantities[5], 0),
  coalesce(p_quantities[6], 0),
  coalesce('"' || to_char(p_counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null'),
  coalesce('"' || p_counted_location || '"', 'null'), coalesce('"' || p_counted_source || '"', 'null'),
  (p_config is not null)::text, coalesce(p_is_today, false)::text, coalesce(p_config::text, 'null')
)
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
