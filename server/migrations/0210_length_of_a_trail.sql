-- How many entries a company's trail has, in one call: the newest seal counts those that have one, seals being numbered
-- without a gap.
create function trail_length(p_tenant uuid) returns integer
language plpgsql stable
as $$
declare
  v_waiting integer;
begin
  select count(*) into v_waiting from unsealed_entries(p_tenant, null);
  return v_waiting + coalesce((select max(seq) from audit_seals where tenant_id = p_tenant), 0);
end
$$;
