import { formatNumber } from '../lib/numbers.ts'
import type { WaitingScans } from './outbox.ts'

/** What becomes of the scans that wait on this device when nobody is signed in. */
export function WaitingSentences({ waiting }: { waiting: WaitingScans }) {
  const { toSend, toTakeBack, toDecide } = waiting
  return (
    <div className="flex flex-col gap-2">
      {toSend > 0 && (
        <p>
          {toSend === 1
            ? '1 scan waits on this device. It is sent after you sign in here again.'
            : `${formatNumber(toSend)} scans wait on this device. They are sent after you sign in here again.`}
        </p>
      )}
      {toTakeBack > 0 && (
        <p>
          {toTakeBack === 1 ? '1 scan is' : `${formatNumber(toTakeBack)} scans are`} still to be taken back.
          That is done after you sign in here again.
        </p>
      )}
      {toDecide > 0 && (
        <p>
          {toDecide === 1
            ? '1 scan was not taken and is still to decide. It waits on this device until you sign in here again.'
            : `${formatNumber(toDecide)} scans were not taken and are still to decide. They wait on this device until you sign in here again.`}
        </p>
      )}
    </div>
  )
}
