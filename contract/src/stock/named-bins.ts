import { control, maxBinLength, text } from '../values.ts'
import { z } from '../zod.ts'
import { mostBins, tooManyBins } from './bin-names.ts'

/** Names of bins, each with all that begin with it; '' is what has none. */
export const namedBins = z
  .array(
    text(maxBinLength).check(
      z.trim(),
      z.refine((name) => !control.test(name), 'must not contain control characters.'),
    ),
  )
  .check(z.maxLength(mostBins, tooManyBins))
