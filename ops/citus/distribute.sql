-- Lays the tables of Inventory Manager over the machines of a Citus cluster: each company's rows together on one worker.
-- Run on the coordinator as the owner of the database, after the program has made the tables and before companies come:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f distribute.sql
-- It may be run again, and is after each upgrade: it does what is missing. README.md says what else differs.

set client_min_messages = warning;
-- For migrations, later ones too: each sends all it changes over one connection to each machine, and may drop a trigger.
do $$
begin
  execute format('alter database %I set citus.enable_unsafe_triggers = on', current_database());
  execute format('alter role current_user in database %I set citus.multi_shard_modify_mode = ''sequential''', current_database());
end $$;
-- The triggers work on one row of one company: they refuse changes of the trail and note when marks were cleared.
set citus.enable_unsafe_triggers = on;
-- So do those of a part of a quarter, when it comes.
alter function add_history_part(text, text, text) set citus.enable_unsafe_triggers = on;

-- Which address of e-mail, and which key, belongs to which company: small, read at each sign-in, and not a company's.
do $$
declare
  v_table text;
begin
  foreach v_table in array array['login_emails', 'api_key_prefixes'] loop
    if not exists (select from pg_dist_partition where logicalrelid = v_table::regclass) then
      perform create_reference_table(v_table::regclass);
    end if;
  end loop;
end $$;

-- Everything with a company, by it, each after those it refers to. `attempts` and the migrations' own stay here.
do $$
declare
  v_table regclass;
begin
  loop
    select table_class.oid::regclass into v_table
    from pg_class table_class
    join pg_attribute on attrelid = table_class.oid and attname = 'tenant_id' and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and not exists (select from pg_dist_partition where logicalrelid = table_class.oid)
      and not exists (
        select from pg_constraint
        where conrelid = table_class.oid and contype = 'f' and confrelid <> table_class.oid
          and not exists (select from pg_dist_partition where logicalrelid = confrelid)
      )
    order by relname <> 'companies', relname
    limit 1;
    exit when not found;
    perform create_distributed_table(
      v_table, 'tenant_id', colocate_with => case when v_table = 'companies'::regclass then 'none' else 'companies' end
    );
  end loop;
end $$;

-- What Citus refuses in the functions, and what it takes instead; here only, so that one PostgreSQL keeps the shorter way:
--   plain SQL hands parameters on to no worker: the same within PL/pgSQL;
--   an upsert sets only what is immutable: the value that the row came with;
--   an update sets only what is stable: the time of the statement, an id that was made before;
--   rows of `insert … select` go by COPY, which row level security refuses: with `on conflict` they go another way;
--   a function that reads tables is not called for the rows of a table: what `last_scan_of` reads is read there;
--   a plan for all values knows no worker: none is kept.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select oid from pg_proc
    where pronamespace = 'public'::regnamespace
      and exists (select from unnest(proconfig) as setting where setting like 'plan_cache_mode=%')
  loop
    execute format('alter function %s reset plan_cache_mode', v_function);
  end loop;
end $$;

do $$
declare
  v_function record;
  v_body text;
