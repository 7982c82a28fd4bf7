import { z } from '../zod.ts'
import { timeZone } from '../accounts/rules.ts'
import { currency } from '../currency.ts'
import { endpoint } from '../endpoint.ts'
import { givenLocationNames } from '../location-names.ts'
import { text } from '../values.ts'
import { contrastWithWhite, leastContrast, tooLight } from './colours.ts'
import { settings } from './settings-endpoints.ts'

const printable = /^[\x20-\x7e]*$/

/** What a scanner is set to send before or after a code; taken off before the code is looked up. */
const scannerPart = text(10).check(z.regex(printable, 'must be at most 10 printable characters.'))

const accentColour = z.string().check(
  z.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1d4ed8.'),
  z.toLowerCase(),
  z.refine((colour) => contrastWithWhite(colour) >= leastContrast, tooLight),
  z.meta({ examples: ['#1d4ed8'] }),
)

export const maxToleranceUnits = 1_000_000

export const changeSettings = endpoint({
  method: 'POST',
  path: '/api/company/settings',
  access: 'admin',
  effect: 'write',
  summary: 'Change settings of the company',
  description:
    'Only what is given is changed, also of the names of locations, of which an empty one gives the standard name back. A tolerance that is null does not limit; without either none is accepted.',
  body: z.partial(
    z.object({
      name: text(200).check(z.trim(), z.minLength(1, 'Company name is required')),
      time_zone: timeZone,
      scanner_prefix: scannerPart,
      scanner_suffix: scannerPart,
      count_tolerance_units: z.nullable(z.int().check(z.minimum(1), z.maximum(maxToleranceUnits))),
      count_tolerance_percent: z
        .nullable(z.number().check(z.minimum(0.01), z.maximum(100), z.multipleOf(0.01)))
        .check(z.describe('With at most two decimals.')),
      strict_blind_counts: z.boolean(),
      first_count_sets_stock: z.boolean(),
      currency,
      low_stock_mail: z.boolean(),
      accent_colour: z.nullable(accentColour),
      location_names: givenLocationNames,
    }),
  ),
  reply: { status: 200, json: z.object({ success: z.literal(true), settings }) },
  errors: ['branding_not_in_plan', 'location_names_alike'],
})

export type SettingsChange = z.output<typeof changeSettings.body>

export const maxLogoBytes = 131_072
export const tooLargeLogo = 'A logo has at most 128 kB.'

export const logoTypes = ['image/png', 'image/jpeg', 'image/svg+xml'] as const

export type LogoType = (typeof logoTypes)[number]

/** The smallest picture (PNG). */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

export const setLogo = endpoint({
  method: 'POST',
  path: '/api/company/logo',
  access: 'admin',
  effect: 'write',
  summary: "Set the company's logo",
  body: z.object({
    content: z
      .base64('must be the file in base64.')
      .check(z.maxLength(Math.ceil(maxLogoBytes / 3) * 4, tooLargeLogo), z.meta({ examples: [onePixel] })),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), logo: z.string() }) },
  errors: ['logo_refused', 'branding_not_in_plan'],
})

export const deleteLogo = endpoint({
  method: 'DELETE',
  path: '/api/company/logo',
  access: 'admin',
  effect: 'write',
  summary: "Remove the company's logo",
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found'],
})
