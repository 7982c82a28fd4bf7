import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { useOnce } from '../api/once.ts'
import { isAnyInFields } from '../scanning/saved-form.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import type { Say } from './counting-session.ts'
import { useOthersHere } from './others-here.ts'

/** Who has scanned in these milliseconds counts now, as in the count room. */
const presentMs = 15 * 60_000
/** How long a reset may take before it is said to have failed: nothing is scanned meanwhile. */
const patience = { timeoutMs: 15_000 }

export type ResetOptions = typeof patience & { idempotencyKey: string }

type ResetDialogProps = {
  title: string
  consequence: string
  /** The person's own count, whose fields are emptied with it; null where none runs. */
  session: string | null
  /** Throws where it was not done. */
  clear: (options: ResetOptions) => Promise<void>
  /** The sentence for that. */
  failed: (message: string) => string
  say: Say
  onClose: () => void
}

/**
 * Asks before it clears other people's work, and says how much that is, and of how many who count here now. It stays until that is
 * done, since what was scanned meanwhile would go with it, and where that failed it can be tried again: what others have counted since
 * a try whose answer was lost stays.
 */
export function ResetDialog(props: ResetDialogProps) {
  const { title, consequence, session, clear, failed, say, onClose } = props
  const { location } = useLocatedSession()
  const once = useOnce()
  const [since] = useState(() => Date.now() - presentMs)
  const [isSent, setSent] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const others = useOthersHere().filter(({ at }) => Date.parse(at) >= since).length

  async function reset(): Promise<void> {
    setSent(true)
    setFailure(null)
    try {
      await once(title, (idempotencyKey) => clear({ ...patience, idempotencyKey }))
      say({ tone: 'good', text: entryMessages.reset(placeName(location)) })
      onClose()
    } catch (error) {
      setFailure(failed(messageOf(error)))
      setSent(false)
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      stays={isSent}
      actions={
        <>
          <Button disabled={isSent} onClick={onClose}>
            Keep counting
          </Button>
          <Button look="danger" disabled={isSent} onClick={() => void reset()}>
            {isSent ? 'Resetting...' : title}
          </Button>
        </>
      }
    >
      {failure !== null && (
        <div className="mb-3">
          <Fault text={failure} />
        </div>
      )}
      <p>{consequence}</p>
      {session !== null && isAnyInFields(session) && (
        <p className="mt-2 font-medium text-warn-text">
          The values in the fields have not been entered and will be lost.
        </p>
      )}
      {others > 0 && (
        <p className="mt-2 font-medium">
          {howMany(others, 'other person is', 'other people are')} counting here now.
        </p>
      )}
    </Dialog>
  )
}
