import { z } from './zod.ts'
import { findLocation, locationInputs, unknownLocation, type LocationCode } from './locations.ts'
import type { Place } from './stock/places.ts'

/** What a spreadsheet makes of a long number, with a point or a sign: without either, as in 12E5, it is a code. */
export const shortenedNumber = /^\d+(?:[.,]\d+e[+-]?|e[+-])\d+$/i

const unstorable = /[\0\p{Cs}]/u
export const control = /[\p{Cc}\p{Cs}]/u

/** Free text of at most `max` UTF-16 units; NUL and lone surrogates, which no database stores, are refused. */
export function text(max: number) {
  return z.string().check(
    z.maxLength(max, {
      // What is too long no later check may read: a pattern may take minutes for it.
      abort: true,
    }),
    z.refine((value) => !unstorable.test(value), 'must not contain characters that cannot be stored.'),
  )
}

/** Text without control characters that is compared exactly after trimming. */
export function code(max: number) {
  return z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(max),
    z.refine((value) => !control.test(value), 'must not contain control characters.'),
  )
}

export const maxBarcodeLength = 48
export const maxDescriptionLength = 500
export const maxBinLength = 40

/** A SKU. */
export const barcode = code(maxBarcodeLength)

export const maxQuantity = 2_147_483_647

/** Pieces: a whole number from 0 to 2,147,483,647. */
export const quantity = z
  .int('must be a whole number from 0 to 2,147,483,647.')
  .check(z.minimum(0), z.maximum(maxQuantity))

function codeOfLocation(value: string, context: z.core.ParsePayload): LocationCode {
  const found = findLocation(value)
  if (found !== null) return found.code
  context.issues.push({ code: 'custom', message: unknownLocation, input: value })
  return z.NEVER
}

/** Takes a location's code or display name and gives its code. */
export const location = z.pipe(
  z.string().check(z.meta({ description: 'A location by its code or its name.', enum: [...locationInputs] })),
  z.transform(codeOfLocation),
)

/** As location, or QUARANTINE: where stock may lie. */
export const place = z.pipe(
  z.string().check(
    z.meta({
      description: 'A location by its code or its name, or QUARANTINE.',
      enum: [...locationInputs, 'QUARANTINE'],
    }),
  ),
  z.transform((value, context): Place => (value === 'QUARANTINE' ? value : codeOfLocation(value, context))),
)

/** An instant as ISO 8601 in UTC with milliseconds, as replies carry it. */
export const instant = z.iso.datetime()

/** A month of the company's calendar, such as '2026-11'. */
export const month = z
  .string()
  .check(
    z.regex(/^(?:19[7-9]\d|20\d\d)-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11.'),
    z.meta({ examples: ['2026-11'] }),
  )

/** An instant from a client; any offset, normalised to a Date. Years outside 1970 to 9999 are refused. */
export const clientInstant = z
  .pipe(
    z.iso.datetime({
      offset: true,
      message: 'must be a date and time such as 2026-11-30T10:00:00Z.',
    }),
    z.transform((value) => new Date(value)),
  )
  .check(
    z.refine(
      (date) => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999,
      'must be a real date.',
    ),
  )

type DigitsMeta = { description: string; minimum: number; maximum?: number; default?: number }

/** A whole number out of a query string: decimal digits of a form only, so that '', '0x10' and '1e3' are refused. */
export function digits(form: RegExp, refusal: string, meta: DigitsMeta) {
  return z.pipe(
    z
      .custom<string>((value) => typeof value === 'string' && form.test(value), refusal)
      .check(z.meta({ ...meta, type: 'integer' })),
    z.transform(Number),
  )
}

/** How many entries a page has. */
export function pageSize({ initial, max }: { initial: number; max: number }) {
  return z._default(
    z.pipe(
      digits(/^[1-9]\d{0,6}$/, 'must be a whole number above 0.', {
        description: `How many entries at most; above ${max} it is taken as ${max}.`,
        minimum: 1,
        maximum: max,
        default: initial,
      }),
      z.transform((size) => Math.min(size, max)),
    ),
    initial,
  )
}

/** An opaque place in a list sorted by time, as an earlier reply gave it. */
export const cursor = z.uuid('must be a cursor of an earlier reply.')

/** An entry of the trail, as certificates and checks of the trail name it. */
export const entryNumber = z.uuid('must be the id of an entry.')

function isPlainMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const mapLimits = { keys: 20_000, keyLength: 100, depth: 5, textLength: 2_000 }

/** Whether JSON is small and flat enough to keep, and holds nothing a database cannot store. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length <= mapLimits.textLength && !unstorable.test(value)
  if (typeof value !== 'object' || value === null) return true
  const entries = Object.entries(value)
  if (depth >= mapLimits.depth || entries.length > mapLimits.keys) return false
  return entries.every(
    ([key, held]) =>
      key.length <= mapLimits.keyLength && !unstorable.test(key) && isStorable(held, depth + 1),
  )
}

/**
 * A map of names to JSON values, taken as it is: keys such as `__proto__` are data like any other (zod's own record
 * drops them).
 */
export const plainMap = z
  .custom<Record<string, unknown>>(isPlainMap, 'must be an object.')
  .check(z.meta({ type: 'object', additionalProperties: true }))

/** The same from a client: at most 20,000 keys of 100 characters. */
export const givenMap = z.custom<Record<string, unknown>>(isPlainMap, 'must be an object.').check(
  z.refine((map) => isStorable(map), {
    error: 'must be a smaller object without characters that cannot be stored.',
    // What is too deep no later check may walk.
    abort: true,
  }),
  z.meta({ type: 'object', additionalProperties: true }),
)

const mostNoteCharacters = 8_192

function isNote(value: unknown): boolean {
  return value === undefined || JSON.stringify(value).length <= mostNoteCharacters
}

/** A map that goes with one entry: at most 8,192 characters as JSON. */
export const smallMap = givenMap.check(z.refine(isNote, 'must have at most 8,192 characters as JSON.'))

/** Any JSON small and flat enough to keep as it is. */
export const storableJson = z
  .unknown()
  .check(
    z.refine(
      (value) => isStorable(value) && isNote(value),
      'must be smaller and without characters that cannot be stored.',
    ),
  )

export const countTypes = ['monthly', 'weekly', 'admin'] as const
export type CountType = (typeof countTypes)[number]

/** A field that clients send and the server does not use: dropped here, however deep it is, so that nothing walks it. */
export const ignored = z.optional(
  z.pipe(
    z.unknown(),
    z.transform(() => undefined),
  ),
)
