import { randomUUID } from 'node:crypto'
import type { SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import { z } from 'zod'
import { auditActorOf, recordAuthentication } from '../audit/authentication.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Claims } from '../platform/http/identity.ts'
import { createSession, type findUserToSignIn } from './queries.ts'
import { sessionHours, type Tokens } from './tokens.ts'

type UserRow = NonNullable<Awaited<ReturnType<typeof findUserToSignIn>>>

export type SignedIn = { token: string; user: SignedInUser }

export const begunSession = z.object({ sessionId: z.string(), expiresAt: z.coerce.date() })

/** What a token is made for; of a sign-in under a key this is kept, and the token, which is a secret, is not. */
type BegunSession = z.output<typeof begunSession>

type Beginning = {
  user: UserRow
  userAgent: string
  way: 'password' | 'invitation' | 'password_link'
}

/** Begins a session for a user who has just proved to be who they are, and records by which way. */
export async function beginSession(tx: Tx, { user, userAgent, way }: Beginning): Promise<BegunSession> {
  const sessionId = randomUUID()
  const claims: Claims = { tenantId: tx.tenantId, userId: user.id, sessionId }
  const { expiresAt } = await createSession(tx, { ...claims, userAgent, hours: sessionHours })
  await recordAuthentication(tx, auditActorOf(user), {
    event: 'login_successful',
    ...(way === 'password' ? {} : { way }),
  })
  return { sessionId, expiresAt }
}

/** What every way of signing in answers, with a token for the session. */
export async function tokenFor(
  tokens: Tokens,
  { tenantId, user, session }: { tenantId: string; user: UserRow; session: BegunSession },
): Promise<SignedIn> {
  const claims: Claims = { tenantId, userId: user.id, sessionId: session.sessionId }
  return {
    token: await tokens.sign(claims, session.expiresAt),
    user: {
      id: user.id,
      tenantId,
      companyName: user.company_name,
      locationNames: user.location_names,
      role: user.role,
      email: user.email,
      name: user.name,
      plan: user.plan,
      seated: user.seated,
    },
  }
}
