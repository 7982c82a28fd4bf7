import { endpoint } from '../endpoint.ts'
import { countTypes, digits, instant, location, month, text } from '../values.ts'
import { z } from '../zod.ts'
import { mostMonths, skuOrders } from './rules.ts'

const wrongMonths = `must be a whole number from 1 to ${mostMonths}.`

const monthCount = z._default(
  digits(/^[1-9]\d?$/, wrongMonths, {
    description: 'How many months, this one included.',
    minimum: 1,
    maximum: mostMonths,
    default: 12,
  }).check(z.refine((months) => months <= mostMonths, wrongMonths)),
  12,
)

/** Pieces are sums of differences: too many in stock by the record (missing), and too few (surplus). */
const pieces = {
  missing: z.int(),
  surplus: z.int(),
  missing_value: z
    .number()
    .check(
      z.describe(
        'The pieces in money: at the unit cost of now while a difference waits, and at that of the moment when it was decided. What has none counts 0.',
      ),
    ),
  surplus_value: z.number(),
}

const figures = {
  lines: z.int(),
  matched: z.int(),
  tolerated: z.int(),
  differing: z.int().check(z.describe('Lines that differ by more than the tolerance, or without one.')),
  ...pieces,
}

const accuracyFigures = z.object(figures)

export type AccuracyFigures = z.output<typeof accuracyFigures>

const cause = z.object({ status: z.string(), reason: z.nullable(z.string()), lines: z.int(), ...pieces })

export type AccuracyCause = z.output<typeof cause>

const differingSku = z.object({ sku: z.string(), description: z.string(), lines: z.int(), ...pieces })

export type DifferingSku = z.output<typeof differingSku>

export const getAccuracy = endpoint({
  method: 'GET',
  path: '/api/accuracy',
  access: 'admin',
  effect: 'read',
  summary: 'Inventory record accuracy by month and location, with what differed, by cause and by SKU',
  query: z.object({
    location: z.optional(location),
    until: z.optional(month).check(z.describe('The last month; the present one when left out.')),
    months: monthCount.check(z.describe('How many months up to it.')),
    skus_by: z
      ._default(z.enum(skuOrders), 'lines')
      .check(z.describe('Which SKUs are named: those that differ most often, or by most money.')),
  }),
  reply: {
    status: 200,
    json: z.object({
      this_month: month,
      from: month,
      until: month,
      total: accuracyFigures,
      months: z
        .array(z.object({ month, ...figures }))
        .check(z.describe('Every month, oldest first, also those without a count.')),
      locations: z
        .array(z.object({ month, location: z.string(), ...figures }))
        .check(z.describe('Months and locations with counts, newest first.')),
      causes: z.array(cause).check(z.describe('What became of lines that differ, most first.')),
      skus: z
        .array(differingSku)
        .check(z.describe('The SKUs that differ most often, or by most money, as was asked.')),
      currency: z.string().check(z.describe('Of the values.')),
      without_cost: z
        .int()
        .check(
          z.describe(
            'Of the lines that did not match, within the tolerance or not, how many have no unit cost: they count 0 in the values.',
          ),
        ),
      first_counts: z
        .optional(z.int())
        .check(
          z.describe(
            'How many counts were the first of their SKU at a place and set its stock, where there are any. They are no lines.',
          ),
        ),
    }),
  },
  errors: [],
})

const countSession = z.object({
  session: z.string(),
  location: z.string(),
  count_type: z.enum(countTypes),
  entries: z.int(),
  people: z.array(z.string()),
  started_at: instant,
  ended_at: instant,
})

export type CountSession = z.output<typeof countSession>

export const listCountSessions = endpoint({
  method: 'GET',
  path: '/api/accuracy/sessions',
  access: 'admin',
  effect: 'read',
  summary: 'List the counting sessions of a month, newest first',
  query: z.object({ location: z.optional(location), month }),
  reply: {
    status: 200,
    json: z.object({
      sessions: z.array(countSession),
      more: z
        .boolean()
        .check(z.describe('Whether there are older ones, too; those of one location go further back.')),
    }),
  },
  errors: [],
})

export const countCertificate = endpoint({
  method: 'GET',
  path: '/api/accuracy/certificate',
  access: 'admin',
  effect: 'read',
  summary: 'A count certificate as PDF: scope, people, times, lines, accuracy and every difference',
  description: 'A document for auditors. Each is issued under a number of its own.',
  query: z.object({
    month,
    location: z.optional(location),
    session: z
      .optional(text(200).check(z.minLength(1)))
      .check(
        z.describe(
          'One counting session, with what it has in the months before and after, too. All of the month when left out.',
        ),
      ),
    paper: z._default(z.enum(['a4', 'letter']), 'a4'),
  }),
  reply: { status: 200, files: ['application/pdf'] },
  errors: ['not_found', 'certificate_too_long', 'too_many_exports'],
})
