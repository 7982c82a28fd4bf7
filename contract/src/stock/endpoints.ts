import { z } from '../zod.ts'
import { zeroTwins } from './zero-twins.ts'
import { endpoint, mebibyte } from '../endpoint.ts'
import { wholeNumber } from '../numbers.ts'
import {
  barcode,
  instant,
  location,
  pageSize,
  quantity,
  storableJson,
  text,
  ignored,
  maxDescriptionLength,
} from '../values.ts'
import { mostInOneCall, severalComponents } from './many.ts'
import { weekDays } from './rules.ts'

/** A component as replies carry it. */
export const component = z.object({
  id: z.string(),
  barcode: z.string(),
  description: z.string(),
  primary_quantity: z.int(),
  secondary_quantity: z.int(),
  fulfillment_quantity: z.int(),
  distribution_quantity: z.int(),
  quarantine_quantity: z.int(),
  total_quantity: z.int(),
  last_counted_date: z.nullable(instant),
  last_counted_location: z.nullable(z.string()),
  last_counted_source: z.nullable(z.string()),
  is_high_volume: z.boolean(),
  is_high_volume_today: z.boolean(),
  high_volume_config: z.nullable(z.partialRecord(z.enum(weekDays), z.array(z.string()))),
})

export type Component = z.output<typeof component>

export const listComponents = endpoint({
  method: 'GET',
  path: '/api/components',
  access: 'member',
  effect: 'read',
  summary: 'List the components, sorted by barcode',
  revalidates: true,
  query: z.object({ limit: pageSize({ initial: 1_000_000, max: 1_000_000 }), cursor: z.optional(barcode) }),
  reply: {
    status: 200,
    json: z.object({
      components: z.array(component),
      total: z.int(),
      next_cursor: z
        .optional(z.nullable(z.string()))
        .check(
          z.describe(
            'Where the list goes on; also without a limit, where it is longer than about 32 MB. Null at its end.',
          ),
        ),
    }),
  },
  errors: [],
})

export const importRow = z.object({
  id: z.nullish(text(64)),
  barcode,
  description: z.nullish(text(maxDescriptionLength).check(z.trim())),
  primary_quantity: z.nullish(quantity),
  secondary_quantity: z.nullish(quantity),
  fulfillment_quantity: z.nullish(quantity),
  distribution_quantity: z.nullish(quantity),
  quarantine_quantity: z.nullish(quantity),
  total_quantity: ignored,
  high_volume_config: z
    .optional(storableJson)
    .check(z.describe('Any older or hand-made form; kept as it is until migrate-high-volume reads it.')),
  is_high_volume: z.optional(z.boolean()),
})

export const importComponents = endpoint({
  method: 'POST',
  path: '/api/components/import',
  access: 'member',
  effect: 'write',
  summary: 'Create and update components; all rows or none',
  description:
    'Quantity fields that are left out leave the stock as it is, and no description, or an empty one, the description. Rows are known by their barcode alone, `id` is not looked at: a number that has changed makes another component, so give it to the one there is as another barcode (`add-barcode`). Retired components that are named come back, with the stock that is given also where `existing` is `keep`; so they do for a key, as for an administrator. To leave them retired, stage an import with `retired`: `leave_out`.',
  query: z.object({
    existing: z
      ._default(z.enum(['set', 'keep']), 'set')
      .check(
        z.describe("'set' sets the stock of components that are there already, 'keep' leaves it as it is."),
      ),
  }),
  maxBodyBytes: 16 * mebibyte,
  body: severalComponents(importRow),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      reinstated: z
        .optional(z.int())
        .check(z.describe('Of the updated those that were retired, where there are any.')),
      // A node of the version before does not say it.
      differ_by_zeros: z
        .optional(zeroTwins)
        .check(
          z.describe(
            'How many of the created differ from components that were there only by zeros in front, which a spreadsheet drops and other programs add; the barcode of the first, and that component. Left out where none does. Where they are the same, correct the barcodes you send, and retire what was created.',
          ),
        ),
      total: z.int(),
    }),
  },
  errors: ['component_retired', 'barcode_taken', 'forbidden', 'location_not_in_plan', 'trial_expired'],
})

export const updateQuantity = endpoint({
  method: 'POST',
  path: '/api/components/update-quantity',
  access: 'member',
  effect: 'write',
  summary: 'Set the stock of a component at a location',
  body: z.object({
    barcode,
    quantity,
    location,
    note: z._default(text(500).check(z.trim()), '').check(z.describe('Why; shown with the movement.')),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), component }) },
  errors: ['not_found', 'component_retired', 'location_not_in_plan', 'trial_expired'],
})

export const findByBarcode = endpoint({
  method: 'POST',
  path: '/api/components/by-barcode',
  access: 'member',
  effect: 'read',
  summary: 'Find one component by its barcode',
  body: z.object({ barcode }),
  reply: { status: 200, json: z.object({ component }) },
  errors: ['not_found'],
})

const assignments = z
  .partialRecord(z.enum(weekDays), z.array(location), {
    error: ({ code }) => (code === 'invalid_type' ? undefined : 'must name days from Monday to Friday.'),
  })
  .check(
    z.meta({
      description: 'All of its days: those that are left out are taken from it.',
      examples: [{ Monday: ['PRIMARY'] }],
    }),
  )

export const configureHighVolume = endpoint({
  method: 'POST',
  path: '/api/components/configure-high-volume',
  access: 'admin',
  effect: 'write',
  summary: 'Set on which days and where a component is counted weekly; an empty map clears it',
  description:
    'Days at a location that the plan does not include stay as they are, whether they are named or left out.',
  body: z.object({ barcode, assignments }),
  reply: { status: 200, json: z.object({ success: z.literal(true), component }) },
  errors: ['not_found', 'component_retired', 'location_not_in_plan', 'trial_expired'],
})

export const bulkHighVolume = endpoint({
  method: 'POST',
  path: '/api/components/bulk-high-volume',
  access: 'admin',
  effect: 'write',
  summary: 'Add components to, or remove them from, the weekly count of a day and location',
  maxBodyBytes: mebibyte,
  body: z.object({
    barcodes: z
      .array(barcode)
      .check(
        z.minLength(1, 'Give at least one barcode.'),
        z.maxLength(mostInOneCall, `Give at most ${wholeNumber(mostInOneCall)} barcodes.`),
      ),
    day: z.enum(weekDays),
    location,
    action: z.enum(['add', 'remove']),
  }),
  reply: {
    status: 200,
    json: z.object({ success: z.literal(true), changed: z.int(), not_found: z.array(z.string()) }),
  },
  errors: ['location_not_in_plan', 'trial_expired'],
})

export const migrateHighVolume = endpoint({
  method: 'POST',
  path: '/api/admin/migrate-high-volume',
  access: 'admin',
  effect: 'write',
  summary: 'Turn older forms of the high-volume configuration into the one there is now',
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      migrated: z.int(),
      skipped: z.array(z.object({ barcode: z.string(), reason: z.string() })),
    }),
  },
  errors: ['trial_expired'],
})
