import { endpoint } from '../endpoint.ts'
import { text } from '../values.ts'
import { z } from '../zod.ts'

export const undoCount = endpoint({
  method: 'POST',
  path: '/api/components/undo-count',
  access: 'member',
  effect: 'write',
  scope: 'count',
  summary: "Take one's own last count of a component back",
  description:
    'It is as if it had not been, by a new entry that says so. Only the newest count of its SKU and location, within its month or, for a weekly count, its day.',
  body: z.object({
    key: text(255).check(z.minLength(1), z.describe('The Idempotency-Key that the count was sent with.')),
  }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      barcode: z.string(),
      quantity: z.int(),
      location: z.string(),
      source: z.string(),
    }),
  },
  errors: ['not_found', 'cannot_undo', 'location_not_in_plan', 'trial_expired'],
})
