import type pg from 'pg'

type Line = { line: string }

/** Every part of the schema as text, by kind and name: the present state that the migrations add up to. */
const parts = {
  tables: `
    select format(E'table %s (\\n%s\\n)', relname, string_agg(
      format('  %s %s%s%s', attname, format_type(atttypid, atttypmod),
        case when attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(adbin, adrelid), '')),
      E',\\n' order by attnum)) as line
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    group by relname order by relname`,
  constraints: `
    select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) as line
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
    order by conrelid::regclass::text, contype, pg_get_constraintdef(oid)`,
  indexes: `
    select indexdef as line from pg_indexes where schemaname = 'public' order by tablename, indexdef`,
  'row level security': `
    select format('%s: %s, using %s, with check %s', tablename,
      case when relrowsecurity and relforcerowsecurity then 'enabled and forced' else 'NOT ENFORCED' end,
      qual, with_check) as line
    from pg_policies join pg_class on relname = tablename and relnamespace = 'public'::regnamespace
    where schemaname = 'public' order by tablename`,
  grants: `
    select format('%s on %s', string_agg(lower(privilege_type), ', ' order by privilege_type), table_name) as line
    from information_schema.role_table_grants
    where grantee = 'inventory_manager_app' and table_schema = 'public'
    group by table_name order by table_name`,
  functions: `
    select pg_get_functiondef(oid) as line
    from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
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
