import { endpoint } from '../../endpoint.ts'
import { idParams } from '../../id-params.ts'
import { locationCodes } from '../../locations.ts'
import { namedBins } from '../../stock/named-bins.ts'
import { location } from '../../values.ts'
import { z } from '../../zod.ts'
import { day } from '../day.ts'

const assignment = z.object({
  id: z.string(),
  location: z.enum(locationCodes),
  user_id: z.string(),
  user_name: z.string(),
  due_on: day,
  bins: z
    .optional(z.array(z.string()))
    .check(
      z.describe(
        "The bins they are asked to count, each with all that begin with it, and '' for what has none; all of the location where it is empty.",
      ),
    ),
  counted: z
    .int()
    .check(
      z.describe('How many SKUs are counted this month in these bins, or at the location, by whomever.'),
    ),
  total: z.int(),
  overdue: z
    .boolean()
    .check(
      z.describe('Whether the day is over in the time zone of the company, and something is left to count.'),
    ),
})

export type Assignment = z.output<typeof assignment>

export const listAssignments = endpoint({
  method: 'GET',
  path: '/api/counting/assignments',
  access: 'member',
  effect: 'read',
  summary: 'List who is asked to count which location this month; staff see what they are asked themselves',
  description: 'By their days. Of people who were deactivated nothing is listed.',
  reply: { status: 200, json: z.object({ assignments: z.array(assignment) }) },
  errors: [],
})

export const assignCounter = endpoint({
  method: 'POST',
  path: '/api/counting/assignments',
  access: 'admin',
  effect: 'write',
  summary: 'Ask somebody to count a location this month, or some of its bins, by a day',
  description:
    'The day is one from today to the end of the month, in the time zone of the company. Whoever is asked to count the location already gets the new day, and the new bins.',
  body: z.object({
    location,
    user_id: z.uuid('must be the id of a user.').check(z.describe('An active user of the company.')),
    due_on: day,
    bins: z
      .optional(namedBins)
      .check(
        z.describe(
          "Names of bins, each with all that begin with it: 'A' is also A-03 and A12, but not AB. '' is what has no bin. Empty for all of the location; left out it stays, and is that for whoever was not asked yet.",
        ),
      ),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), id: z.string() }) },
  errors: ['not_found', 'location_not_in_plan', 'trial_expired'],
})

/** How many aisles are listed: of others people type the names. */
export const mostAisles = 200

const aisle = z.object({
  name: z.string().check(z.describe("What names of bins begin with; '' for what has no bin.")),
  counted: z.int().check(z.describe('How many of its SKUs are counted this month.')),
  total: z.int(),
})

export type Aisle = z.output<typeof aisle>

export const listAisles = endpoint({
  method: 'GET',
  path: '/api/counting/aisles',
  access: 'admin',
  effect: 'read',
  summary: 'What the bins of a location begin with, to be divided among those who count',
  description:
    'The first 200 as people walk, and at the end what has no bin. Where nearly all bins begin alike, it is what they begin with up to where they differ.',
  query: z.object({ location }),
  reply: { status: 200, json: z.object({ aisles: z.array(aisle) }) },
  errors: ['location_not_in_plan'],
})

export const unassignCounter = endpoint({
  method: 'DELETE',
  path: '/api/counting/assignments/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'Take back that somebody is asked to count a location',
  params: idParams,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'trial_expired'],
})

export const getMyBins = endpoint({
  method: 'GET',
  path: '/api/counting/my-bins',
  access: 'member',
  effect: 'read',
  summary: 'Get which bins of a location whoever asks is asked to count this month',
  query: z.object({ location }),
  reply: {
    status: 200,
    json: z.object({
      bins: z
        .array(z.string())
        .check(z.describe('Empty where they are asked to count all of it, or nothing there.')),
    }),
  },
  errors: ['location_not_in_plan'],
})
