import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { maxApiKeys } from '@inventory-manager/contract/api-keys/rules'
import type { Scope } from '@inventory-manager/contract/scopes'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireApiAccess, type Actor, type Claims } from '../platform/http/identity.ts'
import { createKey, endKeysSession, findKey, lockAndCountKeys, markRevoked, takeCall } from './queries.ts'

/** im_, 12 hex digits by which the key is found, and 32 random bytes of which only a hash is kept. */
const form = /^bearer im_([0-9a-f]{12})_([\w-]{43})$/i
const anyKey = /^bearer im_/i

/** A hash made to be fast is enough: nobody can try 2^256 secrets. */
function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Whom an Authorization header with an API key stands for; null for a header without one. Throws 'unauthorized' for a
 * key that is none or was revoked, 'plan_required' where the plan has no API access, 'too_many_requests' past the calls of a minute.
 */
export async function claimsOfKey(
  { database, callsPerMinute }: { database: Database; callsPerMinute: number },
  authorization: string | undefined,
): Promise<Claims | null> {
  if (authorization === undefined || !anyKey.test(authorization)) return null
  const [, prefix, secret] = form.exec(authorization) ?? []
  if (prefix === undefined || secret === undefined) throw new AppError('unauthorized')
  const key = await findKey(database, prefix)
  if (key === null || !timingSafeEqual(hashSecret(secret), Buffer.from(key.secretHash, 'hex'))) {
    throw new AppError('unauthorized')
  }
  requireApiAccess(key)
  const { taken, waitSeconds } = await takeCall(database, key)
  if (taken > callsPerMinute) {
    throw new AppError('too_many_requests', {
      sentence: `This API key has made its ${callsPerMinute} calls of this minute. Please wait.`,
      retryAfterSeconds: waitSeconds,
    })
  }
  const { tenantId, userId, sessionId, scopes } = key
  return { tenantId, userId, sessionId, keyScopes: scopes }
}

/** Makes a key; its text is nowhere but in what this returns. Throws 'plan_required' and 'too_many_keys'. */
export async function makeKey(
  tx: Tx,
  actor: Actor,
  { name, scopes }: { name: string; scopes: Scope[] },
): Promise<{ id: string; key: string }> {
  requireApiAccess(actor)
  if ((await lockAndCountKeys(tx)) >= maxApiKeys) {
    throw new AppError('too_many_keys', {
      sentence: `A company has at most ${maxApiKeys} working API keys. Revoke one first.`,
    })
  }
  const prefix = randomBytes(6).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  const { id } = await createKey(tx, {
    name,
    prefix,
    secretHash: hashSecret(secret),
    scopes,
    createdBy: actor.userName,
    sessionId: randomUUID(),
  })
  await recordConfigurationChange(tx, actor, {
    event: 'api_key_created',
    source: 'api_access',
    key: `im_${prefix}`,
    name,
    scopes,
  })
  return { id, key: `im_${prefix}_${secret}` }
}

/** Revokes a key: from the commit on it is refused everywhere. Throws 'not_found'. */
export async function revokeKey(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = await markRevoked(tx, id)
  if (key === undefined) throw new AppError('not_found')
  await endKeysSession(tx, { userId: key.user_id, sessionId: key.session_id })
  await recordConfigurationChange(tx, actor, {
    event: 'api_key_revoked',
    source: 'api_access',
    key: `im_${key.prefix}`,
    name: key.name,
  })
}
