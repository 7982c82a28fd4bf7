import {
  findLocation,
  unknownLocation,
  getLocation,
  locationNotInPlan,
  type LocationCode,
} from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { formatNumber } from '../lib/numbers.ts'
import { report } from '../session/report.ts'
import { chooseLocation, useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useEntryCounts } from './count-entries.ts'

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

type LeaveDialogProps = { to: LocationCode; session: string; onGo: () => void; onStay: () => void }

/** Asks before it leaves a count whose scans are not all stored. */
export function LeaveDialog({ to, session, onGo, onStay }: LeaveDialogProps) {
  const { waiting } = useEntryCounts(session)
  const { name } = getLocation(to)
  return (
    <Dialog
      title="Change location?"
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>Stay here</Button>
          <Button look="primary" onClick={onGo}>
            Go to {name}
          </Button>
        </>
      }
    >
      <p>
        {waiting === 1 ? '1 scan waits' : `${formatNumber(waiting)} scans wait`} on this device. They are sent
        all the same, to the location they were counted at.
      </p>
    </Dialog>
  )
}
