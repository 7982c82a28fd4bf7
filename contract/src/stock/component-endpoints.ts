import { countEntries, countNote, takenBack } from '../counting/entries.ts'
import { endpoint } from '../endpoint.ts'
import { soughtText } from '../sought-text.ts'
import {
  barcode,
  countTypes,
  cursor,
  instant,
  location,
  pageSize,
  text,
  maxBarcodeLength,
  maxDescriptionLength,
} from '../values.ts'
import { z } from '../zod.ts'
import { packs } from './packs.ts'
import { placement } from './placement-endpoints.ts'
import { transfer } from './transfer-endpoints.ts'

const componentStates = ['active', 'low', 'not_kept', 'uncosted', 'retired'] as const

export type ComponentState = (typeof componentStates)[number]

export const componentState = z
  .enum(componentStates)
  .check(
    z.describe(
      'What is retired is in no list and counted no more; low is what has less than its minimum at a location; not_kept is what a location leaves out of its counts; uncosted is what is in stock without a unit cost, for administrators alone.',
    ),
  )

export const stateLocation = location.check(z.describe('Of what is low or not kept: only what is so there.'))

/** With a description and a barcode in it, of which a character may take four signs. */
const longestCursor = 4 * (maxDescriptionLength + maxBarcodeLength) + 20

const componentSorts = ['barcode', 'description', 'here', 'total', 'counted'] as const

export type ComponentSort = (typeof componentSorts)[number]

const listedComponent = z.object({
  barcode: z.string(),
  description: z.string(),
  aliases: z.array(z.string()).check(z.describe('Its other barcodes, sorted.')),
  stock: z
    .record(z.string(), z.int())
    .check(z.describe('Stock by location code, without locations that never had any.')),
  total_quantity: z.int(),
  placements: z
    .array(placement)
    .check(z.describe('Its bins and minimums, where it has some, by location code.')),
  arriving: z
    .optional(z.record(z.string(), z.int()))
    .check(z.describe('With `state=low` alone: how much of it is on its way there, by location code.')),
  counted_at: z
    .optional(z.nullable(instant))
    .check(
      z.describe(
        'With `sort=counted` alone: when it was last counted at `sort_location`; null of what is not counted there.',
      ),
    ),
})

export type ListedComponent = z.output<typeof listedComponent>

export const searchComponents = endpoint({
  method: 'GET',
  path: '/api/components/search',
  access: 'member',
  effect: 'read',
  summary:
    'Find components by words, each a part of any barcode, of their description or of a bin, sorted as asked for',
  description:
    'Pages are of the moment at which each is read, and begin after what the last one ended with, as it was then. What keeps its stock and its last count meanwhile is on exactly one of them; what was sorted anew may be on two or on none.',
  query: z.object({
    text: z.optional(soughtText),
    state: z._default(componentState, 'active'),
    location: z.optional(stateLocation),
    sort: z
      ._default(z.enum(componentSorts), 'barcode')
      .check(
        z.describe(
          'Description: A to Z in whichever letters, and last those without one. Here: most stock at `sort_location` first. Total: most stock at all locations together first, with what is in quarantine. Counted: what was counted longest ago at `sort_location` first, before it what is not counted there. Equal ones by barcode.',
        ),
      ),
    sort_location: z
      .optional(location)
      .check(z.describe('Needed with `sort=here` and `sort=counted`, whatever the others do.')),
    limit: pageSize({ initial: 200, max: 1000 }),
    cursor: z
      .optional(z.string().check(z.maxLength(longestCursor)))
      .check(z.describe('As the `next_cursor` of a reply to the same `sort` says.')),
  }),
  reply: {
    status: 200,
    json: z.object({
      components: z.array(listedComponent),
      next_cursor: z.nullable(z.string()),
    }),
  },
  errors: ['forbidden'],
})

const stockLine = z.object({
  ...placement.shape,
  quantity: z.int(),
  arriving: z.int().check(z.describe('Pieces on their way here that nobody has received yet.')),
  counted_at: z.nullable(instant),
  counted_source: z.nullable(z.string()),
  weekly_counted_at: z.nullable(instant),
  // A node of the version before does not say it.
  kept: z
    .optional(z.boolean())
    .check(z.describe('False where the location leaves it out of its counts, progress and sheets.')),
})

export type StockLine = z.output<typeof stockLine>

