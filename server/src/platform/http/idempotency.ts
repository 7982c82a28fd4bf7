import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import { AppError } from './app-error.ts'
import type { Actor } from './identity.ts'

const keyForm = /^[\x21-\x7e]{1,255}$/

/** The request's Idempotency-Key, or null without one; throws 'invalid_request' for one that is not 1 to 255 visible characters. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && keyForm.test(key)) return key
  throw new AppError('invalid_request', {
    sentence: 'The Idempotency-Key must have 1 to 255 visible characters.',
  })
}

/** A fingerprint of what a request asks for, to tell a retry from another request under the same key. */
export function requestHash(call: string, input: unknown): string {
  return createHash('sha256')
    .update(`${call}\n${JSON.stringify(input)}`)
    .digest('base64')
}

export type Operation = { key: string; hash: string }

/** The reply to an earlier request under a key; null without one. Throws 'key_reused' for another request. */
export async function findEarlierReply(
  tx: Tx,
  userId: string,
  { key, hash }: Operation,
): Promise<{ reply: unknown } | null> {
  const earlier = await tx.db
    .selectFrom('operations')
    .select(['request_hash', 'reply'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (earlier === undefined) return null
  if (earlier.request_hash !== hash) throw new AppError('key_reused')
  return { reply: earlier.reply }
}

/**
 * Does the work, which answers with something JSON can hold, once for a key: a retry gets the first reply and changes nothing. The record shares the
 * transaction of the effect, so both are there or neither. Says whether the reply was kept. Throws 'key_reused' for another request.
 */
export async function once(
  { tx, actor }: { tx: Tx; actor: Pick<Actor, 'userId'> },
  { key, hash }: Operation,
  work: () => Promise<unknown>,
): Promise<{ reply: unknown; isKept: boolean }> {
  const claimed = await tx.db
    .insertInto('operations')
    .values({ tenant_id: tx.tenantId, user_id: actor.userId, key, request_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimed === undefined) {
    const earlier = await findEarlierReply(tx, actor.userId, { key, hash })
    if (earlier !== null) return { reply: earlier.reply, isKept: true }
  }
  const reply = await work()
  await tx.db
    .updateTable('operations')
    .set({ reply: JSON.stringify(reply) })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', actor.userId)
    .where('key', '=', key)
    .execute()
  return { reply, isKept: false }
}
