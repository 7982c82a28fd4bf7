import { auditKinds, type AuditKind } from '@inventory-manager/contract/audit/rules'
import type { UserType } from '@inventory-manager/contract/roles'
import { sql, type Insertable } from 'kysely'
import { containing } from '../platform/db/containing.ts'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { DB } from '../platform/db/schema.ts'
import { firstIdAt, newestFirst } from '../platform/db/time-ids.ts'
import { accountOf, isBy, type Doer } from './accounts.ts'
import type { AuditEvent } from './events.ts'

/** Who an entry is about: the signed-in user or API key, or a name where nobody is signed in yet. */
export type AuditActor = { userId: string | null; role: string; userType?: UserType; userName: string }

/** The program, where nobody asked it for what it did. */
export const program: AuditActor = { userId: null, role: 'system', userName: 'Inventory Manager' }

/** Whoever runs a command on the machine of the program. */
export const commandLine: AuditActor = { userId: null, role: 'admin', userName: 'Command line' }

export type NewAuditEntry = {
  kind: AuditKind
  /** The SKU it is about; without one, the kind's prefix with the event stands there. */
  sku?: string
  quantity?: number | null
  location?: string | null
  source: string
  metadata?: Record<string, unknown>
} & (
  | { event: AuditEvent; origin?: never }
  /** What a device reports of itself, in snake_case. */
  | { event: string; origin: 'client' }
)

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

/** Whether the company has a component, or had one that is retired, with this barcode as its own. */
export async function isSku(tx: Tx, sku: string): Promise<boolean> {
  const component = await tx.db
    .selectFrom('components')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('barcode', '=', sku)
    .executeTakeFirst()
  return component !== undefined
}

/** Appends some entries as recordAudit does, by one statement for any number of them. */
export async function recordAudits(tx: Tx, actor: AuditActor, entries: NewAuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => rowOf(tx, actor, entry))
  const each = <T>(value: (row: (typeof rows)[number]) => T) => rows.map(value)
  await sql`
    insert into audit_entries (
      tenant_id, user_id, user_type, user_name, kind, event, sku, quantity, location, source, origin, metadata
    )
    select ${tx.tenantId}::uuid, ${actor.userId}::uuid, ${actor.userType ?? actor.role}::text, ${actor.userName}::text,
      kind, event, sku, quantity, location, source, origin, metadata::jsonb
    from unnest(
      ${each(({ kind }) => kind)}::text[], ${each(({ event }) => event)}::text[], ${each(({ sku }) => sku)}::text[],
      ${each(({ quantity }) => quantity)}::integer[], ${each(({ location }) => location)}::text[],
      ${each(({ source }) => source)}::text[], ${each(({ origin }) => origin)}::text[],
      ${each(({ metadata }) => metadata)}::text[]
    ) as entry (kind, event, sku, quantity, location, source, origin, metadata)
    -- Nobody looks at it: without it a cluster copies the rows, which row level security refuses.
    returning true
  `.execute(tx.db)
}

