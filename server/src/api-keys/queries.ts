import type { PlanKey } from '@inventory-manager/contract/plans'
import type { Scope } from '@inventory-manager/contract/scopes'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { lockCompany } from '../platform/db/lock-company.ts'

export type FoundKey = {
  tenantId: string
  keyId: string
  userId: string
  sessionId: string
  /** SHA-256 of the secret part, in hex. */
  secretHash: string
  scopes: Scope[]
  plan: PlanKey
}

/** The working key that a public part belongs to, of whatever company; null without one. */
export async function findKey(database: Database, prefix: string): Promise<FoundKey | null> {
  const rows = await database.callFunction<{ key: FoundKey | null }>('select find_api_key($1) as key', [
    prefix,
  ])
  return onlyRow(rows).key
}

/** Takes one of a key's calls of this minute and says how many are taken now. */
export async function takeCall(
  database: Database,
  { tenantId, keyId }: Pick<FoundKey, 'tenantId' | 'keyId'>,
): Promise<{ taken: number; waitSeconds: number }> {
  const rows = await database.callFunction<{ call: { taken: number; waitSeconds: number } }>(
    'select take_api_call($1, $2) as call',
    [tenantId, keyId],
  )
  return onlyRow(rows).call
}

export async function listKeys(tx: Tx) {
  return await tx.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'scopes', 'created_by', 'created_at', 'last_used_at', 'revoked_at'])
    .where('tenant_id', '=', tx.tenantId)
    // Working keys first: however many were revoked since, none of them is left out.
    .orderBy(sql`revoked_at is null`, 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
}

/** The working keys of the company, its row locked so that two additions cannot pass the limit together. */
export async function lockAndCountKeys(tx: Tx): Promise<number> {
  await lockCompany(tx)
  const { keys } = await tx.db
    .selectFrom('api_keys')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('keys'))
    .where('tenant_id', '=', tx.tenantId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return keys
}

type NewKey = { name: string; prefix: string; secretHash: Buffer; scopes: Scope[]; createdBy: string }

/** Outlives every key. */
const sessionYears = 100

/** Adds a key with the user and the session it acts by. Neither can sign in: the user has no password and no login. */
export async function createKey(tx: Tx, key: NewKey & { sessionId: string }): Promise<{ id: string }> {
  const user = await tx.db
    .insertInto('users')
    .values({
      tenant_id: tx.tenantId,
      email: `im_${key.prefix}`,
      name: `${key.name} (API key)`,
      role: 'api_key',
      password_hash: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('sessions')
    .values({
      tenant_id: tx.tenantId,
      id: key.sessionId,
      user_id: user.id,
      user_agent: 'API key',
      expires_at: sql<Date>`now() + make_interval(years => ${sessionYears}::integer)`,
    })
    .execute()
  await sql`select claim_api_key_prefix(${key.prefix}, ${tx.tenantId}::uuid)`.execute(tx.db)
  return await tx.db
    .insertInto('api_keys')
    .values({
      tenant_id: tx.tenantId,
      name: key.name,
      prefix: key.prefix,
      secret_hash: key.secretHash,
      scopes: key.scopes,
      user_id: user.id,
      session_id: key.sessionId,
      created_by: key.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Marks a working key as revoked and gives what it acted by; nothing for a key that is none, or revoked already. */
export async function markRevoked(tx: Tx, id: string) {
  return await tx.db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['name', 'prefix', 'user_id', 'session_id'])
    .executeTakeFirst()
}

/** Ends the session a key acted by, and its user: no statement that asks for either passes from the commit on. */
export async function endKeysSession(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', sessionId)
    .execute()
  await tx.db
    .updateTable('users')
    .set({ active: false })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .execute()
}
