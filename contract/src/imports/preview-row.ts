import { z } from '../zod.ts'

export const rowKinds = ['new', 'changed', 'unchanged', 'bad'] as const

export type ImportRowKind = (typeof rowKinds)[number]

const stockChange = z.object({ location: z.string(), old_quantity: z.int(), quantity: z.int() })

/** A row of a staged import, with what it would change. */
export const previewRow = z.object({
  line: z.int(),
  barcode: z.string(),
  description: z.string(),
  old_description: z.nullable(z.string()),
  kind: z.enum(rowKinds),
  fault: z.nullable(z.string()),
  retired: z
    .boolean()
    .check(z.describe('Whether its component is retired: it comes back where the row is a changed one.')),
  /** The stock it would change, place by place; of a component that is not there yet, from 0. */
  stock: z.array(stockChange),
  kept_stock: z
    .optional(z.array(stockChange))
    .check(
      z.describe(
        'The stock that the row says to be another than there is, and that is left as it is; left out where there is none.',
      ),
    ),
  placements: z
    .array(
      z.object({
        location: z.string(),
        old_bin: z.string(),
        bin: z.string(),
        old_minimum: z.nullable(z.int()),
        minimum: z.nullable(z.int()),
      }),
    )
    .check(z.describe('The bins and minimums it would change, by location.')),
  cost: z
    .nullable(z.object({ old_unit_cost: z.nullable(z.number()), unit_cost: z.number() }))
    .check(
      z.describe(
        'The unit cost it would change, in the currency of the company; null where it changes none.',
      ),
    ),
  other_barcodes: z
    .optional(z.array(z.object({ barcode: z.string(), pieces: z.int() })))
    .check(z.describe('The other barcodes it would add; left out where it adds none.')),
})

export type PreviewRow = z.output<typeof previewRow>
