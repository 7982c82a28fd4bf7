import { endpoint, mebibyte, type EndpointReply } from '../endpoint.ts'
import { zeroTwins } from '../stock/zero-twins.ts'
import { cursor, digits, instant, pageSize, text } from '../values.ts'
import { z } from '../zod.ts'
import { previewRow, rowKinds } from './preview-row.ts'
import { hoursStaged, importFields, maxCellLength, maxImportColumns, maySeveral } from './rules.ts'

const importStates = ['staged', 'done', 'undone', 'cancelled', 'expired'] as const

export type ImportState = (typeof importStates)[number]

const importRecord = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(importStates),
  keep_existing: z.boolean(),
  staged_rows: z.int(),
  awaits_end: z
    .boolean()
    .check(z.describe('Whether it waits for the last rows of its file: until then nothing is taken.')),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  left_out: z.int(),
  reinstated: z.int().check(z.describe('How many of those updated it brought back.')),
  retired: z
    .int()
    .check(
      z.describe(
        'Of an import that was undone: how many of those that it made or brought back were retired then, by that or before.',
      ),
    ),
  user_name: z.string(),
  timestamp: instant,
  finished_at: z.nullable(instant),
  undone_by: z.nullable(z.string()),
  undone_at: z.nullable(instant),
})

export type ImportRecord = z.output<typeof importRecord>

const params = z.object({ id: z.uuid('must be the id of an import.') })
const recordReply = {
  status: 200,
  json: z.object({ success: z.literal(true), import: importRecord }),
} as const

export const createImport = endpoint({
  method: 'POST',
  path: '/api/imports',
  access: 'admin',
  effect: 'write',
  summary: 'Begin an import of components: its rows are staged and change nothing yet',
  description: `What nobody has decided about after ${hoursStaged} hours is closed.`,
  body: z.object({
    name: text(200).check(z.trim(), z.minLength(1)),
    fields: z.array(z.enum(importFields)).check(
      z.maxLength(maxImportColumns),
      z.refine((fields) => fields.includes('barcode'), 'One column must be the barcode.'),
      z.refine(
        (fields) => fields.every((field, at) => maySeveral(field) || fields.indexOf(field) === at),
        'Each field but other_barcodes may be one column only.',
      ),
      z.describe(
        'What the cells of each row mean, in their order. `…_bin` is where the component lies at a location, `…_minimum` below which stock it is low there, `unit_cost` what one piece costs, such as 12.5, 12,50 or $1,234.56, rounded to four decimals; an empty cell leaves what is there. `other_barcodes`, which may be several columns, are codes by which the component is found as well, as exports write them: `4006381333931 x12; OLD-7` are two, the first of them that of a pack of 12 pieces. They are added to those that there are; none is taken away, and a pack that is there keeps its pieces. A unit cost that may be thousands as well as decimals, such as 1.234 and 1,234, is read with a decimal point.',
      ),
    ),
    existing: z
      ._default(z.enum(['set', 'keep']), 'set')
      .check(
        z.describe(
          '`keep` leaves the stock of components that exist already as it is, but not their descriptions, bins, minimums, unit costs and other barcodes.',
        ),
      ),
    retired: z
      ._default(z.enum(['bring_back', 'leave_out']), 'bring_back')
      .check(z.describe('`leave_out` leaves components that are retired as they are.')),
    awaits_end: z
      ._default(z.boolean(), false)
      .check(
        z.describe(
          'Takes nothing before a call has said that its rows are the last: half a file is no file.',
        ),
      ),
  }),
  reply: recordReply,
  errors: ['import_limit', 'trial_expired'],
})

/** The most rows one call stages. */
export const maxSliceRows = 5_000

export const stageRows = endpoint({
  method: 'POST',
  path: '/api/imports/{id}/rows',
  access: 'admin',
  effect: 'write',
  summary: 'Stage rows of a file, by their line in it',
  description:
    'A line that was staged before stays as it is, so a slice may be sent again. To correct one, cancel the import and begin anew.',
  params,
  maxBodyBytes: 4 * mebibyte,
  body: z.object({
    rows: z
      .array(
        z.object({
          line: z.int().check(z.minimum(1), z.maximum(2_000_000)),
          // One more than there are fields tells of a row that has more cells than its heading.
          cells: z
            .array(z.string().check(z.maxLength(maxCellLength)))
            .check(z.maxLength(maxImportColumns + 1)),
          fault: z
            .optional(text(300).check(z.minLength(1)))
            .check(
              z.describe(
                'Why it cannot be taken, where whoever reads the file knows: it is shown so, and taken by no commit.',
              ),
            ),
        }),
      )
      .check(
        z.minLength(1, 'Give at least one row.'),
        z.maxLength(maxSliceRows, 'Give at most 5,000 rows in one call.'),
      ),
    last: z._default(z.boolean(), false).check(z.describe('Whether these are the last rows of the file.')),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), staged_rows: z.int() }) },
  errors: ['not_found', 'import_closed', 'import_full', 'trial_expired'],
})

