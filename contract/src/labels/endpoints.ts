import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { barcode, location, quantity, text } from '../values.ts'

const labelItem = z.object({
  id: text(64).nullish(),
  barcode,
  description: text(500).nullish(),
  quantity: quantity.nullish(),
})

/** The most labels of one file. */
export const maxLabelsPerJob = 10_000

const maxCopies = 100

export const generateLabels = endpoint({
  method: 'POST',
  path: '/api/generate-labels',
  access: 'member',
  effect: 'write',
  summary: 'Make a PDF of barcode labels',
  body: z.object({
    components: z
      .array(labelItem)
      .min(1, 'Give at least one component.')
      .max(maxLabelsPerJob, 'Give at most 10,000 components in one file.'),
    includeId: z.boolean().default(true),
    labelSize: z.object({ width: z.number(), height: z.number() }).default({ width: 4, height: 1.5 }),
    copies: z.int().min(1).max(maxCopies).default(1),
    location: location.nullish(),
    /** Names the file: labels_… for new products, selected_labels_… for chosen components (specification 7). */
    selected: z.boolean().default(false),
  }),
  reply: { status: 200, pdf: true },
  errors: ['labels_refused', 'label_limit', 'trial_expired', 'key_reused'],
})
