import type pg from 'pg'

/** Every company, read as the owner from the one table that knows them all. */
export async function listTenantIds(owner: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    'select distinct tenant_id as id from login_emails order by 1',
  )
  return rows.map(({ id }) => id)
}
