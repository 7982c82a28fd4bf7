import { endpoint, mebibyte } from '../endpoint.ts'
import { weekDays } from '../stock/rules.ts'
import { givenMap, instant, location, plainMap } from '../values.ts'
import { z } from '../zod.ts'
import { recordId, recordPath } from './record-ids.ts'

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
  query: z.object({ location: z.optional(location), day: z.optional(z.enum(weekDays)) }),
  reply: { status: 200, json: z.object({ weekly_counts: z.array(weeklyCount) }) },
  errors: [],
})

/**
 * Progress is merged with what is stored for the same day and location, and a completed record stays so: two people may count at
 * once. What is stored for another day or location is replaced.
 */
export const saveWeeklyCount = endpoint({
  method: 'POST',
  path: '/api/weekly-counts',
  access: 'member',
  effect: 'write',
  summary: 'Insert a weekly count record, merge into the one of its day and location, or replace another',
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    id: recordId,
    day: z.enum(weekDays),
    location,
    progress: z._default(givenMap, {}),
    completed: z._default(z.boolean(), false),
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
