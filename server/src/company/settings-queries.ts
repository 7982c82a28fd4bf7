import type { LocationNames } from '@inventory-manager/contract/locations'
import type { LabelLogo } from '@inventory-manager/contract/labels/logo'
import type { LogoType, SettingsChange } from '@inventory-manager/contract/company/settings-change-endpoints'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

function selectSettings(tx: Tx) {
  return tx.db
    .selectFrom('companies')
    .leftJoin('company_logos', 'company_logos.tenant_id', 'companies.tenant_id')
    .select([
      'companies.name',
      'companies.time_zone',
      'companies.scanner_prefix',
      'companies.scanner_suffix',
      'companies.count_tolerance_units',
      sql<number | null>`companies.count_tolerance_percent::float8`.as('count_tolerance_percent'),
      'companies.strict_blind_counts',
      'companies.first_count_sets_stock',
      'companies.currency',
      'companies.low_stock_mail',
      'companies.accent_colour',
      'companies.location_names',
      'company_logos.hash as logo',
      sql<boolean>`company_logos.label_rows is not null`.as('logo_on_labels'),
    ])
    .where('companies.tenant_id', '=', tx.tenantId)
}

export async function getCompanySettings(tx: Tx) {
  return await selectSettings(tx).executeTakeFirstOrThrow()
}

/** The same with the company's row locked, so that old and new values of a change belong together. */
export async function lockCompanySettings(tx: Tx) {
  return await selectSettings(tx).forNoKeyUpdate('companies').executeTakeFirstOrThrow()
}

export async function updateSettings(
  tx: Tx,
  change: Omit<SettingsChange, 'time_zone' | 'location_names'>,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) return
  await tx.db.updateTable('companies').set(given).where('tenant_id', '=', tx.tenantId).execute()
}

export async function updateLocationNames(tx: Tx, names: LocationNames): Promise<void> {
  await tx.db
    .updateTable('companies')
    .set({ location_names: JSON.stringify(names) })
    .where('tenant_id', '=', tx.tenantId)
    .execute()
}

/**
 * Keeps out, until the transaction ends, what goes by the company's calendar. Before the company's row, for which whoever retires a
 * component waits with the same lock.
 */
export async function lockCalendar(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(time_zone_lock(${tx.tenantId}::uuid))`.execute(tx.db)
}

/** Changes the time zone and everything that is kept by the company's calendar. */
export async function changeTimeZone(tx: Tx, timeZone: string): Promise<void> {
  await sql`select change_time_zone(${tx.tenantId}::uuid, ${timeZone})`.execute(tx.db)
}

/** Gives the time zone another name, with its days where they are. */
export async function nameTimeZone(tx: Tx, timeZone: string): Promise<void> {
  await tx.db
    .updateTable('companies')
    .set({ time_zone: timeZone })
    .where('tenant_id', '=', tx.tenantId)
    .execute()
}

export async function saveLogo(
  tx: Tx,
  logo: { type: LogoType; content: Buffer; hash: string },
): Promise<void> {
  const values = { content_type: logo.type, content: logo.content, hash: logo.hash, label_rows: null }
  await tx.db
    .insertInto('company_logos')
    .values({ tenant_id: tx.tenantId, ...values })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(values))
    .execute()
}

/** Keeps the logo as labels print it, or that they do not; says whether there is a logo. */
export async function updateLabelLogo(tx: Tx, rows: LabelLogo | null): Promise<boolean> {
  const saved = await tx.db
    .updateTable('company_logos')
    .set({ label_rows: rows === null ? null : [...rows] })
    .where('tenant_id', '=', tx.tenantId)
    .returning('tenant_id')
    .executeTakeFirst()
  return saved !== undefined
}

export async function findLogo(tx: Tx) {
  const row = await tx.db
    .selectFrom('company_logos')
    .select(['content_type', 'content', 'hash'])
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirst()
  return row ?? null
}

export async function deleteLogo(tx: Tx): Promise<{ hash: string } | undefined> {
  return await tx.db
    .deleteFrom('company_logos')
    .where('tenant_id', '=', tx.tenantId)
    .returning('hash')
    .executeTakeFirst()
}
