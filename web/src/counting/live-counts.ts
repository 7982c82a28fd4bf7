import type { highVolumeForDay, listToCount } from '@inventory-manager/contract/counting/endpoints'
import type { countRoom, RoomLocation } from '@inventory-manager/contract/counting/room-endpoints'
import type { listRecounts, RecountTask } from '@inventory-manager/contract/discrepancies/recount-endpoints'
import type { Endpoint } from '@inventory-manager/contract/endpoint'
import type { CompanyEvent } from '@inventory-manager/contract/events/endpoints'
import type { QueryClient } from '@tanstack/react-query'
import { readOwner } from '../api/token.ts'
import { withChanged } from './component-index.ts'
import { withMark, type CountList, type ListedComponent } from './count-list.ts'
import { openRecounts, recentResults } from './count-results.ts'
import { dayLists, monthLists } from './list-changes.ts'

/** One scan by somebody at a location and when it was made, as the strip over a count shows it. */
export type FloorScan = { id: string; userId: string; userName: string; sku: string; at: string }

export const floorKey = (location: string) => ['floor', location] as const

type KeyOf<E extends Endpoint> = readonly [E['path'], location?: string]

// By type: the calls themselves would bring their shapes with them, which come later than news.
const toCountKey = (location: string): KeyOf<typeof listToCount> => ['/api/components/to-count', location]
const daysKey = (location: string): KeyOf<typeof highVolumeForDay> => [
  '/api/components/high-volume-for-day',
  location,
]
const recountsKey = (location: string): KeyOf<typeof listRecounts> => ['/api/recounts', location]
const roomKey: KeyOf<typeof countRoom> = ['/api/counting/room']

type EventCount = NonNullable<CompanyEvent['count']>

const scansKept = 50

/** The latest count of each SKU among the events that pass. */
function countsBySku(
  events: readonly CompanyEvent[],
  passes: (count: EventCount) => boolean,
): Map<string, EventCount> {
  const counts = new Map<string, EventCount>()
  for (const { sku, count } of events) {
    if (count === undefined || !passes(count)) continue
    const known = counts.get(sku)
    if (known === undefined || known.counted_at <= count.counted_at) counts.set(sku, count)
  }
  return counts
}

/** The list with the marks of counts set; items that are as new already, and lists without them, stay the same. */
function mark<T extends ListedComponent>(
  items: readonly T[],
  counts: ReturnType<typeof countsBySku>,
): readonly T[] {
  return withChanged(items, counts.keys(), (item) => {
    const found = counts.get(item.barcode)
    return found === undefined ? item : withMark(item, { at: found.counted_at, source: found.source })
  })
}

function patchMonthly<L extends CountList>(list: L, events: readonly CompanyEvent[]): L {
  const counts = countsBySku(events, ({ this_month: thisMonth }) => thisMonth)
  const components = mark(list.components, counts)
  const progress = events.findLast((event) => event.progress !== undefined)?.progress
  const { counted, total } = progress ?? list
  if (components === list.components && counted === list.counted && total === list.total) return list
  return { ...list, components, counted, total }
}

function patchWeekly<L extends Pick<CountList, 'components'>>(list: L, events: readonly CompanyEvent[]): L {
  const counts = countsBySku(events, ({ today }) => today)
  const components = mark(list.components, counts)
  return components === list.components ? list : { ...list, components }
}

function scanOf({
  id,
  user_id: userId,
  user_name: userName,
  sku,
  timestamp,
  count,
}: CompanyEvent): FloorScan {
  return { id, userId: userId ?? '', userName, sku, at: count?.counted_at ?? timestamp }
}

function patchRoom(place: RoomLocation, events: readonly CompanyEvent[]): RoomLocation {
  const last = events.findLast((event) => event.progress !== undefined)
  if (last?.progress === undefined) return place
  const { counted, total } = last.progress
  return { ...place, counted, total, left: Math.max(0, total - counted) }
}

/** Brings what is loaded of one location up to date with scans there, without loading anything again. */
function patchLocation(client: QueryClient, location: string, events: readonly CompanyEvent[]): void {
  const scans = events.filter(({ count }) => count !== undefined).map(scanOf)
  monthLists.change(client, toCountKey(location), (list) => patchMonthly(list, events))
  dayLists.change(client, daysKey(location), (list) => patchWeekly(list, events))
  client.setQueryData<FloorScan[]>(floorKey(location), (known = []) =>
    [...scans.toReversed(), ...known].slice(0, scansKept),
  )
  client.setQueryData<{ now: string; locations: RoomLocation[] }>(
    roomKey,
    (room) =>
      room && {
        ...room,
        locations: room.locations.map((place) =>
          place.location === location ? patchRoom(place, events) : place,
        ),
      },
  )
}

/** Brings what is loaded up to date with what others counted. */
export function patchCounts(client: QueryClient, events: readonly CompanyEvent[]): void {
  const locations = new Set(events.map(({ location }) => location))
  for (const location of locations) {
    if (location === null) continue
    patchLocation(
      client,
      location,
      events.filter((event) => event.location === location),
    )
  }
}

/** Tells what did not match when this person scanned it; also what was counted again since, as that may be taken back. */
export function timeRecounts(events: readonly CompanyEvent[]): void {
  const owner = readOwner()
  for (const { sku, user_id: userId, count } of events) {
    const isOwn = owner.endsWith(`/${userId}`)
    if (!isOwn || count === undefined) continue
    // Where verdicts are not told, what sets no mark was not recorded.
    if (count.recorded ?? (count.this_month || count.today)) continue
    for (const results of [openRecounts, recentResults]) results.time(owner, { sku, at: count.counted_at })
  }
}

/** The locations where SKUs were counted that wait for a recount; whether it was that recount, the server knows. */
export function findRecounted(client: QueryClient, events: readonly CompanyEvent[]): Set<string> {
  const found = new Set<string>()
  for (const { location, sku, count } of events) {
    if (location === null || count === undefined || count.recorded === false) continue
    const tasks = client.getQueryData<{ recounts: RecountTask[] }>(recountsKey(location))
    if (tasks?.recounts.some((task) => task.sku === sku) === true) found.add(location)
  }
  return found
}
