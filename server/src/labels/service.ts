import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { checkLabel } from '@inventory-manager/contract/labels/check-label'
import type { calibrationPage, generateLabels } from '@inventory-manager/contract/labels/endpoints'
import { maxLabelsPerJob } from '@inventory-manager/contract/labels/limits'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { layoutSheet, type SheetOptions } from '@inventory-manager/contract/labels/sheets'
import { labelSizes, type LabelSize } from '@inventory-manager/contract/labels/sizes'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError, type ErrorDetail } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { countLabelled, type Print } from './queries.ts'

export type LabelBody = EndpointInput<typeof generateLabels>['body']
type Printing = EndpointInput<typeof calibrationPage>['body']

/** The offered size of these inches; throws 'invalid_request' for any other. */
function sizeOf({ width, height }: Printing['labelSize']): LabelSize {
  const size = Object.values(labelSizes).find(
    (offered) => offered.width === width && offered.height === height,
  )
  if (size === undefined) {
    throw new AppError('invalid_request', { sentence: 'Label sizes are 4 x 1.5, 3 x 1 and 2 x 1 inches.' })
  }
  return size
}

/** What labels are printed on, checked: throws 'labels_refused' where the margins leave no room, or `first` is past the sheet. */
export function sheetOf(printing: Printing, first = 1): SheetOptions {
  const { page, dpi, margins, offset } = printing
  const options = { size: sizeOf(printing.labelSize).key, page, dpi, margins, offset }
  const positions = layoutSheet(options).cells.length
  if (positions === 0) {
    throw new AppError('labels_refused', { sentence: labelMessages.noRoom })
  }
  if (first > positions) {
    throw new AppError('labels_refused', {
      sentence: `The first free position is ${first}, but the page has ${positions} for labels of this size.`,
    })
  }
  return options
}

/** Throws 'labels_refused' for the whole job when any label could not be scanned back, with every offender listed. */
export function requirePrintable(
  components: readonly { barcode: string }[],
  { size, symbology }: Pick<SheetOptions, 'size'> & Pick<LabelBody, 'symbology'>,
): void {
  const faults = components.flatMap((item, index): ErrorDetail[] => {
    const refusal = checkLabel(item.barcode, size, symbology)
    return refusal === null ? [] : [{ path: `components.${index}.barcode`, message: refusal.message }]
  })
  if (faults.length > 0) throw new AppError('labels_refused', { details: faults })
}

/** The labels of a job with its copies; throws 'labels_refused' for more than one file holds. */
export function countLabels({ components, copies }: LabelBody): number {
  const labels = components.reduce((sum, item) => sum + (item.copies ?? copies), 0)
  if (labels <= maxLabelsPerJob) return labels
  throw new AppError('labels_refused', { sentence: labelMessages.tooMany(labels) })
}

/** How many copies a job has of its components: one number, or each that occurs. */
function copiesIn({ components, copies }: LabelBody): number | number[] {
  const numbers = [...new Set(components.map((item) => item.copies ?? copies))].toSorted((a, b) => a - b)
  return numbers.length === 1 ? (numbers[0] ?? copies) : numbers
}

function sizeKeyOf({ labelSize }: LabelBody): string {
  return `${labelSize.width}x${labelSize.height}`
}

/** What is recorded of a job whose labels were handed out. */
export function printOf({ userId, userName }: Actor, body: LabelBody): Print {
  const { symbology, format } = body
  const items = body.components.map((item) => ({ ...item, copies: item.copies ?? body.copies }))
  return { items, size: sizeKeyOf(body), symbology, format, userId, userName }
}

/** Records in the trail that a job's labels were charged: how many of which kind, and how many were printed before. */
export async function recordJob(
  tx: Tx,
  actor: Actor,
  { body, labels }: { body: LabelBody; labels: number },
): Promise<void> {
  const { page, symbology, dpi, format } = body
  const again = await countLabelled(
    tx,
    body.components.map(({ barcode }) => barcode),
  )
  await recordAudit(tx, actor, {
    kind: 'label_generation',
    event: 'labels_generated',
    sku: 'LABEL_GENERATED',
    quantity: labels,
    location: body.location ?? null,
    source: 'labels',
    metadata: {
      labels,
      components: body.components.length,
      reprinted: again,
      copies: copiesIn(body),
      size: sizeKeyOf(body),
      page,
      symbology,
      dpi,
      format,
    },
  })
}
