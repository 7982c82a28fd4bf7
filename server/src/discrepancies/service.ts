import type { decideDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { planOffers } from '@inventory-manager/contract/plans'
import { recordAudits, type NewAuditEntry } from '../audit/queries.ts'
import { getMonthStart, lockTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { keepAgain } from '../stock/kept-service.ts'
import {
  acceptDifferences,
  setDecision,
  listEnded,
  lockUndecided,
  recountDifferences,
  type Settled,
} from './decision-queries.ts'
import { noLongerWaiting, refusal, requireAsSeen } from './refusals.ts'

type Body = EndpointInput<typeof decideDiscrepancies>['body']
type Undecided = Awaited<ReturnType<typeof lockUndecided>>[number]

const idsOf = (items: Undecided[]) => items.map(({ id }) => id)

const statuses = { accept: 'accepted', recount: 'recount', dismiss: 'dismissed' } as const

/** Throws 'location_not_in_plan' where the plan does not open the location of a difference: there nobody counts, and stock stays as it is. */
function requireOpen(actor: Actor, item: Undecided): void {
  if (!planOffers(actor.plan, item.location)) throw refusal(actor, 'location_not_in_plan', item)
}

type Decided = {
  item: Settled
  status: 'accepted' | 'dismissed' | 'recount' | 'settled'
  reason: string
  note: string
}

function entryOf({ item, status, ...why }: Decided): NewAuditEntry {
  return {
    kind: 'configuration',
    event: `discrepancy_${status}` as const,
    sku: item.sku,
    quantity: item.counted,
    location: item.location,
    source: item.count_type,
    metadata: { expected: item.expected, counted: item.counted, ...why },
  }
}

/** Accepts each that is not settled with one before; gives those that are settled. */
async function acceptAll(
  tx: Tx,
  actor: Actor,
  { items, ...why }: { items: Undecided[]; reason: string; note: string },
): Promise<Map<string, Settled>> {
  for (const item of items) requireOpen(actor, item)
  const settled = new Map<string, Settled>()
  const note = why.note === '' ? why.reason : `${why.reason}: ${why.note}`
  for (const { outcome, ...item } of await acceptDifferences(tx, actor, { ids: idsOf(items), note })) {
    if (outcome !== 'settled') throw refusal(actor, outcome, item)
    settled.set(item.id, item)
  }
  return settled
}

async function askForRecounts(
  tx: Tx,
  actor: Actor,
  { items, timeZone }: { items: Undecided[]; timeZone: string },
): Promise<void> {
  for (const item of items) requireOpen(actor, item)
  await recountDifferences(tx, { ids: idsOf(items), monthStart: await getMonthStart(tx, timeZone) })
}

/** What is to be counted again is kept where it was left out: it would be in no list. Last, because nothing may be locked after it. */
async function keepToRecount(tx: Tx, actor: Actor, items: Undecided[]): Promise<void> {
  for (const location of new Set(items.map((item) => item.location))) {
    const here = items.filter((item) => item.location === location)
    await keepAgain(tx, actor, { location, ids: here.map((item) => item.component_id) })
  }
}

/** All that are named, locked; throws where one does not wait any more, or is not what was seen of it. */
async function lockNamed(tx: Tx, actor: Actor, body: Body): Promise<Undecided[]> {
  const ids = [...new Set(body.ids)]
  const items = await lockUndecided(tx, ids)
  if (items.length < ids.length) throw noLongerWaiting(actor, ids, await listEnded(tx, ids))
  requireAsSeen(actor, items, body)
  return items
}

/**
 * Decides differences as an administrator says: all that are named, or none; returns how many. Throws 'reason_required',
 * 'not_found' where one does not wait any more, 'changed_since', 'location_not_in_plan', and what keeps one from being
 * accepted: 'not_recorded', 'below_zero' and 'stock_limit'.
 */
export async function decideAll(tx: Tx, actor: Actor, body: Body): Promise<number> {
  const { decision, note, reason = '' } = body
  if (decision === 'accept' && reason === '') throw new AppError('reason_required')
  const timeZone = decision === 'recount' ? await lockTimeZone(tx) : actor.timeZone
  const items = await lockNamed(tx, actor, body)
  let settled = new Map<string, Settled>()
  if (decision === 'accept') settled = await acceptAll(tx, actor, { items, reason, note })
  if (decision === 'recount') await askForRecounts(tx, actor, { items, timeZone })
  const decided = items.filter(({ id }) => !settled.has(id))
  const status = statuses[decision]
  await recordAudits(tx, actor, [
    ...decided.map((item) => entryOf({ item, status, reason, note })),
    ...[...settled.values()].map((item) => entryOf({ item, status: 'settled', reason, note })),
  ])
  await setDecision(tx, actor, {
    ids: idsOf(decided),
    status,
    reason: reason === '' ? null : reason,
    note,
  })
  if (decision === 'recount') await keepToRecount(tx, actor, items)
  return items.length
}
