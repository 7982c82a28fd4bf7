import { isDeepStrictEqual } from 'node:util'
import { dayAfter, type DayOfWeek } from '@inventory-manager/contract/calendar'
import { subscriptionStatus, type BillingProvider } from '@inventory-manager/contract/company/subscription'
import {
  inWeekOrder,
  mostSpotSchedules,
  nextRecurring,
} from '@inventory-manager/contract/counting/spot/spot-schedule-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import { getActiveUser, getUser } from '../../accounts/team-queries.ts'
import { dayIn } from '../../accounts/time-zones.ts'
import { program, type AuditActor } from '../../audit/queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../../platform/http/identity.ts'
import { recordAsking } from '../asking-record.ts'
import { listSpotCounts } from './spot-count-queries.ts'
import { askFor, planSpotCount, withdrawSpotCount } from './spot-count-service.ts'
import {
  claimDay,
  createSpotSchedule,
  getCompanyToAsk,
  listSpotSchedules,
  noteAsked,
  removeSpotSchedule,
  type SpotScheduleRow,
} from './spot-schedule-queries.ts'

type Company = Pick<Actor, 'plan' | 'today' | 'timeZone'>

/** A recurring spot count as it asks. */
type Schedule = {
  id: string
  location: LocationCode
  user: { id: string; name: string } | null
  minutes: number
  people: number
  createdBy: string
}

/** Takes back what is left of the last time: what of it is most likely wrong is suggested again. */
async function takeBackLeft(
  tx: Tx,
  actor: AuditActor,
  { today, id, location }: Pick<Company, 'today'> & Pick<Schedule, 'id' | 'location'>,
): Promise<void> {
  const listed = await listSpotCounts(tx, { today, locations: [location], userId: null })
  const left = listed.filter((spot) => spot.schedule_id === id && spot.counted < spot.total)
  // One that an administrator has taken back meanwhile is gone already.
  for (const spot of left) await withdrawSpotCount(tx, actor, spot)
}

type Asking = { company: Company; schedule: Schedule }

/**
 * Asks for what is most likely wrong today, by the end of the day, in place of what is left of the last time. Says for how many SKUs;
 * null where it asked today before.
 */
async function askAgain(tx: Tx, actor: AuditActor, { company, schedule }: Asking): Promise<number | null> {
  const { id, location, minutes, people, user, createdBy } = schedule
  const { today } = company
  if (!(await claimDay(tx, id, today))) return null
  await takeBackLeft(tx, actor, { today, id, location })
  const { risks } = await planSpotCount(tx, company, { location, minutes, people })
  if (risks.length === 0) return 0
  const barcodes = risks.map(({ barcode }) => barcode)
  const order = { location, barcodes, user, dueOn: today, createdBy, scheduleId: id }
  const { asked } = await askFor(tx, actor, order)
  await noteAsked(tx, id, asked)
  return asked
}

type Scheduling = {
  location: LocationCode
  /** Null for whoever counts there. */
  userId: string | null
  days: readonly DayOfWeek[]
  minutes: number
  people: number
}

/** Throws 'invalid_request' where as many recur as may, of those that can be seen, or one that is the same in everything. */
async function requireRoom(tx: Tx, { plan }: Pick<Actor, 'plan'>, wanted: Scheduling): Promise<void> {
  const schedules = await listSpotSchedules(tx, planLocationCodes(plan))
  const { location, userId, minutes, people, days } = wanted
  const isSame = (one: SpotScheduleRow) =>
    isDeepStrictEqual(
      [one.location, one.user_id, one.minutes, one.people, one.days],
      [location, userId, minutes, people, days],
    )
  if (schedules.some(isSame)) {
    throw new AppError('invalid_request', { sentence: 'The same spot count recurs already.' })
  }
  if (schedules.length < mostSpotSchedules) return
  const sentence = `There are ${mostSpotSchedules} recurring spot counts. End one first.`
  throw new AppError('invalid_request', { sentence })
}

/**
 * Has a spot count recur on days of the week, and asks at once where today is one of them. Says for how many SKUs, null where it is not,
 * and on which day it asks next. Throws 'not_found', 'location_not_in_plan' and 'invalid_request'.
 */
export async function scheduleSpotCounts(tx: Tx, actor: Actor, { userId, ...scheduling }: Scheduling) {
  const { location, minutes, people } = scheduling
  requireLocation(actor, location)
  const user = userId === null ? null : await getActiveUser(tx, userId)
  const days = inWeekOrder(scheduling.days)
  await requireRoom(tx, actor, { ...scheduling, userId, days })
  const createdBy = actor.userName
  const id = await createSpotSchedule(tx, { location, userId, days, minutes, people, createdBy })
  const facts = { days, minutes, people }
  await recordAsking(tx, actor, { event: 'spot_schedule_made', location, user, facts })
  const { today } = actor
  const isToday = nextRecurring(days, today) === today
  const schedule = { id, location, user, minutes, people, createdBy }
  const asked = isToday ? await askAgain(tx, actor, { company: actor, schedule }) : null
  return { id, asked, nextOn: nextRecurring(days, dayAfter(today, 1)) }
}

/** Ends a recurring spot count; throws 'not_found'. */
export async function endSpotSchedule(tx: Tx, actor: Actor, id: string): Promise<void> {
  const removed = await removeSpotSchedule(tx, id)
  if (removed === null) throw new AppError('not_found')
  const { location, user_id: userId, ...facts } = removed
  const user = userId === null ? null : await getUser(tx, userId)
  await recordAsking(tx, actor, { event: 'spot_schedule_ended', location, user, facts })
}

/** The day on which a recurring spot count asks next, today or later; null while whoever is asked may not count. */
export function nextDayOf(
  { days, asked_on: askedOn, is_manned: isManned }: SpotScheduleRow,
  today: string,
): string | null {
  if (!isManned) return null
  // Where the company's time zone was changed its today may be the day before.
  return nextRecurring(days, askedOn !== null && askedOn >= today ? dayAfter(askedOn, 1) : today)
}

/** The recurring spot counts of a company that have not asked today and are to; none of one whose trial has expired. */
export async function listDue(tx: Tx, provider: BillingProvider): Promise<Asking[]> {
  const row = await getCompanyToAsk(tx)
  const { plan, time_zone: timeZone, trial_is_over: trialIsOver } = row
  if (subscriptionStatus({ provider, paid: row.paid ?? 'none', trialIsOver }) === 'trial_expired') return []
  const { today } = dayIn(timeZone, row.asked_at)
  const schedules = await listSpotSchedules(tx, planLocationCodes(plan))
  return schedules
    .filter((schedule) => nextDayOf(schedule, today) === today)
    .map(({ user_id: userId, user_name: name, created_by: createdBy, ...schedule }) => ({
      company: { plan, today, timeZone },
      schedule: {
        ...schedule,
        user: userId === null ? null : { id: userId, name: name ?? '' },
        createdBy,
      },
    }))
}

/** Has a recurring spot count ask in nobody's name, if it is still due. */
export async function askDue(tx: Tx, provider: BillingProvider, id: string): Promise<void> {
  const due = await listDue(tx, provider)
  const asking = due.find(({ schedule }) => schedule.id === id)
  if (asking !== undefined) await askAgain(tx, program, asking)
}
