import { z } from '../zod.ts'
import { endpoint, mebibyte } from '../endpoint.ts'
import { wholeNumber } from '../numbers.ts'
import { namedBins } from '../stock/named-bins.ts'
import { barcode, instant, location, quantity, text, maxDescriptionLength } from '../values.ts'
import { defaultDpi, printerDpis } from './bars.ts'
import { isPrintableAscii } from './code128.ts'
import { maxCopies, maxLabelsPerJob } from './limits.ts'
import { labelLogo } from './logo.ts'
import { labelPageKeys } from './sheets.ts'
import { defaultLabelSize, labelSizes } from './sizes.ts'
import { matrixSymbologies, symbologyKeys } from './symbologies.ts'

const wrongCopies = `Copies of one component are a whole number from 1 to ${maxCopies}.`

const labelItem = z.object({
  id: z.nullish(text(64)),
  barcode,
  // As components have it, which labels are compared with.
  description: z.nullish(text(maxDescriptionLength).check(z.trim())),
  quantity: z.nullish(quantity),
  copies: z
    .optional(z.int(wrongCopies).check(z.minimum(1, wrongCopies), z.maximum(maxCopies, wrongCopies)))
    .check(z.describe('Labels of this component, where others have another number.')),
})

const sizes = Object.values(labelSizes).map(({ width, height }) => ({ width, height }))
const { width, height } = labelSizes[defaultLabelSize]

const inches = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most))

/** What labels are printed on, and how this printer has to be corrected; lengths in inches. */
const printing = {
  labelSize: z._default(z.object({ width: z.number(), height: z.number() }).check(z.meta({ enum: sizes })), {
    width,
    height,
  }),
  page: z._default(z.enum(labelPageKeys), 'roll'),
  dpi: z._default(z.literal(printerDpis), defaultDpi),
  margins: z
    .nullish(
      z.object({
        left: inches(0, 4),
        top: inches(0, 4),
        columnGap: inches(0, 2),
        rowGap: inches(0, 2),
      }),
    )
    .check(z.describe('Where the labels of a sheet lie; in its middle when left out.')),
  offset: z
    ._default(z.object({ x: inches(-0.5, 0.5), y: inches(-0.5, 0.5) }), { x: 0, y: 0 })
    .check(z.describe('Moves everything to the right and down.')),
}

const mostPositions = 100

/** Where labels begin, and as which symbol their codes stand on them. */
const placing = {
  first: z
    ._default(z.int().check(z.minimum(1), z.maximum(mostPositions)), 1)
    .check(z.describe('The first free position of the first sheet, row by row.')),
  symbology: z._default(z.enum(symbologyKeys), 'code128'),
}

/** What a label file is; ZPL is what thermal printers of Zebra's kind take directly. */
const fileKinds = ['pdf', 'zpl'] as const

export type LabelFormat = (typeof fileKinds)[number]

const format = z._default(z.enum(fileKinds), 'pdf')

export const generateLabels = endpoint({
  method: 'POST',
  path: '/api/generate-labels',
  access: 'member',
  effect: 'write',
  summary: 'Make a PDF or ZPL file of barcode labels',
  maxBodyBytes: 16 * mebibyte,
  body: z.object({
    ...printing,
    ...placing,
    components: z
      .array(labelItem)
      .check(
        z.minLength(1, 'Give at least one component.'),
        z.maxLength(maxLabelsPerJob, `Give at most ${wholeNumber(maxLabelsPerJob)} components in one file.`),
      ),
    includeId: z._default(z.boolean(), true),
    copies: z
      ._default(z.int().check(z.minimum(1), z.maximum(maxCopies)), 1)
      .check(
        z.describe(
          'Labels of each component that has no number of its own; every copy counts as a label used.',
        ),
      ),
    format,
    location: z.nullish(location),
    selected: z
      ._default(z.boolean(), false)
      .check(
        z.describe('Names the file: labels_… for new products, selected_labels_… for chosen components.'),
      ),
  }),
  reply: { status: 200, pdf: true, zpl: true },
  errors: [
    'labels_refused',
    'label_limit',
    'location_not_in_plan',
    'trial_expired',
    'key_reused',
    'too_many_label_files',
  ],
})

export const calibrationPage = endpoint({
  method: 'POST',
  path: '/api/labels/calibration-page',
  access: 'member',
  effect: 'read',
  summary: 'Make a page of frames and rulers that shows how far a printer is off',
  body: z.object(printing),
  reply: { status: 200, pdf: true },
  errors: ['labels_refused'],
})

export const commandSheet = endpoint({
  method: 'POST',
  path: '/api/labels/command-sheet',
  access: 'member',
  effect: 'read',
  summary:
    'Make a PDF of the barcodes that steer the count screens: choose a location, undo, next, submit, times ten',
  body: z.object({ ...printing, ...placing }),
  reply: { status: 200, pdf: true },
  errors: ['labels_refused'],
})

export const binLabels = endpoint({
  method: 'POST',
  path: '/api/labels/bins',
  access: 'member',
  effect: 'read',
  summary: 'Make a PDF or ZPL file of labels of bins: a scan of one on a count screen shows what lies there',
  description:
    'One of each bin of a location that something lies in, as people walk, and where asked of others that are named. They are no labels of components, and use none of the allowance.',
  body: z.object({
    ...printing,
    ...placing,
    format,
    location,
    bins: z
      ._default(namedBins, [])
      .check(z.describe('Only bins that begin with these; all where it is empty.')),
    unprintable: z
      ._default(z.enum(['refuse', 'leave_out']), 'refuse')
      .check(z.describe('What to do about names that no such label can hold.')),
    unknown: z
      ._default(z.enum(['refuse', 'leave_out', 'print']), 'refuse')
      .check(
        z.describe(
          'What to do about names that no bin has in which something lies, such as those of new shelves. `details` of a refusal tell which these are.',
        ),
      ),
  }),
  reply: { status: 200, pdf: true, zpl: true },
  errors: ['labels_refused', 'not_found', 'location_not_in_plan', 'trial_expired', 'too_many_label_files'],
})

export const labelSymbol = endpoint({
  method: 'GET',
  path: '/api/labels/symbol',
  access: 'member',
  effect: 'read',
  summary: 'The modules of a QR code or Data Matrix, to be shown before it is printed',
  query: z.object({
    symbology: z.enum(matrixSymbologies),
    barcode: barcode.check(z.refine(isPrintableAscii, 'must be printable ASCII.')),
  }),
  reply: {
    status: 200,
    json: z.object({
      rows: z.array(z.string()).check(z.describe("From the top; '1' is dark.")),
      quiet: z.int().check(z.describe('Empty modules on each side.')),
    }),
  },
  errors: [],
})

export const listLabelled = endpoint({
  method: 'GET',
  path: '/api/labels/labelled',
  access: 'member',
  effect: 'read',
  summary: 'The components that were ever labelled: when, and whether the label still says what it should',
  revalidates: true,
  reply: {
    status: 200,
    json: z.object({
      components: z.array(
        z.object({
          id: z.string(),
          last_labelled_at: instant,
          current: z.boolean().check(z.describe('False when the description has changed since.')),
        }),
      ),
    }),
  },
  errors: [],
})

export const getLabelLogo = endpoint({
  method: 'GET',
  path: '/api/labels/logo',
  access: 'member',
  effect: 'read',
  summary: 'The logo in black and white as labels with room for it print it; null where they go without',
  reply: { status: 200, json: z.object({ rows: z.nullable(labelLogo) }) },
  errors: [],
})