/** What a staged import would do by now; all 0 for one that is not staged. */
export const previewImport = endpoint({
  method: 'GET',
  path: '/api/imports/{id}/preview',
  access: 'admin',
  effect: 'read',
  summary: 'Say how many rows are new, changed, unchanged and bad',
  takesMinutes: true,
  params,
  reply: {
    status: 200,
    json: z.object({
      import: importRecord,
      rows: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), bad: z.int() }),
      reinstated: z.int().check(z.describe('How many of the changed are retired and come back.')),
      bare: z
        .optional(z.object({ rows: z.int(), lack: z.enum(['description', 'all']) }))
        .check(
          z.describe(
            'How many of the new, but not all of them, have a barcode and no description or, where the file has none, nothing beside it, as headings and totals within a list. Left out where there are none.',
          ),
        ),
      other_stock: z
        .optional(z.int())
        .check(
          z.describe(
            'Of an import that leaves the stock of existing components as it is: how many rows say another than there is.',
          ),
        ),
      shortened: z
        .optional(zeroTwins)
        .check(
          z.describe(
            'How many of the new differ from components that are there only by zeros in front, as spreadsheets drop them; the barcode of the first, and that component. Left out where none does.',
          ),
        ),
      // A node of the version before does not say it.
      lengthened: z
        .optional(zeroTwins)
        .check(
          z.describe(
            'The same of new rows that have zeros in front which components that are there lack, as other programs add them.',
          ),
        ),
    }),
  },
  errors: ['not_found'],
})

export type ImportPreview = EndpointReply<typeof previewImport>

export const listImportRows = endpoint({
  method: 'GET',
  path: '/api/imports/{id}/rows',
  access: 'admin',
  effect: 'read',
  summary: 'List staged rows by line, each with what it would do',
  takesMinutes: true,
  params,
  query: z.object({
    kind: z.optional(z.enum(rowKinds)),
    only: z
      .optional(z.enum(['bare']))
      .check(z.describe('Bare: new rows that have a barcode alone, as the preview counts them.')),
    limit: pageSize({ initial: 100, max: 1000 }),
    after: z._default(
      digits(/^\d{1,7}$/, 'must be a line.', {
        description: 'The `next_after` of the reply before.',
        minimum: 0,
        default: 0,
      }),
      0,
    ),
  }),
  reply: {
    status: 200,
    json: z.object({ rows: z.array(previewRow), next_after: z.nullable(z.int()) }),
  },
  errors: ['not_found'],
})

export const commitImport = endpoint({
  method: 'POST',
  path: '/api/imports/{id}/commit',
  access: 'admin',
  effect: 'write',
  summary:
    'Take all good rows in one transaction; refused where there are bad ones, unless they are left out',
  takesMinutes: true,
  params,
  body: z.object({ leave_out_bad: z._default(z.boolean(), false) }),
  reply: {
    status: 200,
    json: z.extend(recordReply.json, {
      without_stock: z
        .optional(z.boolean())
        .check(z.describe('Whether it has made components, and has moved no stock.')),
    }),
  },
  errors: [
    'not_found',
    'import_closed',
    'import_cut',
    'import_faulty',
    'import_empty',
    'barcode_taken',
    'location_not_in_plan',
    'trial_expired',
  ],
})

export const cancelImport = endpoint({
  method: 'POST',
  path: '/api/imports/{id}/cancel',
  access: 'admin',
  effect: 'write',
  summary: 'Drop the staged rows of an import',
  params,
  reply: recordReply,
  errors: ['not_found', 'import_closed'],
})

/** Components that it made or brought back are retired, but for those that came into use since. Refused where stock moved, was counted or confirmed by another file, since. */
export const undoImport = endpoint({
  method: 'POST',
  path: '/api/imports/{id}/undo',
  access: 'admin',
  effect: 'write',
  summary: 'Take back what a finished import set, and the other barcodes it gave',
  description:
    'Stock goes back by movements against its own. Other barcodes that it gave are taken away, but for those that somebody has given anew, or that a newer import that stands names as well. Descriptions, bins, minimums and unit costs that somebody, or a newer import that stands, has given since stay, also where they are the same.',
  takesMinutes: true,
  params,
  reply: recordReply,
  errors: ['not_found', 'import_not_done', 'import_in_use', 'location_not_in_plan', 'trial_expired'],
})

export const listImports = endpoint({
  method: 'GET',
  path: '/api/imports',
  access: 'admin',
  effect: 'read',
  summary: 'List imports, newest first',
  query: z.object({ limit: pageSize({ initial: 20, max: 100 }), cursor: z.optional(cursor) }),
  reply: {
    status: 200,
    json: z.object({ imports: z.array(importRecord), next_cursor: z.nullable(z.string()) }),
  },
  errors: [],
})
