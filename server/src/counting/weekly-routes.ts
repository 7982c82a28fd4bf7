import {
  addHistory,
  highVolumeForDay,
  resetWeeklyDay,
  type WeeklyComponent,
} from '@inventory-manager/contract/counting/endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { recordAudit } from '../audit/queries.ts'
import { getDayStart } from '../platform/db/calendar.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Actor } from '../platform/http/identity.ts'
import { presentComponent } from '../stock/presenter.ts'
import { getComponent } from '../stock/component-queries.ts'
import { listComponentsOfDay, type ComponentRow, type StockRow } from '../stock/queries.ts'
import { requireLocation } from '../stock/service.ts'
import { addHistoryEntry, resetWeeklyMarks } from './queries.ts'

type Place = { actor: Actor; location: LocationCode; dayStart: Date }

/** What a location remembers of a component that was never counted there. */
const untouched: Omit<StockRow, 'location'> = {
  quantity: 0,
  countedAt: null,
  countedSource: null,
  weeklyCountedAt: null,
}

function toInstant(stored: string | null): string | null {
  return stored === null ? null : new Date(stored).toISOString()
}

/** Administrators see everything; staff nothing that tells them what to count. */
function presentWeekly(row: ComponentRow, { actor, location, dayStart }: Place): WeeklyComponent {
  const whole = presentComponent(row, actor.weekday)
  const held = row.stock.find((stock) => stock.location === location) ?? untouched
  const weeklyCountedAt = held.weeklyCountedAt === null ? null : new Date(held.weeklyCountedAt)
  const counted = weeklyCountedAt !== null && weeklyCountedAt >= dayStart
  const blind = {
    id: whole.id,
    barcode: whole.barcode,
    description: whole.description,
    last_counted_date: toInstant(held.countedAt),
    last_counted_location: held.countedAt === null ? null : location,
    last_counted_source: held.countedSource,
    is_high_volume: whole.is_high_volume,
    is_high_volume_today: whole.is_high_volume_today,
    counted,
    counted_today: counted,
    counted_at: toInstant(held.weeklyCountedAt),
    counted_source: held.countedSource,
  }
  return actor.role === 'admin' ? { ...whole, ...blind, expected_quantity: held.quantity } : blind
}

export function weeklyRoutes(bind: Binder): void {
  bind.member(highVolumeForDay, async ({ tx, actor, body }) => {
    requireLocation(actor, body.location)
    const dayStart = await getDayStart(tx, actor.timeZone)
    const rows = await listComponentsOfDay(tx, body)
    return { components: rows.map((row) => presentWeekly(row, { actor, location: body.location, dayStart })) }
  })

  bind.member(resetWeeklyDay, async ({ tx, actor, body }) => {
    requireLocation(actor, body.location)
    const dayStart = await getDayStart(tx, actor.timeZone)
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
    if (body.count_type === 'admin' && actor.role !== 'admin') throw new AppError('forbidden')
    requireLocation(actor, body.location)
    const component = await getComponent(tx, [body.sku])
    const { id } = await addHistoryEntry(tx, actor, {
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
