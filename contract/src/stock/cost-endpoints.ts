import { endpoint, mebibyte } from '../endpoint.ts'
import { unitCost } from '../money.ts'
import { barcode } from '../values.ts'
import { z } from '../zod.ts'
import { severalComponents } from './many.ts'

const costRow = z.object({
  barcode: barcode.check(z.describe('Any barcode of the component.')),
  unit_cost: z
    .nullable(unitCost)
    .check(
      z.describe('Of one piece, in the currency of the company, with at most four decimals; null for none.'),
    ),
})

export type CostRow = z.output<typeof costRow>

export const setUnitCosts = endpoint({
  method: 'POST',
  path: '/api/components/set-costs',
  access: 'admin',
  effect: 'write',
  summary: 'Set what one piece of components costs',
  description:
    'All rows that mean a component in use are set, in one transaction; the others are named in the reply. Of rows that mean the same component the last one holds. Differences that are decided keep what they were worth.',
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    components: severalComponents(costRow),
  }),
  reply: {
    status: 200,
    json: z.object({ success: z.literal(true), changed: z.int(), not_found: z.array(z.string()) }),
  },
  errors: ['trial_expired'],
})

export const getStockValue = endpoint({
  method: 'GET',
  path: '/api/components/stock-value',
  access: 'admin',
  effect: 'read',
  summary: 'What the stock of the company is worth, by location',
  description:
    'Of components in use, at what one piece of each costs now. What is on its way between two places is in neither.',
  reply: {
    status: 200,
    json: z.object({
      currency: z.string(),
      value: z.number(),
      places: z
        .array(z.object({ place: z.string(), value: z.number() }))
        .check(z.describe('Locations that hold some, and QUARANTINE.')),
      without_cost: z.int().check(z.describe('Components in use that are in stock and have no unit cost.')),
      with_cost: z.int().check(z.describe('Components in use that have one, in stock or not.')),
    }),
  },
  errors: [],
})
