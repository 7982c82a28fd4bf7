import {
  decidedByTolerance,
  firstCountReason,
  resetReason,
  toleratedReason,
} from '@inventory-manager/contract/discrepancies/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { stands } from './standing-attempts.ts'

/** Whether a person has dismissed a difference, whatever reason they gave. */
export const isDismissed = sql<boolean>`before_dismissal is not null`

/** Whether what is kept of a count is that it was a first one, which has set the stock: by nobody's decision. */
export const isFirstCount = sql<boolean>`(
  status = 'accepted' and reason is not distinct from ${sql.lit(firstCountReason)} and decided_by is null
)`

/** Whether the company's tolerance has accepted a difference. */
export const isTolerated = sql<boolean>`(
  status = 'accepted' and reason = ${sql.lit(toleratedReason)} and decided_by = ${sql.lit(decidedByTolerance)}
)`

/**
 * Whether a wrong entry of a difference stands that is a count: the first one is none yet, nor is the first one after a reset, which has
 * the next number.
 */
export function hasWrongCount(tx: Tx, difference: string) {
  return sql<boolean>`exists (
    select from count_attempts made
    where made.tenant_id = ${tx.tenantId}::uuid and made.discrepancy_id = ${sql.table(difference)}.id
      and made.attempt > 1 and not made.starts_anew and made.counted <> made.expected
      and ${stands(tx, { attempt: 'made', difference })}
  )`
}

/**
 * Whether one of the differences is of a count that was recorded where something was known before. A first entry that nobody repeated is no count yet, though a match may
 * have come late beside it; what was taken back or reset is none any more. What matched, or is open, was recorded.
 */
export function isRecorded(tx: Tx) {
  return sql<boolean>`(
    attempts > 1 and status <> 'attempted' and (reason is distinct from ${sql.lit(resetReason)} or ${isDismissed})
      and (status in ('matched', 'open') or ${hasWrongCount(tx, 'discrepancies')})
      or status = 'accepted' and not ${isFirstCount}
  )`
}
