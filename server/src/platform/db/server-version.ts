import type pg from 'pg'
import { onlyRow } from './only-row.ts'
import { SentenceError } from '../sentence-error.ts'

/** A database server that is too old; the message says what is needed. */
class ServerVersionError extends SentenceError {}

const oldestMajor = 15

/** What is needed of a server whose version is, as a number, such as 140022; null where it is new enough. */
export function whatIsNeeded(version: number): string | null {
  return Math.floor(version / 10_000) < oldestMajor ? `${oldestMajor} or newer is needed` : null
}

/** Throws ServerVersionError for a server on which the migrations would fail, with an error of theirs. */
export async function requireServerVersion(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ name: string; version: number }>(`
    select current_setting('server_version') as name, current_setting('server_version_num')::integer as version
  `)
  const { name, version } = onlyRow(rows)
  const needed = whatIsNeeded(version)
  if (needed !== null) throw new ServerVersionError(`The database is PostgreSQL ${name}: ${needed}.`)
}
