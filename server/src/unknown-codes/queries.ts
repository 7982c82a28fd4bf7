import type { UnknownCodeStatus } from '@inventory-manager/contract/unknown-codes/endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

export type UnknownCodeFilter = {
  status: UnknownCodeStatus
  location?: LocationCode | undefined
  limit: number
  cursor?: string | undefined
}

function filtered(tx: Tx, filter: UnknownCodeFilter) {
  let query = tx.db
    .selectFrom('unknown_codes')
    .where('tenant_id', '=', tx.tenantId)
    .where('status', '=', filter.status)
  if (filter.location !== undefined) query = query.where('location', '=', filter.location)
  return query
}

/** Unknown codes, those first that became unknown last, one more than the limit where there are more. */
export async function listUnknownCodes(tx: Tx, filter: UnknownCodeFilter) {
  let query = filtered(tx, filter).select([
    'id',
    'opened_id',
    'code',
    'location',
    'status',
    'times',
    'first_seen_at',
    'last_seen_at',
    'user_name',
    'decided_by',
  ])
  if (filter.cursor !== undefined) query = query.where('opened_id', '<', filter.cursor)
  return await query
    .orderBy('opened_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

export async function countUnknownCodes(tx: Tx, filter: UnknownCodeFilter): Promise<number> {
  const { total } = await filtered(tx, filter)
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow()
  return total
}

type Beside = { sku: string; description: string; at: string }

export type UnknownScan = {
  unknown_code_id: string
  user_name: string
  scanned_at: Date
  quantity: number | null
  before: Beside | null
  after: Beside | null
}

/** How far a scan before or after may be, in the trail's entries of everybody and in minutes. */
const nearbyEntries = 2_000
const nearbyMinutes = 15
const scansShown = 3

/** Scans of one device that were on their way together may arrive in another order than they were made in. */
const orderSeconds = 10

/**
 * What the same person counted just before (or after) a scan, by the devices' own times, from the audit trail. Those of
 * counts that the server wrote are times; what a client reported may say anything.
 */
function beside(tx: Tx, way: 'before' | 'after') {
  const window = sql`make_interval(mins => ${nearbyMinutes}::integer)`
  const slack = sql`make_interval(secs => ${orderSeconds}::integer)`
  const bounds =
    way === 'before'
      ? sql`nearby.id < id_at(instant_of(seen.id) + ${slack}) and nearby.id >= id_at(instant_of(seen.id) - ${window})`
      : sql`nearby.id > id_at(instant_of(seen.id) - ${slack}) and nearby.id < id_at(instant_of(seen.id) + ${window})`
  const order = sql.raw(way === 'before' ? 'desc' : 'asc')
  const isOnThatSide = sql.raw(
    way === 'before' ? 'near.counted_at <= seen.scanned_at' : 'near.counted_at > seen.scanned_at',
  )
  return sql`(
    select jsonb_build_object('sku', near.sku, 'at', near.created_at, 'description', coalesce((
      select description from components where tenant_id = ${tx.tenantId}::uuid and barcode = near.sku
    ), ''))
    from (
      -- Their texts are read of those alone that may be it.
      select every.id, every.sku, every.created_at, every.metadata ->> 'reason' as reason,
        coalesce(
          case when every.origin = 'server' and every.kind = 'inventory_scan'
            then (every.metadata ->> 'counted_at')::timestamptz
          end,
          every.created_at
        ) as counted_at
      from (
        select * from audit_entries nearby
        where nearby.tenant_id = ${tx.tenantId}::uuid and ${bounds}
        order by nearby.id ${order}
        limit ${nearbyEntries}
      ) as every
      where every.user_id = seen.user_id and every.kind = 'inventory_scan' and every.event <> 'unknown_code_found'
        -- A device may have reported it, too: nothing lies beside itself.
        and every.sku <> sought.code
    ) as near
    where coalesce(near.reason, '') not in ('not_found', 'retired') and ${isOnThatSide}
    order by near.counted_at ${order}, near.id ${order}
    limit 1
  )`
}

/** The newest scans of each of the given codes with what the same person scanned before and after. */
export async function listScansOf(tx: Tx, ids: string[]): Promise<UnknownScan[]> {
  const { rows } = await sql<UnknownScan>`
    select seen.unknown_code_id, seen.user_name, seen.scanned_at, seen.quantity,
      ${beside(tx, 'before')} as before, ${beside(tx, 'after')} as after
    from unknown_codes sought
    cross join lateral (
      select * from unknown_code_scans scan
      where scan.tenant_id = ${tx.tenantId}::uuid and scan.unknown_code_id = sought.id
      order by scan.id desc
      limit ${scansShown}
    ) as seen
    where sought.tenant_id = ${tx.tenantId}::uuid and sought.id = any (${ids}::uuid[])
    order by seen.id desc
  `.execute(tx.db)
  return rows
}

/**
 * What was last counted under each of the given open codes where it waits, by location. What was scanned before it became unknown again
 * says nothing of now.
 */
export async function listCountedOf(
  tx: Tx,
  ids: string[],
): Promise<{ id: string; location: LocationCode; quantity: number }[]> {
  const { rows } = await sql<{ id: string; location: LocationCode; quantity: number }>`
    select sought.id, waiting.location, seen.quantity
    from unknown_codes sought
    join unknown_codes waiting on waiting.tenant_id = ${tx.tenantId}::uuid and waiting.code = sought.code
      and waiting.status = 'open'
    cross join lateral (
      select scan.quantity from unknown_code_scans scan
      where scan.tenant_id = ${tx.tenantId}::uuid and scan.unknown_code_id = waiting.id and scan.quantity is not null
        -- The scan that has opened it again was written a moment before.
        and scan.id >= id_at(instant_of(waiting.opened_id) - interval '10 seconds')
      order by scan.scanned_at desc, scan.id desc
      limit 1
    ) as seen
    where sought.tenant_id = ${tx.tenantId}::uuid and sought.id = any (${ids}::uuid[]) and sought.status = 'open'
    order by waiting.location <> sought.location, waiting.location
  `.execute(tx.db)
  return rows
}

type Code = { id: string; code: string }

/** The barcodes of the retired components that codes belong to, by the codes' ids; looked up as a scan is. */
export async function findRetiredOwners(tx: Tx, codes: readonly Code[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; barcode: string }>`
    select owned.id, owned.barcode
    from (
      select distinct on (given.id) given.id, owner.barcode, owner.retired_at
      from unnest(${codes.map(({ id }) => id)}::uuid[], ${codes.map(({ code }) => code)}::text[]) as given (id, code)
      cross join lateral unnest(upc_writings(given.code)) with ordinality as writing (code, place)
      cross join lateral (
        select components.barcode, components.retired_at, 1 as rank
        from components
        where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = writing.code
        union all
        select components.barcode, components.retired_at, 2
        from alias_barcodes
        join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = alias_barcodes.component_id
        where alias_barcodes.tenant_id = ${tx.tenantId}::uuid and alias_barcodes.barcode = writing.code
      ) as owner
      order by given.id, owner.retired_at is not null, owner.rank, writing.place
    ) as owned
    where owned.retired_at is not null
  `.execute(tx.db)
  return new Map(rows.map(({ id, barcode }) => [id, barcode]))
}

/** The given codes, locked until the transaction ends. */
export async function lockUnknownCodes(tx: Tx, ids: string[]) {
  return await tx.db
    .selectFrom('unknown_codes')
    .select(['id', 'code', 'location', 'status'])
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function setStatus(
  tx: Tx,
  actor: Actor,
  { ids, status }: { ids: string[]; status: UnknownCodeStatus },
): Promise<void> {
  await tx.db
    .updateTable('unknown_codes')
    .set({ status, decided_by: actor.userName, decided_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .execute()
}
