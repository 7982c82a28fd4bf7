-- A recount that was asked for of what administrators had found in their cycle left the SKU counted there, and the cycle complete.

-- What the newest count of a component in a cycle says, as an object of its SKU; null where none stands since its reset, or
-- since a recount was asked for.
create or replace function counted_in_cycle(p_tenant uuid, p_cycle text, p_sku text, p_location text) returns jsonb
language plpgsql stable
as $$
declare
  v_reset_at timestamptz;
  v_asked_at timestamptz;
  v_quantity integer;
begin
  select reset_at into v_reset_at from cycle_resets where tenant_id = p_tenant and id = p_cycle;
  select max(discrepancies.updated_at) into v_asked_at
  from components
  join discrepancies on discrepancies.tenant_id = components.tenant_id and discrepancies.component_id = components.id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and discrepancies.location = p_location and discrepancies.count_type = 'admin' and discrepancies.status = 'recount';
  select quantity into v_quantity
  from standing_counts(p_tenant, p_sku, p_location, greatest(v_reset_at, v_asked_at))
  where count_type = 'admin' and count_session = p_cycle
  order by counted_at desc, id desc
  limit 1;
  if not found then return null; end if;
  return jsonb_build_object(p_sku, v_quantity);
end
$$
-- ;;
-- Takes the SKU of a difference out of the cycle in which administrators found it, which is not complete any more.
create function count_again_in_cycle(p_tenant uuid, p_discrepancy uuid) returns void
language plpgsql volatile
as $$
declare
  v_found discrepancies;
begin
  select * into v_found from discrepancies where tenant_id = p_tenant and id = p_discrepancy;
  update cycle_counts
  set progress = progress - v_found.sku, completed = false, last_updated = clock_timestamp()
  where tenant_id = p_tenant and user_type = 'admin' and location = v_found.location and progress ? v_found.sku
    and id in (
      select count_session from count_history
      where tenant_id = p_tenant and sku = v_found.sku and location = v_found.location
        and id >= id_at(v_found.period_start) and count_type = 'admin'
    );
end
$$
