import { locations, type LocationCode } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import type { importRow } from '@inventory-manager/contract/stock/endpoints'
import type { z } from 'zod'
import { recordImportedChange } from '../audit/configuration.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { isOutOfRange } from '../platform/db/errors.ts'
import { AppError, type ErrorDetail } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { findAliased, findOtherWritings } from './alias-queries.ts'
import { settleKnownCodes } from './known-codes.ts'
import { requireOwnCodes } from './own-codes.ts'
import { importRows, mapStock, type ImportRow } from './queries.ts'
import { findRetired } from './retire-queries.ts'

type GivenRow = z.output<typeof importRow>

/** Throws 'location_not_in_plan' when the company's plan does not open the location. */
export function requireLocation(actor: Pick<Actor, 'plan'>, location: LocationCode): void {
  if (!planOffers(actor.plan, location)) throw new AppError('location_not_in_plan')
}

/** Throws 'stock_limit', with what is said of it if anything, where work that adds to stock would bring it above what can be kept. */
export async function withinStockLimit<T>(
  work: () => Promise<T>,
  said: { sentence?: string } = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isOutOfRange(error) ? new AppError('stock_limit', { ...said, cause: error }) : error
  }
}

/** The stock a row sets. 0 at a location the plan does not include changes nothing there and is left out. */
function stockOf(actor: Actor, row: GivenRow): ImportRow['stock'] {
  const given = locations.flatMap(({ code, quantityField }) => {
    const quantity = row[quantityField]
    if (quantity == null || (quantity === 0 && !planOffers(actor.plan, code))) return []
    return [{ location: code, quantity }]
  })
  const quarantined = row.quarantine_quantity
  return quarantined == null ? given : [...given, { location: 'QUARANTINE', quantity: quarantined }]
}

function duplicates(rows: GivenRow[]): ErrorDetail[] {
  const firstAt = new Map<string, number>()
  return rows.flatMap((row, index) => {
    const first = firstAt.get(row.barcode)
    if (first === undefined) {
      firstAt.set(row.barcode, index)
      return []
    }
    return [{ path: String(index), message: `has the same barcode as row ${first + 1}.` }]
  })
}

/** What is wrong with rows, by what is said of each barcode; null of one that is right. */
function faultsOf(rows: GivenRow[], fault: (barcode: string) => string | null): ErrorDetail[] {
  return rows.flatMap(({ barcode }, index) => {
    const message = fault(barcode)
    return message === null ? [] : [{ path: String(index), message }]
  })
}

const barcodesOf = (rows: GivenRow[]) => rows.map(({ barcode }) => barcode)

/** What is another barcode of a component becomes none of its own. */
async function aliases(tx: Tx, rows: GivenRow[]): Promise<ErrorDetail[]> {
  const owners = await findAliased(tx, barcodesOf(rows))
  return faultsOf(rows, (barcode) => {
    const owner = owners.get(barcode)
    return owner === undefined ? null : `names ${barcode}, which is another barcode of ${owner} already.`
  })
}

/** A UPC in its other writing, as spreadsheets take a zero off, becomes no second component. */
async function otherWritings(tx: Tx, rows: GivenRow[]): Promise<ErrorDetail[]> {
  const twins = await findOtherWritings(tx, barcodesOf(rows))
  return faultsOf(rows, (barcode) => {
    const twin = twins.get(barcode)
    return twin === undefined ? null : `names ${barcode}, which is another writing of ${twin}.`
  })
}

/** What an administrator has retired is brought back by none but administrators. */
async function retiredOnes(tx: Tx, actor: Actor, rows: GivenRow[]): Promise<ErrorDetail[]> {
  if (actor.role === 'admin') return []
  const retired = await findRetired(tx, barcodesOf(rows))
  return faultsOf(rows, (barcode) =>
    retired.has(barcode) ? `names ${barcode}, which is retired. An administrator can bring it back.` : null,
  )
}

/** Whether a row of the call's older form chooses days of weekly counts, as only administrators may. */
const choosesDays = ({ high_volume_config: days, is_high_volume: isChosen }: GivenRow): boolean =>
  (days ?? null) !== null || isChosen === true

const onlyAdministratorsChoose =
  'Only administrators choose what is counted weekly. Leave high_volume_config and is_high_volume out.'

type Import<Row> = { rows: Row[]; keepExisting: boolean }

/** Stock may only be set where the plan has a location; elsewhere a row may say what there is, and nothing is set. */
async function onlyOpenLocations(
  tx: Tx,
  actor: Actor,
  { rows, keepExisting }: Import<ImportRow>,
): Promise<ImportRow[]> {
  const isClosed = ({ location }: ImportRow['stock'][number]) =>
    location !== 'QUARANTINE' && !planOffers(actor.plan, location)
  const touching = rows.filter(({ stock }) => stock.some(isClosed)).map(({ barcode }) => barcode)
  if (touching.length === 0) return rows
  const present = await mapStock(tx, touching)
  const stays = ({ barcode }: ImportRow, { location, quantity }: ImportRow['stock'][number]) => {
    const own = present.get(barcode)
    return own !== undefined && (keepExisting || (own.get(location) ?? 0) === quantity)
  }
  const faults = rows.flatMap((row, index) =>
    row.stock.some((part) => isClosed(part) && !stays(row, part))
      ? [{ path: String(index), message: 'sets stock at a location your plan does not include.' }]
      : [],
  )
  refuse('location_not_in_plan', faults)
  return rows.map((row) => ({ ...row, stock: row.stock.filter((part) => !isClosed(part)) }))
}

function refuse(
  code: 'invalid_request' | 'component_retired' | 'location_not_in_plan',
  faults: ErrorDetail[],
): void {
  const [first] = faults
  if (first === undefined) return
  throw new AppError(code, {
    sentence: `Row ${Number(first.path) + 1} ${first.message}`,
    details: faults,
  })
}

/** Imports components: all rows or none, every change of stock a movement, one audit entry. */
export async function importComponents(
  tx: Tx,
  actor: Actor,
  { rows, keepExisting }: Import<GivenRow>,
): Promise<{ created: number; updated: number; unchanged: number; reinstated?: number }> {
  if (actor.role !== 'admin' && rows.some(choosesDays)) {
    throw new AppError('forbidden', { sentence: onlyAdministratorsChoose })
  }
  refuse('invalid_request', duplicates(rows))
  refuse('invalid_request', await aliases(tx, rows))
  refuse('invalid_request', await otherWritings(tx, rows))
  refuse('component_retired', await retiredOnes(tx, actor, rows))
  const prepared = await onlyOpenLocations(tx, actor, {
    keepExisting,
    rows: rows.map((row) => ({
      barcode: row.barcode,
      description: row.description ?? null,
      high_volume: row.high_volume_config ?? (row.is_high_volume === true ? true : null),
      stock: stockOf(actor, row),
    })),
  })
  const { reinstated, ...counts } = await importRows(tx, actor, { rows: prepared, keepExisting })
  const broughtBack = reinstated.length > 0 ? { reinstated: reinstated.length } : {}
  await settleKnownCodes(tx, actor)
  await recordAudit(tx, actor, {
    kind: 'bulk_import',
    event: 'components_imported',
    sku: 'BULK_IMPORT_COMPONENTS',
    quantity: rows.length,
    source: 'import',
    metadata: {
      type: 'bulk_import',
      ...counts,
      ...broughtBack,
    },
  })
  await recordImportedChange(tx, actor, { event: 'component_reinstated', skus: reinstated })
  if (counts.created > 0) await requireOwnCodes(tx)
  return { ...counts, ...broughtBack }
}
