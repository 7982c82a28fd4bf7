import { discrepancyStatuses } from '../discrepancies/rules.ts'
import { endpoint } from '../endpoint.ts'
import { maxSoughtLength, soughtText } from '../sought-text.ts'
import { componentState, stateLocation } from '../stock/component-endpoints.ts'
import { clientInstant, countTypes, entryNumber, location, place, text } from '../values.ts'
import { z } from '../zod.ts'

const format = z._default(z.enum(['csv', 'xlsx']), 'csv')

export type ExportFormat = z.output<typeof format>

const names = z
  .optional(z.enum(['codes']))
  .check(
    z.describe(
      '`codes` has locations by their codes, as all calls take them, also in heads of columns; without it they have the names that the company reads (`GET /api/company`).',
    ),
  )

const span = {
  from: z.optional(clientInstant).check(z.describe('From this moment on, itself included.')),
  to: z.optional(clientInstant).check(z.describe('Up to this moment, itself included.')),
}

/** What an export may be: text, or a workbook in which codes stay the text they are. */
const files = {
  status: 200,
  files: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
} as const

const accounts =
  'The column `Account` tells the account of who did it, whatever they are called: its e-mail address, or how an API key begins. The last column, `Number`, is the id of the entry.'

const formulas =
  "Programs had better read XLSX, where each text is as it is. In CSV an apostrophe stands, to be taken off again, before what a spreadsheet would take for a formula: `=`, `+`, `-` or `@`, or apostrophes and one of these, at the start of a text (there also in full width, or a tab or carriage return), and within it behind a semicolon, a tab or a line end and whatever blanks, double quotes and semicolons follow that. `M8; -20 C` is `M8; '-20 C`."

export const exportComponents = endpoint({
  method: 'GET',
  path: '/api/exports/components',
  access: 'member',
  effect: 'read',
  summary:
    'Components with their stock, last count, bins, minimums and other barcodes as CSV or XLSX, by barcode',
  query: z.object({
    format,
    names,
    text: z.optional(soughtText),
    state: z.optional(componentState),
    location: z.optional(stateLocation),
  }),
  description: `With \`state=low\`, further columns say by how much each component is below its minimum at each location and how much is on its way there, and with \`state=not_kept\`, which locations leave it out. For administrators alone, two columns before the last say what one piece costs now and what all of it is worth, and in which currency. The last names the other barcodes, separated by a semicolon and a space, and behind that of a pack its pieces: \`4006381333931 x12; OLD-7\`. A code that has a space, a semicolon or a double quote stands in double quotes, and a double quote in it twice. ${formulas}`,
  reply: files,
  errors: ['forbidden', 'too_many_exports'],
})

export const exportStockAt = endpoint({
  method: 'GET',
  path: '/api/exports/stock',
  access: 'admin',
  effect: 'read',
  summary:
    'What there was of each component at a moment, and what it was worth then, as CSV or XLSX, by barcode',
  query: z.object({
    format,
    names,
    at: z
      .optional(clientInstant)
      .check(z.describe('The moment; now when left out, or where it is still to come today.')),
  }),
  description: `Retired components are in it, too, and those without stock then have 0. Where no unit cost was known by then, the first one after it counts, as it stood a day later. What was on its way between two places is in neither, and an import counts from the moment it ended. ${formulas}`,
  reply: files,
  errors: ['too_many_exports'],
})

export const exportCounts = endpoint({
  method: 'GET',
  path: '/api/exports/counts',
  access: 'admin',
  effect: 'read',
  summary: 'Counts as CSV or XLSX, newest first',
  query: z.object({
    format,
    names,
    sku: z.optional(soughtText),
    location: z.optional(location),
    ...span,
  }),
  description: `${accounts} ${formulas}`,
  reply: files,
  errors: ['too_many_exports'],
})

export const exportMovements = endpoint({
  method: 'GET',
  path: '/api/exports/movements',
  access: 'admin',
  effect: 'read',
  summary: 'Movements as CSV or XLSX, newest first',
  query: z.object({
    format,
    names,
    sku: z.optional(soughtText),
    location: z.optional(place),
    ...span,
  }),
  description: `${accounts} Between these two stand what it is of, what one piece cost when it was moved, and what it came to, with the currency. ${formulas}`,
  reply: files,
  errors: ['too_many_exports'],
})

export const exportDiscrepancies = endpoint({
  method: 'GET',
  path: '/api/exports/discrepancies',
  access: 'admin',
  effect: 'read',
  summary: 'Differences between counts and stock as CSV or XLSX, newest first',
  query: z.object({
    format,
    names,
    sku: z.optional(soughtText),
    location: z.optional(location),
    status: z.optional(z.enum(discrepancyStatuses)),
    count_type: z.optional(z.enum(countTypes)),
    search: z
      .optional(soughtText)
      .check(
        z.describe(
          'Words, each of them a part of a SKU, a description or the name of who counted, as on the screen.',
        ),
      ),
    ...span,
  }),
  description: `The last two columns say what one piece cost when the difference was decided, or costs now where it is not, and what the difference is worth, and in which currency. ${formulas}`,
  reply: files,
  errors: ['too_many_exports'],
})

export const exportAudit = endpoint({
  method: 'GET',
  path: '/api/exports/audit',
  access: 'admin',
  effect: 'read',
  summary: 'The audit trail as CSV or XLSX, newest first',
  query: z.object({
    format,
    names,
    sku: z.optional(soughtText),
    location: z.optional(place),
    action: z.optional(text(maxSoughtLength)),
    user: z
      .optional(text(maxSoughtLength))
      .check(z.describe('Part of the name or the account of who did it.')),
    id: z.optional(entryNumber),
    ...span,
  }),
  description: `${accounts} ${formulas}`,
  reply: files,
  errors: ['too_many_exports'],
})

/** Everything of a moment, its people too, also while people count; restored by the command restore-company. */
export const exportArchive = endpoint({
  method: 'GET',
  path: '/api/exports/archive',
  access: 'admin',
  scope: 'people',
  effect: 'read',
  summary: 'The whole company as one zip of NDJSON files with a manifest, without passwords and sessions',
  reply: { status: 200, files: ['application/zip'] },
  errors: ['too_many_archives', 'archives_busy'],
})
