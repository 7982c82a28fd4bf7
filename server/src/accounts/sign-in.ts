import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { auditActorOf, recordAuthentication } from '../audit/authentication.ts'
import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import type { Later } from '../platform/later.ts'
import { inFairTurn, verifyPassword } from './passwords.ts'
import { findLogin, findUserToSignIn, isStillPassword } from './queries.ts'
import { beginSession, tokenFor, type SignedIn } from './sessions.ts'
import {
  clearGuesses,
  countedWork,
  giveBackOfNetwork,
  giveBackGuess,
  guesserAt,
  knowPlace,
  perAddress,
  takeOfNetwork,
  takeGuess,
  type SignInLimits,
} from './throttle.ts'
import type { Tokens } from './tokens.ts'

type SignInParts = { database: Database; tokens: Tokens; limits: SignInLimits; later: Later }

/** Whose account an address is; of none it looks for a user all the same, so that the time does not tell. */
async function findAccount(database: Database, email: string) {
  const login = await findLogin(database.outside, email)
  const { tenantId, userId } = login ?? { tenantId: randomUUID(), userId: randomUUID() }
  const user = await database.inTenant(tenantId, (tx) => findUserToSignIn(tx, userId))
  return user === null ? null : { tenantId, user }
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

async function recordFailure(database: Database, { tenantId, user }: Account): Promise<void> {
  // The reply goes out first.
  await setImmediate()
  await database.inTenant(tenantId, async (tx) => {
    await recordAuthentication(tx, auditActorOf(user), { event: 'login_failed', reason: 'wrong_password' })
  })
}

/** Signs a user in: a session row and a token for it. The same answer, work and time for unknown accounts. */
export async function signIn(
  { database, tokens, limits, later }: SignInParts,
  { email, passcode }: { email: string; passcode: string },
  caller: Caller,
): Promise<SignedIn> {
  const giveBack = () => giveBackOfNetwork(database.outside, perAddress(limits), caller.address)
  await takeOfNetwork(database.outside, perAddress(limits), caller.address)
  const place = { email, address: caller.address }
  const guesser = await guesserAt(database.outside, place)
  try {
    await takeGuess(database.outside, limits, guesser)
  } catch (error) {
    // Nobody has looked at the password: it is no guess of the address.
    await giveBack()
    throw error
  }

  const account = await findAccount(database, email)
  const correct = await countedWork(
    () => inFairTurn(place, () => verifyPassword(account?.user.password_hash ?? null, passcode)),
    async () => {
      await giveBackGuess(database.outside, limits, guesser)
      await giveBack()
    },
  )
  // After the reply: of no account there is nothing to record, and the time would tell.
  if (account !== null && !correct) later.run(() => recordFailure(database, account))
  if (account === null || !correct) throw new AppError('invalid_credentials')

  await clearGuesses(database.outside, limits, guesser)
  await knowPlace(database.outside, place)
  await giveBack()
  const { tenantId, user } = account
  const session = await database.inTenant(tenantId, async (tx) => {
    // Whoever chose a new password meanwhile has ended every session, and this would be one more.
    if (!(await isStillPassword(tx, user))) throw new AppError('invalid_credentials')
    return await beginSession(tx, { user, userAgent: caller.userAgent, way: 'password' })
  })
  return await tokenFor(tokens, { tenantId, user, session })
}
