import { endpoint, mebibyte } from '../endpoint.ts'
import { barcode, control, location, maxBinLength, quantity, text } from '../values.ts'
import { z } from '../zod.ts'
import { severalComponents } from './many.ts'

/** A bin as it is typed, with no character that nobody sees; empty for none. */
const bin = text(maxBinLength).check(
  z.trim(),
  z.refine((value) => !control.test(value), 'must not contain control characters.'),
)

/** Where a component lies at a location, and from which stock on there is enough of it. */
export const placement = z.object({
  location: z.string(),
  bin: z.string().check(z.describe("The bin, such as 'A-03-2'; empty where none is said.")),
  minimum: z
    .nullable(z.int())
    .check(z.describe('Below this stock it is low there; null where nothing is wanted.')),
})

export type Placement = z.output<typeof placement>

const placementRow = z.object({
  barcode: barcode.check(z.describe('Any barcode of the component.')),
  bin: z.optional(bin).check(z.describe('Left out it stays; empty it goes.')),
  minimum: z.optional(z.nullable(quantity)).check(z.describe('Left out it stays; null it goes.')),
})

export type PlacementRow = z.output<typeof placementRow>

export const placeComponents = endpoint({
  method: 'POST',
  path: '/api/components/place',
  access: 'admin',
  effect: 'write',
  summary: 'Set in which bins components lie at a location, and below which stock they are low there',
  description:
    'All rows that mean a component in use are set, in one transaction; the others are named in the reply. Of rows that mean the same component the last one holds.',
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    location,
    components: severalComponents(placementRow),
  }),
  reply: {
    status: 200,
    json: z.object({ success: z.literal(true), changed: z.int(), not_found: z.array(z.string()) }),
  },
  errors: ['location_not_in_plan', 'trial_expired'],
})

export const countLowStock = endpoint({
  method: 'GET',
  path: '/api/components/low',
  access: 'member',
  effect: 'read',
  summary: 'Count the components that have less than their minimum at a location of the plan',
  description: 'Which they are tells `GET /api/components/search` with `state=low`.',
  reply: { status: 200, json: z.object({ low: z.int() }) },
  errors: [],
})
