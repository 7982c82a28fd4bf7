-- Deliveries of webhooks stayed for ever where every webhook was off, or the plan had none.

-- The companies that have requests to forget, an import that has waited for a day, rows of one that expired, or deliveries older than
-- the log of a webhook goes back, finished or never to be sent. One caller at a time: others get none.
create or replace function companies_to_prune(p_days integer) returns setof uuid
language plpgsql volatile
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_prune', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from operations
      where tenant_id = v_tenant and uuid_hash_extended(tenant_id, 0) = uuid_hash_extended(v_tenant, 0)
        and created_at < now() - make_interval(days => p_days)
    ) or exists (
      select from imports
      where tenant_id = v_tenant and (
        status = 'staged' and created_at < now() - interval '24 hours'
        or status = 'expired' and exists (
          select from import_rows
          where import_rows.tenant_id = v_tenant and import_rows.import_id = imports.id
        )
      )
    ) or exists (
      select from webhook_deliveries
      where tenant_id = v_tenant and id < id_at(now() - interval '30 days') and (
        status <> 'waiting' or entry_id is not null and next_at < now() - interval '1 day'
      )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
