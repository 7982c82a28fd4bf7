import { endpoint, mebibyte } from '../endpoint.ts'
import { roles } from '../roles.ts'
import { weekDays } from '../stock/rules.ts'
import { clientInstant, givenMap, instant, location, pageSize, month, plainMap, text } from '../values.ts'
import { z } from '../zod.ts'

const recordId = text(200).min(1)
const recordPath = z.object({ id: recordId })

const weeklyCount = z.object({
  id: z.string(),
  day: z.string(),
  location: z.string(),
  progress: plainMap,
  completed: z.boolean(),
  last_updated: instant,
})

export type WeeklyCount = z.output<typeof weeklyCount>

export const listWeeklyCounts = endpoint({
  method: 'GET',
  path: '/api/weekly-counts',
  access: 'member',
  effect: 'read',
  summary: 'List the weekly count records, newest first',
  query: z.object({ location: location.optional(), day: z.enum(weekDays).optional() }),
  reply: { status: 200, json: z.object({ weekly_counts: z.array(weeklyCount) }) },
  errors: [],
})

/** Progress is merged with what is stored, and a completed record stays so: two people may count at once. */
export const saveWeeklyCount = endpoint({
  method: 'POST',
  path: '/api/weekly-counts',
  access: 'member',
  effect: 'write',
  summary: 'Insert a weekly count record or merge into it',
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    id: recordId,
    day: z.enum(weekDays),
    location,
    progress: givenMap.default({}),
    completed: z.boolean().default(false),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), weekly_count: weeklyCount }) },
  errors: ['record_full', 'location_not_in_plan', 'trial_expired'],
})

export const deleteWeeklyCount = endpoint({
  method: 'DELETE',
  path: '/api/weekly-counts/{id}',
  access: 'member',
  effect: 'write',
  summary: 'Delete a weekly count record',
  params: recordPath,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'location_not_in_plan', 'trial_expired'],
})

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
    location: location.optional(),
    user_type: z.enum(roles).optional(),
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
 * Merges as a weekly count does. Of an administrators' cycle it has the last word of what was counted in it: a number given for a
 * component that has a count of this session is that of its newest count, by its timestamp, since the cycle was last deleted.
 */
export const saveCycleCount = endpoint({
  method: 'POST',
  path: '/api/cycle-counts',
  access: 'member',
  effect: 'write',
  summary: 'Insert a cycle count record or merge into it',
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    id: recordId,
    location,
    user_type: z.enum(roles).default('user'),
    progress: givenMap.default({}),
    completed: z.boolean().default(false),
    start_date: clientInstant.optional(),
    reply: z.literal('given').optional().meta({
      description:
        "`given`: `progress` of the reply has the keys that were given and no others, as far as the record has them. Without it the whole record's.",
    }),
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
