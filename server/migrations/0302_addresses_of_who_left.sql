-- The address of somebody who was deactivated stayed taken over all companies: no other could invite them.

create function release_email(p_email text, p_tenant uuid, p_user uuid) returns void
language sql volatile security definer set search_path = ''
begin atomic
  delete from public.login_emails login
  where login.email = p_email and login.tenant_id = p_tenant and login.user_id = p_user;
end
-- ;;
revoke all on function release_email(text, uuid, uuid) from public
-- ;;
grant execute on function release_email(text, uuid, uuid) to inventory_manager_app
-- ;;
do $$
declare
  v_tenant uuid;
  v_emails text[];
begin
  for v_tenant in select company_ids() loop
    -- An owner who is no superuser sees one company at a time.
    perform set_config('app.tenant_id', v_tenant::text, true);
    -- Where nobody is active any more the company was being removed, and is found by an address when it is gone on with.
    select array_agg(email) filter (where not active) into v_emails
    from users
    where tenant_id = v_tenant and role <> 'api_key'
    having bool_or(active);
    delete from login_emails where tenant_id = v_tenant and email = any (v_emails);
  end loop;
end
$$
