import {
  addHistory,
  highVolumeForDay,
  resetWeeklyDay,
  type WeeklyComponent,
} from '@inventory-manager/contract/counting/endpoints'
import type { Role } from '@inventory-manager/contract/roles'
import { recordAudit } from '../audit/queries.ts'
import { getDayStart } from '../platform/db/calendar.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder.ts'
import { getActiveComponent } from '../stock/component-queries.ts'
import { requireLocation } from '../stock/service.ts'
import { recordHistoryEntry, resetWeeklyMarks } from './queries.ts'
import { listOfDay, type Listed } from './weekly-list.ts'

/** Administrators see everything; staff nothing that tells them what to count. */
function presentWeekly({ whole, countable, aliases }: Listed, role: Role): WeeklyComponent {
  const { high_volume_config: _, ...blind } = countable
  const known = aliases.length === 0 ? {} : { aliases }
  const weekly = { ...blind, ...known, counted_today: countable.counted }
  return role === 'admin' ? { ...whole, ...weekly } : weekly
}

export function weeklyRoutes(bind: Binder): void {
  bind.member(highVolumeForDay, async ({ tx, actor, body }) => {
    requireLocation(actor, body.location)
    const listed = await listOfDay(tx, actor, body)
    return { components: listed.map((one) => presentWeekly(one, actor.role)) }
  })

  bind.member(resetWeeklyDay, async ({ tx, actor, body }) => {
    requireLocation(actor, body.location)
    const dayStart = await getDayStart(tx, actor)
    const reset = await resetWeeklyMarks(tx, { ...body, dayStart })
    await recordAudit(tx, actor, {
      kind: 'weekly_count',
      event: 'weekly_count_reset',
      quantity: reset,
      location: body.location,
      source: 'weekly',
      metadata: { day: body.day },
    })
    return { success: true, reset }
  })

  bind.member(addHistory, async ({ tx, actor, body }) => {
    // As a count is recorded: an administrator's own is no program's.
    if (body.count_type === 'admin' && actor.userType !== 'admin') throw new AppError('forbidden')
    requireLocation(actor, body.location)
    const component = await getActiveComponent(tx, body.sku)
    const { id } = await recordHistoryEntry(tx, actor, {
      componentId: component.id,
      sku: component.barcode,
      location: body.location,
      quantity: body.quantity,
      countType: body.count_type,
      session: body.count_session,
      source: body.source ?? body.count_type,
    })
    await recordAudit(tx, actor, {
      kind: 'inventory_scan',
      event: 'count_history_added',
      sku: component.barcode,
      quantity: body.quantity,
      location: body.location,
      source: body.count_type,
    })
    return { success: true, id }
  })
}
