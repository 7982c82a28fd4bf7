-- The id from which entries without a seal are looked for is given as it is: a condition with coalesce is not taken for a key
-- under row level security, so that each look read all entries of a company. One plan serves all companies, and
-- is read in the order of the key: the planner takes a join that finds nothing for one that is best done whole.
create or replace function unsealed_entries(p_tenant uuid, p_limit integer) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  v_from uuid;
begin
  select settled_below into v_from from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  v_from := coalesce(v_from, '00000000-0000-0000-0000-000000000000');
  return query
    select entry.id
    from (
      select audit_entries.id from audit_entries
      where audit_entries.tenant_id = p_tenant and audit_entries.id >= v_from
      order by audit_entries.id
    ) as entry
    where not exists (select from audit_seals seal where seal.tenant_id = p_tenant and seal.entry_id = entry.id)
    order by entry.id
    limit p_limit;
end
$$
-- ;;
create or replace function companies_to_seal() returns setof uuid
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  v_tenant uuid;
  v_last uuid;
  v_from uuid;
  v_sealed_at timestamptz;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_seal', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    select entry_id into v_last from audit_seals where tenant_id = v_tenant order by entry_id desc limit 1;
    v_last := coalesce(v_last, '00000000-0000-0000-0000-000000000000');
    perform from audit_entries entry
    where entry.tenant_id = v_tenant and entry.id > v_last
    order by entry.id
    limit 1;
    if found then
      return next v_tenant;
      continue;
    end if;
    select settled_below, sealed_at into v_from, v_sealed_at
    from audit_seals where tenant_id = v_tenant order by seq desc limit 1;
    if v_sealed_at > clock_timestamp() - interval '1 minute' then
      perform from (
        select id from audit_entries where tenant_id = v_tenant and id >= v_from order by id
      ) as entry
      where not exists (select from audit_seals seal where seal.tenant_id = v_tenant and seal.entry_id = entry.id)
      order by entry.id
      limit 1;
      if found then return next v_tenant; end if;
    end if;
  end loop;
end
$$
