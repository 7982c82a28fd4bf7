import { auditKinds } from '@inventory-manager/contract/audit/rules'
import { dashboard } from '@inventory-manager/contract/overview/endpoints'
import { getPlan, planLocations } from '@inventory-manager/contract/plans'
import { placeName } from '@inventory-manager/contract/stock/places'
import { countLocationsInUse, countLabelsUsed } from '../accounts/plan-use.ts'
import { getMonth } from '../platform/db/calendar.ts'
import { getSight, seenEvent, unseenEvents, type Sight } from '../audit/sight.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Actor } from '../platform/http/identity.ts'
import {
  countActiveUsers,
  countDaysUntil,
  countOpenDiscrepancies,
  getMonthProgress,
  listRecentActivity,
} from './queries.ts'

type Activity = Awaited<ReturnType<typeof listRecentActivity>>[number]

const plainEvents: Record<string, string> = {
  user_invited: 'invited somebody to the team',
  invitation_accepted: 'joined the team',
  plan_changed: 'changed the plan',
  settings_changed: 'changed the company settings',
  weekly_count_reset: 'reset the weekly count of a day',
  admin_view_completed: 'completed the cycle count',
  admin_view_reset: 'reset the cycle count',
  cycle_count_deleted: 'reset the cycle count',
  high_volume_configured: 'changed the high-volume lists',
}

/** The SKU of an entry about a component; others have a name of their kind in its place. */
function skuOf({ kind, sku }: Activity): string | null {
  const { prefix } = auditKinds[kind]
  return prefix !== '' && sku.startsWith(prefix) ? null : sku
}

/** An event by its name, with what and where it was about. */
function plainDeed(event: string, { sku, at }: { sku: string | null; at: string }): string {
  const name = plainEvents[event] ?? event.replaceAll('_', ' ')
  return sku === null ? `${name}${at}` : `${name}: ${sku}${at}`
}

/** One line about one entry, as on the overview: who did what, and where. */
function describe(entry: Activity, sight: Sight): string {
  const event = seenEvent(entry.event, sight)
  const at = entry.location === null ? '' : ` at ${placeName(entry.location)}`
  const pieces = (entry.quantity ?? 0).toLocaleString('en-US')
  const deeds: Record<string, string> = {
    monthly_count_scan: `counted ${entry.sku}${at}`,
    monthly_count_mismatch: `found a difference on ${entry.sku}${at}`,
    weekly_count_scan: `counted ${entry.sku}${at}`,
    weekly_count_mismatch: `found a difference on ${entry.sku}${at}`,
    admin_view_scan: `counted ${entry.sku}${at}`,
    admin_view_mismatch: `found a difference on ${entry.sku}${at}`,
    monthly_count_reset: `reset the monthly count${at}`,
    unknown_code_found: `scanned an unknown code, ${entry.sku}${at}`,
    components_imported: `imported ${pieces} components`,
    labels_generated: `generated ${pieces} labels`,
    quantity_updated: `set ${entry.sku} to ${pieces}${at}`,
  }
  return `${entry.user_name} ${deeds[event] ?? plainDeed(event, { sku: skuOf(entry), at })}`
}

const recentEntries = 5

async function recentActivity(tx: Tx, asking: Promise<Actor>) {
  const sight = await getSight(tx, asking)
  const entries = await listRecentActivity(tx, recentEntries, unseenEvents(sight))
  return entries.map((entry) => ({
    description: describe(entry, sight),
    timestamp: entry.created_at.toISOString(),
  }))
}

/** How far this month's count is; differences are the administrators' (docs/security/rules.md, 'Who may do what'). */
async function countingOf(tx: Tx, actor: Actor) {
  const [{ components, counted }, month, open] = await Promise.all([
    getMonthProgress(tx, actor.timeZone),
    getMonth(tx, actor.timeZone),
    actor.role === 'admin' ? countOpenDiscrepancies(tx) : null,
  ])
  return {
    components,
    ...month,
    locations: planLocations(actor.plan).map(({ code }) => ({
      location: code,
      counted: counted.get(code) ?? 0,
    })),
    ...(open === null ? {} : { open_discrepancies: open }),
  }
}

async function usageOf(tx: Tx, actor: Actor) {
  const plan = getPlan(actor.plan)
  const [labels, locations, users] = await Promise.all([
    countLabelsUsed(tx, actor.timeZone),
    countLocationsInUse(tx),
    countActiveUsers(tx),
  ])
  return {
    labels_used: labels,
    labels_limit: plan.labelsPerMonth ?? 'unlimited',
    locations_used: Math.max(1, locations),
    locations_limit: plan.maxLocations ?? 'unlimited',
    users_used: users,
    users_limit: plan.maxUsers ?? 'unlimited',
  } as const
}

async function subscriptionOf(tx: Tx, actor: Actor) {
  // Whoever has subscribed has no more trial to watch.
  const daysLeft = actor.subscription === 'trial' ? await countDaysUntil(tx, actor.trialEndsAt) : 0
  return {
    plan: actor.plan,
    status: actor.subscription,
    trial_days_remaining: daysLeft,
    trial_ends_at: actor.trialEndsAt.toISOString(),
  }
}

export function overviewRoutes(bind: Binder): void {
  bind.reader(dashboard, async ({ tx, asking }) => {
    const actor = await asking
    const [subscription, usage, counting, activity] = await Promise.all([
      subscriptionOf(tx, actor),
      usageOf(tx, actor),
      countingOf(tx, actor),
      recentActivity(tx, asking),
    ])
    return {
      subscription,
      usage,
      counting,
      recent_activity: activity,
    }
  })
}
