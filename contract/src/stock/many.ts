import { wholeNumber } from '../numbers.ts'
import { z } from '../zod.ts'

/** The most components that one call names; longer lists are sent in several calls. */
export const mostInOneCall = 10_000

/** Components of one call, by a row or a barcode each. */
export function severalComponents<S extends z.ZodMiniType>(each: S) {
  return z
    .array(each)
    .check(
      z.minLength(1, 'Give at least one component.'),
      z.maxLength(mostInOneCall, `Give at most ${wholeNumber(mostInOneCall)} components in one call.`),
    )
}
