import { endpoint } from '../endpoint.ts'
import { countTypes, instant, location } from '../values.ts'
import { z } from '../zod.ts'

const recountTask = z.object({
  id: z.string(),
  sku: z.string(),
  description: z.string(),
  location: z.string(),
  count_type: z.enum(countTypes),
  asked_by: z.string(),
  asked_at: instant,
})

export type RecountTask = z.output<typeof recountTask>

export const listRecounts = endpoint({
  method: 'GET',
  path: '/api/recounts',
  access: 'member',
  effect: 'read',
  summary:
    'List the recounts asked for, at a location or everywhere, that the caller may take: the 200 oldest, and how many',
  description: 'Whoever counted it last sees it later than everybody else.',
  query: z.object({ location: z.optional(location) }),
  reply: { status: 200, json: z.object({ recounts: z.array(recountTask), total: z.int() }) },
  errors: ['location_not_in_plan'],
})
