import { subscriptionStatus, type BillingProvider } from '@inventory-manager/contract/company/subscription'
import type { Role, UserType } from '@inventory-manager/contract/roles'
import { recordAuthentication } from '../audit/authentication.ts'
import { countRefusals } from '../audit/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor, Claims, Identity, RefusedBy } from '../platform/http/identity.ts'
import type { Later } from '../platform/later.ts'
import { findActor, touchSession } from './queries.ts'
import { dayIn } from './time-zones.ts'

/** A key acts as an administrator where its scopes say so. */
function roleOf(userType: UserType, { keyScopes }: Claims): Role {
  if (userType !== 'api_key') return userType
  return keyScopes?.includes('admin') === true ? 'admin' : 'user'
}

/**
 * Of one person and call: more say nothing new, and would let anybody fill the trail. What a plan has no more, devices and other
 * programs go on asking for.
 */
const mostRefusals: Record<RefusedBy, { most: number; minutes: number }> = {
  role: { most: 5, minutes: 1 },
  plan: { most: 1, minutes: 10 },
}

type Parts = {
  database: Database
  /** Whom an Authorization header stands for; throws AppError. */
  claimsOf: Identity['claimsOf']
  provider: BillingProvider
  later: Later
}

async function actorOf(tx: Tx, claims: Claims, { database, provider, later }: Parts): Promise<Actor> {
  const row = await findActor(tx, claims)
  if (row === null) throw new AppError('unauthorized')
  // In a transaction of its own, since most of those who ask only read.
  if (row.stale)
    later.run(() => database.inTenant(claims.tenantId, (own) => touchSession(own, claims.sessionId)))
  return {
    ...claims,
    role: roleOf(row.role, claims),
    userType: row.role,
    userName: row.user_name,
    email: row.email,
    companyName: row.company_name,
    locationNames: row.location_names,
    plan: row.plan,
    timeZone: row.time_zone,
    strictBlindCounts: row.strict_blind_counts,
    ...dayIn(row.time_zone, row.asked_at),
    trialEndsAt: row.trial_ends_at,
    seated: row.seated,
    subscription: subscriptionStatus({
      provider,
      paid: row.paid ?? 'none',
      trialIsOver: row.trial_is_over,
    }),
  }
}

/** Who is asking, for the HTTP layer. */
export function createIdentity(parts: Parts): Identity {
  return {
    claimsOf: parts.claimsOf,
    actorOf: (tx, claims) => actorOf(tx, claims, parts),
    async recordRefusal(claims, call, by) {
      await parts.database.inTenant(claims.tenantId, async (tx) => {
        const actor = await actorOf(tx, claims, parts)
        const refusals = await countRefusals(tx, { userId: claims.userId, call }, mostRefusals[by])
        if (refusals === mostRefusals[by].most) return
        await recordAuthentication(tx, actor, { event: 'access_refused', call })
      })
    },
  }
}
