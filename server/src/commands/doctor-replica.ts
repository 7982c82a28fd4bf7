import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createPool } from '../platform/db/pool.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { findSystem } from '../platform/db/replica.ts'
import { explainStartFailure } from '../start-failure.ts'
import type { Finding } from './doctor-finding.ts'

/** A replica that works has what was written within milliseconds. */
const patienceMs = 2_000
const pauseMs = 50

/** What is missing of the database at a replica, once its patience is over; null where it follows nobody. */
async function missingAt(
  replica: pg.Pool,
  position: string,
): Promise<{ bytes: number; size: string } | null> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { rows } = await replica.query<{ follows: boolean; bytes: number; size: string }>(
      `select pg_is_in_recovery() as follows, behind::float8 as bytes, pg_size_pretty(behind) as size
       from (select greatest(pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()), 0) as behind) as place`,
      [position],
    )
    const { follows, ...missing } = onlyRow(rows)
    if (!follows) return null
    if (missing.bytes === 0 || performance.now() > deadline) return missing
    await sleep(pauseMs)
  }
}

/** Whether a server's log is another database's, where the roles may know. */
async function isOfAnother(owner: pg.Pool, replica: pg.Pool): Promise<boolean> {
  const [own, other] = [await findSystem(owner), await findSystem(replica)]
  return own !== null && other !== null && own !== other
}

/**
 * Whether the replica follows the database, as a role that signs in at both; nothing is said where none is set. Without it all
 * goes on, slower: else only the log would tell.
 */
export async function lookAtReplica(
  owner: pg.Pool,
  { replicaUrl, appUrl }: { replicaUrl: string | undefined; appUrl: string },
): Promise<Finding[]> {
  if (replicaUrl === undefined) return []
  const about = 'replica'
  const url = new URL(replicaUrl)
  const { username, password } = new URL(appUrl)
  const replica = createPool({
    url: Object.assign(url, { username, password }).href,
    size: 1,
    onError: () => undefined,
  })
  try {
    if (await isOfAnother(owner, replica)) {
      const says = 'that of DATABASE_REPLICA_URL is no replica of this database, so nothing is read there'
      return [{ state: 'bad', about, says }]
    }
    const { rows } = await owner.query<{ position: string }>('select pg_current_wal_flush_lsn() as position')
    const missing = await missingAt(replica, onlyRow(rows).position)
    if (missing === null) {
      return [
        {
          state: 'bad',
          about,
          says: 'that of DATABASE_REPLICA_URL follows no database, so nothing is read there',
        },
      ]
    }
    if (missing.bytes === 0) return [{ state: 'good', about, says: 'it has all that the database has' }]
    const says = `it is behind by ${missing.size}: lists, charts and exports are read from the database itself until it has caught up`
    return [{ state: 'doubtful', about, says }]
  } catch (error) {
    const why = explainStartFailure(error).replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URL')
    return [{ state: 'bad', about, says: why }]
  } finally {
    await replica.end()
  }
}
