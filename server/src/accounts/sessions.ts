import { randomUUID } from 'node:crypto'
import type { SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Claims } from '../platform/http/identity.ts'
import { createSession, type findUserToSignIn } from './queries.ts'
import { sessionHours, type Tokens } from './tokens.ts'

type UserRow = NonNullable<Awaited<ReturnType<typeof findUserToSignIn>>>

export type SignedIn = { token: string; user: SignedInUser }

/** Begins a session for a user who has just proved to be who they are, and records by which way. */
export async function openSession(
  tx: Tx,
  tokens: Tokens,
  {
    user,
    userAgent,
    way,
  }: { user: UserRow; userAgent: string; way: 'password' | 'invitation' | 'password_link' },
): Promise<SignedIn> {
  const claims: Claims = { tenantId: tx.tenantId, userId: user.id, sessionId: randomUUID() }
  const { expiresAt } = await createSession(tx, { ...claims, userAgent, hours: sessionHours })
  await recordAudit(
    tx,
    { userId: user.id, role: user.role, userName: user.name },
    {
      kind: 'authentication',
      event: 'login_successful',
      source: 'authentication',
      metadata: { type: 'auth_event', ...(way === 'password' ? {} : { way }) },
    },
  )
  return {
    token: await tokens.sign(claims, expiresAt),
    user: {
      id: user.id,
      tenantId: tx.tenantId,
      companyName: user.company_name,
      role: user.role,
      email: user.email,
      name: user.name,
      plan: user.plan,
    },
  }
}
