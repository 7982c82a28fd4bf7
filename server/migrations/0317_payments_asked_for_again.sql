-- A subscription whose end Stripe told in vain, as while the program was away for longer than it tries again, was taken for paid for
-- ever. What was paid for until a day ago or longer is asked for.

-- The companies with such a subscription that nobody has asked for lately; none while another node looks.
create function companies_overdue(p_minutes integer) returns setof uuid
language plpgsql
set enable_seqscan to 'off'
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_overdue', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from subscriptions
      where tenant_id = v_tenant and status in ('active', 'past_due')
        and period_ends_at < now() - interval '1 day'
        and updated_at < now() - make_interval(mins => p_minutes)
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
