import type { decideDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { clearMarks, decide, getMonthStart, lockUndecided, postDifference } from './decision-queries.ts'

type Body = EndpointInput<typeof decideDiscrepancies>['body']
type Undecided = Awaited<ReturnType<typeof lockUndecided>>[number]

const statuses = { accept: 'accepted', recount: 'recount', dismiss: 'dismissed' } as const

/** Accepting posts counted minus expected at the scan, so that what moved in between stays right. */
async function accept(
  tx: Tx,
  actor: Actor,
  { item, note }: { item: Undecided; note: string },
): Promise<void> {
  // A first entry is not the count yet: the SKU stays pending until there is a second.
  if (item.status !== 'open') throw new AppError('not_recorded')
  const moved = await postDifference(tx, actor, {
    componentId: item.component_id,
    location: item.location,
    difference: item.counted - item.expected,
    note,
  })
  if (!moved) throw new AppError('below_zero')
}

/** Decides differences as an administrator says: all that are named, or none (decisions, 'Stock and counts'). */
export async function decideAll(tx: Tx, actor: Actor, body: Body): Promise<number> {
  const reason = body.reason ?? ''
  if (body.decision === 'accept' && reason === '') throw new AppError('reason_required')
  const ids = [...new Set(body.ids)]
  const items = await lockUndecided(tx, ids)
  if (items.length < ids.length) throw new AppError('not_found')

  const monthStart = await getMonthStart(tx, actor.timeZone)
  for (const item of items) {
    if (body.decision === 'accept') {
      await accept(tx, actor, { item, note: body.note === '' ? reason : `${reason}: ${body.note}` })
    }
    if (body.decision === 'recount') {
      await clearMarks(tx, {
        componentId: item.component_id,
        location: item.location,
        countType: item.count_type,
        monthStart,
      })
    }
    await recordAudit(tx, actor, {
      kind: 'configuration',
      event: `discrepancy_${statuses[body.decision]}`,
      sku: item.sku,
      quantity: item.counted,
      location: item.location,
      source: item.count_type,
      metadata: { expected: item.expected, counted: item.counted, reason, note: body.note },
    })
  }
  const reasonOrNone = reason === '' ? null : reason
  await decide(tx, actor, { ids, status: statuses[body.decision], reason: reasonOrNone, note: body.note })
  return items.length
}
