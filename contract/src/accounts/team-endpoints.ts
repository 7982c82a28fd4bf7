import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../id-params.ts'
import { roles } from '../roles.ts'
import { instant } from '../values.ts'
import { email } from './rules.ts'

const teamMember = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  active: z.boolean(),
  seated: z
    .boolean()
    .check(
      z.describe(
        'Whether the plan has a seat for this user; without one everything can be read and nothing written.',
      ),
    ),
  last_seen: z.nullable(instant),
  counts_this_month: z.int(),
  sessions: z.int(),
})

export type TeamMember = z.output<typeof teamMember>

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  created_by: z.string(),
  created_at: instant,
  expires_at: instant,
  usable: z
    .boolean()
    .check(
      z.describe(
        'False while whoever invited is no administrator any more: the link is refused, and holds no seat.',
      ),
    ),
})

export type Invitation = z.output<typeof invitation>

const expiredInvitation = z.pick(invitation, {
  id: true,
  email: true,
  role: true,
  created_by: true,
  expires_at: true,
})

export type ExpiredInvitation = z.output<typeof expiredInvitation>

export const getTeam = endpoint({
  method: 'GET',
  path: '/api/team',
  access: 'admin',
  effect: 'read',
  summary: 'List the users, the open invitations and the seats of the plan',
  reply: {
    status: 200,
    json: z.object({
      users: z.array(teamMember),
      invitations: z.array(invitation),
      expired_invitations: z
        .optional(z.array(expiredInvitation))
        .check(
          z.describe('Those that nobody accepted, for 30 days, or until their address is invited again.'),
        ),
      places: z
        .object({ used: z.int(), invited: z.int(), limit: z.nullable(z.int()) })
        .check(
          z.describe(
            'An open invitation holds a seat, so that whoever has the link finds one. `limit` null: unlimited.',
          ),
        ),
      mail: z.boolean().check(z.describe('Whether this installation can send mail.')),
    }),
  },
  errors: [],
})

/** How a link that was just made came to be sent. */
const howMailed = z.object({
  mailed: z
    .enum(['off', 'sent', 'failed'])
    .check(
      z.describe('No mail was asked for, or none is sent here; the mail server took it; or it was not sent.'),
    ),
  not_mailed: z
    .optional(z.string())
    .check(
      z.describe(
        'Of one that was not sent, in a sentence, what limit it is beyond; left out where it is beyond none.',
      ),
    ),
})

export type HowMailed = z.output<typeof howMailed>

/** The only time the link's secret is shown: the database holds a hash. */
const madeLink = z.object({
  success: z.literal(true),
  secret: z.string(),
  expires_at: instant,
  public_url: z
    .optional(z.string())
    .check(
      z.describe('What the link begins with, as the operator has set it; left out where nothing is set.'),
    ),
  ...howMailed.shape,
})

export const invite = endpoint({
  method: 'POST',
  path: '/api/team/invitations',
  access: 'admin',
  effect: 'write',
  summary: 'Invite somebody by a one-time link',
  description: 'An open invitation of the same address is replaced.',
  body: z.object({ email, role: z._default(z.enum(roles), 'user'), mail: z._default(z.boolean(), true) }),
  reply: { status: 201, json: madeLink },
  errors: ['user_limit', 'email_taken', 'shown_once'],
})

const done = z.object({ success: z.literal(true) })

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/team/invitations/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'Take an invitation back',
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found'],
})

export const changeRole = endpoint({
  method: 'POST',
  path: '/api/team/users/{id}/role',
  access: 'admin',
  effect: 'write',
  summary: 'Make a user an administrator, or no longer one',
  params: idParams,
  body: z.object({ role: z.enum(roles) }),
  reply: { status: 200, json: done },
  errors: ['not_found', 'last_admin'],
})

export const deactivateUser = endpoint({
  method: 'POST',
  path: '/api/team/users/{id}/deactivate',
  access: 'admin',
  effect: 'write',
  summary: 'Keep a user from signing in',
  description:
    "Ends the user's sessions; what they did stays theirs. The address is free: another company may invite it.",
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found', 'last_admin'],
})

export const reactivateUser = endpoint({
  method: 'POST',
  path: '/api/team/users/{id}/reactivate',
  access: 'admin',
  effect: 'write',
  summary: 'Let a deactivated user sign in again',
  description: 'Refused as `email_taken` where the address has another account by now.',
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found', 'user_limit', 'email_taken'],
})

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/team/users/{id}/sign-out',
  access: 'admin',
  effect: 'write',
  summary: 'End every session of a user',
  params: idParams,
  reply: { status: 200, json: z.object({ success: z.literal(true), ended: z.int() }) },
  errors: ['not_found'],
})

export const makePasswordLink = endpoint({
  method: 'POST',
  path: '/api/team/users/{id}/password-link',
  access: 'admin',
  effect: 'write',
  summary: 'Make a one-time link by which a user sets a new password',
  description: 'For somebody who forgot the password: an earlier link of theirs is no longer good.',
  params: idParams,
  body: z.object({ mail: z._default(z.boolean(), false) }),
  reply: { status: 201, json: madeLink },
  errors: ['not_found', 'shown_once'],
})
