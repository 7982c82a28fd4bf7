import { endpoint, mebibyte } from '../endpoint.ts'
import { roles } from '../roles.ts'
import { clientInstant, givenMap, instant, location, pageSize, month, plainMap } from '../values.ts'
import { z } from '../zod.ts'
import { recordId, recordPath } from './record-ids.ts'

const cycleCount = z.object({
  id: z.string(),
  location: z.string(),
  user_type: z.string(),
  progress: plainMap,
  completed: z.boolean(),
  start_date: instant,
})

export type CycleCount = z.output<typeof cycleCount>

export const listCycleCounts = endpoint({
  method: 'GET',
  path: '/api/cycle-counts',
  access: 'member',
  effect: 'read',
  summary: "List the cycle count records, newest first; administrators' ones for administrators",
  query: z.object({
    location: z.optional(location),
    user_type: z.optional(z.enum(roles)),
    limit: pageSize({ initial: 500, max: 500 }),
  }),
  reply: {
    status: 200,
    json: z.object({
      /** The company's present month: its admin cycle is 'Cycle_{this_month}_{location}'. */
      this_month: month,
      cycle_counts: z.array(cycleCount),
    }),
  },
  errors: ['forbidden'],
})

/**
 * Merges as a weekly count does, and replaces what is stored for another location, or for a month other than that of the start that
 * is given. Of an administrators' cycle it has the last word of what was counted in it: a number given for a
 * component that has a count of this session is that of its newest count, by its timestamp, since the cycle was last deleted.
 */
export const saveCycleCount = endpoint({
  method: 'POST',
  path: '/api/cycle-counts',
  access: 'member',
  effect: 'write',
  summary: 'Insert a cycle count record, merge into the one of its location and month, or replace another',
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    id: recordId,
    location,
    user_type: z._default(z.enum(roles), 'user'),
    progress: z._default(givenMap, {}),
    completed: z._default(z.boolean(), false),
    start_date: z.optional(clientInstant),
    reply: z
      .optional(z.literal('given'))
      .check(
        z.describe(
          "`given`: `progress` of the reply has the keys that were given and no others, as far as the record has them. Without it the whole record's.",
        ),
      ),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), cycle_count: cycleCount }) },
  errors: ['record_full', 'forbidden', 'location_not_in_plan', 'trial_expired'],
})

export const deleteCycleCount = endpoint({
  method: 'DELETE',
  path: '/api/cycle-counts/{id}',
  access: 'member',
  effect: 'write',
  summary: 'Delete a cycle count record',
  params: recordPath,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'forbidden', 'location_not_in_plan', 'trial_expired'],
})
