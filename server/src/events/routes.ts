import { streamEvents } from '@inventory-manager/contract/events/endpoints'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { isClosed, whenClosed } from '../platform/http/when-closed.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import type { Follower } from './feed.ts'
import { createHub } from './hub.ts'
import { refusalOfOneMore } from './most-streams.ts'
import { formatPosition, parsePosition } from './position.ts'
import { getSnapshot, type StreamPlace } from './queries.ts'
import { formatHeartbeat } from './stream.ts'

/** A client that takes its news more slowly than they come is cut; it comes back and goes on where it was. */
const mostUnsent = 512 * 1024

type Parts = {
  database: Database
  notices: Notices
  onError: (error: unknown) => void
  /** Runs when the server begins to close, which waits for open replies. */
  onClosing: (action: () => void) => void
}

/** Where a stream begins: after the event the client names, with the last seconds, or now. */
function placeOf(
  request: FastifyRequest,
  { recent, now }: { recent: number | undefined; now: string },
): StreamPlace | null {
  const lastId = request.headers['last-event-id']
  if (typeof lastId === 'string' && lastId !== '') {
    const position = parsePosition(lastId)
    return position === null ? null : { position, named: true }
  }
  if (recent !== undefined) return { recentSeconds: recent }
  return { position: { seen: now, partly: null } }
}

/** Sends the head of a stream and gives what writes to it and ends it. */
function openStream(request: FastifyRequest, reply: FastifyReply): Pick<Follower, 'write' | 'end'> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  return {
    write(text) {
      if (raw.writableEnded || raw.destroyed) return
      raw.write(text)
      if (raw.writableLength > mostUnsent) raw.destroy()
    },
    end: () => void raw.end(),
  }
}

/** Binds the streams of news, and gives how many of them are open on this node. */
export function eventRoutes(
  bind: Binder,
  { database, notices, onError, onClosing }: Parts,
): { openStreams: () => number } {
  const hub = createHub({ database, notices, onError })
  onClosing(hub.close)

  bind.ownTransaction(
    streamEvents,
    ({ tx }) => getSnapshot(tx),
    ({ actor, begun: now, query, request, reply }) => {
      const refusal = refusalOfOneMore(hub.listOpen(actor.tenantId), actor)
      if (refusal !== null) throw refusal
      const stream = openStream(request, reply)
      // Who left while the transaction ran.
      if (isClosed(reply.raw)) return Promise.resolve()
      const place = placeOf(request, { recent: query.recent, now })
      const begun = place !== null && 'position' in place ? formatPosition(place.position) : null
      stream.write(formatHeartbeat(begun))
      const leave = hub.follow({
        ...stream,
        claims: actor,
        role: actor.role,
        userType: actor.userType,
        place,
      })
      whenClosed(reply.raw, leave)
      return Promise.resolve()
    },
  )
  return { openStreams: hub.countOpen }
}
