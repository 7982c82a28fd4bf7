import type pg from 'pg'

type Line = { line: string }

/** Every part of the schema as text, by kind and name: the present state that the migrations add up to. */
const parts = {
  tables: `
    select format(E'table %s (\\n%s\\n)%s', relname, string_agg(
      format('  %s %s%s%s', attname, format_type(atttypid, atttypmod),
        case when attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(adbin, adrelid), '')),
      E',\\n' order by attnum), ' partition by ' || pg_get_partkeydef(pg_class.oid)) as line
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    group by pg_class.oid order by relname`,
  constraints: `
    select format('%s: %s', conrelid::regclass, pg_get_constraintdef(pg_constraint.oid)) as line
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = 'public'::regnamespace and contype <> 'n' and not relispartition
    order by conrelid::regclass::text, contype, pg_get_constraintdef(pg_constraint.oid)`,
  indexes: `
    select indexdef as line
    from pg_indexes join pg_class on relname = tablename and relnamespace = 'public'::regnamespace
    where schemaname = 'public' and not relispartition order by tablename, indexdef`,
  'row level security': `
    select format('%s: %s, using %s, with check %s', tablename,
      case when relrowsecurity and relforcerowsecurity then 'enabled and forced' else 'NOT ENFORCED' end,
      qual, with_check) as line
    from pg_policies join pg_class on relname = tablename and relnamespace = 'public'::regnamespace
    where schemaname = 'public' and not relispartition order by tablename`,
  triggers: `
    select pg_get_triggerdef(pg_trigger.oid) as line
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not relispartition and not tgisinternal
    order by relname, tgname`,
  // How many parts there are, and their names, depend on the day.
  parts: `
    select distinct format('every part of %s: row level security %s, granted to %s, triggers %s', inhparent::regclass,
      case when relrowsecurity and relforcerowsecurity then 'enabled and forced' else 'NOT ENFORCED' end,
      coalesce((select string_agg(distinct grantee::regrole::text, ', ') from aclexplode(relacl) where grantee <> relowner), 'nobody'),
      coalesce((select string_agg(tgname, ', ') from pg_trigger where tgrelid = pg_class.oid and not tgisinternal), 'none')) as line
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by 1`,
  grants: `
    select format('%s on %s', string_agg(lower(privilege_type), ', ' order by privilege_type), table_name) as line
    from information_schema.role_table_grants
    where grantee = 'inventory_manager_app' and table_schema = 'public'
    group by table_name order by table_name`,
  views: `
    select format(E'view %s (%s)%s', relname, (
        select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum)
        from pg_attribute where attrelid = pg_class.oid
      ), coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')) || E' as\n' || pg_get_viewdef(oid) as line
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`,
  functions: `
    select pg_get_functiondef(oid) as line
    from pg_proc where pronamespace = 'public'::regnamespace order by proname, pg_get_function_identity_arguments(oid)`,
} as const

/** The whole schema of a database in a form to be read and compared. */
export async function describeSchema(owner: pg.Pool): Promise<string> {
  const sections: string[] = []
  for (const [title, query] of Object.entries(parts)) {
    const { rows } = await owner.query<Line>(query)
    sections.push(
      `-- ${title}\n\n${rows.map(({ line }) => line.trim()).join(title === 'tables' ? '\n\n' : '\n')}\n`,
    )
  }
  return sections.join('\n')
}
