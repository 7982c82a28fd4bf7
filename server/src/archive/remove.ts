import pg from 'pg'
import { connectForLong, listTables } from '../platform/backup/tables.ts'
import { archivedTables, leftOutTables } from './tables.ts'

const ofCompanies = new Set([
  ...archivedTables.map(({ name }) => name),
  ...Object.keys(leftOutTables),
  'login_emails',
])

/** The tables with rows of companies, quoted, so that each comes before those it refers to; parts that were put aside are first. */
async function listToEmpty(client: pg.Client): Promise<string[]> {
  const { rows: parts } = await client.query<{ name: string }>(
    `select format('detached.%I', relname) as name from pg_class
     where relnamespace = to_regnamespace('detached') and relkind = 'r'`,
  )
  const { tables } = await listTables(client, (name) => ofCompanies.has(name))
  return [
    ...parts.map(({ name }) => name),
    ...tables.toReversed().map(({ name }) => pg.escapeIdentifier(name)),
  ]
}

/** Deletes what there is of a company, all or nothing; answers how many rows that were. */
async function empty(client: pg.Client, tenantId: string): Promise<number> {
  await client.query('begin')
  await client.query(`select set_config('app.tenant_id', $1, true), set_config('app.removing', $1, true)`, [
    tenantId,
  ])
  // Whoever writes something that refers to the company waits, and then finds that there is none.
  await client.query('select from companies where tenant_id = $1 for update', [tenantId])
  let gone = 0
  for (const table of await listToEmpty(client)) {
    const { rowCount } = await client.query(`delete from ${table} where tenant_id = $1`, [tenantId])
    gone += rowCount ?? 0
  }
  await client.query('commit')
  return gone
}

/**
 * Removes a company for good, as the owner of the tables: everything it has, and the accounts of its people, whose addresses are
 * free again. Also while the program runs. Answers how many rows that were.
 */
export async function removeCompany(ownerUrl: string, tenantId: string): Promise<number> {
  const client = await connectForLong(ownerUrl)
  try {
    const gone = await empty(client, tenantId)
    // What was written meanwhile without referring to the company, such as a seal of its trail.
    return gone + (await empty(client, tenantId))
  } finally {
    await client.end()
  }
}
