-- Companies, their users and sessions. Statements are separated by a line '-- ;;'; each is sent by itself.

-- The role the application works as: it owns nothing and cannot bypass row level security.
-- Roles belong to the whole server, so another database may have made it already.
do $$
begin
  create role inventory_manager_app nologin;
exception when duplicate_object or unique_violation then
  null;
end
$$
-- ;;
grant usage on schema public to inventory_manager_app
-- ;;
-- The first id of an instant: 48 bits of milliseconds and 12 of the fraction (RFC 9562 version 7, method 3), then
-- the given bytes. Ids sort by time, so lists are read by their key and need no index of their own for it.
create function id_at(p_at timestamptz, p_rest bytea default '\x00000000000000000000000000000000') returns uuid
language plpgsql immutable parallel safe
as $$
declare
  v_micros constant bigint := extract(epoch from p_at) * 1000000;
  v_fraction constant integer := (v_micros % 1000) * 4096 / 1000;
begin
  return encode(
    set_byte(
      set_byte(
        overlay(p_rest placing substring(int8send(v_micros / 1000) from 3) from 1 for 6),
        6, 112 | (v_fraction >> 8)
      ),
      7, v_fraction & 255
    ),
    'hex'
  )::uuid;
end
$$
-- ;;
-- The millisecond an id was made in.
create function instant_of(p_id uuid) returns timestamptz
language sql immutable parallel safe
return to_timestamp(('x0000' || left(replace(p_id::text, '-', ''), 12))::bit(64)::bigint / 1000.0)
-- ;;
create function new_id() returns uuid
language plpgsql volatile parallel safe
as $$
begin
  return id_at(clock_timestamp(), uuid_send(gen_random_uuid()));
end
$$
-- ;;
-- The company the current transaction works for; null, and so no row at all, when none is set.
create function current_tenant() returns uuid
language sql stable parallel safe
return nullif(current_setting('app.tenant_id', true), '')::uuid
-- ;;
-- Starts of the day and month an instant falls in, on the wall clock of a time zone.
create function start_of_day(p_at timestamptz, p_zone text) returns timestamptz
language sql stable parallel safe
return date_trunc('day', p_at at time zone p_zone) at time zone p_zone
-- ;;
create function start_of_month(p_at timestamptz, p_zone text) returns timestamptz
language sql stable parallel safe
return date_trunc('month', p_at at time zone p_zone) at time zone p_zone
-- ;;
create table companies (
  tenant_id uuid primary key,
  name text not null,
  plan text not null check (plan in ('starter', 'professional', 'enterprise')),
  time_zone text not null,
  trial_ends_at timestamptz not null,
  strict_blind_counts boolean not null default false,
  -- Kept by import_components, so that progress needs no count of the whole list.
  component_count integer not null default 0,
  created_at timestamptz not null default now()
)
-- ;;
create table users (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'user')),
  password_hash text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, email)
)
-- ;;
create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users
)
-- ;;
create index sessions_of_user on sessions (tenant_id, user_id)
-- ;;
-- Requests already carried out, written in the transaction of their effect. `reply` is null while that runs.
create table operations (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  request_hash text not null,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references users
)
-- ;;
-- Outside the companies, because sign-in names no company: which company and user an e-mail address belongs to.
-- The application reaches it through the two functions below only.
create table login_emails (
  email text primary key,
  tenant_id uuid not null,
  user_id uuid not null
)
-- ;;
create function find_login(p_email text) returns table (tenant_id uuid, user_id uuid)
language sql stable security definer set search_path = ''
begin atomic
  select login.tenant_id, login.user_id from public.login_emails login where login.email = p_email;
end
-- ;;
create function claim_email(p_email text, p_tenant uuid, p_user uuid) returns void
language sql volatile security definer set search_path = ''
begin atomic
  insert into public.login_emails (email, tenant_id, user_id) values (p_email, p_tenant, p_user);
end
-- ;;
revoke all on function find_login(text), claim_email(text, uuid, uuid) from public
-- ;;
grant execute on function find_login(text), claim_email(text, uuid, uuid) to inventory_manager_app
-- ;;
-- Outside the companies, because guesses come from nobody: hashes of addresses and accounts with their recent attempts.
create table attempts (
  key text primary key,
  window_start timestamptz not null,
  taken integer not null
)
-- ;;
grant select, insert, update, delete on attempts to inventory_manager_app
-- ;;
alter table companies enable row level security
-- ;;
alter table companies force row level security
-- ;;
create policy own_company on companies using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table users enable row level security
-- ;;
alter table users force row level security
-- ;;
create policy own_company on users using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table sessions enable row level security
-- ;;
alter table sessions force row level security
-- ;;
create policy own_company on sessions using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table operations enable row level security
-- ;;
alter table operations force row level security
-- ;;
create policy own_company on operations using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on companies, users, sessions, operations to inventory_manager_app
