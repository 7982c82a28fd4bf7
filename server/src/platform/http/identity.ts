import { hasApiAccess, noApiAccess } from '@inventory-manager/contract/api-keys/rules'
import type { SubscriptionStatus } from '@inventory-manager/contract/company/subscription'
import type { LocationCode, LocationNames } from '@inventory-manager/contract/locations'
import { planOffers, type PlanKey } from '@inventory-manager/contract/plans'
import type { Role, UserType } from '@inventory-manager/contract/roles'
import type { Scope } from '@inventory-manager/contract/scopes'
import type { Tx } from '../db/database.ts'
import { AppError } from './app-error.ts'

/** What a valid signature proves; role and plan are read from the database at each request. */
export type Claims = {
  tenantId: string
  userId: string
  sessionId: string
  /** What the API key that asks may do; absent where a person asks. */
  keyScopes?: readonly Scope[]
}

/** The signed-in user of a request, as the database knows it now. */
export type Actor = Claims & {
  role: Role
  /** What stands in records: the role of a person, or 'api_key'. */
  userType: UserType
  userName: string
  email: string
  companyName: string
  /** What the company calls its locations itself. */
  locationNames: LocationNames
  plan: PlanKey
  timeZone: string
  /** Whether only administrators are told what came of counts. */
  strictBlindCounts: boolean
  /** The weekday it is now in that time zone, by the database's clock: 'Monday' … 'Sunday'. */
  weekday: string
  /** The day it is there: '2026-11-23'. */
  today: string
  trialEndsAt: Date
  /** Whether the plan has a seat for this user. */
  seated: boolean
  /** How the company stands with its plan. */
  subscription: SubscriptionStatus
}

/** All that the text of a list may depend on, beside the company's rows and what was asked for. */
export type Reader = Pick<Actor, 'tenantId' | 'role' | 'plan' | 'timeZone' | 'weekday' | 'today'>

/** Throws 'forbidden' for anybody but an administrator. */
export function requireAdmin(actor: Pick<Actor, 'role'>): void {
  if (actor.role !== 'admin') throw new AppError('forbidden')
}

/** Throws 'trial_expired' or 'not_seated' where the company's plan does not let this user change stock, count or print. */
export function requireStanding(actor: Pick<Actor, 'seated' | 'subscription'>): void {
  if (actor.subscription === 'trial_expired') throw new AppError('trial_expired')
  if (!actor.seated) throw new AppError('not_seated')
}

/** Throws 'plan_required' where the company's plan has no API access, with a sentence that names the plan. */
export function requireApiAccess({ plan }: Pick<Actor, 'plan'>): void {
  if (!hasApiAccess(plan)) throw new AppError('plan_required', { sentence: noApiAccess(plan) })
}

/** Throws 'location_not_in_plan' when the company's plan does not open the location. */
export function requireLocation(actor: Pick<Actor, 'plan'>, location: LocationCode): void {
  if (!planOffers(actor.plan, location)) throw new AppError('location_not_in_plan')
}

/** Whether somebody may not have it, by role, scope or password, or the company has it no more. */
export type RefusedBy = 'role' | 'plan'

/** What the HTTP layer needs to know who is asking; given by the accounts capability. */
export type Identity = {
  /** Throws 'unauthorized' for anything but a valid bearer token or API key. */
  claimsOf(authorization: string | undefined): Promise<Claims>
  /** Throws 'unauthorized' when the session is over or the user is no longer active. */
  actorOf(tx: Tx, claims: Claims): Promise<Actor>
  /** Records that a call was refused, for the same person and call only so often. */
  recordRefusal(claims: Claims, call: string, by: RefusedBy): Promise<void>
}
