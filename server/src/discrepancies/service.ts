import type { decideDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { planOffers } from '@inventory-manager/contract/plans'
import { recordAudits, type NewAuditEntry } from '../audit/queries.ts'
import { getMonthStart, keepTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { moveStock } from '../stock/queries.ts'
import { withinStockLimit } from '../stock/service.ts'
import {
  clearMarks,
  countAgainInCycle,
  decide,
  listEnded,
  lockUndecided,
  settleOthers,
  type Settled,
} from './decision-queries.ts'
import { noLongerWaiting, refusal, refusals, requireAsSeen } from './refusals.ts'

type Body = EndpointInput<typeof decideDiscrepancies>['body']
type Undecided = Awaited<ReturnType<typeof lockUndecided>>[number]

const statuses = { accept: 'accepted', recount: 'recount', dismiss: 'dismissed' } as const

/** Throws 403 where the plan does not open the location of a difference: there nobody counts, and stock stays as it is. */
function requireOpen(actor: Actor, item: Undecided): void {
  if (!planOffers(actor.plan, item.location)) throw refusal('location_not_in_plan', item)
}

/**
 * Accepting posts counted minus expected at the scan, so that what moved in between stays right. Gives what else was found
 * of the same, which is settled with it.
 */
async function accept(
  tx: Tx,
  actor: Actor,
  { item, note }: { item: Undecided; note: string },
): Promise<Settled[]> {
  // A first entry is not the count yet: the SKU stays pending until there is a second.
  if (item.status !== 'open') throw refusal('not_recorded', item)
  requireOpen(actor, item)
  const change = {
    componentId: item.component_id,
    location: item.location,
    difference: item.counted - item.expected,
    cause: 'discrepancy',
  } as const
  const posted = await withinStockLimit(() => moveStock(tx, actor, { ...change, note }), {
    sentence: refusals.stock_limit(item),
  })
  if (!posted) throw refusal('below_zero', item)
  return await settleOthers(tx, actor, { id: item.id, ...change })
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
  const note = why.note === '' ? why.reason : `${why.reason}: ${why.note}`
  const settled = new Map<string, Settled>()
  for (const item of items) {
    if (settled.has(item.id)) continue
    for (const other of await accept(tx, actor, { item, note })) settled.set(other.id, other)
  }
  return settled
}

async function askForRecounts(
  tx: Tx,
  actor: Actor,
  { items, timeZone }: { items: Undecided[]; timeZone: string },
): Promise<void> {
  for (const item of items) requireOpen(actor, item)
  const monthStart = await getMonthStart(tx, timeZone)
  for (const { id, component_id: componentId, location, count_type: countType } of items) {
    await clearMarks(tx, { componentId, location, countType, monthStart })
    if (countType === 'admin') await countAgainInCycle(tx, id)
  }
}

/** All that are named, locked; throws where one does not wait any more, or is not what was seen of it. */
async function lockNamed(tx: Tx, body: Body): Promise<Undecided[]> {
  const ids = [...new Set(body.ids)]
  const items = await lockUndecided(tx, ids)
  if (items.length < ids.length) throw noLongerWaiting(ids, await listEnded(tx, ids))
  requireAsSeen(items, body)
  return items
}

/** Decides differences as an administrator says: all that are named, or none. */
export async function decideAll(tx: Tx, actor: Actor, body: Body): Promise<number> {
  const { decision, note, reason = '' } = body
  if (decision === 'accept' && reason === '') throw new AppError('reason_required')
  const timeZone = decision === 'recount' ? await keepTimeZone(tx) : actor.timeZone
  const items = await lockNamed(tx, body)
  let settled = new Map<string, Settled>()
  if (decision === 'accept') settled = await acceptAll(tx, actor, { items, reason, note })
  if (decision === 'recount') await askForRecounts(tx, actor, { items, timeZone })
  const decided = items.filter(({ id }) => !settled.has(id))
  const status = statuses[decision]
  await recordAudits(tx, actor, [
    ...decided.map((item) => entryOf({ item, status, reason, note })),
    ...[...settled.values()].map((item) => entryOf({ item, status: 'settled', reason, note })),
  ])
  await decide(tx, actor, {
    ids: decided.map(({ id }) => id),
    status,
    reason: reason === '' ? null : reason,
    note,
  })
  return items.length
}
