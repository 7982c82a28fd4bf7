-- A code that became a component and is unknown again stood where it was first found, below thousands of newer ones. Of the scans
-- of an unknown code the trail had only the first, without its quantity: of more than ten the others were nowhere. And a code that
-- came when too many wait already was told to be kept.

alter table unknown_codes add column opened_id uuid
-- ;;
update unknown_codes set opened_id = id
-- ;;
alter table unknown_codes
  alter column opened_id set not null,
  alter column opened_id set default new_id()
-- ;;
drop index unknown_codes_by_status
-- ;;
create index unknown_codes_by_status on unknown_codes (tenant_id, status, opened_id)
-- ;;
drop function keep_unknown_code(uuid, uuid, text, text, integer, text, text, timestamptz)
-- ;;
-- False where too many wait for a decision already; the trail has the scan in any case.
create function keep_unknown_code(
  p_tenant uuid, p_session uuid, p_key text, p_code text, p_quantity integer, p_location text, p_source text,
  p_count_session text, p_at timestamptz, p_reason text
)
returns boolean
language plpgsql volatile
as $$
declare
  v_scans_kept constant integer := 10;
  v_most_open constant integer := 5000;
  v_most_open_of_one constant integer := 1000;
  v_actor record;
  v_code unknown_codes;
  v_is_found boolean := false;
  v_is_kept boolean := true;
begin
  select users.id, users.name, users.role into v_actor
  from sessions
  join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  where sessions.tenant_id = p_tenant and sessions.id = p_session;

  select * into v_code from unknown_codes
  where tenant_id = p_tenant and code = p_code and location = p_location
  for update;
  if not found then
    -- One at a time, so that those who come at once do not all find the last place free.
    perform pg_advisory_xact_lock(hashtextextended('unknown codes ' || p_tenant::text, 0));
    v_is_kept := exists (
        select from unknown_codes where tenant_id = p_tenant and code = p_code and location = p_location
      )
      or (select count(*) from unknown_codes where tenant_id = p_tenant and status = 'open') < v_most_open
      and (
        select count(*) from unknown_codes
        where tenant_id = p_tenant and status = 'open' and found_by = v_actor.id
      ) < v_most_open_of_one;
    if v_is_kept then
      insert into unknown_codes (tenant_id, code, location, times, found_by, user_id, user_name)
      values (p_tenant, p_code, p_location, 0, v_actor.id, v_actor.id, v_actor.name)
      on conflict (tenant_id, code, location) do nothing;
      v_is_found := found;
      select * into v_code from unknown_codes
      where tenant_id = p_tenant and code = p_code and location = p_location
      for update;
    end if;
  end if;

  if v_is_kept then
    insert into unknown_code_scans (
      tenant_id, unknown_code_id, user_id, user_name, request_key, scanned_at, quantity
    )
    values (p_tenant, v_code.id, v_actor.id, v_actor.name, p_key, p_at, p_quantity)
    on conflict (tenant_id, unknown_code_id, user_id, request_key) do nothing;
    if not found then return true; end if;
    v_is_found := v_is_found or v_code.status = 'component';
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan',
    case
      when v_is_found then 'unknown_code_found'
      when p_source = 'admin' then 'admin_view_error'
      else p_source || '_count_error'
    end,
    p_code, p_quantity, p_location, p_source, v_actor.id, v_actor.role, v_actor.name,
    jsonb_build_object('session', p_count_session, 'counted_at', p_at, 'reason', p_reason)
      || case when v_is_kept then '{}'::jsonb else '{"not_kept": true}'::jsonb end
  );
  if not v_is_kept then return false; end if;

  -- A code that became a component and is unknown again waits for a decision again; an ignored one stays ignored.
  update unknown_codes
  set times = times + 1, user_id = v_actor.id, user_name = v_actor.name, last_seen_at = clock_timestamp(),
    status = case when status = 'component' then 'open' else status end,
    opened_id = case when status = 'component' then new_id() else opened_id end,
    decided_by = case when status = 'component' then null else decided_by end,
    decided_at = case when status = 'component' then null else decided_at end
  where tenant_id = p_tenant and id = v_code.id;

  delete from unknown_code_scans
  where tenant_id = p_tenant and unknown_code_id = v_code.id and id not in (
    select newest.id from unknown_code_scans newest
    where newest.tenant_id = p_tenant and newest.unknown_code_id = v_code.id
    order by newest.id desc
    limit v_scans_kept
  );
  return true;
end
$$
-- ;;
create or replace function count_or_keep_code(
  p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer,
  p_location text, p_source text, p_count_session text, p_at timestamptz, p_day text, p_recount boolean,
  p_is_timed boolean
)
returns jsonb
language plpgsql volatile
as $$
declare
  v_reply constant jsonb := record_count(
    p_tenant, p_session, p_key, p_hash, p_plans, p_codes, p_quantity, p_location, p_source, p_count_session, p_at,
    p_day, p_recount, p_is_timed
  );
begin
  if v_reply ->> 'outcome' in ('not_found', 'retired') and not keep_unknown_code(
    p_tenant, p_session, p_key, p_codes[1], p_quantity, p_location, p_source, p_count_session, p_at,
    v_reply ->> 'outcome'
  )
  then
    return v_reply || '{"kept": false}'::jsonb;
  end if;
  return v_reply;
end
$$
