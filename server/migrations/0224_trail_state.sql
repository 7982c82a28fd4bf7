-- What the trail is at, for lists that are kept while nothing changes, was asked in one statement of a function and of a
-- table. On a cluster (ops/citus) such a statement goes to a worker as a whole, where the function may read no table.

-- How many entries the trail has, and its newest one from p_from on.
create function trail_state(p_tenant uuid, p_from uuid) returns text
language plpgsql stable
as $$
declare
  v_length constant bigint := trail_length(p_tenant);
  v_newest uuid;
begin
  select id into v_newest from audit_entries where tenant_id = p_tenant and id >= p_from order by id desc limit 1;
  return concat(v_length, ' ', v_newest);
end
$$
