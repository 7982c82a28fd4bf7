import { endpoint } from '../endpoint.ts'
import { instant } from '../values.ts'
import { z } from '../zod.ts'

const counter = z.object({
  user_id: z.string(),
  user_name: z.string(),
  last_sku: z.string(),
  last_at: instant,
  scans: z.int().check(z.describe('Counts of the last 15 minutes.')),
})

const roomLocation = z.object({
  location: z.string(),
  counted: z.int().check(z.describe('How many SKUs are counted this month.')),
  total: z.int(),
  left: z.int(),
  per_hour: z
    .int()
    .check(z.describe('Different SKUs counted per hour, from the last 15 minutes; 0 when nobody counts.')),
  expected_finish: z.nullable(instant),
  counters: z.array(counter),
  differences: z
    .int()
    .check(
      z.describe('Differences that wait for an administrator; `recounts` are those that wait for a recount.'),
    ),
  recounts: z.int(),
  unknown_codes: z.int(),
})

export type RoomLocation = z.output<typeof roomLocation>

/** The present state of counting at each location of the plan, from roll-ups and the last 15 minutes. */
export const countRoom = endpoint({
  method: 'GET',
  path: '/api/counting/room',
  access: 'admin',
  effect: 'read',
  summary: 'Tell how counting goes at each location',
  reply: { status: 200, json: z.object({ now: instant, locations: z.array(roomLocation) }) },
  errors: [],
})
