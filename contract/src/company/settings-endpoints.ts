import { z } from '../zod.ts'
import { signedInUser } from '../accounts/endpoints.ts'
import { endpoint } from '../endpoint.ts'

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
  first_count_sets_stock: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether the first count of what was never counted, moved or entered at a location is taken as its stock. A node of the version before does not say.',
      ),
    ),
  currency: z.string().check(z.describe('In which unit costs are said, by its ISO 4217 code.')),
  has_costs: z
    .optional(z.boolean())
    .check(z.describe('Whether a unit cost was ever said. A node of the version before does not say.')),
  low_stock_mail: z
    .boolean()
    .check(
      z.describe(
        'Whether administrators get a mail, once in 24 hours at the most, of what fell below its minimum.',
      ),
    ),
  // A node of the version before says none.
  location_names: signedInUser.shape.locationNames,
}

export const settings = z.object({
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

export const getLogo = endpoint({
  method: 'GET',
  path: '/api/company/logo',
  access: 'member',
  effect: 'read',
  summary: "Show the company's logo",
  reply: { status: 200, image: true },
  errors: ['not_found'],
})
