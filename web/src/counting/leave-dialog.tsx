import type { LocationCode } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import { placeName } from '../session/place-names.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useEntryCounts } from './count-entries.ts'

type LeaveDialogProps = { to: LocationCode; session: string; onGo: () => void; onClose: () => void }

/** Asks before it leaves a count whose scans are not all stored. */
export function LeaveDialog({ to, session, onGo, onClose }: LeaveDialogProps) {
  const { waiting } = useEntryCounts(session)
  return (
    <Dialog
      title="Change location?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Stay here</Button>
          <Button look="primary" onClick={onGo}>
            Go to {placeName(to)}
          </Button>
        </>
      }
    >
      <p>
        {howMany(
          waiting,
          'scan is waiting on this device. It will still be sent, to the location where it was counted.',
          'scans are waiting on this device. They will still be sent, to the location where they were counted.',
        )}
      </p>
    </Dialog>
  )
}
