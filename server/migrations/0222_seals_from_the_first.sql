-- Sealing looked for a company's entries from the first that has no seal by a condition with coalesce, which is not taken for a key under
-- row level security: each second, all entries of the quarter were read of each company in which something was written.

-- As before; that entry in a variable.
create or replace function seal_entries(p_tenants uuid[], p_limit integer) returns setof uuid
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  -- First the horizon, then the entries: what was running meanwhile is above it, everything else is seen.
  v_horizon constant uuid := audit_horizon();
  v_nothing constant bytea := decode(repeat('00', 32), 'hex');
  v_tenant uuid;
  v_done text;
  v_head record;
  v_newest uuid;
  v_late uuid[];
  v_from uuid;
  v_entry record;
  v_entry_hash bytea;
  v_hash bytea;
  v_ids uuid[];
  v_entry_hashes bytea[];
  v_hashes bytea[];
  v_seq bigint;
begin
  -- In one order, so that two sealers of the same companies come one after the other.
  for v_tenant in select distinct given from unnest(p_tenants) as given order by given loop
    -- Both are assigned, because that costs a tenth of a statement.
    v_done := set_config('app.tenant_id', v_tenant::text, true);
    v_done := pg_advisory_xact_lock(hashtextextended('audit chain ' || v_tenant::text, 0));
    select seq, hash, settled_below into v_head
    from audit_seals where tenant_id = v_tenant order by seq desc limit 1;
    select entry_id into v_newest from audit_seals where tenant_id = v_tenant order by entry_id desc limit 1;
    v_newest := coalesce(v_newest, '00000000-0000-0000-0000-000000000000');

    -- What came late is below the newest: two lists compared, since looking for each seal took up to a fifth of a count.
    v_late := array(
      select id from audit_entries where tenant_id = v_tenant and id >= v_head.settled_below and id < v_newest
      except
      select entry_id from audit_seals
      where tenant_id = v_tenant and entry_id >= v_head.settled_below and entry_id < v_newest
      order by 1
    );
    v_from := coalesce(v_late[1], v_newest);
    v_hash := coalesce(v_head.hash, v_nothing);
    v_ids := '{}';
    v_entry_hashes := '{}';
    v_hashes := '{}';
    for v_entry in
      select entry.id, json_build_array(
        'v1', entry.id, entry.kind, entry.event, entry.sku, entry.quantity, entry.location, entry.source, entry.user_id,
        entry.user_type, entry.user_name, entry.origin, entry.metadata,
        (extract(epoch from entry.created_at) * 1000000)::bigint
      )::text as text
      from audit_entries entry
      where entry.tenant_id = v_tenant and entry.id >= v_from and (entry.id > v_newest or entry.id = any (v_late))
      order by entry.id
      limit p_limit
    loop
      v_entry_hash := sha256(convert_to(v_entry.text, 'UTF8'));
      v_hash := sha256(v_hash || v_entry_hash);
      v_ids := v_ids || v_entry.id;
      v_entry_hashes := v_entry_hashes || v_entry_hash;
      v_hashes := v_hashes || v_hash;
    end loop;
    continue when v_ids = '{}';

    -- Read, because a cluster copies rows that nobody reads, and policies refuse that.
    for v_seq in
      insert into audit_seals (tenant_id, seq, entry_id, entry_hash, hash, settled_below)
      select v_tenant, coalesce(v_head.seq, 0) + place, entry_id, entry_hash, hash,
        greatest(least(v_horizon, v_ids[cardinality(v_ids)]), v_head.settled_below)
      from unnest(v_ids, v_entry_hashes, v_hashes) with ordinality as seal (entry_id, entry_hash, hash, place)
      returning seq
    loop
    end loop;
    if cardinality(v_ids) = p_limit then return next v_tenant; end if;
  end loop;
end
$$
