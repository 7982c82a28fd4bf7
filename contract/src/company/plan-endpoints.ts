import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { planKeys } from '../plans.ts'
import { instant } from '../values.ts'
import { subscriptionStatuses } from './subscription.ts'

/** What nobody can change any more once the company has a plan; it all stays there to be read. */
const readOnlyAfter = z.object({
  locations: z
    .array(z.object({ code: z.string(), name: z.string(), skus: z.int(), units: z.number() }))
    .check(z.describe('Locations that hold stock or were counted, outside the plan.')),
  users: z
    .array(z.object({ name: z.string(), email: z.string() }))
    .check(z.describe("Users beyond the plan's number: the last who joined, administrators kept first.")),
  // A node of the version before says none.
  invitations: z
    .optional(z.int())
    .check(z.describe('How many open invitations would find no seat; a later seat makes room for them.')),
  stops: z
    .object({ api_keys: z.int(), webhooks: z.int(), branding: z.boolean() })
    .check(
      z.describe(
        'What other programs and looks stop until a plan has them again: keys and webhooks that work now, own branding.',
      ),
    ),
})

export type ReadOnlyAfter = z.output<typeof readOnlyAfter>

export const getPlanState = endpoint({
  method: 'GET',
  path: '/api/company/plan',
  access: 'admin',
  effect: 'read',
  summary: "Show the company's plan, its use, and what each plan would mean",
  reply: {
    status: 200,
    json: z.object({
      plan: z.enum(planKeys),
      status: z.enum(subscriptionStatuses),
      trial_ends_at: instant,
      billing: z.object({
        provider: z
          .enum(['none', 'stripe'])
          .check(
            z.describe(
              "'none': a plan is changed at once. 'stripe': it is paid for, and managed in the portal.",
            ),
          ),
        has_subscription: z.boolean(),
        period_ends_at: z.nullable(instant),
        ends_with_period: z.boolean(),
      }),
      usage: z.object({ labels: z.int(), locations: z.int(), users: z.int(), invited: z.int() }),
      choices: z.array(z.object({ plan: z.enum(planKeys), read_only: readOnlyAfter })),
    }),
  },
  errors: [],
})

export const changePlan = endpoint({
  method: 'POST',
  path: '/api/company/plan',
  access: 'admin',
  effect: 'write',
  summary: 'Change the plan, or begin to pay for one',
  description: 'With a checkout address in the reply the plan begins once that is paid.',
  body: z.object({ plan: z.enum(planKeys), accept_read_only: z._default(z.boolean(), false) }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      plan: z.enum(planKeys),
      checkout_url: z.nullable(z.string()),
    }),
  },
  errors: ['plan_reduces', 'billing_failed'],
})

export const openBillingPortal = endpoint({
  method: 'POST',
  path: '/api/company/plan/portal',
  access: 'admin',
  effect: 'write',
  keyless: true,
  summary: 'Open the page where cards, invoices and the end of a subscription are managed',
  reply: { status: 200, json: z.object({ success: z.literal(true), url: z.string() }) },
  errors: ['no_subscription', 'billing_failed'],
})