export type TrailFilter = {
  /** One entry alone. */
  id?: string | undefined
  sku?: string | undefined
  location?: string | undefined
  source?: string | undefined
  kinds?: AuditKind[] | undefined
  user?: Doer | undefined
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

/** Ids from one on and below another, where given. */
type Ids = { from: string | undefined; below: string | undefined }

type Look = Ids & { isCut: boolean }

/** The ids of the time of a filter. */
function boundsOf({ from, to }: TrailFilter): Ids {
  return { from: from && firstIdAt(from.getTime()), below: to && firstIdAt(to.getTime() + 1) }
}

/** The entries among some ids that pass a filter, whose time these ids stand for. */
export function filteredTrail(tx: Tx, filter: TrailFilter, { from, below }: Ids) {
  let query = tx.db.selectFrom('audit_entries').where('tenant_id', '=', tx.tenantId)
  if (filter.id !== undefined) query = query.where('id', '=', filter.id)
  if (filter.sku !== undefined) query = query.where('sku', 'ilike', containing(filter.sku))
  if (filter.location !== undefined) query = query.where('location', '=', filter.location)
  if (filter.user !== undefined) query = query.where(isBy(tx, filter.user))
  if (filter.source !== undefined) query = query.where('source', '=', filter.source)
  if (filter.kinds !== undefined) query = query.where(sql<boolean>`kind = any (${filter.kinds}::text[])`)
  if (from !== undefined) query = query.where('id', '>=', from)
  if (below !== undefined) query = query.where('id', '<', below)
  if (filter.unseen.length > 0) query = query.where('event', 'not in', filter.unseen)
  return query
}

/** How many entries are looked through at once for those that pass a filter. */
const lookLength = 100_000

/**
 * What one look goes through of the ids from one on and below another: all of them, or the newest hundred thousand entries. Each
 * entry has a seal; these are numbered in the order of commits, which is nearly that of the ids.
 */
async function cutLook(tx: Tx, { from, below }: Ids): Promise<Look> {
  const newest =
    below === undefined ? sql`order by seq desc` : sql`and entry_id < ${below}::uuid order by entry_id desc`
  const { rows } = await sql<{ entry_id: string }>`
    select entry_id
    from audit_seals
    where tenant_id = ${tx.tenantId}::uuid and seq = (
        select seq - ${lookLength} from audit_seals where tenant_id = ${tx.tenantId}::uuid ${newest} limit 1
      )
      and entry_id > (select id from audit_entries where tenant_id = ${tx.tenantId}::uuid order by id limit 1)
  `.execute(tx.db)
  const end = rows[0]?.entry_id
  if (end === undefined || (from !== undefined && from >= end)) return { from, below, isCut: false }
  return { from: end, below, isCut: true }
}

async function listNewest(tx: Tx, filter: TrailFilter, { look, limit, cursor }: Page & { look: Look }) {
  return await newestFirst({ cursor, limit: limit + 1 }, async (span) => {
    let query = filteredTrail(tx, filter, look).selectAll('audit_entries').select(accountOf(tx))
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

async function countFiltered(tx: Tx, filter: TrailFilter, look: Look): Promise<number> {
  const { total } = await filteredTrail(tx, filter, look)
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Entries that pass a filter: a page in one look, and how many there are in all that was looked through. */
async function listFiltered(tx: Tx, filter: TrailFilter, page: Page) {
  const { from, below: end } = boundsOf(filter)
  const first = await cutLook(tx, { from, below: end })
  const goesOn = page.cursor !== undefined && (end === undefined || page.cursor.toLowerCase() < end)
  const look = goesOn ? await cutLook(tx, { from, below: page.cursor }) : first
  const rows = await listNewest(tx, filter, { ...page, look })
  const counted = first.isCut ? look : first
  const isAll = counted === look && rows.length <= page.limit
  const total = isAll ? rows.length : await countFiltered(tx, filter, counted)
  return { rows, total, lookedDownTo: look.isCut ? look.from : undefined }
}

/**
 * The newest entries that pass a filter, one more than the limit where there are more, and how many pass in all. A filter that
 * would have to go through more than a hundred thousand entries has looked down to an id, and tells of what is newer.
 */
export async function listTrail(tx: Tx, filter: TrailFilter, page: Page) {
  if (filter.id !== undefined) {
    const rows = await filteredTrail(tx, filter, boundsOf(filter))
      .selectAll('audit_entries')
      .select(accountOf(tx))
      .execute()
    return { rows, total: rows.length, lookedDownTo: undefined }
  }
  const { unseen, ...narrowed } = filter
  if (unseen.length > 0 || Object.values(narrowed).some((part) => part !== undefined)) {
    return await listFiltered(tx, filter, page)
  }
  const whole = { from: undefined, below: undefined, isCut: false }
  const [rows, total] = await Promise.all([listNewest(tx, filter, { ...page, look: whole }), countAll(tx)])
  return { rows, total, lookedDownTo: undefined }
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

/** How often somebody was refused a call in the last minutes, by the trail; at most the most that is asked for. */
export async function countRefusals(
  tx: Tx,
  { userId, call }: { userId: string; call: string },
  { most, minutes }: { most: number; minutes: number },
): Promise<number> {
  // Whoever is refused many times at once is looked at in turn.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${call}`}, 0))`.execute(tx.db)
  const { rows } = await sql<{ refusals: number }>`
    select count(*)::integer as refusals
    from (
      select from audit_entries
      where tenant_id = ${tx.tenantId}::uuid and id >= id_at(now() - make_interval(mins => ${minutes}::integer))
        and user_id = ${userId}::uuid and event = 'access_refused' and metadata ->> 'call' = ${call}
        -- What they report of themselves is no refusal.
        and origin = 'server'
      limit ${most}
    ) as made
  `.execute(tx.db)
  return onlyRow(rows).refusals
}
