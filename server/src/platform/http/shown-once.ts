import type { Tx } from '../db/database.ts'
import { AppError } from './app-error.ts'
import { once, requestHash } from './idempotency.ts'
import type { Actor } from './identity.ts'

/**
 * Does work whose result is a secret, once for an Idempotency-Key. The secret is not kept, so a retry cannot have it:
 * it throws 'shown_once' and changes nothing.
 */
export async function onceShown<T>(
  who: { tx: Tx; actor: Actor },
  { key, call, body }: { key: string | null; call: string; body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  if (key === null) return await work()
  const results: T[] = []
  await once(who, { key, hash: requestHash(call, body) }, async () => {
    results.push(await work())
    return null
  })
  const [result] = results
  if (result === undefined) throw new AppError('shown_once')
  return result
}
