-- Two who asked for recounts at several locations at once, in the order of scans, could wait for each other: for rows of progress, and
-- for those of cycles. Rows of progress come first now, and then those of cycles, each in the order of locations.

create or replace function recount_differences(p_tenant uuid, p_ids uuid[], p_month_start timestamptz) returns void
language plpgsql volatile
as $$
declare
  v_item discrepancies;
begin
  for v_item in
    select * from discrepancies where tenant_id = p_tenant and id = any (p_ids) order by location, id
  loop
    perform clear_marks(p_tenant, v_item.component_id, v_item.location, v_item.count_type, p_month_start);
  end loop;
  for v_item in
    select * from discrepancies
    where tenant_id = p_tenant and id = any (p_ids) and count_type = 'admin'
    order by location, id
  loop
    perform count_again_in_cycle(p_tenant, v_item.id);
  end loop;
end
$$
