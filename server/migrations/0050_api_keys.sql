-- API keys. A key acts as a user of its own kind: it owns a row in users (role 'api_key', without a sign-in) and one
-- session that lasts until the key is revoked, so that whatever asks for a session or names a user serves keys too.
alter table users drop constraint users_role_check
-- ;;
alter table users add constraint users_role_check check (role in ('admin', 'user', 'api_key'))
-- ;;
create table api_keys (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  name text not null,
  -- The public part of the key, by which it is found and recognised.
  prefix text not null,
  -- SHA-256 of the secret part: 32 random bytes need no slow hash.
  secret_hash bytea not null check (length(secret_hash) = 32),
  scopes text[] not null check (scopes <@ array['read', 'count', 'labels', 'admin'] and cardinality(scopes) > 0),
  user_id uuid not null,
  session_id uuid not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, prefix),
  foreign key (tenant_id, user_id) references users,
  foreign key (tenant_id, session_id) references sessions
)
-- ;;
alter table api_keys enable row level security
-- ;;
alter table api_keys force row level security
-- ;;
create policy own_company on api_keys
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on api_keys to inventory_manager_app
-- ;;
-- Outside the companies, because a key names no company: which one the public part of a key belongs to.
-- The application reaches it through the two functions below only.
create table api_key_prefixes (
  prefix text primary key,
  tenant_id uuid not null
)
-- ;;
create function claim_api_key_prefix(p_prefix text, p_tenant uuid) returns void
language sql volatile security definer set search_path = ''
begin atomic
  insert into public.api_key_prefixes (prefix, tenant_id) values (p_prefix, p_tenant);
end
-- ;;
create function find_api_key_company(p_prefix text) returns uuid
language sql stable security definer set search_path = ''
begin atomic
  select key.tenant_id from public.api_key_prefixes key where key.prefix = p_prefix;
end
-- ;;
revoke all on function claim_api_key_prefix(text, uuid), find_api_key_company(text) from public
-- ;;
grant execute on function claim_api_key_prefix(text, uuid), find_api_key_company(text) to inventory_manager_app
-- ;;
-- The calls of each key in the current minute, over all nodes. Unlogged: what a crash forgets is a minute's count.
create unlogged table api_key_calls (
  tenant_id uuid not null,
  key_id uuid not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (tenant_id, key_id)
)
-- ;;
alter table api_key_calls enable row level security
-- ;;
alter table api_key_calls force row level security
-- ;;
create policy own_company on api_key_calls
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on api_key_calls to inventory_manager_app
-- ;;
-- The key that a public part belongs to, with what is needed to judge it, in one round trip; null for none.
create function find_api_key(p_prefix text) returns jsonb
language plpgsql volatile
as $$
declare
  v_tenant constant uuid := find_api_key_company(p_prefix);
begin
  perform set_config('app.tenant_id', coalesce(v_tenant::text, ''), true);
  return (
    select jsonb_build_object(
      'tenantId', api_keys.tenant_id, 'keyId', api_keys.id, 'userId', api_keys.user_id,
      'sessionId', api_keys.session_id, 'secretHash', encode(api_keys.secret_hash, 'hex'),
      'scopes', to_jsonb(api_keys.scopes), 'plan', companies.plan
    )
    from api_keys
    join companies on companies.tenant_id = api_keys.tenant_id
    where api_keys.tenant_id = v_tenant and api_keys.prefix = p_prefix and api_keys.revoked_at is null
  );
end
$$
-- ;;
-- Takes one of a key's calls of the current minute; says how many were taken and the seconds until the next minute.
-- The first call of a minute also notes when the key was last used.
create function take_api_call(p_tenant uuid, p_key uuid) returns jsonb
language plpgsql volatile
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_window constant timestamptz := date_trunc('minute', v_now);
  v_taken integer;
begin
  perform set_config('app.tenant_id', p_tenant::text, true);
  insert into api_key_calls (tenant_id, key_id, window_start, taken) values (p_tenant, p_key, v_window, 1)
  on conflict (tenant_id, key_id) do update set
    taken = case when api_key_calls.window_start = excluded.window_start then api_key_calls.taken + 1 else 1 end,
    window_start = excluded.window_start
  returning taken into v_taken;
  if v_taken = 1 then
    update api_keys set last_used_at = v_now where tenant_id = p_tenant and id = p_key;
  end if;
  return jsonb_build_object(
    'taken', v_taken, 'waitSeconds', ceil(60 - extract(epoch from v_now - v_window))::integer
  );
end
$$
