import {
  assignCounter as assignEndpoint,
  getMyBins as myBinsEndpoint,
  listAisles as aislesEndpoint,
  listAssignments as listEndpoint,
  unassignCounter as unassignEndpoint,
} from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { Binder } from '../../platform/http/binder-types.ts'
import { requireLocation } from '../../platform/http/identity.ts'
import { countByBin } from '../sheet/aisle-queries.ts'
import { aislesOf } from '../sheet/aisles.ts'
import { findAssignment, listAssignments } from './assignment-queries.ts'
import { assignCounter, unassignCounter } from './assignment-service.ts'

/** Who is asked to count what this month. */
export function assignmentRoutes(bind: Binder): void {
  bind.member(listEndpoint, async ({ tx, actor }) => {
    const { today, timeZone } = actor
    const rows = await listAssignments(tx, {
      today,
      timeZone,
      locations: planLocationCodes(actor.plan),
      userId: actor.role === 'admin' ? null : actor.userId,
    })
    const assignments = rows.map((row) => ({
      ...row,
      overdue: row.due_on < today && row.counted < row.total,
    }))
    return { assignments }
  })

  bind.member(aislesEndpoint, async ({ tx, actor, query: { location } }) => {
    requireLocation(actor, location)
    return { aisles: aislesOf(await countByBin(tx, { locations: [location], timeZone: actor.timeZone })) }
  })

  bind.member(myBinsEndpoint, async ({ tx, actor, query: { location } }) => {
    requireLocation(actor, location)
    const asked = await findAssignment(tx, { location, userId: actor.userId, today: actor.today })
    return { bins: asked?.bins ?? [] }
  })

  bind.member(assignEndpoint, async ({ tx, actor, body }) => {
    const { location, user_id: userId, due_on: dueOn, bins } = body
    return { success: true, id: await assignCounter(tx, actor, { location, userId, dueOn, bins }) }
  })

  bind.member(unassignEndpoint, async ({ tx, actor, params }) => {
    await unassignCounter(tx, actor, params.id)
    return { success: true }
  })
}
