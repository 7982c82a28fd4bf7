import { endpoint } from '../endpoint.ts'
import { location, pageSize } from '../values.ts'
import { z } from '../zod.ts'

/** What moved and differed in these days is looked at. */
export const daysSuggested = 90

const suggestion = z.object({
  barcode: z.string(),
  description: z.string(),
  pieces: z
    .int()
    .check(
      z.describe(
        `Pieces that left the location in the last ${daysSuggested} days, but for accepted differences.`,
      ),
    ),
  value: z
    .nullable(z.number())
    .check(z.describe('What they are worth now; null where no unit cost is known.')),
  differences: z
    .int()
    .check(
      z.describe(`Counts there in the last ${daysSuggested} days that were recorded with a difference.`),
    ),
})

export type HighVolumeSuggestion = z.output<typeof suggestion>

export const suggestHighVolume = endpoint({
  method: 'GET',
  path: '/api/components/high-volume-suggestions',
  access: 'admin',
  effect: 'read',
  summary:
    'Components on no weekly list of a location from which most has left, or that differed most often, first',
  description:
    'First those of which most has left by value, then those without a unit cost by pieces, then by how often they differed.',
  query: z.object({ location, limit: pageSize({ initial: 20, max: 200 }) }),
  reply: { status: 200, json: z.object({ suggestions: z.array(suggestion), currency: z.string() }) },
  errors: [],
})
