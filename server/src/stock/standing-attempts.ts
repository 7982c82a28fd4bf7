import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

type Named = { attempt: string; difference: string }

/**
 * Whether an attempt at a difference was not taken back: whoever does that gives its number free, mostly for another entry. As the
 * database's functions standing_attempts and last_scan_of say it, which a cluster calls for no row.
 */
export function stands(tx: Tx, { attempt, difference }: Named) {
  const made = sql.table(attempt)
  return sql<boolean>`(
    ${made}.attempt <= ${sql.table(difference)}.attempts and not exists (
      select from count_attempts newer
      where newer.tenant_id = ${tx.tenantId}::uuid and newer.discrepancy_id = ${made}.discrepancy_id
        and newer.attempt = ${made}.attempt and newer.id > ${made}.id
    )
  )`
}

function countingAttempts(tx: Tx, difference: string) {
  return sql`
    count_attempts scan
    where scan.tenant_id = ${tx.tenantId}::uuid and scan.discrepancy_id = ${sql.table(difference)}.id
      and not scan.overtaken and ${stands(tx, { attempt: 'scan', difference })}
  `
}

/** The newest moment of which a difference says something: null where nothing of it stands. */
export function lastScanOf(tx: Tx, difference: string) {
  return sql<Date | null>`(select max(scan.counted_at) from ${countingAttempts(tx, difference)})`
}

/**
 * The row with when the entry was scanned whose number a difference has; none where nothing of it stands. Clocks may put it a moment
 * before another one.
 */
export function scanOfNumber(tx: Tx, difference: string) {
  return sql<{ counted_at: Date }>`(
    select scan.counted_at from ${countingAttempts(tx, difference)} order by scan.attempt desc limit 1
  )`
}
