import { listToCount } from '@inventory-manager/contract/counting/endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Role } from '@inventory-manager/contract/roles'
import { queryOptions } from '@tanstack/react-query'
import { loadKept } from './kept-list.tsx'

const names: Record<Role, string> = { admin: 'admin', user: 'monthly' }

/** The components to count at a location, for administrators with their stock; without a network those that were kept. */
export function countListQuery(location: LocationCode, role: Role) {
  return queryOptions({
    queryKey: ['count-status', location],
    // Compared by hand where it is changed: to compare thousands of rows costs more than to draw those in view.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      loadKept(listToCount, { name: `${names[role]} ${location}`, input: { query: { location } }, signal }),
  })
}
