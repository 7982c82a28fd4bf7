-- Differences that were decided together went one after the other, in two round trips for each, with the stock of all of them locked
-- meanwhile.

-- Accepts differences in their order, each posting counted minus expected at its scan, and settles what else was found of the same.
-- Says what was settled so, and as its last row which one cannot be accepted, and why: not_recorded · below_zero · stock_limit. Then
-- the caller, who holds the stock of all of them, takes everything back.
create function accept_differences(p_tenant uuid, p_ids uuid[], p_note text, p_user uuid, p_user_name text)
returns table (
  outcome text, id uuid, sku text, location text, count_type text, status text, expected integer, counted integer
)
language plpgsql volatile
as $$
#variable_conflict use_column
declare
  v_id uuid;
  v_item discrepancies;
  v_change integer;
  v_quantity bigint;
  v_outcome text;
  v_other discrepancies;
  v_settled uuid[] := '{}';
begin
  foreach v_id in array p_ids loop
    continue when v_id = any (v_settled);
    select * into v_item from discrepancies where tenant_id = p_tenant and id = v_id;
    v_change := v_item.counted - v_item.expected;
    select quantity into v_quantity from stock
    where tenant_id = p_tenant and component_id = v_item.component_id and location = v_item.location;
    -- A first entry is not the count yet: the SKU stays pending until there is a second.
    v_outcome := case
      when v_item.status <> 'open' then 'not_recorded'
      when v_quantity + v_change > 2147483647 then 'stock_limit'
      when not move_stock(
        p_tenant, v_item.component_id, v_item.location, v_change, 'discrepancy', p_note, p_user, p_user_name
      ) then 'below_zero'
    end;
    if v_outcome is not null then
      return query select v_outcome, v_id, v_item.sku, v_item.location, v_item.count_type, v_item.status, v_item.expected,
        v_item.counted;
      return;
    end if;
    for v_other in
      select * from settle_differences(p_tenant, v_id, v_item.component_id, v_item.location, v_change, p_user_name)
    loop
      v_settled := v_settled || v_other.id;
      return query select 'settled', v_other.id, v_other.sku, v_other.location, v_other.count_type, v_other.status,
        v_other.expected, v_other.counted;
    end loop;
  end loop;
end
$$
-- ;;
-- Makes what differences are about pending again, each in its kind of count, so that somebody counts it anew.
create function recount_differences(p_tenant uuid, p_ids uuid[], p_month_start timestamptz) returns void
language plpgsql volatile
as $$
declare
  v_id uuid;
  v_item discrepancies;
begin
  foreach v_id in array p_ids loop
    select * into v_item from discrepancies where tenant_id = p_tenant and id = v_id;
    perform clear_marks(p_tenant, v_item.component_id, v_item.location, v_item.count_type, p_month_start);
    if v_item.count_type = 'admin' then perform count_again_in_cycle(p_tenant, v_id); end if;
  end loop;
end
$$
