-- What a location left out and keeps again is to be counted in the administrators' cycle as in the month: no count from before comes back
-- into either. Of the month stock.cleared_at tells; a reset of the month, which that tells of too, leaves cycles as they are.

alter table stock add column left_out_at timestamptz;

-- ;;
create or replace function counted_in_cycle(p_tenant uuid, p_cycle text, p_sku text, p_location text) returns jsonb
language plpgsql stable
as $$
declare
  v_reset_at timestamptz;
  v_asked_at timestamptz;
  v_back_at timestamptz;
  v_left_out_at timestamptz;
  v_quantity integer;
begin
  select reset_at into v_reset_at from cycle_resets where tenant_id = p_tenant and id = p_cycle;
  select max(discrepancies.updated_at) into v_asked_at
  from components
  join discrepancies on discrepancies.tenant_id = components.tenant_id and discrepancies.component_id = components.id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and discrepancies.location = p_location and discrepancies.count_type = 'admin' and discrepancies.status = 'recount';
  -- What is retired leaves the cycles of its month; one of another month still says what was counted.
  select components.reinstated_at into v_back_at
  from components
  join companies on companies.tenant_id = components.tenant_id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and starts_with(
      p_cycle, to_char(components.reinstated_at at time zone companies.time_zone, '"Cycle_"YYYY-MM"_"')
    );
  -- So does what the location leaves out: kept again, it is to be counted in both.
  select stock.left_out_at into v_left_out_at
  from components
  join companies on companies.tenant_id = components.tenant_id
  join stock on stock.tenant_id = components.tenant_id and stock.component_id = components.id
  where components.tenant_id = p_tenant and components.barcode = p_sku and stock.location = p_location
    and starts_with(p_cycle, to_char(stock.left_out_at at time zone companies.time_zone, '"Cycle_"YYYY-MM"_"'));
  select quantity into v_quantity
  from standing_counts(p_tenant, p_sku, p_location, greatest(v_reset_at, v_asked_at, v_back_at, v_left_out_at))
  where count_type = 'admin' and count_session = p_cycle
  order by counted_at desc, id desc
  limit 1;
  if not found then return null; end if;
  return jsonb_build_object(p_sku, v_quantity);
end
$$
-- ;;
create or replace function leave_out(p_tenant uuid, p_location text, p_components uuid[]) returns table (component_id uuid, barcode text, outcome text)
language plpgsql volatile
as $$
#variable_conflict use_column
declare
  v_zone text;
  v_month timestamptz;
  v_ids uuid[];
  v_barcodes text[];
  v_outcomes text[];
  v_left uuid[];
begin
  -- As retire_component.
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform from stock
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(p_components))
  order by component_id
  for update;
  perform from components
  where tenant_id = p_tenant and id in (select unnest(p_components))
  order by id
  for no key update;
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));

  select array_agg(judged.id), array_agg(judged.barcode), array_agg(judged.outcome) into v_ids, v_barcodes, v_outcomes
  from (
    select components.id, components.barcode, case
      when components.retired_at is not null then 'retired'
      when exists (
        select from not_kept
        where not_kept.tenant_id = p_tenant and not_kept.location = p_location and not_kept.component_id = components.id
      ) then 'already'
      when exists (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = components.id and stock.location = p_location
          and stock.quantity > 0
      ) then 'stock'
      when exists (
        select from transfers
        where transfers.tenant_id = p_tenant and transfers.component_id = components.id
          and transfers.to_location = p_location and transfers.status = 'in_transit'
      ) then 'on_its_way'
      when exists (
        select from discrepancies
        where discrepancies.tenant_id = p_tenant and discrepancies.component_id = components.id
          and discrepancies.location = p_location and discrepancies.status in ('attempted', 'open', 'recount')
      ) then 'difference'
      when exists (
        select from high_volume_assignments listed
        where listed.tenant_id = p_tenant and listed.component_id = components.id and listed.location = p_location
      ) then 'weekly'
      else 'left_out'
    end as outcome
    from components
    where components.tenant_id = p_tenant and components.id in (select unnest(p_components))
  ) as judged;
  v_left := array(select judged.id from unnest(v_ids, v_outcomes) as judged (id, outcome) where judged.outcome = 'left_out');

  -- What was counted there this month no longer counts, as of what is retired.
  select time_zone into v_zone from companies where tenant_id = p_tenant;
  v_month := start_of_month(now(), v_zone);
  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left))
    and weekly_counted_at >= start_of_day(now(), v_zone);
  -- Nor does it come back into their cycles.
  update stock
  set left_out_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left)) and scans > 0;
  with cleared as (
    update stock
    set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
    where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left))
      and counted_at >= v_month
    returning component_id
  )
  update count_progress
  set counted = counted - gone.marks
  from (select count(*)::integer as marks from cleared) as gone
  where tenant_id = p_tenant and month_start = v_month and location = p_location and gone.marks > 0;
  insert into not_kept (tenant_id, location, component_id)
  select p_tenant, p_location, gone.id from unnest(v_left) as gone (id)
  on conflict (tenant_id, location, component_id) do nothing;
  update companies
  set not_kept_counts = less_not_kept(not_kept_counts, jsonb_build_object(p_location, -cardinality(v_left)))
  where tenant_id = p_tenant and cardinality(v_left) > 0;
  return query select * from unnest(v_ids, v_barcodes, v_outcomes);
end
$$
