import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { maxLabelsPerJob, type generateLabels } from '@inventory-manager/contract/labels/endpoints'
import { checkLabel } from '@inventory-manager/contract/labels/check-label'
import { labelSizes, type LabelSize } from '@inventory-manager/contract/labels/sizes'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError, type ErrorDetail } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'

type LabelBody = EndpointInput<typeof generateLabels>['body']

/** The offered size of these inches; throws 400 for any other. */
export function sizeOf({ width, height }: LabelBody['labelSize']): LabelSize {
  const size = Object.values(labelSizes).find(
    (offered) => offered.width === width && offered.height === height,
  )
  if (size === undefined) {
    throw new AppError('invalid_request', { sentence: 'Label sizes are 4 x 1.5, 3 x 1 and 2 x 1 inches.' })
  }
  return size
}

const maxDetails = 100

/** Refuses the whole job when any label could not be scanned back, with every offender listed. */
export function requirePrintable(body: LabelBody, size: LabelSize): void {
  const faults = body.components.flatMap((item, index): ErrorDetail[] => {
    const refusal = checkLabel(item.barcode, size.key)
    return refusal === null ? [] : [{ path: `components.${index}.barcode`, message: refusal.message }]
  })
  if (faults.length > 0) throw new AppError('labels_refused', { details: faults.slice(0, maxDetails) })
  const labels = body.components.length * body.copies
  if (labels > maxLabelsPerJob) {
    throw new AppError('labels_refused', {
      sentence: `Too many labels: ${labels.toLocaleString('en-US')}. The limit is 10,000 in one file.`,
    })
  }
}

/** Records that a job's labels were handed out. */
export async function recordJob(
  tx: Tx,
  actor: Actor,
  job: { labels: number; location: string | null; size: LabelSize },
): Promise<void> {
  await recordAudit(tx, actor, {
    kind: 'label_generation',
    event: 'labels_generated',
    sku: 'LABEL_GENERATED',
    quantity: job.labels,
    location: job.location,
    source: 'labels',
    metadata: { labels: job.labels, size: `${job.size.width}x${job.size.height}` },
  })
}
