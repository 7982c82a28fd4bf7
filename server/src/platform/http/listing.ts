import type { Endpoint } from '@inventory-manager/contract/endpoint'
import type { Database } from '../db/database.ts'
import type { Listing } from './binder-types.ts'
import type { Entrance } from './entrance.ts'
import type { Actor, Claims, Reader } from './identity.ts'
import { createKeptReplies, type Encoding, type KeptReply, type Trail } from './kept-replies.ts'
import type { ListText } from './list-text.ts'

function readerOf({ tenantId, role, plan, timeZone, weekday, today }: Actor): Reader {
  return { tenantId, role, plan, timeZone, weekday, today }
}

type Parts = { reading: Entrance['reading']; database: Database; trail: Trail }

type Listed = { endpoint: Endpoint; claims: Claims; input: unknown; encoding: Encoding }

/** Lists as they were sent before, or written by somebody's transaction now (docs/decisions/020-lists-are-kept.md). */
export function createListing({ reading, database, trail }: Parts) {
  const replies = createKeptReplies()

  return async (
    { endpoint, claims, input, encoding }: Listed,
    write: (listing: Listing) => Promise<ListText>,
  ): Promise<KeptReply> => {
    const { reader, state } = await reading(endpoint, claims, async (tx, asking) => {
      const [actor, known] = await Promise.all([asking, trail.stateOf(tx)])
      return { reader: readerOf(actor), state: known }
    })
    const about = JSON.stringify([endpoint.path, reader, input])
    return await replies({ tenantId: claims.tenantId, about, state, encoding }, async (before) => {
      // Who asks was found to be allowed to a moment ago.
      const authorise = () => Promise.resolve()
      return await database.reading(claims.tenantId, authorise, async (tx) => {
        const { mark, changed } = await trail.since(tx, before?.mark ?? null)
        const kept = before === null || changed === null ? null : { list: before.list, changed }
        const list = kept?.changed.length === 0 ? kept.list : await write({ tx, reader, kept })
        return { mark, list }
      })
    })
  }
}
