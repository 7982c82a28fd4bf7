import { daysLeftOfMonth } from '@inventory-manager/contract/calendar'
import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import { dashboard } from '@inventory-manager/contract/overview/endpoints'
import { getPlan, planLocations } from '@inventory-manager/contract/plans'
import { countLocationsInUse, countLabelsUsed } from '../accounts/plan-use.ts'
import { getElapsedShare } from '../platform/db/calendar.ts'
import { sightOf, unseenEvents } from '../audit/sight.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { keptOf } from '../stock/kept-queries.ts'
import { describeActivity, skuOf } from './activity.ts'
import {
  countActiveUsers,
  countDaysUntil,
  findSkus,
  getAdministratorsFigures,
  getMonthProgress,
  hadSubscription,
  listRecentActivity,
} from './queries.ts'

const recentEntries = 5

async function recentActivity(tx: Tx, asking: Promise<Actor>) {
  const actor = await asking
  const sight = sightOf(actor)
  const entries = await listRecentActivity(tx, recentEntries, unseenEvents(sight))
  const named = entries.map(skuOf)
  const skus = await findSkus(
    tx,
    named.filter((sku) => sku !== null),
  )
  return entries.map((entry, index) => {
    const sku = named[index] ?? null
    return {
      description: describeActivity(entry, sight, actor.locationNames),
      sku: sku !== null && skus.has(sku) ? sku : null,
      timestamp: entry.created_at.toISOString(),
    }
  })
}

/** How far this month's count is; differences and costs are the administrators' (docs/security/rules.md, 'Who may do what'). */
async function countingOf(tx: Tx, actor: Actor) {
  const [{ components, notKept, counted }, elapsedShare, ofAdministrators] = await Promise.all([
    getMonthProgress(tx, actor.timeZone),
    getElapsedShare(tx, actor.timeZone),
    actor.role === 'admin' ? getAdministratorsFigures(tx) : {},
  ])
  return {
    components,
    days_left: daysLeftOfMonth(actor.today),
    elapsed_share: elapsedShare,
    locations: planLocations(actor.plan).map(({ code }) => ({
      location: code,
      counted: counted.get(code) ?? 0,
      total: keptOf(components, notKept, code),
    })),
    ...ofAdministrators,
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

async function subscriptionOf(tx: Tx, actor: Actor, provider: BillingProvider) {
  // Whoever has subscribed has no more trial to watch.
  const daysLeft = actor.subscription === 'trial' ? await countDaysUntil(tx, actor.trialEndsAt) : 0
  return {
    plan: actor.plan,
    status: actor.subscription,
    trial_days_remaining: daysLeft,
    trial_ends_at: actor.trialEndsAt.toISOString(),
    provider,
    ended: actor.subscription === 'trial_expired' && (await hadSubscription(tx)),
  }
}

export function overviewRoutes(bind: Binder, provider: BillingProvider): void {
  bind.reader(dashboard, async ({ tx, asking }) => {
    const actor = await asking
    const [subscription, usage, counting, activity] = await Promise.all([
      subscriptionOf(tx, actor, provider),
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
