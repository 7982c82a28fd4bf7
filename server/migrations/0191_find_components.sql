-- A look at one component was six statements: begin, the company, who asks, the component, commit, each of which costs
-- the database and the program as much again as the look itself.

-- What a company holds of each component: at PRIMARY, SECONDARY, FULFILLMENT, DISTRIBUTION, QUARANTINE and in all, and of
-- its newest count the instant, location and source. Asked for some components, it looks only at theirs.
create function held_stock(p_tenant uuid) returns table (component_id uuid, quantities bigint[], counted text[])
language sql stable
begin atomic
  select stock.component_id,
    array[
      coalesce(sum(quantity) filter (where location = 'PRIMARY'), 0),
      coalesce(sum(quantity) filter (where location = 'SECONDARY'), 0),
      coalesce(sum(quantity) filter (where location = 'FULFILLMENT'), 0),
      coalesce(sum(quantity) filter (where location = 'DISTRIBUTION'), 0),
      coalesce(sum(quantity) filter (where location = 'QUARANTINE'), 0),
      sum(quantity)
    ],
    -- The greatest of such texts is the newest; sorting each component's rows takes several times as long.
    string_to_array(
      max(concat_ws(' ', to_char(counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), location, counted_source))
        filter (where counted_at is not null),
      ' '
    )
  from stock
  where stock.tenant_id = p_tenant
  group by stock.component_id;
end
-- ;;
-- On which days and where a company's components are counted weekly, and whether on p_today.
create function high_volume_plans(p_tenant uuid, p_today text)
returns table (component_id uuid, config json, is_today boolean)
language sql stable
begin atomic
  select days.component_id,
    json_object_agg(
      day, locations order by array_position(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], day)
    ),
    bool_or(day = p_today)
  from (
    select assigned.component_id, day, json_agg(location order by location) as locations
    from high_volume_assignments as assigned
    where assigned.tenant_id = p_tenant
    group by assigned.component_id, day
  ) as days
  group by days.component_id;
end
-- ;;
-- A component as the contract's JSON text, of its row, held_stock and high_volume_plans: `format` takes a third of the
-- time of json_build_object.
create function component_text(
  p_id uuid, p_barcode text, p_description text, p_quantities bigint[], p_counted text[], p_config json, p_is_today boolean
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
  coalesce(p_quantities[6], 0), coalesce('"' || p_counted[1] || '"', 'null'), coalesce('"' || p_counted[2] || '"', 'null'),
  coalesce('"' || p_counted[3] || '"', 'null'), (p_config is not null)::text, coalesce(p_is_today, false)::text,
  coalesce(p_config::text, 'null')
)
-- ;;
-- Components by their codes for those who ask at the same moment, [{ tenant, session, user, codes }], one answer each
-- in their order: 'found' with its text, 'not_found' where none of the codes is a barcode, 'unauthorized' where the
-- session is over or the user no longer active.
create function find_components(p_asked jsonb) returns table (outcome text, component text)
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
          planned.is_today
        )
        into component
        from (values (1)) as one
        left join held_stock(v_tenant) held on held.component_id = v_component.id
        left join high_volume_plans(v_tenant, v_session.today) planned on planned.component_id = v_component.id;
      end if;
      outcome := case when component is null then 'not_found' else 'found' end;
    else
      outcome := 'unauthorized';
    end if;
    return next;
  end loop;
end
$$
