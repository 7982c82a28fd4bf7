import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { isAnyInFields } from '../scanning/saved-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useOthersHere } from './others-here.ts'

/** Who has scanned in these milliseconds counts now, as in the count room. */
const presentMs = 15 * 60_000

type ResetDialogProps = {
  title: string
  consequence: string
  /** The person's own count, whose fields are emptied with it; null where none runs. */
  session: string | null
  onReset: () => void
  onClose: () => void
}

/**
 * Asks before it clears other people's work, and says how much that is, and of how many who count here now. It stays until that is
 * done: what was scanned meanwhile would go with it.
 */
export function ResetDialog({ title, consequence, session, onReset, onClose }: ResetDialogProps) {
  const [since] = useState(() => Date.now() - presentMs)
  const [busy, setBusy] = useState(false)
  const others = useOthersHere().filter(({ at }) => Date.parse(at) >= since).length
  return (
    <Dialog
      title={title}
      onClose={busy ? () => undefined : onClose}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            Keep counting
          </Button>
          <Button
            look="danger"
            disabled={busy}
            onClick={() => {
              setBusy(true)
              onReset()
            }}
          >
            {title}
          </Button>
        </>
      }
    >
      <p>{consequence}</p>
      {session !== null && isAnyInFields(session) && (
        <p className="mt-2 font-medium text-warn-text">
          What stands in the fields is not entered, and goes with it.
        </p>
      )}
      {others > 0 && (
        <p className="mt-2 font-medium">
          {others === 1 ? '1 other person is' : `${formatNumber(others)} other people are`} counting here now.
        </p>
      )}
    </Dialog>
  )
}
