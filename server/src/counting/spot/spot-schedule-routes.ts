import {
  endSpotSchedule as endEndpoint,
  listSpotSchedules as listEndpoint,
  scheduleSpotCounts as scheduleEndpoint,
} from '@inventory-manager/contract/counting/spot/spot-schedule-endpoints'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { Binder } from '../../platform/http/binder-types.ts'
import { listSpotSchedules } from './spot-schedule-queries.ts'
import { endSpotSchedule, nextDayOf, scheduleSpotCounts } from './spot-schedule-service.ts'

/** Spot counts that are asked for on some days of each week. */
export function spotScheduleRoutes(bind: Binder): void {
  bind.member(listEndpoint, async ({ tx, actor: { plan, today, subscription } }) => {
    const locations = planLocationCodes(plan)
    const rows = await listSpotSchedules(tx, locations)
    const schedules = rows.map((row) => {
      const { is_manned: _, created_at: at, ...schedule } = row
      return {
        ...schedule,
        created_at: at.toISOString(),
        next_on: subscription === 'trial_expired' ? null : nextDayOf(row, today),
      }
    })
    return { spot_schedules: schedules }
  })

  bind.member(scheduleEndpoint, async ({ tx, actor, body }) => {
    const { user_id: userId = null, ...scheduling } = body
    const { id, asked, nextOn } = await scheduleSpotCounts(tx, actor, { ...scheduling, userId })
    return { success: true, id, asked, next_on: nextOn }
  })

  bind.member(endEndpoint, async ({ tx, actor, params }) => {
    await endSpotSchedule(tx, actor, params.id)
    return { success: true }
  })
}
