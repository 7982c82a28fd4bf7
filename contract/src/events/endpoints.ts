import { endpoint } from '../endpoint.ts'
import { countTypes, digits, instant } from '../values.ts'
import { z } from '../zod.ts'

export const eventTypes = ['count', 'component', 'reset', 'discrepancy', 'session', 'label'] as const
export type EventType = (typeof eventTypes)[number]

/**
 * What a scan did to the marks that lists show; `recorded` is false for a first entry that did not match, and left out for staff
 * of a company that counts strictly blind.
 */
const countNews = z.object({
  source: z.enum(countTypes),
  counted_at: instant,
  recorded: z.optional(z.boolean()),
  this_month: z.boolean(),
  today: z.boolean(),
  /** Administrators only: whether a difference within the tolerance was accepted with it. */
  stock_moved: z.optional(z.boolean()),
})

const eventMeaning =
  'The type says what to load anew: `count` a count, `reset` marks that were cleared or a count taken back, `component` a component, its stock or its weekly lists, transfers and imports included, `discrepancy` a difference or an unknown code, `session` who is signed in, who is of the company, a role, the plan or the settings of the company, or who is asked to count, `label` labels that were made. What clients only report about themselves is not told.'

/** What happened, where and by whom: enough to bring a screen up to date, never a stock figure nor a counted one. */
export const companyEvent = z
  .object({
    id: z.string(),
    event: z.string(),
    sku: z.string(),
    location: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    user_name: z.string(),
    timestamp: instant,
    count: z.optional(countNews),
    /** How far this month's count of the location is, at the moment of sending. */
    progress: z.optional(z.object({ counted: z.int(), total: z.int() })),
  })
  .check(z.describe(eventMeaning))

export type CompanyEvent = z.output<typeof companyEvent>

/**
 * Server-sent events (WHATWG HTML, 9.2), each with its type and id. With Last-Event-ID the stream goes on after that
 * event, in the order of the commits; where too much was missed it begins with a `reload` event.
 */
export const streamEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  access: 'member',
  effect: 'read',
  summary: "Follow the company's counts and changes as they happen",
  query: z.object({
    recent: z.optional(
      digits(/^\d{1,3}$/, 'must be a whole number of seconds up to 999.', {
        description:
          'Without Last-Event-ID: begins with what happened in the last seconds, for who has loaded lists just before.',
        minimum: 0,
        maximum: 999,
      }),
    ),
  }),
  reply: { status: 200, events: companyEvent },
  errors: [],
})
