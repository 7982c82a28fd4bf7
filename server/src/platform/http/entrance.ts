import type { Endpoint } from '@inventory-manager/contract/endpoint'
import { allowMinutes, type Database, type Tx } from '../db/database.ts'
import { requireAdmin, requireStanding, type Actor, type Claims, type Identity } from './identity.ts'

/** For ownTransaction, where nothing is left to do in its first transaction but to check who asks. */
export const onlyCheck = (): Promise<null> => Promise.resolve(null)

type Parts = { identity: Identity; database: Database }

/** Transactions for those who may call an endpoint; reads as `Database.reading` does. */
export function createEntrance({ identity, database }: Parts) {
  async function allowedActor(endpoint: Endpoint, tx: Tx, claims: Claims): Promise<Actor> {
    const actor = await identity.actorOf(tx, claims)
    if (endpoint.access === 'admin') requireAdmin(actor)
    // What a company may do only with a running plan says so among its errors.
    if (endpoint.errors.includes('trial_expired')) requireStanding(actor)
    return actor
  }

  return {
    /** One transaction, which reads alone where the endpoint does. */
    inTransaction: async <T>(
      endpoint: Endpoint,
      claims: Claims,
      work: (tx: Tx, actor: Actor) => Promise<T>,
    ): Promise<T> => {
      const begin = endpoint.effect === 'write' ? database.inTenant : database.readInTenant
      return await begin(claims.tenantId, async (tx) => {
        const actor = await allowedActor(endpoint, tx, claims)
        if (endpoint.takesMinutes === true) await allowMinutes(tx)
        return await work(tx, actor)
      })
    },
    entering:
      (endpoint: Endpoint, claims: Claims) =>
      <T>(work: (tx: Tx, actor: Actor) => Promise<T>) =>
        database.inTenant(claims.tenantId, async (tx) => work(tx, await allowedActor(endpoint, tx, claims))),
    reading: async <T>(
      endpoint: Endpoint,
      claims: Claims,
      read: (tx: Tx, asking: Promise<Actor>) => Promise<T>,
    ): Promise<T> => {
      return await database.reading(
        claims.tenantId,
        (tx) => allowedActor(endpoint, tx, claims),
        async (tx, asking) => {
          if (endpoint.takesMinutes === true) await allowMinutes(tx)
          return await read(tx, asking)
        },
      )
    },
  }
}

export type Entrance = ReturnType<typeof createEntrance>
