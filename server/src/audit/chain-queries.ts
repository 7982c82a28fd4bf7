import { sql, type RawBuilder } from 'kysely'
import { listCompaniesBy, type Database, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { idBefore } from '../platform/db/time-ids.ts'

/**
 * An entry's canonical text (decision 12): a JSON array of its fields as PostgreSQL's json_build_array writes it, the
 * instant in microseconds since 1970. The company is not in it, so that a trail stays sealed wherever it is restored.
 * The database's seal_entries writes the same.
 */
const canonicalText: RawBuilder<string> = sql`
  json_build_array(
    'v1', entry.id, entry.kind, entry.event, entry.sku, entry.quantity, entry.location, entry.source, entry.user_id,
    entry.user_type, entry.user_name, entry.origin, entry.metadata,
    (extract(epoch from entry.created_at) * 1000000)::bigint
  )::text`

export type Head = { seq: number; hash: Buffer; settledBelow: string }

/** The newest seal; null where there is none. */
export async function findHead(tx: Tx): Promise<Head | null> {
  const row = await tx.db
    .selectFrom('audit_seals')
    .select(['seq', 'hash', 'settled_below'])
    .where('tenant_id', '=', tx.tenantId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { seq: Number(row.seq), hash: row.hash, settledBelow: row.settled_below }
}

/**
 * Given entries as their canonical texts, in the order of their ids; those that are not there are left out. Their bounds
 * are said beside them, so that only the parts of the trail they lie in are looked into.
 */
async function listTexts(tx: Tx, ids: string[]): Promise<{ id: string; text: string }[]> {
  const [first, ...others] = ids
  if (first === undefined) return []
  const [low, high] = others.reduce(
    ([least, most], id) => [id < least ? id : least, id > most ? id : most],
    [first, first],
  )
  const { rows } = await sql<{ id: string; text: string }>`
    select entry.id, ${canonicalText} as text
    from audit_entries entry
    where entry.tenant_id = ${tx.tenantId}::uuid and entry.id >= ${low}::uuid and entry.id <= ${high}::uuid
      and entry.id = any (${ids}::uuid[])
    order by entry.id
  `.execute(tx.db)
  return rows
}

/** The companies with entries that wait for a seal; none while another node asks the same. */
export async function listCompaniesToSeal(database: Database): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_to_seal() as id`)
}

/** Seals entries of companies, the oldest first and at most so many of each; gives those of which more may wait. */
export async function sealEntries(
  database: Database,
  tenantIds: readonly string[],
  limit: number,
): Promise<string[]> {
  return await listCompaniesBy(
    database,
    sql`select seal_entries(${tenantIds}::uuid[], ${limit}::integer) as id`,
  )
}

export type Sealed = {
  seq: number
  entryId: string
  entryHash: Buffer
  hash: Buffer
  /** The entry's canonical text; null where the entry is gone. */
  text: string | null
}

/** Seals after a place with their entries, in their order. */
export async function listSealed(tx: Tx, after: number, limit: number): Promise<Sealed[]> {
  const seals = await tx.db
    .selectFrom('audit_seals')
    .select(['seq', 'entry_id as entryId', 'entry_hash as entryHash', 'hash'])
    .where('tenant_id', '=', tx.tenantId)
    .where('seq', '>', sql<string>`${after}::bigint`)
    .orderBy('seq')
    .limit(limit)
    .execute()
  const entries = await listTexts(
    tx,
    seals.map(({ entryId }) => entryId),
  )
  const texts = new Map(entries.map(({ id, text }) => [id, text]))
  return seals.map((seal) => ({ ...seal, seq: Number(seal.seq), text: texts.get(seal.entryId) ?? null }))
}

export type Detached = { firstId: string; nextId: string; entries: number }

/** Parts of the company's trail that were detached: ids from the first on and below the next, and how many there were. */
export async function listDetached(tx: Tx): Promise<Detached[]> {
  return await tx.db
    .selectFrom('detached_history')
    .select(['first_id as firstId', 'next_id as nextId', 'entries'])
    .where('tenant_id', '=', tx.tenantId)
    .where('history', '=', 'audit_entries')
    .orderBy('first_id')
    .execute()
}

/**
 * Looks through the entries after one id and below another: the first without a seal, and where to go on; both null at
 * the end.
 */
export async function findUnsealedEntry(
  tx: Tx,
  { after, below, limit }: { after: string; below: string; limit: number },
): Promise<{ unsealed: string | null; last: string | null }> {
  const { rows } = await sql<{ unsealed: string | null; last: string | null }>`
    with part as materialized (
      select id from audit_entries
      where tenant_id = ${tx.tenantId}::uuid and id > ${after}::uuid and id < ${below}::uuid
      order by id
      limit ${limit}
    )
    select
      (select id from part
       where not exists (select from audit_seals where tenant_id = ${tx.tenantId}::uuid and entry_id = part.id)
       order by id limit 1) as unsealed,
      (select id from part order by id desc limit 1) as last
  `.execute(tx.db)
  return onlyRow(rows)
}

/** Entries sealed after one place and up to another, in their order; those of the last days only. */
export async function listSealedEntries(
  tx: Tx,
  { after, through, days, limit }: { after: number; through: number; days: number; limit: number },
) {
  const rows = await tx.db
    .selectFrom('audit_seals')
    .innerJoin('audit_entries', (join) =>
      join
        .onRef('audit_entries.tenant_id', '=', 'audit_seals.tenant_id')
        .onRef('audit_entries.id', '=', 'audit_seals.entry_id'),
    )
    .select([
      'seq',
      'id',
      'event',
      'sku',
      'quantity',
      'location',
      'user_name',
      'user_type',
      'origin',
      'metadata',
    ])
    .select('audit_entries.created_at')
    .where('audit_seals.tenant_id', '=', tx.tenantId)
    .where('seq', '>', sql<string>`${after}::bigint`)
    .where('seq', '<=', sql<string>`${through}::bigint`)
    .where('audit_entries.id', '>=', idBefore(days))
    .where(
      'entry_id',
      '>=',
      sql<string>`id_at(statement_timestamp() - make_interval(days => ${days}::integer))`,
    )
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

export type SealedEntry = Awaited<ReturnType<typeof listSealedEntries>>[number]
