import { useQuery } from '@tanstack/react-query'
import { useLocatedSession } from '../session/session.ts'
import { floorKey, type FloorScan } from './live-counts.ts'

const none: FloorScan[] = []

/** The last scan of each other person, newest first. */
function lastOfOthers(scans: readonly FloorScan[], ownId: string): FloorScan[] {
  const seen = new Set([ownId])
  return scans.filter(({ userId }) => {
    if (seen.has(userId)) return false
    seen.add(userId)
    return true
  })
}

/** The last scan of each other person at the location since this page was opened, newest first. */
export function useOthersHere(): FloorScan[] {
  const { user, location } = useLocatedSession()
  const { data } = useQuery({
    queryKey: floorKey(location),
    queryFn: () => none,
    initialData: none,
    enabled: false,
    gcTime: Infinity,
  })
  return lastOfOthers(data, user.id)
}
