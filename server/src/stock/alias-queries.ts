import { soughtWords } from '@inventory-manager/contract/stock/sought-words'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { containing, holds } from '../platform/db/containing.ts'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import type { DB } from '../platform/db/schema.ts'
import type { Actor } from '../platform/http/identity.ts'
import { inBins } from './placement-queries.ts'

export type OtherBarcode = { barcode: string; pieces: number }

/** Other barcodes as replies say them: all of them, and those that stand for several pieces where there are any. */
export function presentAliases(others: readonly OtherBarcode[]): {
  aliases: string[]
  packs?: OtherBarcode[]
} {
  const packs = others.filter(({ pieces }) => pieces > 1)
  const aliases = others.map(({ barcode }) => barcode)
  return packs.length === 0 ? { aliases } : { aliases, packs }
}

/** The other barcodes of each component that a statement selects, sorted. */
export function aliasesOfEach(tx: Tx) {
  return sql<string[]>`array(
    select other.barcode from alias_barcodes other
    where other.tenant_id = ${tx.tenantId}::uuid and other.component_id = components.id
    order by other.barcode
  )`
}

/** The other barcodes of each component that a statement selects, sorted, with how many pieces each stands for. */
export function othersOfEach(tx: Tx) {
  return sql<OtherBarcode[]>`coalesce((
    select json_agg(json_build_object('barcode', other.barcode, 'pieces', other.pieces) order by other.barcode)
    from alias_barcodes other
    where other.tenant_id = ${tx.tenantId}::uuid and other.component_id = components.id
  ), '[]')`
}

/** Those of them that stand for several pieces. */
export function packsOfEach(tx: Tx) {
  return sql<OtherBarcode[]>`coalesce((
    select json_agg(json_build_object('barcode', other.barcode, 'pieces', other.pieces) order by other.barcode)
    from alias_barcodes other
    where other.tenant_id = ${tx.tenantId}::uuid and other.component_id = components.id and other.pieces > 1
  ), '[]')`
}

export async function listAliases(tx: Tx, componentId: string): Promise<OtherBarcode[]> {
  return await tx.db
    .selectFrom('alias_barcodes')
    .select(['barcode', 'pieces'])
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .orderBy('barcode')
    .execute()
}

/** The components with an alias of this pattern. */
function ofAliases(tx: Tx, pattern: string) {
  return tx.db
    .selectFrom('alias_barcodes')
    .select('component_id')
    .where('tenant_id', '=', tx.tenantId)
    .where(holds('barcode', pattern))
}

type Components = ExpressionBuilder<DB, 'components'>

/** Whether a component holds each word of a text, as one of them is held. */
function holdingWords(text: string, holdsWord: (eb: Components, pattern: string) => Expression<SqlBool>) {
  return (eb: Components) => eb.and(soughtWords(text).map((word) => holdsWord(eb, containing(word))))
}

/**
 * Whether a component holds each word of a text somewhere in what it is found by: any of its barcodes, its description, or a bin it
 * lies in. What the others find is one list, of whose length the planner believes little: it then looks components up in it by hash,
 * however many they are, and does not go through all of it for each.
 */
export function holding(tx: Tx, text: string) {
  return holdingWords(text, (eb, pattern) => {
    const others = sql<string>`
      select unnest(array(${ofAliases(tx, pattern)})) union all select unnest(array(${inBins(tx, pattern)}))`
    return eb.or([
      holds('barcode', pattern),
      holds('description', pattern),
      sql<boolean>`components.id in (${others})`,
    ])
  })
}

/** As holding, looked for component by component: for who reads all of them in pages, and would have that list made for each page. */
export function holdingEach(tx: Tx, text: string) {
  const ofEach = sql.ref<string>('components.id')
  return holdingWords(text, (eb, pattern) => {
    // Keeps PostgreSQL from making lists.
    const alias = ofAliases(tx, pattern).where('component_id', '=', ofEach).offset(0)
    const bin = inBins(tx, pattern).where('component_id', '=', ofEach).offset(0)
    return eb.or([holds('barcode', pattern), holds('description', pattern), eb.exists(alias), eb.exists(bin)])
  })
}

/**
 * Lets those who give barcodes come one after the other: two could find the two writings of a UPC free for two components, or pass
 * the limit of one. Not by the company's row (lockCompany), which an import of minutes may hold. Counts go on.
 */
