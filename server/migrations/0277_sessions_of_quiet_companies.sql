-- A company that nobody works in any more was not looked at for its old sessions and links.
create or replace function companies_to_prune(p_days integer) returns setof uuid
language plpgsql
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
    ) or exists (
      select from one_time_links where tenant_id = v_tenant and expires_at < now() - interval '90 days'
    ) or exists (
      select from sessions old
      where old.tenant_id = v_tenant and old.expires_at < now() - interval '90 days' and exists (
        select from sessions later
        where later.tenant_id = v_tenant and later.user_id = old.user_id
          and (later.last_used_at, later.id) > (old.last_used_at, old.id)
      )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
