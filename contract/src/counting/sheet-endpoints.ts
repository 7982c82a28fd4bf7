import { endpoint } from '../endpoint.ts'
import { mostBins, readBins, tooManyBins } from '../stock/bin-names.ts'
import { weekDays } from '../stock/rules.ts'
import { location, maxBinLength, text } from '../values.ts'
import { z } from '../zod.ts'
import { recordId } from './record-ids.ts'

/** How many components a sheet holds: more than 200 pages are counted by nobody. */
export const mostOnSheet = 5_000

export const countSheet = endpoint({
  method: 'GET',
  path: '/api/components/count-sheet',
  access: 'member',
  effect: 'read',
  summary: 'What is to be counted at a location as PDF, to be counted on paper',
  description:
    'In order of bins, and without any stock, since counts are blind. Codes of up to 25 characters stand there as barcodes, too, so that what was written down is entered by scanning the sheet.',
  query: z.object({
    location,
    day: z
      .optional(z.enum(weekDays))
      .check(z.describe('Of the weekly count of this day; of the month when left out.')),
    cycle: z
      .optional(recordId)
      .check(z.describe('Of the cycle count with this id: what its record does not have is pending.')),
    spot_count: z
      .optional(z.union([z.literal('mine'), z.uuid()]))
      .check(
        z.describe(
          "Of the spot count with this id, or with 'mine' of all that whoever asks is asked to count here: what is left of it is pending.",
        ),
      ),
    components: z
      ._default(z.enum(['pending', 'all']), 'pending')
      .check(z.describe("What is not counted yet, or all; of another day's list than today's always all.")),
    bins: z
      .optional(
        text(mostBins * (maxBinLength + 2)).check(
          z.refine((names) => readBins(names).length <= mostBins, tooManyBins),
        ),
      )
      .check(
        z.describe(
          "Names of bins with commas between them, each with all that begin with it: 'A' is also A-03 and A12, but not AB. All where it is left out.",
        ),
      ),
    no_bin: z.optional(z.literal('true')).check(z.describe('What has no bin, beside those bins or alone.')),
    paper: z._default(z.enum(['a4', 'letter']), 'a4'),
  }),
  reply: { status: 200, files: ['application/pdf'] },
  errors: ['not_found', 'location_not_in_plan', 'sheet_too_long', 'too_many_exports'],
})
