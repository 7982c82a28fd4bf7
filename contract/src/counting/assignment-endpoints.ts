import { endpoint } from '../endpoint.ts'
import { locationCodes } from '../locations.ts'
import { location } from '../values.ts'
import { z } from '../zod.ts'

const day = z.iso.date('must be a day such as 2026-11-30.').check(z.meta({ examples: ['2026-11-30'] }))

const assignment = z.object({
  id: z.string(),
  location: z.enum(locationCodes),
  user_id: z.string(),
  user_name: z.string(),
  due_on: day,
  counted: z.int().check(z.describe('How many SKUs are counted this month at the location, by whomever.')),
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
  summary: 'Ask somebody to count a location this month, by a day',
  description:
    'The day is one from today to the end of the month, in the time zone of the company. Whoever is asked to count the location already gets the new day.',
  body: z.object({
    location,
    user_id: z.uuid('must be the id of a user.').check(z.describe('An active user of the company.')),
    due_on: day,
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), id: z.string() }) },
  errors: ['not_found', 'location_not_in_plan', 'trial_expired'],
})

export const unassignCounter = endpoint({
  method: 'DELETE',
  path: '/api/counting/assignments/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'Take back that somebody is asked to count a location',
  params: z.object({ id: z.uuid('must be the id of an earlier reply.') }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'trial_expired'],
})
