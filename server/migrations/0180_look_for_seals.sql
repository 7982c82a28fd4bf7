-- Looking for entries without a seal went through all entries of the last ten seconds before the newest seal, each
-- second, also of companies that have been idle since. Now an entry above all seals says at once that there is something;
-- one that came late, below them, is looked for in the minute after the newest seal, and whenever a company is sealed.
create or replace function companies_to_seal() returns setof uuid
language plpgsql volatile
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
    perform from audit_entries entry
    where entry.tenant_id = v_tenant and entry.id > coalesce(v_last, '00000000-0000-0000-0000-000000000000')
    order by entry.id
    limit 1;
    if found then
      return next v_tenant;
      continue;
    end if;
    select settled_below, sealed_at into v_from, v_sealed_at
    from audit_seals where tenant_id = v_tenant order by seq desc limit 1;
    if v_sealed_at > clock_timestamp() - interval '1 minute' then
      perform from audit_entries entry
      where entry.tenant_id = v_tenant and entry.id >= v_from
        and not exists (select from audit_seals seal where seal.tenant_id = v_tenant and seal.entry_id = entry.id)
      order by entry.id
      limit 1;
      if found then return next v_tenant; end if;
    end if;
  end loop;
end
$$
