import type { DiscrepancyStatus } from '@inventory-manager/contract/discrepancies/endpoints'
import { isDismissedByPerson } from '@inventory-manager/contract/discrepancies/rules'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { countAgainInCycle } from './decision-queries.ts'
import { notDismissed, notReopened } from './refusals.ts'
import { findLocked, getSince, putBack, type Locked } from './reopen-queries.ts'

async function requireAsItWas(tx: Tx, item: Locked): Promise<void> {
  const since = await getSince(tx, item)
  if (since.retired) throw new AppError('component_retired')
  if (since.waits) throw notReopened('waits', item)
  if (since.counted) throw notReopened('counted', item)
  if (since.corrected) throw notReopened('corrected', item)
}

/** Takes a person's dismissal back: the difference waits again as it did before, unless something has come of it since. */
export async function reopen(tx: Tx, actor: Actor, id: string): Promise<DiscrepancyStatus> {
  const item = await findLocked(tx, id)
  if (item === undefined) throw new AppError('not_found')
  if (item.before_dismissal === null && !isDismissedByPerson(item)) throw notDismissed(item)
  await requireAsItWas(tx, item)
  const status = await putBack(tx, id)
  // What was saved of the cycle since may say again that it was counted there.
  if (status === 'recount' && item.count_type === 'admin') await countAgainInCycle(tx, id)
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'discrepancy_reopened',
    sku: item.sku,
    quantity: item.counted,
    location: item.location,
    source: item.count_type,
    metadata: {
      expected: item.expected,
      counted: item.counted,
      status,
      reason: item.reason ?? '',
      note: item.note ?? '',
      dismissed_by: item.decided_by ?? '',
    },
  })
  return status
}
