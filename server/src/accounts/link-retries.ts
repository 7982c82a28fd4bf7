import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { findEarlierReply, requestHash, type Operation } from '../platform/http/idempotency.ts'
import { findUsedLink } from './link-queries.ts'
import { hashOf, tenantOf } from './link-secrets.ts'
import { inFairTurn, verifyPassword } from './passwords.ts'
import { findUserToSignIn } from './queries.ts'
import { begunSession, tokenFor, type SignedIn } from './sessions.ts'
import { clearGuesses, countedWork, giveBackGuess, takeGuess, type SignInLimits } from './throttle.ts'
import type { Tokens } from './tokens.ts'

/** What a link was used for: the call, and what it was given beside the secret and the password. */
export type LinkUse = { call: string; given: readonly string[] }

/** A use of a link under a key. Neither secret nor password is in its hash: a fast hash of those must not be stored. */
export function operationOf(key: string, { call, given }: LinkUse, linkId: string): Operation {
  return { key, hash: requestHash(call, [linkId, ...given]) }
}

/**
 * The sign-in of the same request sent before under its key, whose answer may have been lost on the way: a token for the
 * session it began. Null where there was none; throws 'key_reused' for another request, which one with another password is.
 */
export async function findSignIn(
  { database, tokens, limits }: { database: Database; tokens: Tokens; limits: SignInLimits },
  { secret, passcode, key, address }: { secret: string; passcode: string; key: string; address: string },
  use: LinkUse,
): Promise<SignedIn | null> {
  const tenantId = tenantOf(secret)
  const found = await database.inTenant(tenantId, async (tx) => {
    const link = await findUsedLink(tx, hashOf(secret))
    const user = link === null ? null : await findUserToSignIn(tx, link.user_id)
    if (link === null || user === null) return null
    const earlier = await findEarlierReply(tx, user.id, operationOf(key, use, link.id))
    return earlier === null ? null : { user, session: begunSession.parse(earlier.reply) }
  })
  if (found === null) return null
  const { user } = found
  await takeGuess(database.outside, limits, user.email)
  const correct = await countedWork(
    () => inFairTurn({ email: user.email, address }, () => verifyPassword(user.password_hash, passcode)),
    () => giveBackGuess(database.outside, limits, user.email),
  )
  if (!correct) throw new AppError('key_reused')
  await clearGuesses(database.outside, limits, user.email)
  return await tokenFor(tokens, { tenantId, ...found })
}
