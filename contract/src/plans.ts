import { locations, type Location, type LocationCode } from './locations.ts'

export const planKeys = ['starter', 'professional', 'enterprise'] as const

export type PlanKey = (typeof planKeys)[number]

/** The one plan catalogue (specification 9), in the order of its keys. `null` is unlimited. */
export const plans = [
  {
    key: 'starter',
    name: 'Starter',
    price: '$29/month',
    description: 'For one warehouse',
    popular: false,
    features: ['500 labels per month', '1 location', '3 users', 'Basic support'],
    labelsPerMonth: 500,
    maxLocations: 1,
    maxUsers: 3,
  },
  {
    key: 'professional',
    name: 'Professional',
    price: '$99/month',
    description: 'For growing operations',
    popular: true,
    features: ['2,000 labels per month', '3 locations', '10 users', 'API access', 'Custom branding'],
    labelsPerMonth: 2000,
    maxLocations: 3,
    maxUsers: 10,
  },
  {
    key: 'enterprise',
    name: 'Enterprise',
    price: '$299/month',
    description: 'For everything you have',
    popular: false,
    features: [
      'Unlimited labels',
      'Unlimited locations',
      'Unlimited users',
      'Priority support',
      'Custom integrations',
    ],
    labelsPerMonth: null,
    maxLocations: null,
    maxUsers: null,
  },
] as const satisfies readonly ({ key: PlanKey } & Record<string, unknown>)[]

export type Plan = (typeof plans)[number]

export const trialDays = 14

export function getPlan(key: PlanKey): Plan {
  const plan = plans.find((candidate) => candidate.key === key)
  if (plan === undefined) throw new Error('There is no such plan.')
  return plan
}

/** Whether a plan has what begins with another one; the order of the keys is the plans' order. */
export function includesPlan(key: PlanKey, from: PlanKey): boolean {
  return planKeys.indexOf(key) >= planKeys.indexOf(from)
}

/** The locations a plan opens, in catalogue order. */
export function planLocations(key: PlanKey): Location[] {
  return locations.filter((location) => includesPlan(key, location.requiredPlan))
}

/** The codes of the locations a plan opens, in catalogue order. */
export function planLocationCodes(key: PlanKey): LocationCode[] {
  return planLocations(key).map(({ code }) => code)
}

export function planOffers(key: PlanKey, code: LocationCode): boolean {
  return planLocations(key).some((location) => location.code === code)
}

/** Logo and colour: professional and up (docs/security/rules.md, 'Who may do what'). */
export function hasBranding(plan: PlanKey): boolean {
  return includesPlan(plan, 'professional')
}
