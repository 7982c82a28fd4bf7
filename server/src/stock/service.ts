import { planOffers } from '@inventory-manager/contract/plans'
import { stockFields, type Place } from '@inventory-manager/contract/stock/places'
import type { ZeroTwins } from '@inventory-manager/contract/stock/zero-twins'
import { recordImportedChange, recordImportedValues } from '../audit/configuration.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { findAliased, findOtherWritings } from './alias-queries.ts'
import {
  duplicates,
  goodRows,
  refuseFaults,
  rowFault,
  schemaFaults,
  type GivenRow,
  type NumberedRow,
  type RowFault,
} from './import-rows.ts'
import { settleKnownCodes } from './known-codes.ts'
import { requireOwnCodes } from './own-codes.ts'
import { importRows, mapStock, type ImportRow } from './queries.ts'
import { findRetired } from './retire-queries.ts'
import { findNewTwins } from './zero-twin-queries.ts'

/** Whether stock of a place may not be set, because the plan does not include it. */
function isClosed(actor: Actor, place: Place): boolean {
  return place !== 'QUARANTINE' && !planOffers(actor.plan, place)
}

/** The stock a row sets. 0 at a location the plan does not include changes nothing there and is left out. */
function stockOf(actor: Actor, row: NumberedRow['row']): ImportRow['stock'] {
  return stockFields.flatMap(({ place, field }) => {
    const quantity = row[field]
    const changesNothing = quantity === 0 && isClosed(actor, place)
    return quantity == null || changesNothing ? [] : [{ location: place, quantity }]
  })
}

/** What is wrong with rows, by what is said of each barcode; null of one that is right. */
function faultsOf(
  code: RowFault['code'],
  rows: NumberedRow[],
  fault: (barcode: string) => string | null,
): RowFault[] {
  return rows.flatMap(({ index, row: { barcode } }) => {
    const message = fault(barcode)
    return message === null ? [] : [rowFault(code, index, message)]
  })
}

const barcodesOf = (rows: NumberedRow[]) => rows.map(({ row: { barcode } }) => barcode)

/** What is another barcode of a component becomes none of its own. */
async function aliases(tx: Tx, rows: NumberedRow[]): Promise<RowFault[]> {
  const owners = await findAliased(tx, barcodesOf(rows))
  return faultsOf('invalid_request', rows, (barcode) => {
    const owner = owners.get(barcode)
    return owner === undefined ? null : `names ${barcode}, which is another barcode of ${owner} already.`
  })
}

/** A UPC in its other writing, as spreadsheets take a zero off, becomes no second component. */
async function otherWritings(tx: Tx, rows: NumberedRow[]): Promise<RowFault[]> {
  const twins = await findOtherWritings(tx, barcodesOf(rows))
  return faultsOf('invalid_request', rows, (barcode) => {
    const twin = twins.get(barcode)
    return twin === undefined ? null : `names ${barcode}, which is another writing of ${twin}.`
  })
}

/** What an administrator has retired is brought back by none but administrators. */
async function retiredOnes(tx: Tx, actor: Actor, rows: NumberedRow[]): Promise<RowFault[]> {
  if (actor.role === 'admin') return []
  const retired = await findRetired(tx, barcodesOf(rows))
  return faultsOf('component_retired', rows, (barcode) =>
    retired.has(barcode) ? `names ${barcode}, which is retired. An administrator can bring it back.` : null,
  )
}

/** Whether a row of the call's older form chooses days of weekly counts, as only administrators may. */
const choosesDays = ({ row: { high_volume_config: days, is_high_volume: isChosen } }: NumberedRow): boolean =>
  (days ?? null) !== null || isChosen === true

const onlyAdministratorsChoose =
  'Only administrators choose what is counted weekly. Leave high_volume_config and is_high_volume out.'

type Import<Row> = { rows: Row[]; keepExisting: boolean }

function prepare(actor: Actor, row: NumberedRow['row']): ImportRow {
  return {
    barcode: row.barcode,
    description: row.description ?? null,
    high_volume: row.high_volume_config ?? (row.is_high_volume === true ? true : null),
    stock: stockOf(actor, row),
  }
}

/** Stock may only be set where the plan has a location; elsewhere a row may say what there is, and nothing is set. */
async function onlyOpenLocations(
  tx: Tx,
  actor: Actor,
  { rows, keepExisting }: Import<NumberedRow>,
): Promise<{ prepared: ImportRow[]; faults: RowFault[] }> {
  const all = rows.map(({ index, row }) => ({ index, row: prepare(actor, row) }))
  const setsClosed = ({ location }: ImportRow['stock'][number]) => isClosed(actor, location)
  const touching = all.filter(({ row }) => row.stock.some(setsClosed))
  if (touching.length === 0) return { prepared: all.map(({ row }) => row), faults: [] }
  const present = await mapStock(
    tx,
    touching.map(({ row: { barcode } }) => barcode),
  )
  const stays = ({ barcode }: ImportRow, { location, quantity }: ImportRow['stock'][number]) => {
    const own = present.get(barcode)
    return own !== undefined && (keepExisting || (own.get(location) ?? 0) === quantity)
  }
  const setting = touching.filter(({ row }) =>
    row.stock.some((part) => setsClosed(part) && !stays(row, part)),
  )
  return {
    prepared: all.map(({ row }) => ({ ...row, stock: row.stock.filter((part) => !setsClosed(part)) })),
    faults: setting.map(({ index }) =>
      rowFault('location_not_in_plan', index, 'sets stock at a location your plan does not include.'),
    ),
  }
}

/** The rows as they are written, once nothing is wrong with any. Throws with every bad row. */
async function checkRows(
  tx: Tx,
  actor: Actor,
  { rows: given, keepExisting }: Import<GivenRow>,
): Promise<ImportRow[]> {
  const rows = goodRows(given)
  const { prepared, faults } = await onlyOpenLocations(tx, actor, { rows, keepExisting })
  refuseFaults([
    ...schemaFaults(given),
    ...duplicates(given),
    ...(await aliases(tx, rows)),
    ...(await otherWritings(tx, rows)),
    ...(await retiredOnes(tx, actor, rows)),
    ...faults,
  ])
  return prepared
}

type Outcome = {
  created: number
  updated: number
  unchanged: number
  reinstated?: number
  differ_by_zeros?: ZeroTwins
}

/** Imports components: all rows or none, every change of stock a movement, one audit entry. Throws with every bad row. */
export async function importComponents(
  tx: Tx,
  actor: Actor,
  { rows, keepExisting }: Import<GivenRow>,
): Promise<Outcome> {
  if (actor.role !== 'admin' && goodRows(rows).some(choosesDays)) {
    throw new AppError('forbidden', { sentence: onlyAdministratorsChoose })
  }
  const prepared = await checkRows(tx, actor, { rows, keepExisting })
  const twins = await findNewTwins(
    tx,
    prepared.map(({ barcode }) => barcode),
  )
  const { reinstated, described, descriptions, ...counts } = await importRows(tx, actor, {
    rows: prepared,
    keepExisting,
  })
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
      ...(described > 0 ? { described } : {}),
      ...broughtBack,
    },
  })
  await recordImportedValues(tx, actor, { event: 'description_changed', changes: descriptions })
  await recordImportedChange(tx, actor, { event: 'component_reinstated', skus: reinstated })
  if (counts.created > 0) await requireOwnCodes(tx)
  return { ...counts, ...broughtBack, ...(twins === undefined ? {} : { differ_by_zeros: twins }) }
}
