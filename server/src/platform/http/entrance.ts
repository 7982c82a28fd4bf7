import type { Endpoint } from '@inventory-manager/contract/endpoint'
import type { Database, Tx } from '../db/database.ts'
import { requireAdmin, requireStanding, type Actor, type Claims, type Identity } from './identity.ts'

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
    allowedActor,
    entering:
      (endpoint: Endpoint, claims: Claims) =>
      <T>(work: (tx: Tx, actor: Actor) => Promise<T>) =>
        database.inTenant(claims.tenantId, async (tx) => work(tx, await allowedActor(endpoint, tx, claims))),
    reading: <T>(endpoint: Endpoint, claims: Claims, read: (tx: Tx, asking: Promise<Actor>) => Promise<T>) =>
      database.reading(claims.tenantId, (tx) => allowedActor(endpoint, tx, claims), read),
  }
}

export type Entrance = ReturnType<typeof createEntrance>
