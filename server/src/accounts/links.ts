import { linkMessages } from '@inventory-manager/contract/accounts/messages'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import type { Mailer } from '../platform/mail.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import {
  createLink,
  findOpenLink,
  isConfirmation,
  revokeConfirmations,
  revokeInvitationsOf,
  revokeShortPasswordLinks,
  type LinkMaker,
  type NewLink,
} from './link-queries.ts'
import { hashOf, newSecret, tenantOf } from './link-secrets.ts'
import { findUserToSignIn } from './queries.ts'
import { giveBackOfNetwork, perAddress, takeOfNetwork, type SignInLimits } from './throttle.ts'
import type { Tokens } from './tokens.ts'

export type LinkParts = {
  database: Database
  notices: Pick<Notices, 'changed'>
  tokens: Tokens
  limits: SignInLimits
  mailer: Mailer | null
}

export const invitationHours = 7 * 24
export const administratorsLinkHours = 24

type LinkTo =
  | Pick<Extract<NewLink, { kind: 'invitation' }>, 'kind' | 'email' | 'role'>
  | Pick<Extract<NewLink, { kind: 'password' }>, 'kind' | 'email' | 'userId'>
  | Pick<Extract<NewLink, { kind: 'email' }>, 'kind' | 'email' | 'userId'>

export type MadeLink = { secret: string; expiresAt: Date }

async function revokeEarlier(tx: Tx, to: LinkTo, hours: number): Promise<void> {
  switch (to.kind) {
    case 'invitation':
      return await revokeInvitationsOf(tx, to.email)
    case 'password':
      // Whoever asks for a mail may be anybody, and ends nothing that an administrator made.
      return await revokeShortPasswordLinks(tx, to.userId, hours)
    case 'email':
      return await revokeConfirmations(tx, to.userId)
  }
}

/** Makes a link; earlier open ones for the same that were good for no longer are good no more. Only the hash of its secret is stored. */
export async function makeLink(
  tx: Tx,
  to: LinkTo,
  { hours, maker }: { hours: number; maker: LinkMaker },
): Promise<MadeLink> {
  await revokeEarlier(tx, to, hours)
  const secret = newSecret(tx.tenantId)
  const { expiresAt } = await createLink(tx, { ...to, secretHash: hashOf(secret), maker, hours })
  return { secret, expiresAt }
}

export type OpenLink = NonNullable<Awaited<ReturnType<typeof findOpenLink>>>

/** A link that can be used; throws 'link_invalid'. */
export async function getOpenLink(tx: Tx, secret: string): Promise<OpenLink> {
  const secretHash = hashOf(secret)
  const link = await findOpenLink(tx, secretHash)
  if (link === null) {
    const isOwn = await isConfirmation(tx, secretHash)
    throw new AppError('link_invalid', isOwn ? { sentence: linkMessages.sendAnother } : {})
  }
  if (!link.usable) throw new AppError('link_invalid', { sentence: linkMessages.noMakerAnyMore })
  return link
}

/** What an open link is for. Wrong ones count as guesses of the address. */
export async function lookAtLink(
  { database, limits }: LinkParts,
  secret: string,
  caller: Caller,
): Promise<OpenLink> {
  const guesses = perAddress(limits, 'link')
  await takeOfNetwork(database.outside, guesses, caller.address)
  const link = await database.inTenant(tenantOf(secret), (tx) => getOpenLink(tx, secret))
  await giveBackOfNetwork(database.outside, guesses, caller.address)
  return link
}

/** Whose link it is; throws 'link_invalid' for who may not sign in. */
export async function getUserToSignIn(tx: Tx, userId: string) {
  const user = await findUserToSignIn(tx, userId)
  if (user === null) throw new AppError('link_invalid')
  return user
}