export const componentDetail = endpoint({
  method: 'GET',
  path: '/api/components/detail',
  access: 'member',
  effect: 'read',
  summary:
    'Show one component, by any barcode of it: its stock per location, its last counts and what is on its way',
  query: z.object({ barcode }),
  reply: {
    status: 200,
    json: z.object({
      id: z.string(),
      barcode: z.string(),
      description: z.string(),
      created_at: instant,
      updated_at: instant,
      retired: z
        .nullable(z.object({ at: instant, by: z.string() }))
        .check(
          z.describe('Since when it is in no list and counted no more, and by whom; null of one that is.'),
        ),
      aliases: z.array(z.string()).check(z.describe('Its other barcodes, sorted.')),
      packs,
      label: z
        .nullable(z.object({ printed_at: instant, current: z.boolean() }))
        .check(
          z.describe(
            'Its newest label: when it was printed, and whether it still says what it should; null without one.',
          ),
        ),
      stock: z.array(stockLine),
      transfers: z.array(transfer),
      administration: z
        .optional(
          z.object({
            unit_cost: z
              .nullable(z.number())
              .check(z.describe('What one piece costs; null where that is not said.')),
            currency: z.string().check(z.describe('The currency of the company, in which it is said.')),
          }),
        )
        .check(z.describe('Only administrators see this.')),
    }),
  },
  errors: ['not_found'],
})

export const movement = z.object({
  id: z.string(),
  location: z.string(),
  delta: z
    .nullable(z.int())
    .check(z.describe('Null where the company counts strictly blind and the cause is kept from staff.')),
  quantity_after: z.int(),
  cause: z
    .string()
    .check(
      z.describe(
        'A reason of `adjust-quantity`, or `correction` (set by somebody), `import`, `import_undone`, `transfer` (sent or received), `transfer_cancelled`, `discrepancy` (a difference that was accepted, or taken back), and `hidden` where staff may not know it.',
      ),
    ),
  note: z.string(),
  user_name: z.string(),
  timestamp: instant,
})

export type Movement = z.output<typeof movement>

export const componentMovements = endpoint({
  method: 'GET',
  path: '/api/components/movements',
  access: 'member',
  effect: 'read',
  summary: 'List the movements of one component, newest first',
  query: z.object({ barcode, limit: pageSize({ initial: 50, max: 500 }), cursor: z.optional(cursor) }),
  reply: {
    status: 200,
    json: z.object({ movements: z.array(movement), next_cursor: z.nullable(z.string()) }),
  },
  errors: ['not_found'],
})

const count = z.object({
  id: z.string(),
  location: z.string(),
  quantity: z.int(),
  count_type: z.enum(countTypes),
  entry: z.enum(countEntries),
  taken_back: takenBack,
  note: countNote,
  user_name: z.string(),
  timestamp: instant,
})

export type ComponentCount = z.output<typeof count>

export const componentCounts = endpoint({
  method: 'GET',
  path: '/api/components/counts',
  access: 'member',
  effect: 'read',
  summary: 'List the counts of one component, newest first',
  query: z.object({ barcode, limit: pageSize({ initial: 50, max: 500 }), cursor: z.optional(cursor) }),
  reply: { status: 200, json: z.object({ counts: z.array(count), next_cursor: z.nullable(z.string()) }) },
  errors: ['not_found'],
})

const labelPrint = z.object({
  id: z.string(),
  copies: z.int().check(z.describe('Labels of this component that were printed at once.')),
  size: z.string().check(z.describe("Width and height in inches, such as '4x1.5'.")),
  symbology: z.string(),
  format: z.string(),
  description: z.string().check(z.describe('What the labels said.')),
  user_name: z.string(),
  timestamp: instant,
})

export type LabelPrint = z.output<typeof labelPrint>

export const componentLabels = endpoint({
  method: 'GET',
  path: '/api/components/labels',
  access: 'member',
  effect: 'read',
  summary: 'List the labels printed of one component, newest first',
  query: z.object({ barcode, limit: pageSize({ initial: 50, max: 500 }), cursor: z.optional(cursor) }),
  reply: {
    status: 200,
    json: z.object({ labels: z.array(labelPrint), next_cursor: z.nullable(z.string()) }),
  },
  errors: ['not_found'],
})

const step = z.object({ location: z.string(), quantity: z.int(), timestamp: instant })

export type LedgerStep = z.output<typeof step>

export const componentLedger = endpoint({
  method: 'GET',
  path: '/api/components/ledger',
  access: 'member',
  effect: 'read',
  summary: 'Show how the stock of one component went over time, as steps of a line for each location',
  description: 'At most 200 steps for each location: of movements that lie close together, the last.',
  query: z.object({ barcode }),
  reply: { status: 200, json: z.object({ steps: z.array(step) }) },
  errors: ['not_found'],
})

export const describeComponent = endpoint({
  method: 'POST',
  path: '/api/components/describe',
  access: 'admin',
  effect: 'write',
  summary: 'Change the description of a component',
  body: z.object({ barcode, description: text(maxDescriptionLength).check(z.trim()) }),
  reply: { status: 200, json: z.object({ success: z.literal(true), description: z.string() }) },
  errors: ['not_found', 'trial_expired'],
})
