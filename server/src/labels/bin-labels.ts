import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { checkLabel } from '@inventory-manager/contract/labels/check-label'
import type { binLabels } from '@inventory-manager/contract/labels/endpoints'
import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import { maxLabelsPerJob } from '@inventory-manager/contract/labels/limits'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import type { SheetOptions } from '@inventory-manager/contract/labels/sheets'
import { binsInWords, eachOnce } from '@inventory-manager/contract/stock/bin-names'
import { compareBins, within } from '@inventory-manager/contract/stock/bins'
import { placeName } from '@inventory-manager/contract/stock/places'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { listBins } from '../stock/placement-queries.ts'
import { requirePrintable, sheetOf } from './service.ts'

type BinBody = EndpointInput<typeof binLabels>['body']

/** That nothing lies in bins of some names, or in any where none is named. */
function nothingIn(names: readonly string[]): string {
  return `Nothing lies ${names.length === 0 ? 'in a bin' : `in ${binsInWords(names)}`} here.`
}

/** Throws 'not_found' with each of the names in which nothing lies, and its place among those that were sent. */
function refuseUnknown(names: readonly string[], { bins }: BinBody): void {
  if (names.length === 0) return
  const details = names.map((name) => ({ path: `bins.${bins.indexOf(name)}`, message: nothingIn([name]) }))
  throw new AppError('not_found', { sentence: nothingIn(names), details })
}

/** The bins of a location that are asked for, as people walk; throws 'not_found' and 'labels_refused' for none and for too many. */
async function findBins(tx: Tx, body: BinBody, names: readonly string[]): Promise<string[]> {
  const all = await listBins(tx, body.location)
  const unknown = names.filter((name) => !all.some(within([name])))
  if (body.unknown === 'refuse') refuseUnknown(unknown, body)
  const known = names.length === 0 ? all : all.filter(within(names))
  const wanted = eachOnce([...known, ...(body.unknown === 'print' ? unknown : [])].toSorted(compareBins))
  if (wanted.length === 0) throw new AppError('not_found', { sentence: nothingIn(names) })
  if (wanted.length > maxLabelsPerJob) {
    throw new AppError('labels_refused', { sentence: labelMessages.tooMany(wanted.length) })
  }
  return wanted
}

/** Those that a label can hold; throws 'labels_refused' where others are not to be left out, or none is left. */
function printableOf(bins: readonly string[], { size }: SheetOptions, body: BinBody): string[] {
  const { symbology, unprintable } = body
  const printable = bins.filter((bin) => checkLabel(bin, size, symbology) === null)
  if (unprintable === 'refuse' || printable.length === 0) {
    requirePrintable(
      bins.map((barcode) => ({ barcode })),
      { size, symbology },
    )
  }
  return printable
}

/**
 * The labels of bins, which say their location, and what they are printed on; recorded as an export. Throws 'location_not_in_plan',
 * 'not_found' where nothing lies in bins of some names, unless that was said to be so, and 'labels_refused'.
 */
export async function prepareBins(
  tx: Tx,
  actor: Actor,
  body: BinBody,
): Promise<{ items: LabelItem[]; sheet: SheetOptions }> {
  const { location, first, format } = body
  // What has no bin has no label.
  const names = body.bins.filter((name) => name !== '')
  requireLocation(actor, location)
  const sheet = sheetOf(body, first)
  const bins = printableOf(await findBins(tx, body, names), sheet, body)
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'list_exported',
    location,
    source: 'labels',
    metadata: {
      type: 'export',
      list: 'bin_labels',
      labels: bins.length,
      format,
      ...(names.length === 0 ? {} : { bins: names }),
    },
  })
  const description = placeName(location, actor.locationNames)
  return { items: bins.map((barcode) => ({ barcode, description })), sheet }
}
