import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../platform/db/database.ts'
import type { Claims } from '../platform/http/identity.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { createFeed, type Feed, type Follower } from './feed.ts'

const heartbeatMs = 15_000
const retryMs = 1_000
/** The more follow, the more is told at once: 500 followers hear of something within a third of a second. */
const restPerFollowerMs = 0.6

type Parts = { database: Database; notices: Notices; onError: (error: unknown) => void }

type Lookout = { wish: (options?: { sessions: boolean }) => void; stop: () => void }

/** One look at a time, and after a rest one more when something happened meanwhile; one that failed is made again. */
function createLookout({ look, followers }: Feed, onError: (error: unknown) => void): Lookout {
  let wanted: { sessions: boolean } | null = null
  let looking = false
  let restsUntil = 0
  let retry: NodeJS.Timeout | null = null

  async function turn(): Promise<void> {
    looking = true
    for (let wish = wanted; wish !== null; wish = wanted) {
      await sleep(Math.max(0, restsUntil - performance.now()))
      wish = wanted ?? wish
      wanted = null
      try {
        await look(wish)
      } catch (error) {
        // Everybody keeps their place, so nothing is missed: the next look tells it.
        onError(error)
        retry ??= setTimeout(() => {
          retry = null
          ask(wish)
        }, retryMs)
      }
      restsUntil = performance.now() + followers.size * restPerFollowerMs
    }
    looking = false
  }

  function ask(options = { sessions: false }): void {
    wanted = { sessions: options.sessions || (wanted?.sessions ?? false) }
    if (!looking) turn().catch(onError)
  }

  return {
    wish: ask,
    stop() {
      if (retry !== null) clearTimeout(retry)
    },
  }
}

export type Hub = {
  /** Adds a stream, which is told at once what it missed; the answer takes it out again. */
  follow: (follower: Follower) => () => void
  /** How many streams are open on this node. */
  countOpen: () => number
  /** Whose streams a company has open on this node. */
  listOpen: (tenantId: string) => Claims[]
  /** Ends all streams. */
  close: () => void
}

/** The open streams of this node, by company. */
export function createHub({ database, notices, onError }: Parts): Hub {
  const feeds = new Map<string, { feed: Feed; lookout: Lookout; unsubscribe: () => void }>()
  let beat: NodeJS.Timeout | null = null

  function feedOf(tenantId: string) {
    const known = feeds.get(tenantId)
    if (known !== undefined) return known
    const feed = createFeed(database, tenantId)
    const lookout = createLookout(feed, onError)
    const made = { feed, lookout, unsubscribe: notices.subscribe(tenantId, () => lookout.wish()) }
    feeds.set(tenantId, made)
    beat ??= setInterval(beatAll, heartbeatMs)
    return made
  }

  function beatAll(): void {
    for (const { feed, lookout } of feeds.values()) {
      feed.beat().catch(onError)
      lookout.wish({ sessions: true })
    }
  }

  function leave(follower: Follower): void {
    const { tenantId } = follower.claims
    const own = feeds.get(tenantId)
    own?.feed.followers.delete(follower)
    if (own === undefined || own.feed.followers.size > 0) return
    own.unsubscribe()
    own.lookout.stop()
    feeds.delete(tenantId)
    if (feeds.size > 0 || beat === null) return
    clearInterval(beat)
    beat = null
  }

  return {
    follow(follower) {
      const { feed, lookout } = feedOf(follower.claims.tenantId)
      feed.followers.add(follower)
      lookout.wish()
      return () => leave(follower)
    },
    countOpen: () => [...feeds.values()].reduce((sum, { feed }) => sum + feed.followers.size, 0),
    listOpen: (tenantId) => [...(feeds.get(tenantId)?.feed.followers ?? [])].map(({ claims }) => claims),
    close() {
      for (const { feed } of feeds.values()) {
        for (const { end } of feed.followers) end()
      }
    },
  }
}
