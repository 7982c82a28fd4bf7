import { getPlan, includesPlan, type PlanKey } from '../plans.ts'

/** Whether a plan includes API access, which is keys and webhooks: professional and up (specification 9). */
export function hasApiAccess(plan: PlanKey): boolean {
  return includesPlan(plan, 'professional')
}

/** Why a company without it cannot use keys and webhooks. */
export function noApiAccess(plan: PlanKey): string {
  return `API access comes with the ${getPlan('professional').name} plan and up. Your company has the ${getPlan(plan).name} plan.`
}

/** The most keys of a company that work at a time. */
export const maxApiKeys = 50
