import { z } from './zod.ts'

/** A currency by its ISO 4217 code, in whichever letters it is written. */
export const currency = z.string().check(
  z.maxLength(3, { message: 'must be a currency such as EUR.', abort: true }),
  z.toUpperCase(),
  z.refine((code) => Intl.supportedValuesOf('currency').includes(code), 'must be a currency such as EUR.'),
  z.meta({ examples: ['EUR'] }),
)
