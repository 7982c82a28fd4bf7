import { daysOfWeek } from '../../calendar.ts'
import { endpoint } from '../../endpoint.ts'
import { idParams } from '../../id-params.ts'
import { locationCodes } from '../../locations.ts'
import { instant, location } from '../../values.ts'
import { z } from '../../zod.ts'
import { day } from '../day.ts'
import { mostPlanMinutes, mostPlanPeople } from './spot-count-rules.ts'
import { noRecurringDay } from './spot-schedule-rules.ts'

/** A whole number from 1 to a limit. */
function numberTo(max: number, what: string) {
  const rule = `must be a whole number from 1 to ${max}.`
  return z.int(rule).check(z.minimum(1, rule), z.maximum(max, rule), z.describe(what))
}

const schedule = z.object({
  location,
  user_id: z
    .optional(z.nullable(z.uuid('must be the id of a user.')))
    .check(z.describe('An active user of the company; left out or null for whoever counts there.')),
  days: z
    .array(z.enum(daysOfWeek, `must be one of ${daysOfWeek.join(', ')}.`))
    .check(z.minLength(1, noRecurringDay), z.maxLength(daysOfWeek.length, 'Name each day once.')),
  minutes: numberTo(mostPlanMinutes, 'How long people count.'),
  people: numberTo(mostPlanPeople, 'How many people count.'),
})

const spotSchedule = z.object({
  id: z.string(),
  location: z.enum(locationCodes),
  user_id: z.nullable(z.string()).check(z.describe('Who is asked; null for whoever counts there.')),
  user_name: z.nullable(z.string()),
  days: z.array(z.enum(daysOfWeek)),
  minutes: z.int(),
  people: z.int(),
  created_by: z.string(),
  created_at: instant,
  asked_on: z.nullable(day).check(z.describe('The day on which it asked last; null before the first.')),
  asked_skus: z
    .nullable(z.int())
    .check(z.describe('For how many SKUs it asked then; 0 where nothing was to be suggested.')),
  next_on: z
    .nullable(day)
    .check(
      z.describe(
        'The day on which it asks next; null while whoever is asked may not count: deactivated, without a seat in the plan, or the trial is over.',
      ),
    ),
})

export type SpotSchedule = z.output<typeof spotSchedule>

export const listSpotSchedules = endpoint({
  method: 'GET',
  path: '/api/counting/spot-schedules',
  access: 'admin',
  effect: 'read',
  summary: 'List the recurring spot counts, by location and age',
  reply: { status: 200, json: z.object({ spot_schedules: z.array(spotSchedule) }) },
  errors: [],
})

export const scheduleSpotCounts = endpoint({
  method: 'POST',
  path: '/api/counting/spot-schedules',
  access: 'admin',
  effect: 'write',
  summary: 'Have a spot count recur on some days of the week',
  description:
    'On each of the days, within minutes of its beginning in the time zone of the company, a spot count is asked for of what is most likely wrong by then and fits the time, by the end of that day. What is left of its last one is taken back with that. Where today is one of the days, it asks at once.',
  body: schedule,
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      id: z.string(),
      asked: z
        .nullable(z.int())
        .check(z.describe('For how many SKUs it asked at once; null where today is none of its days.')),
      next_on: day,
    }),
  },
  errors: ['not_found', 'location_not_in_plan', 'trial_expired'],
})

export const endSpotSchedule = endpoint({
  method: 'DELETE',
  path: '/api/counting/spot-schedules/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'End a recurring spot count; what it asked for last stays asked',
  params: idParams,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'trial_expired'],
})
