import { resetReason } from '@inventory-manager/contract/discrepancies/rules'
import { sql } from 'kysely'

/** Whether a person has dismissed a difference, whatever reason they gave. */
export const isDismissed = sql<boolean>`before_dismissal is not null`

/**
 * Whether a difference is of a count that was recorded. A first entry that nobody repeated is no count yet, though a match may have
 * come late beside it; what was taken back or reset is none any more.
 */
export const isRecorded = sql<boolean>`(
  attempts > 1 and status <> 'attempted' and (reason is distinct from ${sql.lit(resetReason)} or ${isDismissed})
    or status = 'accepted'
)`
