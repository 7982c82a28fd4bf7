import { hasApiAccess } from '@inventory-manager/contract/api-keys/rules'
import type { Role, UserType } from '@inventory-manager/contract/roles'
import type { Database, Tx } from '../platform/db/database.ts'
import { forEachOfMany } from '../platform/each-of-many.ts'
import type { Claims } from '../platform/http/identity.ts'
import { formatPosition, isAhead } from './position.ts'
import {
  getSnapshot,
  getStanding,
  isTooLongAgo,
  listNews,
  listRunningSessions,
  mostAtOnce,
  type NewsEntry,
  type StreamPlace,
  type Standing,
} from './queries.ts'
import { formatEntry, formatHeartbeat, formatReload } from './stream.ts'

/** One open stream. `place` is null for one that has lost its place and must load anew. */
export type Follower = {
  claims: Claims
  role: Role
  userType: UserType
  place: StreamPlace | null
  write: (text: string | Uint8Array) => void
  end: () => void
}

type News = { now: string; standing: Standing | null; ofPlace: Map<string, NewsEntry[] | 'lost'> }

const keyOf = (place: StreamPlace | null): string => JSON.stringify(place)

async function isLost(tx: Tx, place: StreamPlace, now: string): Promise<boolean> {
  if (!('position' in place)) return false
  if (isAhead(place.position, now)) return true
  return place.named === true && (await isTooLongAgo(tx, place.position, now))
}

/** What is told to who stands at a place, or that it cannot be told. */
async function newsOf(tx: Tx, place: StreamPlace | null, now: string): Promise<NewsEntry[] | 'lost'> {
  if (place === null || (await isLost(tx, place, now))) return 'lost'
  const entries = await listNews(tx, place, now)
  return entries.length > mostAtOnce ? 'lost' : entries
}

/** Who stands at the same place is told the same, so each place is read once, however many follow. */
async function readNews(tx: Tx, followers: readonly Follower[]): Promise<News> {
  const now = await getSnapshot(tx)
  const ofPlace: News['ofPlace'] = new Map()
  for (const [key, place] of new Map(followers.map((follower) => [keyOf(follower.place), follower.place]))) {
    ofPlace.set(key, await newsOf(tx, place, now))
  }
  const some = [...ofPlace.values()].some((entries) => entries !== 'lost' && entries.length > 0)
  return { now, standing: some ? await getStanding(tx) : null, ofPlace }
}

/** The text for all followers of one place and role. */
function textFor({ place, role }: Follower, { now, standing, ofPlace }: News): string {
  const entries = ofPlace.get(keyOf(place)) ?? []
  if (entries === 'lost') return formatReload(now)
  if (standing === null) return ''
  const seen = place !== null && 'position' in place ? place.position.seen : null
  const idAfter = (entry: NewsEntry): string | null => {
    if (entry === entries.at(-1)) return now
    return seen === null ? null : formatPosition({ seen, partly: { next: now, upTo: entry.id } })
  }
  return entries.map((entry) => formatEntry(entry, { role, id: idAfter(entry), standing }) ?? '').join('')
}

async function tellAll(followers: readonly Follower[], news: News): Promise<void> {
  const texts = new Map<string, Buffer>()
  await forEachOfMany(followers, (follower) => {
    const key = `${follower.role} ${keyOf(follower.place)}`
    const text = texts.get(key) ?? Buffer.from(textFor(follower, news))
    texts.set(key, text)
    if (text.length > 0) follower.write(text)
    follower.place = { position: { seen: news.now, partly: null } }
  })
}

/** Whether after these entries, which of more than are told may be any, somebody may be signed out or have another role. */
function changesSessions({ ofPlace }: News): boolean {
  const endsSome = ({ kind }: NewsEntry) => kind === 'authentication' || kind === 'configuration'
  return [...ofPlace.values()].some((found) => found === 'lost' || found.some(endsSome))
}

type RunningSession = Awaited<ReturnType<typeof listRunningSessions>>[number]

/** Whether somebody who asked now would be told the same. */
function mayGoOn({ claims, userType }: Follower, { role, plan, scopes }: RunningSession): boolean {
  if (role !== userType) return false
  if (claims.keyScopes === undefined) return true
  return hasApiAccess(plan) && JSON.stringify(scopes) === JSON.stringify(claims.keyScopes)
}

export type Feed = {
  followers: Set<Follower>
  /** Looks for news and tells them; with `sessions` it also ends the streams of sessions that are over. */
  look: (options: { sessions: boolean }) => Promise<void>
  beat: () => Promise<void>
}

/** What the followers of one company share on this node: one look at the database for all of them. */
export function createFeed(database: Database, tenantId: string): Feed {
  const followers = new Set<Follower>()

  /** Ends the streams of sessions that are over, and of keys whose plan is; with another role the client comes back and is told other things. */
  async function endThoseOver(tx: Tx, all: readonly Follower[]): Promise<void> {
    const running = await listRunningSessions(tx, [...new Set(all.map(({ claims }) => claims.sessionId))])
    const sessions = new Map(running.map((session) => [session.id, session]))
    for (const follower of all) {
      const session = sessions.get(follower.claims.sessionId)
      if (session === undefined || !mayGoOn(follower, session)) follower.end()
    }
  }

  return {
    followers,
    async look({ sessions }) {
      if (followers.size === 0) return
      const news = await database.inTenant(tenantId, async (tx) => {
        const all = [...followers]
        const found = await readNews(tx, all)
        if (sessions || changesSessions(found)) await endThoseOver(tx, all)
        return { ...found, all }
      })
      await tellAll(
        news.all.filter((follower) => followers.has(follower)),
        news,
      )
    },
    async beat() {
      await forEachOfMany(followers, ({ place, write }) => {
        write(formatHeartbeat(place !== null && 'position' in place ? formatPosition(place.position) : null))
      })
    },
  }
}
