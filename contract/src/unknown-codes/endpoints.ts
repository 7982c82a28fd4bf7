import { endpoint } from '../endpoint.ts'
import { cursor, instant, location, pageSize, quantity, text, maxDescriptionLength } from '../values.ts'
import { z } from '../zod.ts'

/** `component`: it has become one. */
const unknownCodeStatuses = ['open', 'component', 'ignored'] as const

export type UnknownCodeStatus = (typeof unknownCodeStatuses)[number]

const scanBeside = z.nullable(z.object({ sku: z.string(), description: z.string(), timestamp: instant }))

const unknownCode = z.object({
  id: z.string(),
  code: z.string(),
  location: z.string(),
  status: z.enum(unknownCodeStatuses),
  times: z.int(),
  first_seen_at: instant,
  last_seen_at: instant,
  user_name: z.string(),
  /** The newest scans, newest first, each with what the same person scanned before and after. */
  scans: z.array(
    z.object({
      user_name: z.string(),
      timestamp: instant,
      quantity: z
        .nullable(z.int())
        .check(z.describe('What was entered for it; null of scans from before this was kept.')),
      before: scanBeside,
      after: scanBeside,
    }),
  ),
  counted: z
    .optional(z.array(z.object({ location: z.string(), quantity: z.int() })))
    .check(
      z.describe(
        'Of an open code: what was last counted under it at each location where it waits. These are in no count.',
      ),
    ),
  decided_by: z.nullable(z.string()),
  retired_owner: z
    .nullable(z.string())
    .check(
      z.describe(
        'The barcode of the retired component that the code belongs to; null where it belongs to none.',
      ),
    ),
})

export type UnknownCode = z.output<typeof unknownCode>

export const listUnknownCodes = endpoint({
  method: 'GET',
  path: '/api/unknown-codes',
  access: 'admin',
  effect: 'read',
  summary: 'List scanned codes that belong to no component, newest first',
  query: z.object({
    status: z._default(z.enum(unknownCodeStatuses), 'open'),
    location: z.optional(location),
    limit: pageSize({ initial: 50, max: 200 }),
    cursor: z.optional(cursor),
  }),
  reply: {
    status: 200,
    json: z.object({
      unknown_codes: z.array(unknownCode),
      next_cursor: z.nullable(z.string()),
      total: z.int(),
    }),
  },
  errors: [],
})

/** How many unknown codes one call decides. */
export const mostUnknownDecided = 200

const ids = z
  .array(z.uuid('must be the id of an unknown code.'))
  .check(z.minLength(1, 'Choose at least one code.'), z.maxLength(mostUnknownDecided))

/** Ignored codes stay 'not found' for who scans them, and out of the list. `open` takes ignoring back. */
export const decideUnknownCodes = endpoint({
  method: 'POST',
  path: '/api/unknown-codes/decide',
  access: 'admin',
  effect: 'write',
  summary: 'Ignore unknown codes, or put ignored ones back',
  body: z.object({ ids, decision: z.enum(['ignore', 'reopen']) }),
  reply: { status: 200, json: z.object({ success: z.literal(true), decided: z.int() }) },
  errors: ['not_found', 'trial_expired'],
})

export const createFromUnknownCode = endpoint({
  method: 'POST',
  path: '/api/unknown-codes/component',
  access: 'admin',
  effect: 'write',
  summary:
    'Make an unknown code a component of that barcode, with what stock is given, or bring back the retired one it belongs to',
  body: z.object({
    id: z.uuid('must be the id of an unknown code.'),
    description: z._default(text(maxDescriptionLength).check(z.trim()), ''),
    stock: z
      ._default(
        z
          .array(z.object({ location, quantity }))
          .check(
            z.refine(
              (places) => new Set(places.map((place) => place.location)).size === places.length,
              'Name each location once.',
            ),
          ),
        [],
      )
      .check(
        z.describe(
          'The stock that it begins with, by location. One that is a component already keeps its own.',
        ),
      ),
  }),
  reply: {
    status: 201,
    json: z.object({
      success: z.literal(true),
      barcode: z.string(),
      created: z.boolean(),
      reinstated: z.boolean().check(z.describe('Whether a retired component came back by that.')),
      stocked: z
        .optional(z.boolean())
        .check(
          z.describe('Whether it has the stock that was given. A node of the version before gives none.'),
        ),
    }),
  },
  errors: ['not_found', 'barcode_taken', 'location_not_in_plan', 'trial_expired'],
})
