import { createHash } from 'node:crypto'
import type { Config } from '../platform/config.ts'
import type { OutsideDb } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { countAttempt, forgetAttempts, uncountAttempt } from './queries.ts'

export type AttemptLimit = {
  kind: 'account' | 'address' | 'registration' | 'link' | 'forgotten' | 'forgotten_account'
  limit: number
  windowSeconds: number
}

export type SignInLimits = Pick<Config, 'SIGN_INS_PER_ACCOUNT' | 'SIGN_INS_PER_ADDRESS'>

const windowSeconds = 900

/** Guesses at one account's password. */
export function perAccount(limits: SignInLimits): AttemptLimit {
  return { kind: 'account', limit: limits.SIGN_INS_PER_ACCOUNT, windowSeconds }
}

/** Guesses from one address: at passwords, at the secrets of links, or requests for links. */
export function perAddress(
  limits: SignInLimits,
  kind: 'address' | 'link' | 'forgotten' = 'address',
): AttemptLimit {
  return { kind, limit: limits.SIGN_INS_PER_ADDRESS, windowSeconds }
}

/** Only a hash is stored: the table must not tell who tried to sign in. */
function keyOf(limit: AttemptLimit, subject: string): string {
  return createHash('sha256').update(`${limit.kind}\n${subject}`).digest('base64url')
}

/** Counts an attempt; throws 429 past the limit, alike for accounts that exist and that do not. */
export async function takeAttempt(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  const { taken, secondsLeft } = await countAttempt(db, keyOf(limit, subject), limit.windowSeconds)
  if (taken > limit.limit) throw new AppError('too_many_requests', { retryAfterSeconds: secondsLeft })
}

/** Gives back one attempt. An address keeps its other ones: signing in to an account of one's own must not clear the
 * guesses at other people's. */
export async function giveBackAttempt(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  await uncountAttempt(db, keyOf(limit, subject))
}

export async function clearAttempts(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  await forgetAttempts(db, keyOf(limit, subject))
}
