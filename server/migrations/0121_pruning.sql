-- By which requests done long ago are found, to be forgotten.
create index operations_by_age on operations (tenant_id, created_at)
-- ;;
-- The companies that have such requests. One caller at a time: others get none.
create function companies_to_prune(p_days integer) returns setof uuid
language plpgsql volatile
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_prune', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from operations where tenant_id = v_tenant and created_at < now() - make_interval(days => p_days)
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
