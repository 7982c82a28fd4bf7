import type { LocationNames } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { findByKeys, listCompaniesBy, type Database, type Tx } from '../platform/db/database.ts'

/**
 * The companies whose administrators want mails of low stock, got none in the last hours, and have one to get at an address that is
 * confirmed; none while another node asks the same.
 */
export async function listCompaniesToMail(database: Database, hours: number): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_to_mail(${hours}::integer) as id`)
}

/** The addresses of the active administrators who have confirmed that they are theirs. */
export async function listAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('users')
    .select('email')
    .where('tenant_id', '=', tx.tenantId)
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .where('email_confirmed_at', 'is not', null)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}

/** What is low at a location, and how much is to be mailed in all. */
export type ToMail = {
  barcode: string
  description: string
  location: string
  quantity: number
  minimum: number
  total: number
}

/** What is low and no mail has told, by SKU, up to the limit. */
export async function listToMail(tx: Tx, limit: number): Promise<ToMail[]> {
  await findByKeys(tx)
  const { rows } = await sql<ToMail>`
    select components.barcode, components.description, low.location, coalesce(held.quantity, 0) as quantity,
      placed.minimum, count(*) over ()::integer as total
    from low_stock low
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = low.component_id
    cross join lateral (
      select coalesce(minimum, 0) as minimum from placements
      where placements.tenant_id = ${tx.tenantId}::uuid and placements.component_id = low.component_id
        and placements.location = low.location
      offset 0
    ) as placed
    left join lateral (
      select quantity from stock
      where stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = low.component_id
        and stock.location = low.location
      offset 0
    ) as held on true
    where low.tenant_id = ${tx.tenantId}::uuid and not low.mailed
    order by components.barcode, low.location
    limit ${limit}
  `.execute(tx.db)
  return rows
}

/** What a mail says of the company. */
export type ClaimedCompany = { name: string; location_names: LocationNames }

/**
 * Takes the mail of a company for this node, and gives what it calls itself and its locations; null where none is wanted, one was sent in the last hours,
 * or another node has it.
 */
export async function claimMail(tx: Tx, hours: number): Promise<ClaimedCompany | null> {
  const company = await tx.db
    .selectFrom('companies')
    .select(['name', 'location_names'])
    .where('tenant_id', '=', tx.tenantId)
    .where('low_stock_mail', '=', true)
    .where((eb) =>
      eb.or([
        eb('low_stock_mailed_at', 'is', null),
        eb(
          'low_stock_mailed_at',
          '<=',
          sql<Date>`statement_timestamp() - make_interval(hours => ${hours}::integer)`,
        ),
      ]),
    )
    .forNoKeyUpdate()
    // Who changes the company may take minutes for it: there is another look soon.
    .skipLocked()
    .executeTakeFirst()
  if (company === undefined) return null
  await tx.db
    .updateTable('companies')
    .set({ low_stock_mailed_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .execute()
  return company
}

/** Gives back a mail that was not sent, as if one had been sent so many hours ago. */
export async function giveMailBack(tx: Tx, hours: number): Promise<void> {
  await tx.db
    .updateTable('companies')
    .set({
      low_stock_mailed_at: sql<Date>`statement_timestamp() - make_interval(hours => ${hours}::integer)`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .execute()
}

/** Notes that a mail has told all that was low when it was claimed. */
export async function noteMailed(tx: Tx): Promise<void> {
  await sql`
    update low_stock
    set mailed = true
    where tenant_id = ${tx.tenantId}::uuid and not mailed
      and since <= (select low_stock_mailed_at from companies where tenant_id = ${tx.tenantId}::uuid)
  `.execute(tx.db)
}
