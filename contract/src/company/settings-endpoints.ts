import { z } from '../zod.ts'
import { timeZone } from '../accounts/rules.ts'
import { currency } from '../currency.ts'
import { endpoint } from '../endpoint.ts'
import { locationNames } from '../location-names.ts'
import { text } from '../values.ts'
import { contrastWithWhite, leastContrast } from './colours.ts'

const printable = /^[\x20-\x7e]*$/

/** What a scanner is set to send before or after a code; taken off before the code is looked up. */
const scannerPart = text(10).check(z.regex(printable, 'must be at most 10 printable characters.'))

const accentColour = z.string().check(
  z.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1d4ed8.'),
  z.toLowerCase(),
  z.refine(
    (colour) => contrastWithWhite(colour) >= leastContrast,
    'This colour is too light for white text.',
  ),
  z.meta({ examples: ['#1d4ed8'] }),
)

const settingsOfAll = {
  name: z.string(),
  time_zone: z.string(),
  scanner_prefix: z.string(),
  scanner_suffix: z.string(),
  accent_colour: z
    .nullable(z.string())
    .check(z.describe('Null without one, and where the plan has no branding.')),
  logo: z.nullable(z.string()).check(z.describe("The version of the logo, which is at '/api/company/logo'.")),
}

/** What only administrators see: a tolerance that staff know is no blind count. */
const settingsOfAdministrators = {
  branding_in_plan: z.boolean(),
  logo_on_labels: z.boolean().check(z.describe('Whether labels print the logo.')),
  count_tolerance_units: z.nullable(z.int()),
  count_tolerance_percent: z.nullable(z.number()),
  strict_blind_counts: z.boolean(),
  currency: z.string().check(z.describe('In which unit costs are said, by its ISO 4217 code.')),
  low_stock_mail: z
    .boolean()
    .check(
      z.describe(
        'Whether administrators get a mail, once in 24 hours at the most, of what fell below its minimum.',
      ),
    ),
  // A node of the version before says none.
  location_names: z.optional(locationNames),
}

const settings = z.object({
  ...settingsOfAll,
  administration: z.optional(z.object(settingsOfAdministrators)),
})

export type CompanySettings = z.output<typeof settings>

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/company/settings',
  access: 'member',
  effect: 'read',
  summary: 'Show the settings of the company',
  reply: { status: 200, json: settings },
  errors: [],
})

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
      count_tolerance_units: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
      count_tolerance_percent: z.nullable(
        z.number().check(z.minimum(0.01), z.maximum(100), z.multipleOf(0.01)),
      ),
      strict_blind_counts: z.boolean(),
      currency,
      low_stock_mail: z.boolean(),
      accent_colour: z.nullable(accentColour),
      location_names: locationNames,
    }),
  ),
  reply: { status: 200, json: z.object({ success: z.literal(true), settings }) },
  errors: ['branding_not_in_plan', 'location_names_alike'],
})

export type SettingsChange = z.output<typeof changeSettings.body>

export const maxLogoBytes = 131_072

export const logoTypes = ['image/png', 'image/jpeg', 'image/svg+xml'] as const

export type LogoType = (typeof logoTypes)[number]

export const setLogo = endpoint({
  method: 'POST',
  path: '/api/company/logo',
  access: 'admin',
  effect: 'write',
  summary: "Set the company's logo",
  body: z.object({
    content: z
      .base64('must be the file in base64.')
      .check(z.maxLength(Math.ceil(maxLogoBytes / 3) * 4, 'A logo has at most 128 kB.')),
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

export const getLogo = endpoint({
  method: 'GET',
  path: '/api/company/logo',
  access: 'member',
  effect: 'read',
  summary: "Show the company's logo",
  reply: { status: 200, image: true },
  errors: ['not_found'],
})
