import type { ImportPreview, ImportState } from '@inventory-manager/contract/imports/endpoints'
import type { ImportRowKind, PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import { hoursStaged, type ImportField, type StagedRow } from '@inventory-manager/contract/imports/rules'
import { stockFields } from '@inventory-manager/contract/stock/places'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { mapAddedBarcodes, namesOthers } from './alias-queries.ts'
import { mapCostChanges, namesCosts } from './cost-queries.ts'
import { findStagedTwins } from '../stock/zero-twin-queries.ts'
import { isBare, lackOf } from './notice-queries.ts'
import { listPlacementChanges, namesPlacements } from './placement-queries.ts'
import { countOtherStock, mapStock } from './stock-queries.ts'

/** How many imports wait for a decision. */
export async function countStaged(tx: Tx): Promise<number> {
  const { total } = await tx.db
    .selectFrom('imports')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .where('tenant_id', '=', tx.tenantId)
    .where('status', '=', 'staged')
    .executeTakeFirstOrThrow()
  return total
}

/** Begins an import, without rows yet. */
export async function createImport(
  tx: Tx,
  actor: Actor,
  given: {
    name: string
    fields: ImportField[]
    keepExisting: boolean
    leaveOutRetired: boolean
    awaitsEnd: boolean
  },
) {
  return await tx.db
    .insertInto('imports')
    .values({
      tenant_id: tx.tenantId,
      name: given.name,
      fields: given.fields,
      keep_existing: given.keepExisting,
      leave_out_retired: given.leaveOutRetired,
      awaits_end: given.awaitsEnd,
      status: 'staged',
      user_id: actor.userId,
      user_name: actor.userName,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type ImportRow = Awaited<ReturnType<typeof createImport>>

const noSuchImport = () => new AppError('not_found', { sentence: 'There is no such import.' })

/** The import; throws 'not_found'. */
export async function getImport(tx: Tx, id: string): Promise<ImportRow> {
  const row = await tx.db
    .selectFrom('imports')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw noSuchImport()
  return row
}

/** Whether an import has moved any stock. */
export async function hasMovedStock(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select exists (select from movements where tenant_id = ${tx.tenantId}::uuid and reference = ${id}::uuid) as moved
  `.execute(tx.db)
  return onlyRow(rows).moved
}

/** Whether an import has waited so long that what was read of its file is no decision about today's stock. */
export const isStale = sql<boolean>`created_at < now() - make_interval(hours => ${hoursStaged})`

export type LockedImport = ImportRow & { is_stale: boolean }

/** The import, locked until the transaction ends: one decision about it at a time. Throws 'not_found'. */
export async function lockImport(tx: Tx, id: string): Promise<LockedImport> {
  const locked = await tx.db
    .selectFrom('imports')
    .select(isStale.as('is_stale'))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (locked === undefined) throw noSuchImport()
  return { ...(await getImport(tx, id)), ...locked }
}

/** What a row says of bins and minimums, as it is kept; null where it says nothing. */
function placementsOf({ placements }: StagedRow): string | null {
  return placements.length === 0 ? null : JSON.stringify(placements)
}

/** The other barcodes that a row names, as they are kept; null where it names none. */
function othersOf({ others }: StagedRow): string | null {
  return others.length === 0 ? null : JSON.stringify(others)
}

/** Adds rows by their line; lines that are there already stay. Gives how many are staged now. */
export async function addRows(
  tx: Tx,
  id: string,
  rows: (StagedRow & { line: number })[],
): Promise<{ staged_rows: number }> {
  const each = <T>(value: (row: StagedRow & { line: number }) => T) => rows.map(value)
  const quantities = stockFields.map(({ field }) => sql`${each((row) => row.quantities[field])}::integer[]`)
  const { rows: added } = await sql`
    insert into import_rows (
      tenant_id, import_id, line, barcode, description, fault, placements, unit_cost, others,
      ${sql.join(stockFields.map(({ field }) => sql.ref(field)))}
    )
    select ${tx.tenantId}::uuid, ${id}::uuid, *
    from unnest(
      ${each(({ line }) => line)}::integer[], ${each(({ barcode }) => barcode)}::text[],
      ${each(({ description }) => description)}::text[], ${each(({ fault }) => fault)}::text[],
      ${each(placementsOf)}::jsonb[], ${each(({ unitCost }) => unitCost)}::numeric[],
      ${each(othersOf)}::jsonb[], ${sql.join(quantities)}
    )
    on conflict do nothing
    -- Their number alone is of all that were given, on a cluster.
    returning line
  `.execute(tx.db)
  return await tx.db
    .updateTable('imports')
    .set((eb) => ({ staged_rows: eb('staged_rows', '+', added.length) }))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returning('staged_rows')
    .executeTakeFirstOrThrow()
}

/** Says of an import that all rows of its file are there. */
export async function endRows(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('imports')
    .set({ awaits_end: false })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the staged rows of an import. */
export async function deleteRows(tx: Tx, id: string): Promise<void> {
  await tx.db
    .deleteFrom('import_rows')
    .where('tenant_id', '=', tx.tenantId)
    .where('import_id', '=', id)
    .execute()
}

type Prospect = Omit<ImportPreview, 'import'>

/** `digits`, `padded` and `kept`: the lines of those whose barcodes may have lost zeros, or got some, and whose stock would be left as it is. */
type JudgedKind = {
  kind: ImportRowKind
  rows: number
  retired: number
  bare: number
  digits: number[]
  padded: number[]
  kept: number[]
}

/** What is said of new rows with a barcode alone. Where all are such, the list says no more of any. */
function bareOf(ofNew: JudgedKind | undefined, fields: readonly string[]): Pick<Prospect, 'bare'> {
  if (ofNew === undefined || ofNew.bare === 0 || ofNew.bare === ofNew.rows) return {}
  return { bare: { rows: ofNew.bare, lack: lackOf(fields) } }
}

/** How many rows are of each kind, how many of the changed bring a component back, and what is said of some. */
export async function countKinds(tx: Tx, { id, fields, keep_existing: keeps }: ImportRow): Promise<Prospect> {
  const quantities = sql.join(stockFields.map(({ field }) => sql.ref(field)))
  const { rows } = await sql<JudgedKind>`
    select kind, count(*)::integer as rows, (count(*) filter (where retired))::integer as retired,
      (count(*) filter (where kind = 'new' and ${isBare(fields)}))::integer as bare,
      coalesce(array_agg(line) filter (where kind = 'new' and barcode ~ '^[1-9][0-9]*$'), '{}') as digits,
      coalesce(array_agg(line) filter (where kind = 'new' and barcode ~ '^0+[1-9][0-9]*$'), '{}') as padded,
      coalesce(
        array_agg(line) filter (
          where ${keeps} and kind in ('changed', 'unchanged') and not retired and num_nonnulls(${quantities}) > 0
        ),
        '{}'
      ) as kept
    from judge_import(${tx.tenantId}::uuid, ${id}::uuid)
    group by kind
  `.execute(tx.db)
  const of = (kind: ImportRowKind) => rows.find((row) => row.kind === kind)
  const countOf = (kind: ImportRowKind) => of(kind)?.rows ?? 0
  const otherStock = await countOtherStock(
    tx,
    id,
    rows.flatMap(({ kept }) => kept),
  )
  const { digits = [], padded = [] } = of('new') ?? {}
  const shortened = await findStagedTwins(tx, id, { lines: digits, zeros: 'more' })
  const lengthened = await findStagedTwins(tx, id, { lines: padded, zeros: 'fewer' })
  return {
    rows: {
      new: countOf('new'),
      changed: countOf('changed'),
      unchanged: countOf('unchanged'),
      bad: countOf('bad'),
    },
    reinstated: of('changed')?.retired ?? 0,
    ...bareOf(of('new'), fields),
    ...(otherStock === 0 ? {} : { other_stock: otherStock }),
    ...(shortened === undefined ? {} : { shortened }),
    ...(lengthened === undefined ? {} : { lengthened }),
  }
}

type JudgedRow = Omit<PreviewRow, 'stock' | 'kept_stock' | 'placements' | 'cost' | 'other_barcodes'>

type RowPage = { kind?: ImportRowKind | undefined; only?: 'bare' | undefined; after: number; limit: number }

/** Staged rows by line from after the given one on, one more than the limit where there are more. */
export async function listRows(
  tx: Tx,
  { id, fields, keep_existing: keeps }: ImportRow,
  { kind, only, after, limit }: RowPage,
): Promise<PreviewRow[]> {
  // Judged are only as many rows as give the page; what is bare is chosen of all that are new.
  const most = only === undefined ? limit + 1 : null
  const { rows } = await sql<JudgedRow>`
    select line, barcode, description, old_description, kind, fault, retired
    from judge_rows(${tx.tenantId}::uuid, ${id}::uuid, ${kind ?? null}, ${after}, ${most})
    where ${only === undefined ? sql`true` : sql`kind = 'new' and ${isBare(fields)}`}
    order by line
    limit ${limit + 1}
  `.execute(tx.db)
  const { stock, keptStock } = await mapStock(tx, id, { rows, keeps })
  const placements = namesPlacements(fields) ? await listPlacementChanges(tx, id, rows) : new Map()
  const costs = namesCosts(fields) ? await mapCostChanges(tx, id, rows) : new Map()
  const others = namesOthers(fields) ? await mapAddedBarcodes(tx, id, rows) : new Map()
  return rows.map((row) => ({
    ...row,
    ...(others.has(row.line) ? { other_barcodes: others.get(row.line) } : {}),
    ...(keptStock.has(row.line) ? { kept_stock: keptStock.get(row.line) } : {}),
    stock: stock.get(row.line) ?? [],
    placements: placements.get(row.line) ?? [],
    cost: costs.get(row.line) ?? null,
  }))
}

/** Commits the good rows and returns what came of them; none where there is no good one, or a bad one that is not left out. */
export async function commitRows(tx: Tx, actor: Actor, { id, leaveOut }: { id: string; leaveOut: boolean }) {
  const { rows } = await sql<{ created: number; updated: number; unchanged: number; bad: number }>`
    select * from take_import(
      ${tx.tenantId}::uuid, ${id}::uuid, ${actor.userId}::uuid, ${actor.userName}, ${leaveOut}
    )
  `.execute(tx.db)
  return onlyRow(rows)
}

/** Barcodes of components that an import brought back, sorted, up to a number. */
export async function listBroughtBack(tx: Tx, id: string, limit: number): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('import_changes')
    .select('barcode')
    .where('tenant_id', '=', tx.tenantId)
    .where('import_id', '=', id)
    .where('reinstated', '=', true)
    .orderBy('barcode')
    .limit(limit)
    .execute()
  return rows.map(({ barcode }) => barcode)
}

type Outcome = { created?: number; updated?: number; unchanged?: number; left_out?: number }

/** Ends an import with what came of it, and returns it as it is then. */
export async function finishImport(
  tx: Tx,
  id: string,
  { status, ...outcome }: Outcome & { status: ImportState },
): Promise<ImportRow> {
  return await tx.db
    .updateTable('imports')
    .set({ status, ...outcome, finished_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Imports, newest first, one more than the limit where there are more. */
export async function listImports(tx: Tx, page: { limit: number; cursor?: string | undefined }) {
  let query = tx.db.selectFrom('imports').selectAll().where('tenant_id', '=', tx.tenantId)
  if (page.cursor !== undefined) query = query.where('id', '<', page.cursor)
  return await query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}
