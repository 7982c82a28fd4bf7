import type { highVolumeForDay, listToCount } from '@inventory-manager/contract/counting/endpoints'
import type { listCycleCounts } from '@inventory-manager/contract/counting/record-endpoints'
import type { countRoom } from '@inventory-manager/contract/counting/room-endpoints'
import type { listDiscrepancies, listRecounts } from '@inventory-manager/contract/discrepancies/endpoints'
import type { CompanyEvent, EventType } from '@inventory-manager/contract/events/endpoints'
import type { dashboard } from '@inventory-manager/contract/overview/endpoints'
import type { listUnknownCodes } from '@inventory-manager/contract/unknown-codes/endpoints'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { findRecounted, patchCounts } from '../counting/live-counts.ts'
import { createCollector } from '../lib/collector.ts'
import { followNews, type News } from '../session/news.ts'
import { stockPaths } from '../stock/stock-paths.ts'

/** The calls that news load again; by type, because their shapes come later than what each screen needs. */
type Followed =
  | typeof countRoom
  | typeof dashboard
  | typeof highVolumeForDay
  | typeof listCycleCounts
  | typeof listDiscrepancies
  | typeof listRecounts
  | typeof listToCount
  | typeof listUnknownCodes

type Path = Followed['path'] | (typeof stockPaths)[number]

type Refresh = (queryKey: readonly [Path, ...unknown[]], everyMs: number) => void

/** Loads shown lists again at once, and then at most once in a while, however many events ask for it. */
function createRefresh(client: QueryClient): { refresh: Refresh; stop: () => void } {
  const resting = new Map<string, { timer: ReturnType<typeof setTimeout>; again: boolean }>()

  const refresh: Refresh = (queryKey, everyMs) => {
    const name = JSON.stringify(queryKey)
    const rest = resting.get(name)
    if (rest !== undefined) {
      rest.again = true
      return
    }
    client.invalidateQueries({ queryKey }).catch(reportError)
    const timer = setTimeout(() => {
      const { again } = resting.get(name) ?? { again: false }
      resting.delete(name)
      if (again) refresh(queryKey, everyMs)
    }, everyMs)
    resting.set(name, { timer, again: false })
  }

  return {
    refresh,
    stop() {
      for (const { timer } of resting.values()) clearTimeout(timer)
    },
  }
}

type Reaction = (events: readonly CompanyEvent[], client: QueryClient, refresh: Refresh) => void

const toCount = ['/api/components/to-count', '/api/components/high-volume-for-day'] as const

const ofCycles = new Set(['cycle_count_saved', 'admin_view_completed'])

const locationsOf = (events: readonly CompanyEvent[]) => new Set(events.map(({ location }) => location))

/** What a changed stock is shown in. */
function refreshStock(events: readonly CompanyEvent[], refresh: Refresh): void {
  if (events.length === 0) return
  for (const location of locationsOf(events)) {
    for (const path of toCount) refresh(location === null ? [path] : [path, location], 5_000)
  }
  for (const path of stockPaths) refresh([path], 5_000)
}

/** What each kind of news does to what is loaded: patched where the event says it all, else loaded again. */
const reactions: Record<EventType, Reaction> = {
  count(events, client, refresh) {
    patchCounts(client, events)
    refresh(['/api/counting/room'], 2_000)
    refresh(['/api/dashboard'], 5_000)
    // Which difference a count has ended only the server knows.
    refresh(['/api/discrepancies'], 2_000)
    refreshStock(
      events.filter(({ count }) => count?.stock_moved === true),
      refresh,
    )
    for (const location of findRecounted(client, events)) refresh(['/api/recounts', location], 1_000)
    for (const location of locationsOf(events.filter(({ event }) => ofCycles.has(event)))) {
      refresh(['/api/cycle-counts', location], 1_000)
    }
  },
  component(_, __, refresh) {
    const beside = ['/api/counting/room', '/api/dashboard', '/api/unknown-codes'] as const
    const shown: readonly Path[] = [...toCount, ...stockPaths, ...beside]
    for (const path of shown) refresh([path], 5_000)
  },
  reset(events, _, refresh) {
    for (const location of locationsOf(events)) {
      const at = location === null ? [] : [location]
      for (const path of [...toCount, '/api/cycle-counts'] as const) refresh([path, ...at], 2_000)
    }
    // A count that is taken back takes what was accepted with it.
    if (events.some(({ event }) => event.endsWith('_undone'))) {
      for (const path of stockPaths) refresh([path], 5_000)
    }
    refresh(['/api/counting/room'], 2_000)
    refresh(['/api/dashboard'], 5_000)
  },
  discrepancy(events, _, refresh) {
    refreshStock(
      events.filter(({ event }) => event === 'discrepancy_accepted'),
      refresh,
    )
    const recounts = events.filter(({ event }) => event === 'discrepancy_recount')
    for (const location of locationsOf(recounts)) {
      if (location !== null) refresh(['/api/recounts', location], 1_000)
      for (const path of [...toCount, '/api/cycle-counts'] as const) refresh([path, location], 2_000)
    }
    refresh(['/api/discrepancies'], 2_000)
    refresh(['/api/unknown-codes'], 2_000)
    refresh(['/api/counting/room'], 2_000)
    refresh(['/api/dashboard'], 5_000)
  },
  session: () => undefined,
}

function isKnown(type: string): type is EventType {
  return type in reactions
}

function react(news: readonly News[], client: QueryClient, refresh: Refresh): void {
  for (const type of new Set(news.map((item) => item.type))) {
    const events = news.filter((item) => item.type === type).map(({ event }) => event)
    if (isKnown(type)) reactions[type](events, client, refresh)
  }
}

/** One's own counts are news, too, and must not be drawn before their result. */
const gatherMs = 250

/** Keeps what is loaded up to date with the company's news for as long as somebody is signed in. */
export function useNews(): void {
  const client = useQueryClient()
  useEffect(() => {
    const { refresh, stop } = createRefresh(client)
    const gathered = createCollector<News>(gatherMs)
    const stopReacting = gathered.connect((news) => react(news, client, refresh))
    const stopFollowing = followNews({
      onNews: gathered.add,
      onReload: () => void client.invalidateQueries().catch(reportError),
    })
    return () => {
      stopFollowing()
      stopReacting()
      stop()
    }
  }, [client])
}
