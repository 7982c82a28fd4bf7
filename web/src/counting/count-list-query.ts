import { highVolumeForDay, listToCount } from '@inventory-manager/contract/counting/endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Role } from '@inventory-manager/contract/roles'
import type { WeekDay } from '@inventory-manager/contract/stock/rules'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { binIn, findIn, type CountList } from './count-list.ts'
import { keptListQuery } from './kept-list.tsx'
import { dayLists, monthLists } from './list-changes.ts'

const names: Record<Role, string> = { admin: 'admin', user: 'monthly' }

/** The components to count at a location, for administrators with their stock; without a network those that were kept. */
export function countListQuery(location: LocationCode, role: Role) {
  const list = keptListQuery(listToCount, {
    name: `${names[role]} ${location}`,
    input: { query: { location } },
  })
  return queryOptions({
    ...list,
    queryKey: [listToCount.path, location],
    // Compared by hand where it is changed: to compare thousands of rows costs more than to draw those in view.
    structuralSharing: false,
    queryFn: (context) => monthLists.load(context, () => list.queryFn(context)),
  })
}

/** The component of a code by the list of the month; null where nobody knows: that was not loaded, or leaves components out. */
export function findInMonth(client: QueryClient, location: LocationCode) {
  const list = client.getQueryData<CountList>([listToCount.path, location])
  return (code: string) => {
    if (list === undefined) return null
    return findIn(list.components, code) ?? ((list.not_kept ?? 0) > 0 ? null : undefined)
  }
}

/** The bin of a location that a code names by the list of the month, if any: where a day's SKUs do not lie, there may be others. */
export function binInMonth(client: QueryClient, location: LocationCode, code: string): string | undefined {
  const list = client.getQueryData<CountList>([listToCount.path, location])
  return list && binIn(list.components, code)
}

/** The high-volume SKUs to count on a day at a location; without a network those that were kept. */
export function dayListQuery(location: LocationCode, day: WeekDay) {
  const list = keptListQuery(highVolumeForDay, {
    name: `weekly ${day} ${location}`,
    input: { body: { day, location } },
  })
  return queryOptions({
    ...list,
    queryKey: [highVolumeForDay.path, location, day],
    structuralSharing: false,
    queryFn: (context) => dayLists.load(context, () => list.queryFn(context)),
  })
}
