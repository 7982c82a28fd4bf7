-- The companies whose administrators want mails of what is low, got none in the last hours, and have one to get: at an address that
-- somebody has confirmed. None while another node asks the same.
create or replace function companies_to_mail(p_hours integer) returns setof uuid
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_mail', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (select from low_stock where tenant_id = v_tenant and not mailed) and exists (
      select from companies
      where tenant_id = v_tenant and low_stock_mail
        and (low_stock_mailed_at is null or low_stock_mailed_at <= now() - make_interval(hours => p_hours))
    ) and exists (
      select from users
      where tenant_id = v_tenant and role = 'admin' and active and email_confirmed_at is not null
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
