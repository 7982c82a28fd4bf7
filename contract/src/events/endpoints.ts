import { endpoint } from '../endpoint.ts'
import { instant } from '../values.ts'
import { z } from '../zod.ts'

export type EventType = 'count' | 'component' | 'reset' | 'discrepancy' | 'session'

/** What happened, where and by whom: enough to know what to load again, never a stock figure. */
const companyEvent = z.object({
  id: z.string(),
  event: z.string(),
  sku: z.string(),
  location: z.string().nullable(),
  user_name: z.string(),
  timestamp: instant,
})

export type CompanyEvent = z.output<typeof companyEvent>

/**
 * Server-sent events (WHATWG HTML, 9.2), each with its type and id. With Last-Event-ID the stream goes on after that
 * event; where too much was missed it begins with a `reload` event.
 */
export const streamEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  access: 'member',
  effect: 'read',
  summary: "Follow the company's counts and changes as they happen",
  reply: { status: 200, events: companyEvent },
  errors: [],
})
