import { endpoint } from '../../endpoint.ts'
import { idParams } from '../../id-params.ts'
import { locationCodes } from '../../locations.ts'
import { wholeNumber } from '../../numbers.ts'
import { barcode, digits, instant, location } from '../../values.ts'
import { z } from '../../zod.ts'
import { day } from '../day.ts'
import {
  daysUntilUnknown,
  fewestMeasured,
  mostPlanMinutes,
  mostPlanPeople,
  mostSpotSkus,
  paceCounts,
  paceDays,
  spotDaysAhead,
  spotDaysListed,
  tooManySpotSkus,
  usualSecondsPerSku,
} from './spot-count-rules.ts'

const spotCount = z.object({
  id: z.string(),
  location: z.enum(locationCodes),
  user_id: z.nullable(z.string()).check(z.describe('Who is asked; null for whoever counts there.')),
  user_name: z.nullable(z.string()),
  due_on: day,
  created_by: z.string(),
  created_at: instant,
  schedule_id: z
    .optional(z.nullable(z.string()))
    .check(z.describe('The recurring spot count that asked for it; null where somebody did.')),
  counted: z
    .int()
    .check(z.describe('How many of its SKUs were counted at the location since they were asked for.')),
  total: z
    .int()
    .check(z.describe('How many SKUs it has, without those that were retired or are left out there since.')),
  first_skus: z.array(z.string()).check(z.describe('The first three of its SKUs, by their barcodes.')),
  overdue: z
    .boolean()
    .check(
      z.describe('Whether the day is over in the time zone of the company, and something is left to count.'),
    ),
})

export type SpotCount = z.output<typeof spotCount>

export const listSpotCounts = endpoint({
  method: 'GET',
  path: '/api/counting/spot-counts',
  access: 'member',
  effect: 'read',
  summary:
    'List the spot counts of some SKUs, with how far they are; staff see what they are asked themselves',
  description: `What is not done by its day, until ${spotDaysListed} days after that; then what is done, until its day is over. Of people who were deactivated nothing is listed. A SKU is counted by any count of it at the location that was made after it was asked for, was recorded and stands.`,
  reply: { status: 200, json: z.object({ spot_counts: z.array(spotCount) }) },
  errors: [],
})

export const askSpotCount = endpoint({
  method: 'POST',
  path: '/api/counting/spot-counts',
  access: 'admin',
  effect: 'write',
  summary: 'Ask for some SKUs of a location to be counted by a day, by somebody or by whoever counts there',
  description: `The day is one from today to ${spotDaysAhead} days ahead, in the time zone of the company. All barcodes that mean a component in use which the location keeps are taken; the others are named in the reply.`,
  body: z.object({
    location,
    barcodes: z
      .array(barcode)
      .check(z.minLength(1, 'Name at least one SKU.'), z.maxLength(mostSpotSkus, tooManySpotSkus)),
    user_id: z
      .optional(z.nullable(z.uuid('must be the id of a user.')))
      .check(z.describe('An active user of the company; left out or null for whoever counts there.')),
    due_on: day,
  }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      id: z.string(),
      asked: z.int().check(z.describe('How many SKUs were taken.')),
      not_found: z.array(z.string()),
    }),
  },
  errors: ['not_found', 'location_not_in_plan', 'trial_expired'],
})

export const takeBackSpotCount = endpoint({
  method: 'DELETE',
  path: '/api/counting/spot-counts/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'Take back that some SKUs are to be counted; what was counted stays counted',
  params: idParams,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'trial_expired'],
})

const spotSku = z.object({
  barcode: z.string(),
  asked_at: instant.check(z.describe('A count of it since then is what was asked for.')),
  due_on: day,
})

export type SpotSku = z.output<typeof spotSku>

export const listSpotSkus = endpoint({
  method: 'GET',
  path: '/api/counting/spot-skus',
  access: 'member',
  effect: 'read',
  summary: 'List what is left of the spot counts of a location that whoever asks is asked to count',
  description: 'Each SKU once, by its barcode, with the earliest day.',
  query: z.object({ location }),
  reply: { status: 200, json: z.object({ skus: z.array(spotSku) }) },
  errors: ['location_not_in_plan'],
})

/** What moved and differed in these days is looked at. */
export const daysOfRisk = 90

const suggestion = z.object({
  barcode: z.string(),
  description: z.string(),
  bin: z.string().check(z.describe("Where it lies at the location, '' for no bin.")),
  last_counted: z
    .nullable(instant)
    .check(z.describe('At the location; null where no count of it stands, as after a reset.')),
  pieces: z
    .int()
    .check(
      z.describe(
        `Pieces that came to the location or left it in the last ${daysOfRisk} days and since then, but for accepted differences.`,
      ),
    ),
  value: z
    .nullable(z.number())
    .check(z.describe('What they are worth now; null where no unit cost is known.')),
  differences: z
    .int()
    .check(z.describe(`Counts there in the last ${daysOfRisk} days that were recorded with a difference.`)),
})

export type SpotSuggestion = z.output<typeof suggestion>

/** A whole number from 1 to a limit, out of a query string. */
function numberTo(max: number, what: string) {
  return digits(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${max}.`, {
    description: what,
    minimum: 1,
    maximum: max,
  }).check(z.refine((value) => value <= max, `must be a whole number from 1 to ${max}.`))
}

export const suggestSpotCount = endpoint({
  method: 'GET',
  path: '/api/counting/spot-suggestions',
  access: 'admin',
  effect: 'read',
  summary: 'Suggest what to count at a location in the time that there is: what is most likely wrong, first',
  description: `A SKU ranks by three things of the same weight: how long it was not counted (${daysUntilUnknown} days or never is most), how much of its value moved since, beside the others, and how often it differed in the last ${daysOfRisk} days (three times is most). What was counted today, is asked for already, waits for a decision, or has neither stock nor moved is not suggested. How long a SKU takes is the mean time between two counts of a person, from one second to five minutes, among the last ${wholeNumber(paceCounts)} counts of ${paceDays} days.`,
  query: z.object({
    location,
    minutes: numberTo(mostPlanMinutes, 'How long people count.'),
    people: numberTo(mostPlanPeople, 'How many people count.'),
  }),
  reply: {
    status: 200,
    json: z.object({
      suggestions: z.array(suggestion),
      seconds_per_sku: z.int(),
      measured: z
        .boolean()
        .check(
          z.describe(
            `Whether that was measured; where fewer than ${fewestMeasured} were counted it is taken as ${usualSecondsPerSku}.`,
          ),
        ),
      currency: z.string(),
    }),
  },
  errors: ['location_not_in_plan'],
})
