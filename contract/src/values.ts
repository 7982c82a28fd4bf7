import { z } from './zod.ts'
import { findLocation, type LocationCode } from './locations.ts'

const unstorable = /[\0\p{Cs}]/u
const control = /[\p{Cc}\p{Cs}]/u

/** Free text of at most `max` UTF-16 units; NUL and lone surrogates, which no database stores, are refused. */
export function text(max: number) {
  return z
    .string()
    .max(max)
    .refine((value) => !unstorable.test(value), 'must not contain characters that cannot be stored.')
}

/** A SKU: 1 to 48 characters without control characters, compared exactly after trimming (decisions, 'Names'). */
export const barcode = z
  .string()
  .trim()
  .min(1)
  .max(48)
  .refine((value) => !control.test(value), 'must not contain control characters.')

export const maxQuantity = 2_147_483_647

/** Pieces: a whole number from 0 to 2,147,483,647. */
export const quantity = z.int('must be a whole number from 0 to 2,147,483,647.').min(0).max(maxQuantity)

/** Takes a location's code or display name and gives its code. */
export const location = z.string().transform((value, context): LocationCode => {
  const found = findLocation(value)
  if (found !== undefined) return found.code
  context.addIssue({ code: 'custom', message: 'Invalid location selected.' })
  return z.NEVER
})

/** An instant as ISO 8601 in UTC with milliseconds, as replies carry it. */
export const instant = z.iso.datetime()

/** An instant from a client; any offset, normalised to a Date. Years outside 1970 to 9999 are refused. */
export const clientInstant = z.iso
  .datetime({ offset: true, message: 'must be a date and time in ISO 8601.' })
  .transform((value) => new Date(value))
  .refine((date) => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999, 'must be a real date.')

/** A page size out of a query string: decimal digits only, so that '', '0x10' and '1e3' are refused. */
export function pageSize(options: { initial: number; max: number }) {
  return z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number above 0.')
    .transform((digits) => Math.min(Number(digits), options.max))
    .default(options.initial)
}

/** An opaque place in a list sorted by time, as an earlier reply gave it. */
export const cursor = z.uuid('must be a cursor of an earlier reply.')

export const countTypes = ['monthly', 'weekly', 'admin'] as const
export type CountType = (typeof countTypes)[number]
