import { streamEvents } from '@inventory-manager/contract/events/endpoints'
import { z } from '@inventory-manager/contract/zod'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Claims, Identity } from '../platform/http/identity.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { findNewestId, listEntriesSince, mostAtOnce } from './queries.ts'
import { formatEntry, formatReload, heartbeat } from './stream.ts'

const heartbeatMs = 15_000

type Parts = {
  database: Database
  identity: Identity
  notices: Notices
  /** Runs when the server begins to close, which waits for open replies. */
  onClosing: (action: () => void) => void
}
type Follower = Parts & { claims: Claims; lastId: string; write: (text: string) => void; end: () => void }

function lastEventIdOf(request: FastifyRequest): string | null {
  const parsed = z.uuid().safeParse(request.headers['last-event-id'])
  return parsed.success ? parsed.data : null
}

/** Sends what is new since the last look, each entry once, in order; ends when the session is over. */
function createFollower({ database, identity, claims, ...stream }: Follower): () => Promise<void> {
  let { lastId } = stream
  let sent = new Set<string>([lastId])

  return async () => {
    const entries = await database.inTenant(claims.tenantId, async (tx) => {
      await identity.actorOf(tx, claims)
      return await listEntriesSince(tx, lastId)
    })
    const fresh = entries.filter(({ id }) => !sent.has(id) && id > stream.lastId)
    if (entries.length > mostAtOnce) {
      lastId = await database.inTenant(claims.tenantId, findNewestId)
      stream.write(formatReload(lastId))
      return
    }
    for (const entry of fresh) stream.write(formatEntry(entry) ?? '')
    sent = new Set([...entries.map(({ id }) => id), lastId])
    lastId = entries.at(-1)?.id ?? lastId
  }
}

/** One look at a time, and one more when something happened during it. */
function createTurns(look: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let wanted = 0
  let looking = false
  const turn = async (): Promise<void> => {
    looking = true
    for (let seen = -1; seen !== wanted;) {
      seen = wanted
      await look()
    }
    looking = false
  }
  return () => {
    wanted += 1
    if (!looking) turn().catch(onError)
  }
}

export function eventRoutes(bind: Binder, parts: Parts): void {
  const open = new Set<() => void>()
  parts.onClosing(() => {
    for (const end of open) end()
  })

  bind.ownTransaction(streamEvents, async ({ claims, request, reply }) => {
    const newest = await parts.database.inTenant(claims.tenantId, async (tx) => {
      await parts.identity.actorOf(tx, claims)
      return await findNewestId(tx)
    })
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    })
    const write = (text: string) => void raw.write(text)
    const end = () => void raw.end()
    const follower = { ...parts, claims, lastId: lastEventIdOf(request) ?? newest, write, end }
    const look = createTurns(createFollower(follower), (error) => {
      // A session that is over is no fault; anything else is, and the client comes back either way.
      if (!(error instanceof AppError)) request.log.error({ err: error }, 'event stream failed')
      end()
    })
    const unsubscribe = parts.notices.subscribe(claims.tenantId, look)
    const beat = setInterval(() => {
      write(heartbeat)
      look()
    }, heartbeatMs)
    open.add(end)
    raw.on('close', () => {
      open.delete(end)
      clearInterval(beat)
      unsubscribe()
    })
    write(heartbeat)
    look()
  })
}
