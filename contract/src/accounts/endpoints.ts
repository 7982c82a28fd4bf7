import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { planKeys } from '../plans.ts'
import { roles } from '../roles.ts'
import { instant, text } from '../values.ts'
import { registrationMessages } from './messages.ts'
import { email, newPassword, password, timeZone } from './rules.ts'

const ownName = z.optional(z.string())

export const signedInUser = z.object({
  id: z.string(),
  tenantId: z.string(),
  companyName: z.string(),
  role: z.enum(roles),
  email: z.string(),
  name: z.string(),
  plan: z.enum(planKeys),
  // Whether the plan has a seat for them, which a node of the version before does not say.
  seated: z.optional(z.boolean()),
  // A node of the version before says none.
  locationNames: z
    .optional(z.object({ PRIMARY: ownName, SECONDARY: ownName, FULFILLMENT: ownName, DISTRIBUTION: ownName }))
    .check(z.describe('By their codes; others have their standard names.')),
})

export type SignedInUser = z.output<typeof signedInUser>

/** What every way of signing in answers. */
export const signedInReply = z.object({
  success: z.literal(true),
  token: z.string(),
  user: signedInUser,
})

/** Registers a company with its first administrator (specification 7). */
export const registerTenant = endpoint({
  method: 'POST',
  path: '/api/auth/register-tenant',
  access: 'public',
  effect: 'write',
  summary: 'Register a company and its first administrator',
  body: z.object({
    companyName: text(200).check(z.trim(), z.minLength(1, registrationMessages.companyRequired)),
    contactEmail: email,
    contactName: text(200).check(z.trim(), z.minLength(1, registrationMessages.nameRequired)),
    adminPasscode: newPassword,
    plan: z._default(z.enum(planKeys), 'starter'),
    timeZone: z._default(timeZone, 'UTC'),
  }),
  reply: {
    status: 201,
    json: z.object({
      success: z.literal(true),
      message: z.string(),
      tenant: z.object({
        id: z.string(),
        companyName: z.string(),
        plan: z.enum(planKeys),
        trialEndsAt: instant,
      }),
    }),
  },
  errors: ['email_taken', 'key_reused', 'registration_closed'],
})

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  effect: 'write',
  keyless: true,
  summary: 'Sign in with e-mail and password',
  body: z.object({ email: text(254).check(z.trim(), z.toLowerCase()), passcode: password }),
  reply: {
    status: 200,
    json: signedInReply,
  },
  errors: ['invalid_credentials'],
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'member',
  effect: 'write',
  summary: 'End this session',
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: [],
})

/** The user of a session whose browser has lost what sign-in told it, and what else there is to know of the own address. */
export const whoAmI = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  access: 'member',
  effect: 'read',
  summary: 'Show the signed-in user',
  reply: {
    status: 200,
    json: z.object({
      user: signedInUser,
      // A node of the version before says neither.
      email_confirmed: z
        .optional(z.boolean())
        .check(
          z.describe(
            'Whether the user has confirmed their address. Mails of low stock go to confirmed ones only.',
          ),
        ),
      sends_mail: z.optional(z.boolean()).check(z.describe('Whether this installation sends mails.')),
    }),
  },
  errors: [],
})

/** Ends every other session of the user at once, on every node. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/auth/change-password',
  access: 'member',
  effect: 'write',
  summary: 'Change the own password and end all other sessions',
  body: z.object({
    passcode: password,
    newPasscode: newPassword,
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true), ended: z.int() }) },
  errors: ['wrong_password', 'too_many_requests'],
})

/** Who the server takes the caller for; a diagnostic. */
export const tenantContext = endpoint({
  method: 'GET',
  path: '/test-tenant-context',
  access: 'member',
  effect: 'read',
  summary: 'Show the company, user and role of the session',
  reply: {
    status: 200,
    json: z.object({ tenant_id: z.string(), user_id: z.string(), role: z.enum(roles) }),
  },
  errors: [],
})
