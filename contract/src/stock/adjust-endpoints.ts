import { endpoint } from '../endpoint.ts'
import { barcode, location, maxQuantity, text } from '../values.ts'
import { z } from '../zod.ts'
import { adjustReasonKeys } from './adjusting.ts'
import { component } from './endpoints.ts'

const amountRule = 'must be a whole number other than 0, from -2,147,483,647 to 2,147,483,647.'

export const adjustQuantity = endpoint({
  method: 'POST',
  path: '/api/components/adjust-quantity',
  access: 'admin',
  effect: 'write',
  summary: 'Receive or issue stock: change it at a location by an amount, for a reason',
  description:
    'Changes of several people at the same moment add up. Nothing is changed where the stock would go below 0.',
  body: z.object({
    barcode,
    location,
    amount: z.int(amountRule).check(
      z.minimum(-maxQuantity),
      z.maximum(maxQuantity),
      z.refine((amount) => amount !== 0, amountRule),
      z.describe('Above 0 what comes, below 0 what goes.'),
    ),
    reason: z
      .enum(adjustReasonKeys)
      .check(
        z.describe(
          "'received' and 'found' add, 'issued', 'damaged' and 'lost' take; 'other' does either and needs a note.",
        ),
      ),
    note: z._default(text(500).check(z.trim()), '').check(z.describe('Why; shown with the movement.')),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), component }) },
  errors: [
    'not_found',
    'component_retired',
    'below_zero',
    'stock_limit',
    'location_not_in_plan',
    'trial_expired',
  ],
})