export async function lockAliases(tx: Tx): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('other barcodes ' || ${tx.tenantId}::text, 0))
  `.execute(tx.db)
}

type Alias = { componentId: string; alias: string }
type NewAlias = Alias & { pieces: number }

/** False, and nothing done, where the barcode is an alias already, of whatever component. */
export async function addAlias(
  tx: Tx,
  actor: Actor,
  { componentId, alias, pieces }: NewAlias,
): Promise<boolean> {
  const added = await tx.db
    .insertInto('alias_barcodes')
    .values({
      tenant_id: tx.tenantId,
      barcode: alias,
      component_id: componentId,
      pieces,
      user_name: actor.userName,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'barcode']).doNothing())
    .returning('barcode')
    .executeTakeFirst()
  return added !== undefined
}

/** False where it is no alias of the component. */
export async function removeAlias(tx: Tx, { componentId, alias }: Alias): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('alias_barcodes')
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .where('barcode', '=', alias)
    .returning('barcode')
    .executeTakeFirst()
  return removed !== undefined
}

/** Of some codes those that are an alias, in either writing of a UPC, and no component's own barcode, each with its component's and its pieces. */
async function listAliased(tx: Tx, codes: readonly string[]) {
  await findByWholeKeys(tx)
  const { rows } = await sql<{ alias: string; owner: string; pieces: number }>`
    select given.code as alias, owner.barcode as owner, aliased.pieces
    from unnest(${codes}::text[]) as given (code)
    cross join lateral unnest(upc_writings(given.code)) as writing (code)
    cross join lateral (
      select component_id, pieces from alias_barcodes
      where alias_barcodes.tenant_id = ${tx.tenantId}::uuid and alias_barcodes.barcode = writing.code
      offset 0
    ) as aliased
    cross join lateral (
      select components.barcode from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = aliased.component_id
      offset 0
    ) as owner
    left join lateral (
      select components.id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = given.code
      offset 0
    ) as own on true
    where own.id is null
      -- Asked once: most companies have none.
      and (select exists (select from alias_barcodes other where other.tenant_id = ${tx.tenantId}::uuid))
    order by given.code
  `.execute(tx.db)
  return rows
}

/** Of some codes those that listAliased tells, each with the barcode of its component. */
export async function findAliased(tx: Tx, codes: readonly string[]): Promise<Map<string, string>> {
  const rows = await listAliased(tx, codes)
  return new Map(rows.map(({ alias, owner }) => [alias, owner]))
}

/** Of some codes those that are a pack's, as listAliased finds them, sorted, each with the barcode of its component. */
export async function listPacksAmong(
  tx: Tx,
  codes: readonly string[],
): Promise<(OtherBarcode & { component: string })[]> {
  const rows = await listAliased(tx, [...new Set(codes)])
  return rows
    .filter(({ pieces }) => pieces > 1)
    .map(({ alias, owner, pieces }) => ({ barcode: alias, pieces, component: owner }))
}

/**
 * Of some codes those of no component that are another writing of the UPC of one, or of another one of them, each with that one: to
 * whoever scans them both are the same.
 */
export async function findOtherWritings(tx: Tx, codes: readonly string[]): Promise<Map<string, string>> {
  await findByWholeKeys(tx)
  const { rows } = await sql<{ code: string; other: string }>`
    select given.code, writing.code as other
    from unnest(${codes}::text[]) as given (code)
    cross join lateral unnest(upc_writings(given.code)) as writing (code)
    left join lateral (
      select components.id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = given.code
      offset 0
    ) as own on true
    left join lateral (
      select components.id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = writing.code
      offset 0
    ) as twin on true
    where writing.code <> given.code and own.id is null
      and (twin.id is not null or writing.code in (select code from unnest(${codes}::text[]) as among (code)))
  `.execute(tx.db)
  return new Map(rows.map(({ code, other }) => [code, other]))
}

/**
 * A component that this transaction has made, by its barcode, and one that this barcode means as well, as an alias or in its other
 * writing; null where there is none.
 */
export async function findTakenMeanwhile(tx: Tx): Promise<{ code: string; other: string } | null> {
  await findByWholeKeys(tx)
  const { rows } = await sql<{ code: string; other: string }>`
    select made.barcode as code, owner.barcode as other
    from (
      select id, barcode from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id >= id_at(now())
      offset 0
    ) as made
    cross join lateral unnest(upc_writings(made.barcode)) as writing (code)
    left join lateral (
      select component_id as id from alias_barcodes
      where alias_barcodes.tenant_id = ${tx.tenantId}::uuid and alias_barcodes.barcode = writing.code
      offset 0
    ) as aliased on (select exists (select from alias_barcodes other where other.tenant_id = ${tx.tenantId}::uuid))
    left join lateral (
      select components.id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = writing.code
      offset 0
    ) as twin on writing.code <> made.barcode
    cross join lateral (
      select components.barcode from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = coalesce(aliased.id, twin.id)
      offset 0
    ) as owner
    where coalesce(aliased.id, twin.id) <> made.id
    limit 1
  `.execute(tx.db)
  return rows[0] ?? null
}
