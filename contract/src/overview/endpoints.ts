import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { subscriptionStatuses } from '../company/subscription.ts'
import { locationCodes } from '../locations.ts'
import { planKeys } from '../plans.ts'
import { instant } from '../values.ts'

const limit = z.union([z.int(), z.literal('unlimited')])

export const dashboard = endpoint({
  method: 'GET',
  path: '/api/dashboard',
  access: 'member',
  effect: 'read',
  summary: 'Plan, use of its limits, and recent activity',
  reply: {
    status: 200,
    json: z.object({
      subscription: z.object({
        plan: z.enum(planKeys),
        status: z.enum(subscriptionStatuses),
        trial_days_remaining: z.int(),
        trial_ends_at: instant,
        // Who takes payments, which a node of the version before does not say.
        provider: z.optional(z.enum(['none', 'stripe'])),
        ended: z.boolean().check(z.describe('Whether what is over is a subscription, not the trial alone.')),
      }),
      usage: z.object({
        labels_used: z.int(),
        labels_limit: limit,
        locations_used: z.int(),
        locations_limit: limit,
        users_used: z.int(),
        users_limit: limit,
      }),
      /** This month's count at the locations of the plan, and for administrators what waits for a decision. */
      counting: z.object({
        components: z.int(),
        days_left: z.int(),
        elapsed_share: z.number(),
        locations: z.array(
          z.object({
            location: z.enum(locationCodes),
            counted: z.int(),
            // A node of the version before says none.
            total: z
              .optional(z.int())
              .check(z.describe('How many of the components the location keeps, and counts.')),
          }),
        ),
        open_discrepancies: z.optional(z.int()),
        open_unknown_codes: z.optional(z.int()),
        has_costs: z
          .optional(z.boolean())
          .check(z.describe('Whether a unit cost was ever said; only administrators see this.')),
      }),
      recent_activity: z.array(
        z.object({
          description: z.string(),
          // A node of the version before says none.
          sku: z
            .nullish(z.string())
            .check(z.describe('The component that it is about; null where it is about none that is there.')),
          timestamp: instant,
        }),
      ),
    }),
  },
  errors: [],
})

export const live = endpoint({
  method: 'GET',
  path: '/health/live',
  access: 'public',
  effect: 'read',
  summary: 'Whether this process answers at all; a supervisor restarts it when it does not',
  reply: { status: 200, json: z.object({ status: z.literal('ok'), uptime_s: z.number() }) },
  errors: [],
})

export const ready = endpoint({
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  effect: 'read',
  summary: 'Whether requests may be sent to this server; 503 while its database does not answer',
  reply: { status: 200, json: z.object({ status: z.literal('ready') }) },
  errors: ['unavailable'],
})

export const health = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  effect: 'read',
  summary: 'Whether this server can do its work',
  reply: {
    status: 200,
    json: z.object({
      status: z.literal('ok'),
      version: z.string(),
      database: z.literal('ok'),
      uptime_s: z.number(),
    }),
  },
  errors: ['unavailable'],
})
