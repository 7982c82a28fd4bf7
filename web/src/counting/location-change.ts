import {
  findLocation,
  locationNotInPlan,
  unknownLocation,
  type LocationCode,
} from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { report } from '../session/report.ts'
import { chooseLocation, useLocatedSession } from '../session/session.ts'

/** Goes to another location and stays on the screen. */
function goToLocation(from: LocationCode, to: LocationCode): void {
  report({
    sku: 'CONFIG_LOCATION_SELECTION',
    location: to,
    metadata: { type: 'config_change', event_type: 'location_selection', old_value: from, new_value: to },
  }).catch(reportError)
  chooseLocation(to)
}

/** Where a location's command code leads: there at once, there after a question, or nowhere, with the reason. */
export function useLocationCode() {
  const { user, location } = useLocatedSession()
  return {
    read(code: string): { to: LocationCode } | { problem: string } | null {
      const found = findLocation(code)
      if (found === null) return { problem: unknownLocation }
      if (found.code === location) return null
      if (!planOffers(user.plan, found.code)) return { problem: locationNotInPlan }
      return { to: found.code }
    },
    go: (to: LocationCode) => goToLocation(location, to),
  }
}
