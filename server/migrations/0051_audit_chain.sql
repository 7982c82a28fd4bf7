-- The seals of the audit trail: each company's entries as a hash chain (docs/decisions/012). Insert-only.
create table audit_seals (
  tenant_id uuid not null references companies,
  -- 1, 2, 3, … without a gap, in the order the entries were sealed.
  seq bigint not null,
  entry_id uuid not null,
  -- SHA-256 of the entry's canonical text.
  entry_hash bytea not null check (length(entry_hash) = 32),
  -- SHA-256 of the previous seal's hash (32 zero bytes before the first) followed by entry_hash.
  hash bytea not null check (length(hash) = 32),
  -- Entries below this id were all sealed by then: no transaction that could still add one was running.
  settled_below uuid not null,
  sealed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, seq),
  unique (tenant_id, entry_id)
)
-- ;;
alter table audit_seals enable row level security
-- ;;
alter table audit_seals force row level security
-- ;;
create policy own_company on audit_seals
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert on audit_seals to inventory_manager_app
-- ;;
-- Whoever owns the tables may not change an entry or a seal by an oversight either.
create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
end
$$
-- ;;
create trigger audit_seals_stay before update or delete or truncate on audit_seals
  for each statement execute function refuse_change()
-- ;;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function refuse_change()
-- ;;
-- Every company's id, for work in the background that goes through all of them.
create function company_ids() returns setof uuid
language sql stable security definer set search_path = ''
begin atomic
  select distinct login.tenant_id from public.login_emails login;
end
-- ;;
revoke all on function company_ids() from public
-- ;;
grant execute on function company_ids() to inventory_manager_app
-- ;;
-- The first id that a transaction running now, or beginning later, can still give an entry. A transaction of a role
-- whose start is hidden from this one is taken to have begun ten minutes ago; ten seconds are kept for a clock that
-- was set back.
create function audit_horizon() returns uuid
language sql volatile
begin atomic
  select id_at(least(
    clock_timestamp(),
    (select min(xact_start) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()),
    (select clock_timestamp() - interval '10 minutes' from pg_stat_activity
     where datname = current_database() and usesysid is not null and backend_type is null limit 1)
  ) - interval '10 seconds');
end
-- ;;
-- Entries of the company that wait for their seal, oldest first. Read in the order of the key from the last settled
-- id on: the other ways to join would read the whole trail.
create function unsealed_entries(p_tenant uuid, p_limit integer) returns setof uuid
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  v_from uuid;
begin
  select settled_below into v_from from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  return query
    select entry.id
    from audit_entries entry
    where entry.tenant_id = p_tenant and entry.id >= coalesce(v_from, '00000000-0000-0000-0000-000000000000')
      and not exists (select from audit_seals seal where seal.tenant_id = p_tenant and seal.entry_id = entry.id)
    order by entry.id
    limit p_limit;
end
$$
-- ;;
-- The companies that have such entries. One caller at a time: others get none.
create function companies_to_seal() returns setof uuid
language plpgsql volatile
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  v_tenant uuid;
  v_from uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_seal', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    select settled_below into v_from from audit_seals where tenant_id = v_tenant order by seq desc limit 1;
    perform from audit_entries entry
    where entry.tenant_id = v_tenant and entry.id >= coalesce(v_from, '00000000-0000-0000-0000-000000000000')
      and not exists (select from audit_seals seal where seal.tenant_id = v_tenant and seal.entry_id = entry.id)
    order by entry.id
    limit 1;
    if found then return next v_tenant; end if;
  end loop;
end
$$
