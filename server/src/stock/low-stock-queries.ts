import type { LocationCode } from '@inventory-manager/contract/locations'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { sql } from 'kysely'
import { findByKeys, joinWhole, listCompaniesBy, type Database, type Tx } from '../platform/db/database.ts'

/**
 * The companies with minimums in which anything was written in the last minutes, or at any time where they are null; none while another
 * node asks the same.
 */
export async function listCompaniesToLookAt(database: Database, minutes: number | null): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_to_look_at(${minutes}::integer) as id`)
}

/** The plan of a company that has minimums, or had something low; null of any other, where there is nothing to look for. */
export async function findPlanToLookAt(tx: Tx): Promise<PlanKey | null> {
  await findByKeys(tx)
  const { rows } = await sql<{ plan: PlanKey }>`
    select plan from companies
    where tenant_id = ${tx.tenantId}::uuid and (
      exists (select from placements where tenant_id = ${tx.tenantId}::uuid and minimum is not null)
      or exists (select from low_stock where tenant_id = ${tx.tenantId}::uuid)
    )
  `.execute(tx.db)
  return rows[0]?.plan ?? null
}

/** Has nodes that look at the stock of a company do so in turn: of what falls one tells, and none of what the other saw before. */
export async function lockLook(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`low_stock ${tx.tenantId}`}, 0))`.execute(tx.db)
}

/**
 * Has the statements that follow take as long as a company has minimums, whatever the database knows of it. Where it does not know yet
 * that there are many components, any index that begins with the company is as good as another to it: so what is looked up row by row
 * is said in a way that one index alone serves, and what is in use is joined as a whole.
 */
async function planForAnyNumber(tx: Tx): Promise<void> {
  await Promise.all([findByKeys(tx), joinWhole(tx)])
}

/** What there is where a placement is. */
const heldThere = (tx: Tx) => sql`(
  select stock.quantity from stock
  where stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = placed.component_id
    and stock.location = placed.location
  offset 0
)`

/** Forgets what was low at the last look and is not now, or is not looked at any more. */
export async function forgetRisen(tx: Tx, locations: readonly LocationCode[]): Promise<void> {
  await planForAnyNumber(tx)
  await sql`
    delete from low_stock
    where tenant_id = ${tx.tenantId}::uuid and not exists (
      select from (
        select placed.component_id, placed.location
        from low_stock known
        cross join lateral (
          select component_id, location, minimum from placements
          where placements.tenant_id = ${tx.tenantId}::uuid and placements.component_id = known.component_id
            and placements.location = known.location
          offset 0
        ) as placed
        left join lateral ${heldThere(tx)} as held on true
        where known.tenant_id = ${tx.tenantId}::uuid and known.location = any (${locations}::text[])
          and placed.minimum > coalesce(held.quantity, 0)
        offset 0
      ) as still
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = still.component_id
        and components.retired_at is null
      where still.component_id = low_stock.component_id and still.location = low_stock.location
    )
  `.execute(tx.db)
}

/** What of all that is in use is low and was not at the last look. */
const fallenAt = (tx: Tx, locations: readonly LocationCode[]) => sql`
  (
    select placed.component_id, placed.location, placed.minimum, coalesce(held.quantity, 0) as quantity
    from placements placed
    left join lateral ${heldThere(tx)} as held on true
    where placed.tenant_id = ${tx.tenantId}::uuid and placed.location = any (${locations}::text[])
      and placed.minimum > 0 and placed.minimum > coalesce(held.quantity, 0)
    offset 0
  ) as low
  join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = low.component_id
    and components.retired_at is null
  where not exists (
    select from low_stock known
    where known.tenant_id = ${tx.tenantId}::uuid and known.component_id = low.component_id
      and known.location = low.location
    offset 0
  )`

/** A component with less stock at a location than its minimum there. */
export type Fallen = { componentId: string; sku: string; location: string; quantity: number; minimum: number }

/** What is low and was not at the last look, one more than the limit where there is more. */
export async function listFallen(
  tx: Tx,
  { locations, limit }: { locations: readonly LocationCode[]; limit: number },
): Promise<Fallen[]> {
  await planForAnyNumber(tx)
  const { rows } = await sql<Fallen>`
    select low.component_id as "componentId", components.barcode as sku, low.location, low.quantity, low.minimum
    from ${fallenAt(tx, locations)}
    limit ${limit + 1}
  `.execute(tx.db)
  return rows
}

/** Notes what has fallen, and says which of it nobody had noted. */
export async function noteFallen(tx: Tx, fallen: readonly Fallen[]): Promise<Fallen[]> {
  const each = <T>(value: (one: Fallen) => T) => fallen.map(value)
  const { rows } = await sql<Pick<Fallen, 'componentId' | 'location'>>`
    insert into low_stock (tenant_id, component_id, location, since)
    select ${tx.tenantId}::uuid, component_id, location, statement_timestamp()
    from unnest(
      ${each(({ componentId }) => componentId)}::uuid[], ${each(({ location }) => location)}::text[]
    ) as given (component_id, location)
    on conflict do nothing
    returning component_id as "componentId", location
  `.execute(tx.db)
  const noted = new Set(rows.map(({ componentId, location }) => `${componentId} ${location}`))
  return fallen.filter(({ componentId, location }) => noted.has(`${componentId} ${location}`))
}

/** Notes all that is low and was not at the last look, however much it is, and says how much. */
export async function noteAllFallen(tx: Tx, locations: readonly LocationCode[]): Promise<number> {
  await planForAnyNumber(tx)
  const { numAffectedRows } = await sql`
    insert into low_stock (tenant_id, component_id, location, since)
    select ${tx.tenantId}::uuid, low.component_id, low.location, statement_timestamp()
    from ${fallenAt(tx, locations)}
    on conflict do nothing
  `.execute(tx.db)
  return Number(numAffectedRows)
}
