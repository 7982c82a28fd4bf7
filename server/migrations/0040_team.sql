-- Invitations and links to set a new password: one use each, known by the hash of their secret only.
create table one_time_links (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  kind text not null check (kind in ('invitation', 'password')),
  secret_hash text not null,
  email text not null,
  -- What an invited person will be.
  role text check (role in ('admin', 'user')),
  -- Whose password is to be set.
  user_id uuid,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, secret_hash),
  foreign key (tenant_id, user_id) references users,
  check ((kind = 'invitation') = (role is not null)),
  check ((kind = 'password') = (user_id is not null))
)
-- ;;
create index links_of_email on one_time_links (tenant_id, email)
-- ;;
alter table one_time_links enable row level security
-- ;;
alter table one_time_links force row level security
-- ;;
create policy own_company on one_time_links
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on one_time_links to inventory_manager_app
-- ;;
-- False for users beyond the number the plan has: they read everything and write nothing.
alter table users add column seated boolean not null default true
-- ;;
-- Gives the places of the plan (null: unlimited) to administrators first, then by the time of joining.
-- Call under the lock of the company's row.
create function seat_users(p_tenant uuid, p_places integer) returns void
language sql volatile
begin atomic
  update users
  set seated = ranked.seated
  from (
    select id, row_number() over (order by (role = 'admin') desc, created_at, id) <= coalesce(p_places, 2147483647) as seated
    from users
    where tenant_id = p_tenant and active
  ) as ranked
  where users.tenant_id = p_tenant and users.id = ranked.id and users.seated <> ranked.seated;
end
