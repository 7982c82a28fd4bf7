-- Which of some companies have webhooks to be told: those that were sealed just now, without a look through all of them.

create function companies_to_tell(p_plans text[], p_tenants uuid[]) returns setof uuid
language plpgsql volatile
as $$
declare
  v_tenant uuid;
begin
  foreach v_tenant in array p_tenants loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from webhooks
      join companies on companies.tenant_id = webhooks.tenant_id
      where webhooks.tenant_id = v_tenant and webhooks.disabled_at is null and companies.plan = any (p_plans)
        and (
          webhooks.position < (select max(seq) from audit_seals where tenant_id = v_tenant)
          or exists (
            select from webhook_deliveries
            where tenant_id = v_tenant and webhook_id = webhooks.id and status = 'waiting'
              and next_at <= clock_timestamp()
          )
        )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
-- ;;
-- As before.
create or replace function companies_to_tell(p_plans text[]) returns setof uuid
language plpgsql volatile
as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_tell', 0)) then return; end if;
  return query select companies_to_tell(p_plans, array(select company_ids()));
end
$$
