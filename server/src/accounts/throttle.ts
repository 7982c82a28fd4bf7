import { createHash } from 'node:crypto'
import type { OutsideDb } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { countAttempt, forgetAttempts, uncountAttempt } from './queries.ts'

export type AttemptLimit = {
  kind: 'account' | 'address' | 'registration'
  limit: number
  windowSeconds: number
}

/** Only a hash is stored: the table must not tell who tried to sign in. */
function keyOf(limit: AttemptLimit, subject: string): string {
  return createHash('sha256').update(`${limit.kind}\n${subject}`).digest('base64url')
}

/** Counts an attempt; throws 429 past the limit, alike for accounts that exist and that do not. */
export async function takeAttempt(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  const taken = await countAttempt(db, keyOf(limit, subject), limit.windowSeconds)
  if (taken > limit.limit) throw new AppError('too_many_requests', { retryAfterSeconds: limit.windowSeconds })
}

/** Gives back one attempt. An address keeps its other ones: signing in to an account of one's own must not clear the
 * guesses at other people's. */
export async function giveBackAttempt(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  await uncountAttempt(db, keyOf(limit, subject))
}

export async function clearAttempts(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  await forgetAttempts(db, keyOf(limit, subject))
}
