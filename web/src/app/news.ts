import type { whoAmI } from '@inventory-manager/contract/accounts/endpoints'
import type { getAccuracy } from '@inventory-manager/contract/accuracy/endpoints'
import type { getPlanState } from '@inventory-manager/contract/company/plan-endpoints'
import type { getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import type { highVolumeForDay, listToCount } from '@inventory-manager/contract/counting/endpoints'
import type {
  getMyBins,
  listAssignments,
} from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import type { listCycleCounts } from '@inventory-manager/contract/counting/record-endpoints'
import type {
  listSpotCounts,
  listSpotSkus,
  suggestSpotCount,
} from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import type { listSpotSchedules } from '@inventory-manager/contract/counting/spot/spot-schedule-endpoints'
import type { countRoom } from '@inventory-manager/contract/counting/room-endpoints'
import type { listDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import type { listRecounts } from '@inventory-manager/contract/discrepancies/recount-endpoints'
import type { CompanyEvent, EventType } from '@inventory-manager/contract/events/endpoints'
import type { getLabelLogo, listLabelled } from '@inventory-manager/contract/labels/endpoints'
import type { dashboard } from '@inventory-manager/contract/overview/endpoints'
import type { suggestHighVolume } from '@inventory-manager/contract/stock/suggestion-endpoints'
import type { listUnknownCodes } from '@inventory-manager/contract/unknown-codes/endpoints'
import { useQuery, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refuseEarly } from '../api/early-reply.ts'
import { findRecounted, patchCounts, timeRecounts } from '../counting/live-counts.ts'
import { createCollector } from '../lib/collector.ts'
import { followNews, type News } from '../session/news.ts'
import { loadUserAnew, useLocatedSession } from '../session/session.ts'
import { stockPaths } from '../stock/stock-paths.ts'
import { toCountKeys } from './to-count-keys.ts'

/** The calls that news load again; by type, because their shapes come later than what each screen needs. */
type Followed =
  | typeof countRoom
  | typeof dashboard
  | typeof getAccuracy
  | typeof getLabelLogo
  | typeof getMyBins
  | typeof getPlanState
  | typeof getSettings
  | typeof highVolumeForDay
  | typeof listAssignments
  | typeof listCycleCounts
  | typeof listDiscrepancies
  | typeof listLabelled
  | typeof listRecounts
  | typeof listSpotCounts
  | typeof listSpotSchedules
  | typeof listSpotSkus
  | typeof listToCount
  | typeof listUnknownCodes
  | typeof suggestHighVolume
  | typeof suggestSpotCount
  | typeof whoAmI

type Path = Followed['path'] | (typeof stockPaths)[number]

type Refresh = (
  queryKey: readonly [Path, ...unknown[]],
  everyMs: number,
  options?: { onceMore: true },
) => void

/** How soon it is looked at again whether what is on its way has come. */
const busyMs = 2_000

/** Whether it is on its way already: loading it again would break that off, and where news come faster than it, it never came. */
function isLoading({ state }: Query): boolean {
  return state.fetchStatus === 'fetching'
}

/**
 * Loads shown lists again at once, and then at most once in a while, however many events ask for it. What is on its way may be from
 * before the event, so it is loaded once more then.
 */
function createRefresh(client: QueryClient): { refresh: Refresh; stop: () => void } {
  const resting = new Map<string, { timer: ReturnType<typeof setTimeout>; again: boolean }>()

  const refresh: Refresh = (queryKey, everyMs, options) => {
    const name = JSON.stringify(queryKey)
    const rest = resting.get(name)
    if (rest !== undefined) {
      rest.again = true
      return
    }
    const isBusy = client.getQueryCache().findAll({ queryKey }).some(isLoading)
    client.invalidateQueries({ queryKey, predicate: (query) => !isLoading(query) }).catch(reportError)
    const timer = setTimeout(
      () => {
        const { again } = resting.get(name) ?? { again: false }
        resting.delete(name)
        if (again) refresh(queryKey, everyMs)
      },
      isBusy ? Math.min(everyMs, busyMs) : everyMs,
    )
    resting.set(name, { timer, again: isBusy || options?.onceMore === true })
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

/** What shows that a component was counted, though no stock moved: its own screen, and lists that are sorted by it. */
const ofCounted = [
  ['/api/components/counts'],
  ['/api/components/detail'],
  ['/api/components/search', 'counted'],
] as const

const ofStock = stockPaths.map((path) => [path] as const)

/** What says which components have a label, and how many labels are left this month. */
const ofLabels = [
  '/api/labels/labelled',
  '/api/dashboard',
  '/api/components/labels',
  '/api/components/detail',
] as const

const ofCycles = new Set(['cycle_count_saved', 'admin_view_completed'])

/** What says something in the currency of the company. */
const withCurrency = ['/api/components/stock-value', '/api/components/detail', '/api/discrepancies'] as const

const ofCosts = new Set(['cost_changed', 'costs_changed'])

const ofAssignments = new Set(['count_assigned', 'count_unassigned'])

/** What shows which SKUs are asked for. */
const ofSpots = [
  '/api/counting/spot-counts',
  '/api/counting/spot-skus',
  '/api/counting/spot-suggestions',
  '/api/counting/spot-schedules',
] as const

const ofSpotCounts = new Set([
  'spot_count_asked',
  'spot_count_taken_back',
  'spot_schedule_made',
  'spot_schedule_ended',
])

/** What may change who is signed in: also whoever leaves or comes back, who gives a seat of the plan to others or takes one. */
const ofCompany = /^(?:role|plan|subscription|settings|user)_/

const locationsOf = (events: readonly CompanyEvent[]) => new Set(events.map(({ location }) => location))

/** What a changed stock is shown in. */
function refreshStock(events: readonly CompanyEvent[], refresh: Refresh): void {
  if (events.length === 0) return
  for (const location of locationsOf(events)) {
    for (const path of toCount) refresh(location === null ? [path] : [path, location], 5_000)
  }
  // What all of it is worth costs more to find than a list.
  for (const path of stockPaths) refresh([path], path === '/api/components/stock-value' ? 30_000 : 5_000)
}

/** How far the counts of the month are, and of what people are asked to. */
function refreshProgress(refresh: Refresh, roomMs: number): void {
  refresh(['/api/counting/room'], roomMs)
  for (const path of ['/api/counting/assignments', '/api/counting/spot-counts', '/api/dashboard'] as const) {
    refresh([path], 5_000)
  }
}

/** Figures over months, which cost more to find than a list and change little with one count. */
function refreshAccuracy(refresh: Refresh): void {
  refresh(['/api/accuracy'], 30_000)
}

/** What each kind of news does to what is loaded: patched where the event says it all, else loaded again. */
const reactions: Record<EventType, Reaction> = {
  count(events, client, refresh) {
    patchCounts(client, events)
    timeRecounts(events)
    refreshProgress(refresh, 2_000)
    // Which difference a count has ended only the server knows.
    refresh(['/api/discrepancies'], 2_000)
    refreshAccuracy(refresh)
    const moving = events.filter(({ count }) => count?.stock_moved === true)
    refreshStock(moving, refresh)
    if (moving.length === 0) for (const key of ofCounted) refresh(key, 5_000)
    for (const location of findRecounted(client, events)) refresh(['/api/recounts', location], 1_000)
    for (const location of locationsOf(events.filter(({ event }) => ofCycles.has(event)))) {
      refresh(['/api/cycle-counts', location], 1_000)
    }
  },
  component(events, _, refresh) {
    for (const key of toCountKeys(events)) refresh(key, 5_000)
    // A code that a component was given waits for nobody any more.
    const others = ['/api/unknown-codes', '/api/discrepancies', '/api/labels/labelled'] as const
    refreshProgress(refresh, 5_000)
    // What is kept again, or brought back, is to be counted again.
    refresh(['/api/counting/spot-skus'], 5_000)
    const shown: readonly Path[] = [...stockPaths, ...others]
    for (const path of shown) refresh([path], 5_000)
    if (events.some(({ event }) => ofCosts.has(event))) refreshAccuracy(refresh)
    // Brought back or kept again, it is to be counted in the cycle again.
    if (events.some(({ event }) => /_(retired|not_kept)$/.test(event))) refresh(['/api/cycle-counts'], 5_000)
    // What leaves and what differs asks for no suggestions: they are of months, and cost more to find than a list.
    if (events.some(({ event }) => event.startsWith('high_volume_'))) {
      refresh(['/api/components/high-volume-suggestions'], 5_000)
    }
  },
  reset(events, _, refresh) {
    for (const location of locationsOf(events)) {
      const at = location === null ? [] : [location]
      for (const path of [...toCount, '/api/cycle-counts'] as const) refresh([path, ...at], 2_000)
      refresh(['/api/counting/spot-skus', ...at], 2_000)
    }
    // A count that is taken back takes what was accepted with it, and gives back what it had ended.
    const isUndone = events.some(({ event }) => event.endsWith('_undone'))
    for (const key of isUndone ? ofStock : ofCounted) refresh(key, 5_000)
    if (isUndone) {
      refreshAccuracy(refresh)
      refresh(['/api/discrepancies'], 2_000)
      refresh(['/api/recounts'], 1_000)
    }
    refreshProgress(refresh, 2_000)
  },
  discrepancy(events, _, refresh) {
    refreshStock(
      events.filter(({ event }) => /^discrepancy_(accepted|reopened)$/.test(event)),
      refresh,
    )
    // One that is dismissed may have been a recount, and a reopened one may be one. A weekly one may have been listed for it alone.
    const dismissed = events.filter(({ event }) => event === 'discrepancy_dismissed')
    if (dismissed.length > 0) refresh(['/api/recounts'], 1_000)
    for (const location of locationsOf(dismissed)) {
      refresh(['/api/components/high-volume-for-day', location], 5_000)
    }
    if (events.some(({ event }) => event === 'count_noted')) refresh(['/api/components/counts'], 5_000)
    const recounts = events.filter(({ event }) => /^discrepancy_(recount|reopened)$/.test(event))
    for (const location of locationsOf(recounts)) {
      if (location !== null) refresh(['/api/recounts', location], 1_000)
      for (const path of [...toCount, '/api/cycle-counts'] as const) refresh([path, location], 2_000)
    }
    refreshAccuracy(refresh)
    refresh(['/api/discrepancies'], 2_000)
    refresh(['/api/unknown-codes'], 2_000)
    refresh(['/api/counting/room'], 2_000)
    refresh(['/api/dashboard'], 5_000)
  },
  session(events, _, refresh) {
    if (events.some(({ event }) => ofAssignments.has(event))) {
      for (const path of ['/api/counting/assignments', '/api/counting/my-bins'] as const)
        refresh([path], 1_000)
    }
    if (events.some(({ event }) => ofSpotCounts.has(event))) {
      for (const path of ofSpots) refresh([path], 1_000)
    }
    // Most news of sessions are people who come and go.
    if (!events.some(({ event }) => ofCompany.test(event))) return
    refresh(['/api/auth/user'], 2_000)
    refresh(['/api/company/settings'], 2_000)
    refresh(['/api/company/plan'], 5_000)
    refresh(['/api/dashboard'], 5_000)
    refresh(['/api/labels/logo'], 5_000)
    if (!events.some(({ event }) => event === 'settings_changed')) return
    for (const path of withCurrency) refresh([path], 5_000)
    refreshAccuracy(refresh)
  },
  label(_, __, refresh) {
    // A ZPL file is told of as it begins, and noted as printed at its end.
    for (const path of ofLabels) refresh([path], 5_000, { onceMore: true })
  },
}

function isKnown(type: string): type is EventType {
  return type in reactions
}

function react(news: readonly News[], client: QueryClient, refresh: Refresh): void {
  refuseEarly()
  for (const type of new Set(news.map((item) => item.type))) {
    const events = news.filter((item) => item.type === type).map(({ event }) => event)
    if (isKnown(type)) reactions[type](events, client, refresh)
  }
}

/** One's own counts are news, too, and must not be drawn before their result. */
const gatherMs = 250

/** What was stored of the user is shown first: whether it still holds is asked when the screen has had its turn. */
const settledMs = 2_000

/** Has who is signed in loaded again when news ask for it, and not before. */
function usePresentUser(): void {
  const { user } = useLocatedSession()
  useQuery({
    queryKey: ['/api/auth/user'] satisfies [Path],
    queryFn: ({ signal }) => loadUserAnew(signal),
    initialData: user,
    staleTime: Infinity,
  })
}

/** Keeps what is loaded up to date with the company's news for as long as somebody is signed in. Shows nothing. */
export function NewsFollower(): null {
  usePresentUser()
  const client = useQueryClient()
  useEffect(() => {
    const { refresh, stop } = createRefresh(client)
    const gathered = createCollector<News>(gatherMs)
    const stopReacting = gathered.connect((news) => react(news, client, refresh))
    let settling: ReturnType<typeof setTimeout> | undefined
    const stopFollowing = followNews({
      onOpen() {
        clearTimeout(settling)
        settling = setTimeout(() => {
          refresh(['/api/auth/user'], settledMs)
          // What changed while nobody listened, such as while a location is chosen.
          refresh(['/api/company/settings'], settledMs)
        }, settledMs)
      },
      onNews: gathered.add,
      onReload() {
        refuseEarly()
        client.invalidateQueries().catch(reportError)
      },
    })
    return () => {
      clearTimeout(settling)
      stopFollowing()
      stopReacting()
      stop()
    }
  }, [client])
  return null
}
