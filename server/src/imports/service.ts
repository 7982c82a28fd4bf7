import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import type {
  commitImport,
  createImport as createEndpoint,
  stageRows,
} from '@inventory-manager/contract/imports/endpoints'
import {
  fieldsOf,
  importFields,
  maxImportRows,
  readImportRow,
  type ImportField,
} from '@inventory-manager/contract/imports/rules'
import { locations, type Location } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { mostSkusNamed, recordComponentChanges, recordImportedChange } from '../audit/configuration.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { lockCompany } from '../platform/db/lock-company.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { completeCycles } from '../stock/cycle-completion.ts'
import { settleKnownCodes } from '../stock/known-codes.ts'
import { refuseTaken, requireOwnCodes } from '../stock/own-codes.ts'
import { countAdded, findGivenMeanwhile, namesOthers } from './alias-queries.ts'
import { countCosted, listCosted, namesCosts } from './cost-queries.ts'
import { expireImports } from './forgetting-queries.ts'
import {
  addRows,
  commitRows,
  countStaged,
  createImport,
  deleteRows,
  endRows,
  finishImport,
  hasMovedStock,
  listBroughtBack,
  lockImport,
  type ImportRow,
  type LockedImport,
} from './queries.ts'
import { countPlaced, isAbout, namesPlacements } from './placement-queries.ts'
import { countDescribed } from './said-queries.ts'
import { followUndo, recordSaid } from './telling-said.ts'
import {
  countRetired,
  listRetiredNow,
  listReturnedNow,
  changedAt,
  markUndone,
  undoImport,
} from './undo-queries.ts'

const maxStaged = 3

/** Begins an import; those that nobody has decided about for a day expire, and their rows go in the background. */
export async function begin(
  tx: Tx,
  actor: Actor,
  body: EndpointInput<typeof createEndpoint>['body'],
): Promise<ImportRow> {
  // Two that begin at once could pass the limit of open ones together.
  await lockCompany(tx)
  await expireImports(tx)
  if ((await countStaged(tx)) >= maxStaged) throw new AppError('import_limit')
  return await createImport(tx, actor, {
    name: body.name,
    fields: body.fields,
    keepExisting: body.existing === 'keep',
    leaveOutRetired: body.retired === 'leave_out',
    awaitsEnd: body.awaits_end,
  })
}

function closedLocations(actor: Actor): Location[] {
  return locations.filter(({ code }) => !planOffers(actor.plan, code))
}

function closedFields(actor: Actor): Set<ImportField> {
  return new Set(closedLocations(actor).flatMap(fieldsOf))
}

function isField(name: string): name is ImportField {
  return importFields.some((field) => field === name)
}

function requireStaged(row: ImportRow): void {
  if (row.status !== 'staged') throw new AppError('import_closed')
}

function requireFresh(row: LockedImport): void {
  requireStaged(row)
  if (row.is_stale) throw new AppError('import_closed')
}

/** Adds rows of the file; returns how many are staged in all. Throws 'not_found', 'import_closed' and 'import_full'. */
export async function stage(
  tx: Tx,
  actor: Actor,
  { id, rows, last }: EndpointInput<typeof stageRows>['body'] & { id: string },
): Promise<number> {
  const staged = await lockImport(tx, id)
  requireFresh(staged)
  const meaning = {
    fields: staged.fields.filter(isField),
    closed: closedFields(actor),
    ownNames: actor.locationNames,
  }
  const read = new Map(
    rows.map(({ line, cells, fault }) => {
      const row = readImportRow(cells, meaning)
      return [line, { line, ...row, fault: fault ?? row.fault }]
    }),
  )
  const { staged_rows: total } = await addRows(tx, id, [...read.values()])
  // Rows that are sent again are there already, so only what there is now tells.
  if (total > maxImportRows) throw new AppError('import_full')
  if (last) await endRows(tx, id)
  return total
}

const planChanged =
  'This file sets stock, bins or minimums at a location that is no longer in your plan. Cancel the import and choose the file again.'

/** How many unit costs an import changed or, with `putBack`, its undo. */
async function countCosts(tx: Tx, { id, fields }: ImportRow, putBack: boolean): Promise<number> {
  return namesCosts(fields) ? await countCosted(tx, { id, putBack }) : 0
}

/** Records each unit cost that an import changed or, with `putBack`, its undo, unless they are more than are named. */
async function recordCosts(
  tx: Tx,
  actor: Actor,
  { done, costed, putBack }: { done: ImportRow; costed: number; putBack: boolean },
): Promise<void> {
  if (costed === 0 || costed > mostSkusNamed) return
  const costs = await listCosted(tx, { id: done.id, putBack })
  const entries = costs.map(({ sku, oldCost, newCost }) => {
    const change = putBack
      ? { old_value: newCost, new_value: oldCost }
      : { old_value: oldCost, new_value: newCost }
    return { sku, facts: { ...change, import_id: done.id, file: done.name } }
  })
  await recordComponentChanges(tx, actor, { event: 'cost_changed', source: 'import', entries })
}

