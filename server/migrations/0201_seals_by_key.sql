-- Entries that wait for a seal are those above the newest one, and those that came late, below it. The late ones are found by
-- comparing two lists: to look for each entry of the last seconds whether it has a seal took up to a fifth of a count.
-- Ids to look from are given as they are: a condition with coalesce is not taken for a key under row level security, so
-- that each look read all entries of a company.
create function late_entries(p_tenant uuid, p_from uuid, p_last uuid) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
begin
  return query
    select id from audit_entries where tenant_id = p_tenant and id >= p_from and id < p_last
    except
    select entry_id from audit_seals where tenant_id = p_tenant and entry_id >= p_from and entry_id < p_last;
end
$$
-- ;;
create or replace function unsealed_entries(p_tenant uuid, p_limit integer) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  v_from uuid;
  v_last uuid;
begin
  select settled_below into v_from from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  select entry_id into v_last from audit_seals where tenant_id = p_tenant order by entry_id desc limit 1;
  v_from := coalesce(v_from, '00000000-0000-0000-0000-000000000000');
  v_last := coalesce(v_last, '00000000-0000-0000-0000-000000000000');
  return query
    select waiting.id
    from (
      select late.id from late_entries(p_tenant, v_from, v_last) as late (id)
      union all
      (select entry.id from audit_entries entry where entry.tenant_id = p_tenant and entry.id > v_last order by entry.id limit p_limit)
    ) as waiting
    order by waiting.id
    limit p_limit;
end
$$
-- ;;
-- The companies with entries that wait for a seal. One caller at a time: others get none.
create or replace function companies_to_seal() returns setof uuid
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
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
      perform from late_entries(v_tenant, v_from, v_last) limit 1;
      if found then return next v_tenant; end if;
    end if;
  end loop;
end
$$
