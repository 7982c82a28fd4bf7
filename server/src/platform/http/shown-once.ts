import type { Database, Tx } from '../db/database.ts'
import { AppError } from './app-error.ts'
import { once, requestHash } from './idempotency.ts'
import type { Actor, Claims, Identity } from './identity.ts'

/** A transaction of an administrator, for calls whose replies must not be kept in the record of operations. */
export async function asAdministrator<T>(
  { database, identity }: { database: Database; identity: Identity },
  claims: Claims,
  work: (tx: Tx, actor: Actor) => Promise<T>,
): Promise<T> {
  return await database.inTenant(claims.tenantId, async (tx) => {
    const actor = await identity.actorOf(tx, claims)
    if (actor.role !== 'admin') throw new AppError('forbidden')
    return await work(tx, actor)
  })
}

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
