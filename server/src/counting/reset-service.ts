import type { LocationCode } from '@inventory-manager/contract/locations'
import { weekDays, type WeekDay } from '@inventory-manager/contract/stock/rules'
import { recordAudit } from '../audit/queries.ts'
import { getDayStart, getMonthStart, lockTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { resetMonthlyMarks, resetWeeklyMarks } from './queries.ts'

const resetEvents = {
  monthly: { kind: 'monthly_count', event: 'monthly_count_reset' },
  weekly: { kind: 'weekly_count', event: 'weekly_count_reset' },
} as const

async function resetMonth(tx: Tx, location: LocationCode): Promise<number> {
  const monthStart = await getMonthStart(tx, await lockTimeZone(tx))
  return await resetMonthlyMarks(tx, { location, monthStart })
}

async function resetToday(tx: Tx, actor: Actor, location: LocationCode): Promise<number> {
  const dayStart = await getDayStart(tx, actor)
  let cleared = 0
  for (const day of weekDays) cleared += await resetWeeklyMarks(tx, { location, day, dayStart })
  return cleared
}

/** Clears a location's marks of the month or, of weekly counts, of today, on whichever day's list; gives how many there were. */
export async function resetMarks(
  tx: Tx,
  actor: Actor,
  { location, type }: { location: LocationCode; type: keyof typeof resetEvents },
): Promise<number> {
  requireLocation(actor, location)
  const cleared = type === 'monthly' ? await resetMonth(tx, location) : await resetToday(tx, actor, location)
  await recordAudit(tx, actor, { ...resetEvents[type], quantity: cleared, location, source: type })
  return cleared
}

/** Clears today's weekly marks of one day's list at a location; gives how many there were. */
export async function resetDay(
  tx: Tx,
  actor: Actor,
  { location, day }: { location: LocationCode; day: WeekDay },
): Promise<number> {
  requireLocation(actor, location)
  const cleared = await resetWeeklyMarks(tx, { location, day, dayStart: await getDayStart(tx, actor) })
  await recordAudit(tx, actor, {
    ...resetEvents.weekly,
    quantity: cleared,
    location,
    source: 'weekly',
    metadata: { day },
  })
  return cleared
}
