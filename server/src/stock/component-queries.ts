import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { sql } from 'kysely'
import { findByKeys, type Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { componentNotFound } from './component-not-found.ts'
import { countEntryOf } from './count-entry.ts'
import { listHistory } from './newest-counts.ts'
import { keepFromRetiring } from './retire-queries.ts'

const identity = [
  'components.id',
  'components.barcode',
  'components.description',
  'components.created_at',
  'components.updated_at',
  'components.retired_at',
  'components.retired_by',
] as const

async function listByOwn(tx: Tx, codes: readonly string[]) {
  const rows = await tx.db
    .selectFrom('components')
    .select(identity)
    .where('tenant_id', '=', tx.tenantId)
    .where('barcode', 'in', codes)
    .execute()
  return rows.toSorted((a, b) => codes.indexOf(a.barcode) - codes.indexOf(b.barcode))
}

async function listByAlias(tx: Tx, codes: readonly string[]) {
  const rows = await tx.db
    .selectFrom('alias_barcodes as aliased')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'aliased.tenant_id')
        .onRef('components.id', '=', 'aliased.component_id'),
    )
    .select([...identity, 'aliased.barcode as alias'])
    .where('aliased.tenant_id', '=', tx.tenantId)
    .where('aliased.barcode', 'in', codes)
    .execute()
  const sorted = rows.toSorted((a, b) => codes.indexOf(a.alias) - codes.indexOf(b.alias))
  return sorted.map((row) => {
    const { alias: _, ...component } = row
    return component
  })
}

/**
 * The component that the first of the given codes means, without its stock: as its own barcode, and only where none is that, as
 * another one. It has its own barcode, whichever was given, and may be retired.
 */
export async function findComponent(tx: Tx, codes: readonly string[]) {
  const [own] = await listByOwn(tx, codes)
  return own ?? (await listByAlias(tx, codes))[0] ?? null
}

/** The id of a barcode's component, by barcode. */
type Ids = ReadonlyMap<string, string>

function firstOf(ids: Ids, codes: readonly string[]): string | undefined {
  return codes.map((code) => ids.get(code)).find((id) => id !== undefined)
}

/**
 * As getScanned, of many codes at once: the ids of those that mean a component. By one look for all writings: where it was one for
 * each, a plan from when a company had few components read all of them for each.
 */
export async function findComponentIds(tx: Tx, codes: readonly string[]): Promise<Ids> {
  await findByKeys(tx)
  const named = sql`
    where tenant_id = ${tx.tenantId}::uuid and barcode = any (${[...new Set(codes.flatMap(lookupCodes))]}::text[])`
  const { rows } = await sql<{ barcode: string; id: string; rank: number }>`
    select barcode, id, case when retired_at is null then 0 else 2 end as rank from components ${named}
    union all
    select barcode, component_id, case when retired_at is null then 1 else 3 end
    from (select barcode, component_id from alias_barcodes ${named}) as aliased
    cross join lateral (
      select components.retired_at from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = aliased.component_id
      offset 0
    ) as owner
  `.execute(tx.db)
  const byRank = [0, 1, 2, 3].map(
    (rank): Ids => new Map(rows.filter((row) => row.rank === rank).map(({ barcode, id }) => [barcode, id])),
  )
  return new Map(
    codes.flatMap((code) => {
      const writings = lookupCodes(code)
      const id = byRank.map((ids) => firstOf(ids, writings)).find((found) => found !== undefined)
      return id === undefined ? [] : [[code, id]]
    }),
  )
}

/** The component that a scanned or typed code means, by any barcode and in either writing of a UPC; throws 'not_found'. */
export async function getComponent(tx: Tx, code: string) {
  const component = await findComponent(tx, lookupCodes(code))
  if (component === null) throw componentNotFound()
  return component
}

/** As getComponent, but one in use comes before one that is retired, as it does in counting. */
export async function getScanned(tx: Tx, code: string) {
  const codes = lookupCodes(code)
  const found = [...(await listByOwn(tx, codes)), ...(await listByAlias(tx, codes))]
  const component = found.find(({ retired_at: retiredAt }) => retiredAt === null) ?? found[0]
  if (component === undefined) throw componentNotFound()
  return component
}

/** As getComponent, for work that needs it in use: throws 'component_retired' where it is, which nobody does until the transaction ends. */
export async function getActiveComponent(tx: Tx, code: string) {
  await keepFromRetiring(tx)
  const component = await getComponent(tx, code)
  if (component.retired_at !== null) throw new AppError('component_retired')
  return component
}

/** When a component's newest label was printed, and what it says. */
export async function findLabel(tx: Tx, componentId: string) {
  const row = await tx.db
    .selectFrom('labelled_components')
    .select(['labelled_at', 'description'])
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .executeTakeFirst()
  return row ?? null
}

export async function listStock(tx: Tx, componentId: string) {
  return await tx.db
    .selectFrom('stock')
    .select(['location', 'quantity', 'counted_at', 'counted_source', 'weekly_counted_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .execute()
}

type Page = { componentId: string; limit: number; cursor?: string | undefined }

/** Counts of a component, newest first, one more than the limit where there are more. */
export async function listCounts(
  tx: Tx,
  { sku, limit, cursor }: Omit<Page, 'componentId'> & { sku: string },
) {
  const rows = await listHistory(tx, { sku, limit, cursor })
  return rows.map((row) => ({
    id: row.id,
    location: row.location,
    quantity: row.quantity,
    count_type: row.count_type,
    entry: countEntryOf(row),
    user_name: row.user_name,
    counted_at: row.counted_at,
  }))
}

/** Prints of a component's labels, newest first, one more than the limit where there are more. */
export async function listLabelPrints(tx: Tx, { componentId, limit, cursor }: Page) {
  let query = tx.db
    .selectFrom('label_prints')
    .select(['id', 'copies', 'size', 'symbology', 'format', 'description', 'user_name', 'printed_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  return await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

const stepsOfALine = 200

/** The ledger as steps: the time between first and last movement in equal parts, of each the last quantity. */
export async function listLedgerSteps(tx: Tx, componentId: string) {
  const { rows } = await sql<{ location: string; quantity: number; at: Date }>`
    with bounds as (
      select min(created_at) as first, extract(epoch from max(created_at) - min(created_at)) as length
      from movements
      where tenant_id = ${tx.tenantId}::uuid and component_id = ${componentId}::uuid
    ),
    ledger as (
      select movements.id, location, quantity_after, created_at,
        floor(extract(epoch from created_at - first) * ${stepsOfALine - 1} / greatest(length, 0.001)) as part
      from movements, bounds
      where tenant_id = ${tx.tenantId}::uuid and component_id = ${componentId}::uuid
    ),
    steps as (
      select distinct on (location, part) id, location, quantity_after, created_at
      from ledger
      order by location, part, id desc
    )
    select location, quantity_after as quantity, created_at as at from steps order by id
  `.execute(tx.db)
  return rows
}

/** What a component's description is, which nobody else changes until the transaction ends. */
export async function lockDescription(tx: Tx, componentId: string): Promise<string> {
  const { description } = await tx.db
    .selectFrom('components')
    .select('description')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', componentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return description
}

export async function setDescription(tx: Tx, componentId: string, description: string): Promise<void> {
  await tx.db
    .updateTable('components')
    .set({ description, updated_at: sql<Date>`now()`, described_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', componentId)
    .execute()
}
