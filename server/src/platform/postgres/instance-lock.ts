import pg from 'pg'
import { heldAlive } from '../db/pool.ts'
import { onlyRow } from '../db/only-row.ts'
import { refuseSecond } from './embedded-postgres-error.ts'
import { findRunningPostgres } from './embedded-postgres.ts'

const instanceKey = 7_238_104_552

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...heldAlive })
  // Losing it means losing the server, which the rest of the program notices by itself.
  client.on('error', (error) => void error)
  await client.connect()
  return client
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
    instanceKey,
  ])
  return onlyRow(rows).free
}

/** Throws EmbeddedPostgresError when another program works on this data folder, before anything there is touched. */
export async function requireUnused(dataDir: string): Promise<void> {
  const url = await findRunningPostgres(dataDir)
  if (url === null) return
  const client = await connect(url)
  const free = await tryLock(client)
  await client.end()
  if (!free) throw refuseSecond(dataDir)
}

/**
 * Says that this program works on the server, until the answer is called or the program ends in any way. Null where
 * another one does: both may have found an empty folder.
 */
export async function holdInstance(url: string): Promise<(() => Promise<void>) | null> {
  const client = await connect(url)
  if (await tryLock(client)) return () => client.end()
  await client.end()
  return null
}
