import { auditKinds, type AuditKind } from '@inventory-manager/contract/audit/rules'
import type { UserType } from '@inventory-manager/contract/roles'
import { sql, type Insertable } from 'kysely'
import { containing } from '../platform/db/containing.ts'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { DB } from '../platform/db/schema.ts'
import { firstIdAt, newestFirst } from '../platform/history.ts'

/** Who an entry is about: the signed-in user or API key, or a name where nobody is signed in yet. */
export type AuditActor = { userId: string | null; role: string; userType?: UserType; userName: string }

export type NewAuditEntry = {
  kind: AuditKind
  /** What happened, in snake_case: monthly_count_scan, login_successful, … */
  event: string
  /** The SKU it is about; without one, the kind's prefix with the event stands there. */
  sku?: string
  quantity?: number | null
  location?: string | null
  source: string
  origin?: 'client'
  metadata?: Record<string, unknown>
}

function rowOf(tx: Tx, actor: AuditActor, entry: NewAuditEntry): Insertable<DB['audit_entries']> {
  return {
    tenant_id: tx.tenantId,
    kind: entry.kind,
    event: entry.event,
    sku: entry.sku ?? auditKinds[entry.kind].prefix + entry.event.toUpperCase(),
    quantity: entry.quantity ?? null,
    location: entry.location ?? null,
    source: entry.source,
    user_id: actor.userId,
    user_type: actor.userType ?? actor.role,
    user_name: actor.userName,
    origin: entry.origin ?? 'server',
    metadata: JSON.stringify(entry.metadata ?? {}),
  }
}

/** Appends an entry in the transaction of the change it tells of: both or neither. */
export async function recordAudit(
  tx: Tx,
  actor: AuditActor,
  entry: NewAuditEntry,
): Promise<{ id: string; created_at: Date }> {
  return await tx.db
    .insertInto('audit_entries')
    .values(rowOf(tx, actor, entry))
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
}

/** Appends some entries, at least one, as recordAudit does. */
export async function recordAudits(tx: Tx, actor: AuditActor, entries: NewAuditEntry[]): Promise<void> {
  await tx.db
    .insertInto('audit_entries')
    .values(entries.map((entry) => rowOf(tx, actor, entry)))
    .execute()
}

type TrailFilter = {
  sku?: string | undefined
  location?: string | undefined
  source?: string | undefined
  kinds?: AuditKind[] | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Events that are left out. */
  unseen: readonly string[]
}

type Page = {
  limit: number
  /** The id to go on after; ids sort by time. */
  cursor?: string | undefined
}

function filtered(tx: Tx, filter: TrailFilter) {
  let query = tx.db.selectFrom('audit_entries').where('tenant_id', '=', tx.tenantId)
  if (filter.sku !== undefined) query = query.where('sku', 'ilike', containing(filter.sku))
  if (filter.location !== undefined) query = query.where('location', '=', filter.location)
  if (filter.source !== undefined) query = query.where('source', '=', filter.source)
  if (filter.kinds !== undefined) query = query.where('kind', 'in', filter.kinds)
  if (filter.from !== undefined) query = query.where('id', '>=', firstIdAt(filter.from.getTime()))
  if (filter.to !== undefined) query = query.where('id', '<', firstIdAt(filter.to.getTime() + 1))
  if (filter.unseen.length > 0) query = query.where('event', 'not in', filter.unseen)
  return query
}

async function listNewest(tx: Tx, filter: TrailFilter, { limit, cursor }: Page) {
  return await newestFirst({ cursor, limit: limit + 1 }, async (span) => {
    let query = filtered(tx, filter).selectAll()
    if (span.from !== undefined) query = query.where('id', '>=', span.from)
    if (span.below !== undefined) query = query.where('id', '<', span.below)
    return await query.orderBy('id', 'desc').limit(span.limit).execute()
  })
}

/** Of the whole trail the newest seal tells: seals are numbered without a gap, and stay when their entries are detached. */
async function countAll(tx: Tx): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select trail_length(${tx.tenantId}::uuid)::integer as total
  `.execute(tx.db)
  return onlyRow(rows).total
}

async function countFiltered(tx: Tx, filter: TrailFilter): Promise<number> {
  const { total } = await filtered(tx, filter)
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The newest entries that pass a filter, one more than the limit where there are more, and how many pass in all. */
export async function listTrail(tx: Tx, filter: TrailFilter, page: Page) {
  const { unseen, ...narrowed } = filter
  if (unseen.length === 0 && Object.values(narrowed).every((part) => part === undefined)) {
    const [rows, total] = await Promise.all([listNewest(tx, filter, page), countAll(tx)])
    return { rows, total }
  }
  const rows = await listNewest(tx, filter, page)
  // What a filter passes is counted by reading all of the trail: not once more where the page has read it.
  const isAll = page.cursor === undefined && rows.length <= page.limit
  return { rows, total: isAll ? rows.length : await countFiltered(tx, filter) }
}

/** How much a person has reported within a minute, by a count that stops where nobody could do as much by hand. */
export async function countReports(tx: Tx, { userId }: { userId: string }, most: number): Promise<number> {
  const { rows } = await sql<{ reports: number }>`
    select count(*)::integer as reports
    from (
      select from audit_entries
      where tenant_id = ${tx.tenantId}::uuid and id >= id_at(now() - interval '1 minute')
        and user_id = ${userId}::uuid and origin = 'client'
      limit ${most}
    ) as made
  `.execute(tx.db)
  return onlyRow(rows).reports
}

/** How often somebody was refused a call within the minute, by the trail; at most the most that is asked for. */
export async function countRefusals(
  tx: Tx,
  { userId, call }: { userId: string; call: string },
  most: number,
): Promise<number> {
  // Whoever is refused many times at once is looked at in turn.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${call}`}, 0))`.execute(tx.db)
  const { rows } = await sql<{ refusals: number }>`
    select count(*)::integer as refusals
    from (
      select from audit_entries
      where tenant_id = ${tx.tenantId}::uuid and id >= id_at(now() - interval '1 minute')
        and user_id = ${userId}::uuid and event = 'access_refused' and metadata ->> 'call' = ${call}
      limit ${most}
    ) as made
  `.execute(tx.db)
  return onlyRow(rows).refusals
}
