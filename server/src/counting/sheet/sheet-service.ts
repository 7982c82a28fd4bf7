import { mostOnSheet, type countSheet } from '@inventory-manager/contract/counting/sheet-endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { binsInWords, readBins } from '@inventory-manager/contract/stock/bin-names'
import { compareBins, within } from '@inventory-manager/contract/stock/bins'
import { recordAudit } from '../../audit/queries.ts'
import { getMonthStart } from '../../platform/db/calendar.ts'
import type { Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../../platform/http/identity.ts'
import { listBins } from '../../stock/placement-queries.ts'
import { listSheetLines, type SheetLine } from './sheet-queries.ts'
import { listSpotBarcodes } from '../spot/spot-count-queries.ts'
import { listOfDay } from '../weekly-list.ts'

export type SheetQuery = EndpointInput<typeof countSheet>['query']

/** From bin to bin, and within one by barcode. */
function asWalked(one: SheetLine, other: SheetLine): number {
  const between = compareBins(one.bin, other.bin)
  if (between !== 0) return between
  return one.barcode < other.barcode ? -1 : 1
}

/** Whether a sheet leaves out what is counted: what was counted today says nothing of another day's list. */
export function isPendingOnly(
  { weekday }: Actor,
  { components, day, spot_count: spot }: SheetQuery,
): boolean {
  return components === 'pending' && (spot !== undefined || day === undefined || day === weekday)
}

/** The names of bins that a sheet is of, '' for what has none; no names where it is of all. */
export function binsOf({ bins, no_bin: none }: SheetQuery): string[] {
  return [...readBins(bins ?? ''), ...(none === undefined ? [] : [''])]
}

/** Of all that a location keeps, which a sheet is of: of a spot count, or what is pending in the cycle count or this month. */
async function limitsOf(tx: Tx, actor: Actor, query: SheetQuery) {
  const { location, cycle, spot_count: spot } = query
  const pendingOnly = isPendingOnly(actor, query)
  if (spot !== undefined) {
    const id = spot === 'mine' ? null : spot
    // Administrators print those of others, too.
    const userId = id !== null && actor.role === 'admin' ? null : actor.userId
    const wanted = { location, today: actor.today, userId, id, isPendingOnly: pendingOnly }
    return { skus: await listSpotBarcodes(tx, wanted) }
  }
  if (!pendingOnly) return {}
  return cycle === undefined
    ? { pendingSince: await getMonthStart(tx, actor.timeZone) }
    : { pendingIn: cycle }
}

async function findLines(tx: Tx, actor: Actor, query: SheetQuery): Promise<SheetLine[]> {
  const { location, day, spot_count: spot } = query
  const names = binsOf(query)
  const isWanted = names.length === 0 ? () => true : within(names)
  if (day === undefined || spot !== undefined) {
    const bins = names.length === 0 ? null : [...(await listBins(tx, location)), ''].filter(isWanted)
    const limits = await limitsOf(tx, actor, query)
    return await listSheetLines(tx, { location, bins, limit: mostOnSheet + 1, ...limits })
  }
  const pendingOnly = isPendingOnly(actor, query)
  const listed = await listOfDay(tx, actor, { day, location })
  return listed
    .filter(({ countable }) => !pendingOnly || !countable.counted)
    .filter(({ bin }) => isWanted(bin))
    .map(({ bin, countable: { barcode, description } }) => ({ barcode, description, bin }))
}

function nothingIn(bins: readonly string[]): string {
  return bins.length === 0
    ? 'Nothing is to be counted here.'
    : `Nothing is to be counted here of ${binsInWords(bins)}.`
}

/**
 * What a count sheet names, in the order in which people walk, recorded as an export. Throws 'location_not_in_plan', 'not_found' where
 * nothing is to be counted, and 'sheet_too_long'.
 */
export async function prepareSheet(tx: Tx, actor: Actor, query: SheetQuery): Promise<SheetLine[]> {
  requireLocation(actor, query.location)
  const lines = await findLines(tx, actor, query)
  if (lines.length === 0) throw new AppError('not_found', { sentence: nothingIn(binsOf(query)) })
  if (lines.length > mostOnSheet) throw new AppError('sheet_too_long')
  const { location, day, cycle, spot_count: spot, components } = query
  const bins = binsOf(query)
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'list_exported',
    location,
    source: 'counting',
    metadata: {
      type: 'export',
      list: 'count_sheet',
      ...(day === undefined ? {} : { day }),
      ...(cycle === undefined ? {} : { cycle }),
      ...(spot === undefined ? {} : { spot_count: true }),
      ...(bins.length === 0 ? {} : { bins }),
      filter: { components },
    },
  })
  return lines.toSorted(asWalked)
}
