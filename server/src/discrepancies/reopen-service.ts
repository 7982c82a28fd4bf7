import type { DiscrepancyStatus } from '@inventory-manager/contract/discrepancies/rules'
import { isAcceptedByPerson, isDismissedByPerson } from '@inventory-manager/contract/discrepancies/rules'
import { planOffers } from '@inventory-manager/contract/plans'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { keepAgain } from '../stock/kept-service.ts'
import { moveStock } from '../stock/queries.ts'
import { withinStockLimit } from '../stock/stock-limit.ts'
import { countAgainInCycle } from './decision-queries.ts'
import { notDecided, notReopened, refusal, reopenRefusals } from './refusals.ts'
import { expectAsBefore, lockDiscrepancy, getSince, putBack, type Locked } from './reopen-queries.ts'

async function requireAsItWas(tx: Tx, actor: Actor, item: Locked): Promise<void> {
  const since = await getSince(tx, item)
  if (since.retired) throw new AppError('component_retired')
  if (since.waits) throw notReopened(actor, 'waits', item)
  if (since.counted) throw notReopened(actor, 'counted', item)
  if (since.corrected) throw notReopened(actor, 'corrected', item)
}

/** Moves exactly what accepting a difference has posted back, whatever the stock is by now. */
async function moveBack(tx: Tx, actor: Actor, item: Locked): Promise<void> {
  if (!planOffers(actor.plan, item.location)) throw refusal(actor, 'location_not_in_plan', item)
  const reason = [item.reason, item.note].filter((part) => part !== null && part !== '').join(': ')
  const change = {
    componentId: item.component_id,
    location: item.location,
    difference: item.expected - item.counted,
    cause: 'discrepancy',
    note: `Reopened, was accepted as: ${reason}`,
  } as const
  const moved = await withinStockLimit(() => moveStock(tx, actor, change), {
    sentence: reopenRefusals.stock_limit(item, actor.locationNames),
  })
  if (!moved)
    throw new AppError('below_zero', { sentence: reopenRefusals.below_zero(item, actor.locationNames) })
  await expectAsBefore(tx, { ...change, id: item.id })
}

/** What the trail tells of how a difference was decided before. */
function decisionOf(item: Locked): Record<string, unknown> {
  const by = item.decided_by ?? ''
  if (item.status !== 'accepted') return { dismissed_by: by }
  return { accepted_by: by, moved_back: item.expected - item.counted }
}

/**
 * Takes a person's dismissal or acceptance back: the difference waits again as it did before. Throws 'not_found',
 * 'cannot_reopen' where nobody decided it or something has come of it since, 'component_retired', 'location_not_in_plan',
 * 'below_zero' and 'stock_limit'.
 */
export async function reopen(tx: Tx, actor: Actor, id: string): Promise<DiscrepancyStatus> {
  const item = await lockDiscrepancy(tx, id)
  if (item === undefined) throw new AppError('not_found')
  const isDismissed = item.before_dismissal !== null || isDismissedByPerson(item)
  if (!isDismissed && !isAcceptedByPerson(item)) throw notDecided(actor, item)
  await requireAsItWas(tx, actor, item)
  if (item.status === 'accepted') await moveBack(tx, actor, item)
  const status = await putBack(tx, id)
  // What was saved of the cycle since may say again that it was counted there.
  if (status === 'recount' && item.count_type === 'admin') await countAgainInCycle(tx, id)
  // It may have been left out there since: what a difference waits of is kept.
  await keepAgain(tx, actor, { location: item.location, ids: [item.component_id] })
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
      ...decisionOf(item),
    },
  })
  return status
}
