import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** The present month of a time zone such as '2026-11', by the database's clock. */
export async function getThisMonth(tx: Tx, timeZone: string): Promise<string> {
  const { rows } = await sql<{ month: string }>`
    select to_char(now() at time zone ${timeZone}, 'YYYY-MM') as month
  `.execute(tx.db)
  const [row] = rows
  if (row === undefined) throw new Error('A select without from always answers.')
  return row.month
}