/** Records what came of an import, what it said of components and made them cost, and what it brought back. */
async function recordTaken(tx: Tx, actor: Actor, done: ImportRow): Promise<void> {
  const { id, created, updated, unchanged, left_out, reinstated } = done
  const placed = namesPlacements(done.fields) ? await countPlaced(tx, id) : 0
  const costed = await countCosts(tx, done, false)
  const described = done.fields.includes('description') ? await countDescribed(tx, id) : 0
  const aliased = namesOthers(done.fields) ? await countAdded(tx, id) : 0
  const of = { import_id: id, file: done.name }
  await recordAudit(tx, actor, {
    kind: 'bulk_import',
    event: 'components_imported',
    sku: 'BULK_IMPORT_COMPONENTS',
    quantity: done.staged_rows - left_out,
    source: 'import',
    metadata: {
      type: 'bulk_import',
      ...of,
      created,
      updated,
      unchanged,
      left_out,
      ...(described > 0 ? { described } : {}),
      ...(placed > 0 ? { placed } : {}),
      ...(costed > 0 ? { costed } : {}),
      ...(aliased > 0 ? { aliased } : {}),
      ...(reinstated > 0 ? { reinstated } : {}),
    },
  })
  await recordSaid(tx, actor, done)
  await recordCosts(tx, actor, { done, costed, putBack: false })
  const skus = reinstated > 0 ? await listBroughtBack(tx, id, mostSkusNamed + 1) : []
  await recordImportedChange(tx, actor, { event: 'component_reinstated', skus, facts: of })
}

/**
 * Commits the good rows of a staged import, all of them or none, and says whether what it made has no stock yet. Throws 'not_found', 'import_closed', 'import_cut',
 * 'location_not_in_plan', 'import_empty', 'import_faulty' and 'barcode_taken'.
 */
export async function commit(
  tx: Tx,
  actor: Actor,
  { id, leave_out_bad: leaveOut }: EndpointInput<typeof commitImport>['body'] & { id: string },
): Promise<{ done: ImportRow; withoutStock: boolean }> {
  const staged = await lockImport(tx, id)
  requireFresh(staged)
  // A file without rows was read to its end, too.
  if (staged.awaits_end && staged.staged_rows > 0) throw new AppError('import_cut')
  if (await isAbout(tx, id, closedLocations(actor))) {
    throw new AppError('location_not_in_plan', { sentence: planChanged })
  }
  const { bad, ...counts } = await commitRows(tx, actor, { id, leaveOut })
  if (bad === staged.staged_rows) throw new AppError('import_empty')
  if (bad > 0 && !leaveOut) throw new AppError('import_faulty')
  if (namesOthers(staged.fields)) refuseTaken(await findGivenMeanwhile(tx, id))
  await settleKnownCodes(tx, actor)
  const done = await finishImport(tx, id, { status: 'done', ...counts, left_out: bad })
  await recordTaken(tx, actor, done)
  if (done.created > 0) await requireOwnCodes(tx)
  return { done, withoutStock: done.created > 0 && !(await hasMovedStock(tx, id)) }
}

/** Cancels a staged import, whose rows go. Throws 'not_found' and 'import_closed'. */
export async function cancel(tx: Tx, id: string): Promise<ImportRow> {
  requireStaged(await lockImport(tx, id))
  await deleteRows(tx, id)
  return await finishImport(tx, id, { status: 'cancelled' })
}

const obstacles = {
  moved: (sku: string) =>
    `This import cannot be undone: the stock of ${sku} has moved since. Correct what is wrong by hand, or import a corrected file.`,
  counted: (sku: string) =>
    `This import cannot be undone: ${sku}, which it brought, was counted since. Correct what is wrong by hand.`,
  counted_stock: (sku: string) =>
    `This import cannot be undone: ${sku} was counted after the import had set its stock. Correct what is wrong by hand.`,
  confirmed: (sku: string) =>
    `This import cannot be undone: a newer file is about the same stock of ${sku}. Undo that one first, or correct what is wrong by hand.`,
}

const undoesClosed =
  'This import set stock, bins or minimums at a location that is no longer in your plan, which can be read but not changed.'

/**
 * Takes back the stock, descriptions, bins, minimums, unit costs and other barcodes of a finished import; the components it made or brought back are
 * retired, but for those that came into use since. Throws 'not_found', 'import_not_done', 'location_not_in_plan', and 'import_in_use'
 * where stock of it moved, was counted or confirmed by another file, or one that it made was counted, since.
 */
export async function undo(tx: Tx, actor: Actor, id: string): Promise<ImportRow> {
  const done = await lockImport(tx, id)
  if (done.status !== 'done') throw new AppError('import_not_done')
  const closed = closedLocations(actor).map(({ code }) => code)
  if (await changedAt(tx, id, closed)) {
    throw new AppError('location_not_in_plan', { sentence: undoesClosed })
  }
  const recordPutBack = await followUndo(tx, actor, done)
  const obstacle = await undoImport(tx, actor, id)
  if (obstacle !== null) {
    throw new AppError('import_in_use', { sentence: obstacles[obstacle.reason](obstacle.sku) })
  }
  const retired = await countRetired(tx, id)
  const stay = done.created + done.reinstated - retired
  const costed = await countCosts(tx, done, true)
  const of = { import_id: id, file: done.name }
  await recordAudit(tx, actor, {
    kind: 'bulk_import',
    event: 'import_undone',
    sku: 'BULK_IMPORT_UNDONE',
    quantity: done.created + done.updated,
    source: 'import',
    metadata: {
      type: 'bulk_import',
      ...of,
      ...(costed > 0 ? { costed } : {}),
      retired,
      ...(stay > 0 ? { stay } : {}),
    },
  })
  await recordPutBack()
  await recordCosts(tx, actor, { done, costed, putBack: true })
  const limit = mostSkusNamed + 1
  const skus = await listRetiredNow(tx, actor, { id, limit })
  await recordImportedChange(tx, actor, { event: 'component_retired', skus, facts: of })
  // What was retired since and has stock again is in use again.
  const returned = await listReturnedNow(tx, id, limit)
  if (returned.length > 0) await settleKnownCodes(tx, actor)
  await recordImportedChange(tx, actor, { event: 'component_reinstated', skus: returned, facts: of })
  await completeCycles(tx, actor)
  return await markUndone(tx, actor, { id, retired })
}
