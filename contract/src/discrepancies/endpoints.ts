import { countNote } from '../counting/entries.ts'
import { endpoint } from '../endpoint.ts'
import { soughtText } from '../sought-text.ts'
import { countTypes, instant, location, pageSize, text } from '../values.ts'
import { z } from '../zod.ts'
import { packCause } from './pack-cause.ts'
import { discrepancyStatuses, likelyCause } from './rules.ts'

const discrepancy = z.object({
  id: z.string(),
  sku: z.string(),
  description: z.string(),
  location: z.string(),
  count_type: z.enum(countTypes),
  status: z.enum(discrepancyStatuses),
  expected: z.int(),
  counted: z.int(),
  difference: z.int(),
  unit_cost: z
    .nullable(z.number())
    .check(
      z.describe(
        'Of one piece, in the currency of the company: what it costs now while the difference waits, and what it cost when it was decided. Null where none is said.',
      ),
    ),
  value: z.nullable(z.number()).check(z.describe('The difference at that cost, with its sign.')),
  scanned_at: instant.check(
    z.describe(
      'When its newest entry that stands was scanned: of one SKU at a location the newest difference is booked.',
    ),
  ),
  stock_now: z.int().check(z.describe("Today's stock there, for what accepting would make of it.")),
  user_name: z.string(),
  created_at: instant,
  updated_at: instant,
  reason: z.nullable(z.string()),
  note: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  attempts: z.array(
    z.object({
      id: z.string(),
      attempt: z.int().check(z.describe('An entry that was made after one was taken back has its number.')),
      expected: z.int(),
      counted: z.int(),
      user_name: z.string(),
      timestamp: instant,
      taken_back: z.boolean(),
      note: countNote,
    }),
  ),
  likely_causes: z
    .array(likelyCause)
    .check(z.describe('The likeliest first: what was found in records, then what the numbers alone tell.')),
  pack_cause: z
    .optional(packCause)
    .check(
      z.describe(
        'What packs of the component may explain: between those of records and of numbers alone. `packs` were counted as one piece each, or pieces as packs, or `packs` were missed or counted twice.',
      ),
    ),
})

/**
 * An id, and before it how large the difference was by then, where they are sorted by that; by value also before that the value,
 * without its sign and in ten thousandths, where it had one.
 */
const placeInOrder = /^(?:(?:\d{1,21}\.)?\d{1,10}\.)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

const discrepancyOrders = ['newest', 'oldest', 'largest', 'value', 'sku'] as const

export type DiscrepancyOrder = (typeof discrepancyOrders)[number]

export type Discrepancy = z.output<typeof discrepancy>

export const listDiscrepancies = endpoint({
  method: 'GET',
  path: '/api/discrepancies',
  access: 'admin',
  effect: 'read',
  summary: 'List differences between counts and stock with every attempt and what may explain them',
  query: z.object({
    status: z.optional(z.enum(discrepancyStatuses)),
    location: z.optional(location),
    count_type: z.optional(z.enum(countTypes)),
    search: z
      .optional(soughtText)
      .check(z.describe('Words, each of them a part of a SKU, a description or the name of who counted.')),
    sort: z
      ._default(z.enum(discrepancyOrders), 'newest')
      .check(
        z.describe(
          'Largest: most pieces first. Value: most money first, and last those without a unit cost.',
        ),
      ),
    limit: pageSize({ initial: 100, max: 1000 }),
    cursor: z
      .optional(z.string().check(z.regex(placeInOrder, 'must be a cursor of an earlier reply.')))
      .check(z.describe('As the `next_cursor` of a reply to the same `sort` says.')),
  }),
  reply: {
    status: 200,
    json: z.object({
      discrepancies: z.array(discrepancy),
      next_cursor: z.nullable(z.string()),
      total: z.int().check(z.describe('How many pass the filters, on all pages.')),
      currency: z.string(),
      has_costs: z.boolean().check(z.describe('Whether the company has said what any component costs.')),
    }),
  },
  errors: [],
})

const decisions = ['accept', 'recount', 'dismiss'] as const

/** In whichever letters it is written (RFC 9562, 4). */
const differenceId = z.uuid('must be the id of a difference.').check(z.toLowerCase())

/** How many one call decides. */
export const mostDecided = 500

export const decideDiscrepancies = endpoint({
  method: 'POST',
  path: '/api/discrepancies/decide',
  access: 'admin',
  effect: 'write',
  summary: 'Accept differences, ask for a recount, or dismiss them',
  description: "Accepting posts the difference to today's stock. All that are named are decided, or none.",
  body: z.object({
    ids: z
      .array(differenceId)
      .check(z.minLength(1, 'Choose at least one difference.'), z.maxLength(mostDecided)),
    decision: z.enum(decisions).check(z.meta({ examples: ['recount'] })),
    seen: z
      .optional(
        z
          .array(z.object({ id: differenceId, expected: z.int(), counted: z.int() }))
          .check(z.maxLength(mostDecided)),
      )
      .check(z.describe('What was shown of them: where one has changed since, nothing is decided.')),
    reason: z.optional(text(100).check(z.trim())).check(z.describe('Needed to accept.')),
    note: z._default(text(1000).check(z.trim()), ''),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), decided: z.int() }) },
  errors: [
    'not_found',
    'changed_since',
    'reason_required',
    'not_recorded',
    'below_zero',
    'stock_limit',
    'location_not_in_plan',
    'trial_expired',
  ],
})

export const reopenDiscrepancy = endpoint({
  method: 'POST',
  path: '/api/discrepancies/reopen',
  access: 'admin',
  effect: 'write',
  summary: 'Reopen a difference that was dismissed or accepted by mistake',
  description:
    'It waits again as it did before. Of one that was accepted exactly what was posted is moved back, to or from the stock of today. One whose place was counted or corrected since stays as it is, and so does one that was accepted within the tolerance.',
  body: z.object({ id: differenceId }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      status: z.enum(discrepancyStatuses).check(z.describe('How it stands now: as before.')),
    }),
  },
  errors: [
    'not_found',
    'cannot_reopen',
    'component_retired',
    'below_zero',
    'stock_limit',
    'location_not_in_plan',
    'trial_expired',
  ],
})
