import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectForLong, listTables } from '../platform/backup/tables.ts'
import { errorCode } from '../platform/error-code.ts'
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

const mostTries = 5
/** A row that others refer to by now, and two who wait for each other. */
const passing = new Set(['23503', '40P01'])

async function begin(client: pg.Client, tenantId: string): Promise<void> {
  await client.query('begin')
  await client.query(`select set_config('app.tenant_id', $1, true), set_config('app.removing', $1, true)`, [
    tenantId,
  ])
}

/** Lets nobody of a company in any more, so that hardly anything of it is written while it is being deleted. */
async function shutOut(client: pg.Client, tenantId: string): Promise<void> {
  await begin(client, tenantId)
  await client.query('update users set active = false where tenant_id = $1', [tenantId])
  await client.query('update sessions set ended_at = now() where tenant_id = $1 and ended_at is null', [
    tenantId,
  ])
  await client.query('commit')
}

/** Deletes what there is of a company, all or nothing; answers how many rows that were. */
async function empty(client: pg.Client, tenantId: string): Promise<number> {
  await begin(client, tenantId)
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

/** As empty, once more where somebody was still at work. */
async function emptyInTheEnd(client: pg.Client, tenantId: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await empty(client, tenantId)
    } catch (error) {
      if (tries === mostTries || !passing.has(errorCode(error) ?? '')) throw error
      await client.query('rollback')
      await sleep(tries * 200)
    }
  }
}

/**
 * Removes a company for good, as the owner of the tables: everything it has, and the accounts of its people, whose addresses are
 * free again. Also while the program runs. Answers how many rows that were. Where it fails everything is still there, but nobody of the
 * company gets in any more: it is run again.
 */
export async function removeCompany(ownerUrl: string, tenantId: string): Promise<number> {
  const client = await connectForLong(ownerUrl)
  try {
    await shutOut(client, tenantId)
    const gone = await emptyInTheEnd(client, tenantId)
    // What was written meanwhile without referring to the company, such as a seal of its trail.
    return gone + (await emptyInTheEnd(client, tenantId))
  } finally {
    await client.end()
  }
}
