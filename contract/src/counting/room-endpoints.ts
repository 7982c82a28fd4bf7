import { endpoint } from '../endpoint.ts'
import { instant } from '../values.ts'
import { z } from '../zod.ts'

const counter = z.object({
  user_id: z.string(),
  user_name: z.string(),
  last_sku: z.string(),
  last_at: instant,
  /** Counts of the last 15 minutes. */
  scans: z.int(),
})

const roomLocation = z.object({
  location: z.string(),
  /** This month's count. */
  counted: z.int(),
  total: z.int(),
  left: z.int(),
  /** Different SKUs counted per hour, from the last 15 minutes; 0 when nobody counts. */
  per_hour: z.int(),
  expected_finish: instant.nullable(),
  counters: z.array(counter),
  /** Differences that wait for an administrator, and those that wait for a recount. */
  differences: z.int(),
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
