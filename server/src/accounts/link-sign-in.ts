import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import type { Tx } from '../platform/db/database.ts'
import { once } from '../platform/http/idempotency.ts'
import { findSignIn, operationOf, type LinkUse } from './link-retries.ts'
import type { getUserToSignIn, LinkParts, OpenLink } from './links.ts'
import { beginSession, tokenFor, type SignedIn } from './sessions.ts'
import { giveBackOfNetwork, perAddress } from './throttle.ts'

/** What somebody sends who follows a link to sign in. */
export type LinkRequest = { secret: string; passcode: string; caller: Caller; key: string | null }

/** Begins the session a link leads to, in the transaction that uses the link up, and keeps it under the request's key. */
export async function signInByLink(
  tx: Tx,
  { tokens }: LinkParts,
  {
    link,
    user,
    use,
    caller,
    key,
  }: {
    link: OpenLink
    user: Awaited<ReturnType<typeof getUserToSignIn>>
    use: LinkUse
    caller: Caller
    key: string | null
  },
): Promise<SignedIn> {
  const way = link.kind === 'invitation' ? 'invitation' : 'password_link'
  const session = await beginSession(tx, { user, userAgent: caller.userAgent, way })
  if (key !== null) {
    const operation = operationOf(key, use, link.id)
    await once({ tx, actor: { userId: user.id } }, operation, () => Promise.resolve(session))
  }
  return await tokenFor(tokens, { tenantId: tx.tenantId, user, session })
}

/** Uses a link up; the same request sent again under its key, when the link is used already, is answered as before. */
export async function usingUp(
  parts: LinkParts,
  { secret, passcode, caller, key, use }: LinkRequest & { use: LinkUse },
  work: () => Promise<SignedIn>,
): Promise<SignedIn> {
  try {
    return await work()
  } catch (error) {
    const isUsed = error instanceof AppError && error.code === 'link_invalid'
    const earlier =
      isUsed && key !== null
        ? await findSignIn(parts, { secret, passcode, key, address: caller.address }, use)
        : null
    if (earlier === null) throw error
    await giveBackOfNetwork(parts.database.outside, perAddress(parts.limits, 'link'), caller.address)
    return earlier
  }
}
