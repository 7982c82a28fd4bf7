import type pg from 'pg'

/** Every table whose rows are companies' own, as the database has them; the parts of one count with it. */
export async function listCompanyTables(owner: pg.Pool, leftOut: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ($1)
     order by 1`,
    [leftOut],
  )
  return rows.map(({ name }) => name)
}

type Company = {
  tenantId: string
  tables: readonly string[]
  /** What stays of a row, in SQL, where the program changes the rest of it by itself. */
  lasting?: Readonly<Record<string, string>>
}

/** A fingerprint of every row that a company has in those tables. */
export async function fingerprint(
  owner: pg.Pool,
  { tenantId, tables, lasting = {} }: Company,
): Promise<unknown> {
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, md5(coalesce(string_agg(distinct md5(${lasting[table] ?? 'held::text'}), ''), '')) as md5
       from ${table} as held where tenant_id = $1`,
  )
  return (await owner.query(parts.join(' union all '), [tenantId])).rows
}