begin
  for v_function in
    select proname, proretset, pg_get_function_arguments(pg_proc.oid) as arguments,
      pg_get_function_result(pg_proc.oid) as result,
      prosrc as body,
      lanname,
      case provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end as volatility,
      (select string_agg(format('set %s = %L', split_part(setting, '=', 1), split_part(setting, '=', 2)), ' ')
       from unnest(proconfig) as setting) as settings
    from pg_proc join pg_language on pg_language.oid = prolang
    where pronamespace = 'public'::regnamespace and proargnames[1] = 'p_tenant' and prosqlbody is null
  loop
    v_body := replace(v_function.body, 'updated_at = now()', 'updated_at = excluded.updated_at');
    v_body := replace(v_body, ' = clock_timestamp()', ' = statement_timestamp()');
    v_body := regexp_replace(
      v_body, E'(from made(?=\\n)|from (?:inserted|changed|taken|settled|restored|closed)|= judged\\.barcode|by named\\.place / 1000|p_quantities\\) as given \\([a-z_, ]+\\))(;|\\n  \\))',
      E'\\1 on conflict do nothing\\2', 'g'
    );
    -- The id that an unknown code gets where it waits anew.
    v_body := replace(v_body, 'then new_id() else opened_id end', 'then v_opened_id else opened_id end');
    v_body := regexp_replace(
      v_body, 'v_is_kept boolean := true;(?!\s+v_opened_id)', 'v_is_kept boolean := true; v_opened_id constant uuid := new_id();'
    );
    v_body := replace(v_body, 'last_scan_of(p_tenant, id)', 'last_scan_of(p_tenant, difference.id)');
    v_body := regexp_replace(
      v_body, 'last_scan_of\(p_tenant, ((?:difference|other|waiting|accepted)\.id)\)',
      '(
        select max(scan.counted_at)
        from discrepancies scanned
        join count_attempts scan on scan.tenant_id = scanned.tenant_id and scan.discrepancy_id = scanned.id
        where scanned.tenant_id = p_tenant and scanned.id = \1
          and scan.attempt <= scanned.attempts and not scan.overtaken
          and not exists (
            select from count_attempts newer
            where newer.tenant_id = p_tenant and newer.discrepancy_id = scan.discrepancy_id
              and newer.attempt = scan.attempt and newer.id > scan.id
          )
      )', 'g'
    );
    v_body := replace(
      v_body, 'from standing_counts(p_tenant, components.barcode, posted.location, null) as later where',
      'from count_history later
      where later.tenant_id = p_tenant and later.sku = components.barcode and later.location = posted.location
        and later.sets_mark and not exists (
          select from count_history back
          where back.tenant_id = p_tenant and back.sku = later.sku and back.location = later.location
            and back.undoes = later.id
        ) and'
    );
    v_body := regexp_replace(
      v_body,
      'from standing_attempts\(p_tenant, posted\.component_id, posted\.location\) as later\s+join discrepancies difference on [^\n]+\s+where',
      'from discrepancies difference
      join count_attempts later on later.tenant_id = difference.tenant_id and later.discrepancy_id = difference.id
      where difference.tenant_id = p_tenant and difference.component_id = posted.component_id
        and difference.location = posted.location and later.attempt <= difference.attempts and not exists (
          select from count_attempts newer
          where newer.tenant_id = p_tenant and newer.discrepancy_id = later.discrepancy_id
            and newer.attempt = later.attempt and newer.id > later.id
        ) and'
    );
    -- An assignment hands on a list of differences without its type.
    v_body := regexp_replace(
      v_body, 'v_settled := (array\(\n      select difference from discrepancies difference.*?\n    \));', 'select \1 into v_settled;'
    );
    execute format(
      'create or replace function %I(%s) returns %s language plpgsql %s %s as %L',
      v_function.proname, v_function.arguments, v_function.result, v_function.volatility, v_function.settings,
      format(
        case
          when v_function.lanname = 'plpgsql' then '%s'
          when v_function.proretset then E'#variable_conflict use_column\nbegin\nreturn query %s;\nend'
          else E'#variable_conflict use_column\nbegin\nreturn (%s);\nend'
        end,
        v_body
      )
    );
  end loop;
end $$;

-- Its counts are of several companies, and so of several machines: none is recorded together with others, each by itself. Where a
-- migration is still to make it, as before an upgrade, there is none yet.
do $$
begin
  if to_regprocedure('record_matches(jsonb)') is null then return; end if;
  create or replace function record_matches(p_counts jsonb) returns table (place bigint, reply jsonb)
  language plpgsql as $empty$
  begin
  end
  $empty$;
end $$;

-- What counts wait for is locked on the workers: there, too, they give way after a tenth of a second to who has locked it.
do $$
begin
  if to_regprocedure('record_counts(jsonb, text)') is null then return; end if;
  execute replace(
    pg_get_functiondef('record_counts(jsonb, text)'::regprocedure),
    E'begin\n  -- In one order', E'begin\n  set local lock_timeout = ''100ms'';\n  -- In one order'
  );
end $$;

-- Functions that say their company themselves are called alone, and run on the worker that holds it; those that they call
-- have to be there. The others run here, statement by statement.
do $$
declare
  v_function record;
begin
  for v_function in
    select oid::regprocedure as name, proname = 'count_or_keep_code' or prosrc like '%app.tenant_id%' as is_called_alone
    from pg_proc
    where pronamespace = 'public'::regnamespace and proargnames[1] = 'p_tenant' and prorettype <> 'trigger'::regtype
    order by oid
  loop
    if v_function.is_called_alone then
      perform create_distributed_function(
        v_function.name, 'p_tenant', colocate_with => 'companies', force_delegation => true
      );
    else
      perform create_distributed_function(v_function.name);
    end if;
  end loop;
end $$;

-- Row level security on the workers knows the company by SET LOCAL, which the coordinator passes on in a transaction; it
-- does not pass on set_config, by which the program says it. One of that name stands before PostgreSQL's own.
create schema if not exists on_citus;
create or replace function on_citus.set_config(p_name text, p_value text, p_local boolean)
returns text language plpgsql as $$
begin
  if p_name not like 'app.%' or not p_local then return pg_catalog.set_config(p_name, p_value, p_local); end if;
  execute format('set local %s = %L', p_name, p_value);
  return p_value;
end
$$;
select create_distributed_function('on_citus.set_config(text, text, boolean)');
grant usage on schema on_citus to inventory_manager_app;
do $$
declare
  v_role text;
begin
  for v_role in
    select member.rolname from pg_auth_members
    join pg_roles member on member.oid = pg_auth_members.member
    join pg_roles granted on granted.oid = pg_auth_members.roleid
    where granted.rolname = 'inventory_manager_app'
  loop
    execute format('alter role %I set citus.propagate_set_commands = ''local''', v_role);
    execute format('alter role %I set search_path = on_citus, pg_catalog, public', v_role);
  end loop;
end $$;
