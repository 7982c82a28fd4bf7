import { endpoint } from '../endpoint.ts'
import { text } from '../values.ts'
import { z } from '../zod.ts'

export const maxCountNoteLength = 500

export const noteCount = endpoint({
  method: 'POST',
  path: '/api/components/note-count',
  access: 'member',
  effect: 'write',
  scope: 'count',
  summary: "Say something about one's own count",
  description:
    'Administrators read it where they decide about differences. Another note takes the place of the one before, and an empty one takes it away. A count that was taken back keeps its note as it is.',
  body: z.object({
    key: text(255).check(z.minLength(1), z.describe('The Idempotency-Key that the count was sent with.')),
    note: text(maxCountNoteLength).check(z.trim(), z.meta({ examples: ['3 crates are damaged'] })),
  }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      barcode: z.string(),
      location: z.string(),
      note: z.string(),
    }),
  },
  errors: ['count_not_found', 'cannot_note', 'location_not_in_plan', 'trial_expired'],
})
