import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { roles } from '../roles.ts'
import { instant, text } from '../values.ts'
import { signedInReply } from './endpoints.ts'
import { registrationMessages } from './messages.ts'
import { email, newPassword } from './rules.ts'

/** The secret of a one-time link: in bodies only, so that no address holds it and no log. */
const secret = text(200)

/** What a one-time link is for, to be shown before it is used. Looking does not use it up. */
export const readLink = endpoint({
  method: 'POST',
  path: '/api/auth/link',
  access: 'public',
  effect: 'read',
  summary: 'Show what a one-time link is for',
  body: z.object({ secret }),
  reply: {
    status: 200,
    json: z.object({
      kind: z.enum(['invitation', 'password', 'email']),
      company_name: z.string(),
      email: z.string(),
      name: z.string(),
      role: z.enum(roles),
      expires_at: instant,
    }),
  },
  errors: ['link_invalid'],
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/accept-invitation',
  access: 'public',
  effect: 'write',
  summary: 'Accept an invitation: become a user of the company and sign in',
  body: z.object({
    secret,
    name: text(200).check(z.trim(), z.minLength(1, registrationMessages.nameRequired)),
    passcode: newPassword,
  }),
  reply: { status: 201, json: signedInReply },
  errors: ['link_invalid', 'user_limit', 'email_taken', 'name_taken'],
})

/** The same answer whether or not the address has an account. */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'public',
  effect: 'write',
  keyless: true,
  summary: 'Ask for a link to set a new password',
  body: z.object({ email }),
  reply: {
    status: 200,
    json: z.object({ success: z.literal(true), way: z.enum(['mail', 'administrator']), message: z.string() }),
  },
  errors: [],
})

/** Ends every session of the user, then begins one here. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'public',
  effect: 'write',
  summary: 'Set a new password with a one-time link and sign in',
  body: z.object({ secret, passcode: newPassword }),
  reply: { status: 200, json: signedInReply },
  errors: ['link_invalid'],
})

/** Signs nobody in. Sent again with the same link it succeeds again. */
export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/auth/confirm-email',
  access: 'public',
  effect: 'write',
  keyless: true,
  summary: 'Confirm with a one-time link that an address is one’s own',
  body: z.object({ secret }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['link_invalid'],
})
