-- Lays the tables of Inventory Manager over the machines of a Citus cluster: each company's rows together on one worker.
-- Run on the coordinator as the owner of the database, after the program has made the tables and before companies come:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f distribute.sql
-- It may be run again, and is after each upgrade: it does what is missing. README.md says what else differs.

set client_min_messages = warning;
-- The triggers work on one row of one company: they refuse changes of the trail and note when marks were cleared.
set citus.enable_unsafe_triggers = on;

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

-- Functions of one company run on the worker that holds it, in transactions too; those that they call have to be there.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select oid::regprocedure from pg_proc
    where pronamespace = 'public'::regnamespace and proargnames[1] = 'p_tenant' and prorettype <> 'trigger'::regtype
      and not exists (
        select from pg_catalog.pg_dist_object
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and distribution_argument_index is not null
      )
    order by oid
  loop
    perform create_distributed_function(
      v_function, 'p_tenant', colocate_with => 'companies', force_delegation => true
    );
  end loop;
end $$;

-- Row level security on the workers knows the company by SET LOCAL, which the coordinator passes on.
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
  end loop;
end $$;
