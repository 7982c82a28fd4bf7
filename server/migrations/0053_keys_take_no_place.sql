-- API keys act by users of their own kind, who take no place of the plan and always have one.
create or replace function seat_users(p_tenant uuid, p_places integer) returns void
language sql volatile
begin atomic
  update users
  set seated = ranked.seated
  from (
    select id, row_number() over (order by (role = 'admin') desc, created_at, id) <= coalesce(p_places, 2147483647) as seated
    from users
    where tenant_id = p_tenant and active and role <> 'api_key'
  ) as ranked
  where users.tenant_id = p_tenant and users.id = ranked.id and users.seated <> ranked.seated;
end
