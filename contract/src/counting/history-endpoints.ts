import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { userTypes } from '../roles.ts'
import { countEntries, countNote, takenBack } from './entries.ts'
import {
  barcode,
  countTypes,
  cursor,
  instant,
  location,
  pageSize,
  quantity,
  text,
  ignored,
} from '../values.ts'

const historyEntry = z.object({
  id: z.string(),
  timestamp: instant,
  sku: z.string(),
  location: z.string(),
  quantity: z.int(),
  count_type: z.enum(countTypes),
  count_session: z.string(),
  entry: z.enum(countEntries),
  taken_back: takenBack,
  note: countNote,
  source: z.string(),
  user_type: z.enum(userTypes),
  user_name: z.string(),
  last_counted_date: instant,
  last_counted_location: z.string(),
  last_counted_source: z.string(),
})

export type HistoryEntry = z.output<typeof historyEntry>

const historyPage = z.object({ history: z.array(historyEntry), next_cursor: z.nullable(z.string()) })

export const componentHistory = endpoint({
  method: 'POST',
  path: '/api/components/count-history',
  access: 'member',
  effect: 'read',
  summary: 'List the counts of one component at a location, newest first',
  body: z.object({ barcode, location, cursor: z.optional(cursor) }),
  reply: { status: 200, json: historyPage },
  errors: ['not_found', 'location_not_in_plan'],
})

export const listHistory = endpoint({
  method: 'GET',
  path: '/api/count-history',
  access: 'member',
  effect: 'read',
  summary: 'List the counts of the company, newest first',
  description:
    'By when they were made: a count that comes late, from a device that was offline for up to a week, stands further down than others that came before it.',
  query: z.object({
    sku: z.optional(barcode),
    location: z.optional(location),
    count_type: z.optional(z.enum(countTypes)),
    limit: pageSize({ initial: 100, max: 1000 }),
    cursor: z.optional(cursor),
  }),
  reply: { status: 200, json: historyPage },
  errors: [],
})

export const addHistory = endpoint({
  method: 'POST',
  path: '/api/count-history',
  access: 'member',
  effect: 'write',
  summary: 'Append a count to the history',
  description:
    'Adds an entry to the history and nothing else: marks and stock belong to update-with-tracking.',
  body: z.object({
    sku: barcode,
    quantity,
    count_type: z._default(z.enum(countTypes), 'monthly'),
    count_session: z._default(text(200), ''),
    user_type: ignored,
    source: z.nullish(text(100)),
    location,
  }),
  reply: { status: 201, json: z.object({ success: z.literal(true), id: z.string() }) },
  errors: ['not_found', 'component_retired', 'forbidden', 'location_not_in_plan', 'trial_expired'],
})
