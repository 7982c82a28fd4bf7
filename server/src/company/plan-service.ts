import type { ReadOnlyAfter } from '@inventory-manager/contract/company/plan-endpoints'
import { hasApiAccess } from '@inventory-manager/contract/api-keys/rules'
import { locations } from '@inventory-manager/contract/locations'
import { getPlan, hasBranding, planOffers, type PlanKey } from '@inventory-manager/contract/plans'
import { placeName } from '@inventory-manager/contract/stock/places'
import { countSeats, lockSeats, seatUsers } from '../accounts/seats.ts'
import { listLocationsInUse } from '../accounts/plan-use.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { AuditActor } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { getExtras, getLocationNames, listUsersInOrder, updatePlan } from './plan-queries.ts'

/** What the company uses now of what a plan may not offer. */
export async function readUse(tx: Tx) {
  const [locationsInUse, users, { invited }, extras, locationNames] = await Promise.all([
    listLocationsInUse(tx),
    listUsersInOrder(tx),
    countSeats(tx),
    getExtras(tx),
    getLocationNames(tx),
  ])
  return { locationsInUse, users, invited, extras, locationNames }
}

type Use = Awaited<ReturnType<typeof readUse>>

/** What of the company's present use a plan would make read-only. */
export function readOnlyAfter(
  { locationsInUse, users, invited, extras, locationNames }: Use,
  plan: PlanKey,
): ReadOnlyAfter {
  const seats = getPlan(plan).maxUsers ?? Infinity
  return {
    locations: locations.flatMap(({ code }) => {
      const found = locationsInUse.find(({ location }) => location === code)
      if (found === undefined || planOffers(plan, code)) return []
      const name = placeName(code, locationNames)
      return [{ code, name, skus: found.skus, units: found.units }]
    }),
    users: users.slice(seats),
    invitations: Math.max(0, invited - Math.max(0, seats - users.length)),
    stops: {
      api_keys: hasApiAccess(plan) ? 0 : extras.api_keys,
      webhooks: hasApiAccess(plan) ? 0 : extras.webhooks,
      branding: !hasBranding(plan) && extras.branding,
    },
  }
}

/** Throws 'plan_reduces' that names everything a plan would make read-only, unless that was accepted. */
export async function requireAccepted(
  tx: Tx,
  { plan, accepted }: { plan: PlanKey; accepted: boolean },
): Promise<void> {
  if (accepted) return
  const { locations, users } = readOnlyAfter(await readUse(tx), plan)
  const named = [...locations, ...users].map(({ name }) => name)
  if (named.length === 0) return
  throw new AppError('plan_reduces', {
    sentence: `With the ${getPlan(plan).name} plan this becomes read-only: ${named.join(', ')}. Nothing is deleted.`,
  })
}

/** Gives the company a plan: its seats are given anew, and what was read-only before is free where it fits again. */
export async function applyPlan(tx: Tx, actor: AuditActor, plan: PlanKey): Promise<void> {
  const before = await lockSeats(tx)
  if (before.plan === plan) return
  const readOnly = readOnlyAfter(await readUse(tx), plan)
  await updatePlan(tx, plan)
  await seatUsers(tx, plan)
  await recordConfigurationChange(tx, actor, {
    event: 'plan_changed',
    source: 'plan',
    old_value: before.plan,
    new_value: plan,
    read_only_locations: readOnly.locations.map(({ code }) => code),
    read_only_users: readOnly.users.map(({ email }) => email),
  })
}
