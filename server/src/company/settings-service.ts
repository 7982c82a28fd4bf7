import { createHash } from 'node:crypto'
import type { SettingsChange } from '@inventory-manager/contract/company/settings-change-endpoints'
import type { CompanySettings } from '@inventory-manager/contract/company/settings-endpoints'
import { locations, type LocationCode } from '@inventory-manager/contract/locations'
import type { LabelLogo } from '@inventory-manager/contract/labels/logo'
import { hasBranding, planOffers } from '@inventory-manager/contract/plans'
import { placeName } from '@inventory-manager/contract/stock/places'
import { findTimeZone, getTimeZone } from '../accounts/time-zones.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { allowMinutes, type Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { getCurrency } from '../stock/cost-queries.ts'
import { getCosting } from '../stock/difference-costs.ts'
import { renameLocations } from './location-names.ts'
import { checkLogo } from './logo-check.ts'
import {
  changeTimeZone,
  deleteLogo,
  findLogo,
  getCompanySettings,
  lockCalendar,
  lockCompanySettings,
  nameTimeZone,
  saveLogo,
  updateLabelLogo,
  updateSettings,
} from './settings-queries.ts'

function requireBranding(actor: Actor): void {
  if (!hasBranding(actor.plan)) throw new AppError('branding_not_in_plan')
}

/** What other programs are told of the company. */
export async function presentCompany(tx: Tx, actor: Actor) {
  return {
    name: actor.companyName,
    time_zone: actor.timeZone,
    currency: await getCurrency(tx),
    locations: locations.map(({ code }) => ({
      code,
      name: placeName(code, actor.locationNames),
      in_plan: planOffers(actor.plan, code),
    })),
  }
}

/** The settings as this user may see them. Branding set on a larger plan stays, and shows again with it. */
export async function presentSettings(tx: Tx, actor: Actor): Promise<CompanySettings> {
  const row = await getCompanySettings(tx)
  const branded = hasBranding(actor.plan)
  return {
    name: row.name,
    time_zone: row.time_zone,
    scanner_prefix: row.scanner_prefix,
    scanner_suffix: row.scanner_suffix,
    accent_colour: branded ? row.accent_colour : null,
    logo: branded ? row.logo : null,
    ...(actor.role === 'admin'
      ? {
          administration: {
            branding_in_plan: branded,
            logo_on_labels: branded && row.logo_on_labels,
            count_tolerance_units: row.count_tolerance_units,
            count_tolerance_percent: row.count_tolerance_percent,
            strict_blind_counts: row.strict_blind_counts,
            first_count_sets_stock: row.first_count_sets_stock,
            currency: row.currency,
            has_costs: (await getCosting(tx)).hasCosts,
            low_stock_mail: row.low_stock_mail,
            location_names: row.location_names,
          },
        }
      : {}),
  }
}

type Changed = { setting: string; old_value: unknown; new_value: unknown; location_code?: LocationCode }

async function recordChange(tx: Tx, actor: Actor, changed: Changed): Promise<void> {
  await recordConfigurationChange(tx, actor, { event: 'settings_changed', source: 'settings', ...changed })
}

/** The change with its time zone by the name the database has for it; throws 'invalid_request' where it has none. */
async function inKnownZone(tx: Tx, change: SettingsChange): Promise<SettingsChange> {
  if (change.time_zone === undefined) return change
  return { ...change, time_zone: await getTimeZone(tx, change.time_zone) }
}

/** What is kept by the old zone's days is moved by the database, which must know that zone by some name. */
async function moveTimeZone(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  if (from === to) return
  // The days of a long history are counted anew.
  await allowMinutes(tx)
  const known = (await findTimeZone(tx, from)) ?? 'UTC'
  if (known !== from) await nameTimeZone(tx, known)
  await changeTimeZone(tx, to)
}

/** Changes what is given and differs; each change is recorded with its old and new value. */
export async function changeSettings(tx: Tx, actor: Actor, given: SettingsChange): Promise<void> {
  if (given.accent_colour != null) requireBranding(actor)
  const change = await inKnownZone(tx, given)
  if (change.time_zone !== undefined) await lockCalendar(tx)
  const held = await lockCompanySettings(tx)
  const before = new Map<string, unknown>(Object.entries(held))
  const { location_names: names, ...values } = change
  const changed = Object.entries(values).flatMap(([setting, value]): Changed[] => {
    const old = before.get(setting)
    return value === undefined || value === old ? [] : [{ setting, old_value: old ?? null, new_value: value }]
  })
  const { time_zone: timeZone, ...plain } = values
  await updateSettings(tx, plain)
  if (names !== undefined) {
    changed.push(...(await renameLocations(tx, { held: held.location_names, given: names })))
  }
  if (timeZone !== undefined) await moveTimeZone(tx, { from: held.time_zone, to: timeZone })
  for (const entry of changed) await recordChange(tx, actor, entry)
}

/** Takes a logo that is what it says; throws 'logo_refused' with the reason for any other. Gives its version. */
export async function setLogo(tx: Tx, actor: Actor, base64: string): Promise<string> {
  requireBranding(actor)
  const content = Buffer.from(base64, 'base64')
  const checked = checkLogo(content)
  if ('refusal' in checked) throw new AppError('logo_refused', { sentence: checked.refusal })
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const before = await findLogo(tx)
  await saveLogo(tx, { type: checked.type, content, hash })
  await recordChange(tx, actor, { setting: 'logo', old_value: before?.hash ?? null, new_value: hash })
  return hash
}

/** Prints the logo on labels, or no more; throws 'not_found' without a logo. */
export async function setLabelLogo(tx: Tx, actor: Actor, rows: LabelLogo | null): Promise<void> {
  if (rows !== null) requireBranding(actor)
  if (!(await updateLabelLogo(tx, rows))) throw new AppError('not_found')
  await recordChange(tx, actor, {
    setting: 'logo_on_labels',
    old_value: rows === null,
    new_value: rows !== null,
  })
}

export async function removeLogo(tx: Tx, actor: Actor): Promise<void> {
  const removed = await deleteLogo(tx)
  if (removed === undefined) throw new AppError('not_found')
  await recordChange(tx, actor, { setting: 'logo', old_value: removed.hash, new_value: null })
}

/** The logo of a company whose plan has one; throws 'not_found'. */
export async function getLogo(tx: Tx, actor: Actor) {
  const logo = await findLogo(tx)
  if (logo === null || !hasBranding(actor.plan)) throw new AppError('not_found')
  return logo
}
