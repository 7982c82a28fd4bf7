import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { useState } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { forgetRefusedUndo, type UndoJob } from '../count-decisions.ts'
import { useOutboxState } from '../count-entries.ts'

function NotTakenBackItem({ undo }: { undo: UndoJob }) {
  const [isLost, setLost] = useState(false)
  const { barcode } = undo.value

  async function forget(): Promise<void> {
    setLost(!(await forgetRefusedUndo(undo)))
  }

  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-mono text-sm">{barcode}</p>
        <p className="text-sm text-muted">{undo.refusal?.message}</p>
      </div>
      <Button
        aria-label={`Seen: ${barcode} is not taken back`}
        onClick={() => void forget().catch(reportError)}
      >
        Seen
      </Button>
      {isLost && <Banner tone="bad">{entryMessages.notDecided}</Banner>}
    </li>
  )
}

/** What the server refused to take back, of all this person's counts on this device, until somebody has seen it. */
export function NotTakenBack() {
  const { notTakenBack } = useOutboxState()
  const list = useListFocus<HTMLUListElement>(notTakenBack.length)
  if (notTakenBack.length === 0) return null
  return (
    <Card title="Not taken back" flush>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line" aria-label="Not taken back">
        {notTakenBack.map((undo) => (
          <NotTakenBackItem key={undo.id} undo={undo} />
        ))}
      </ul>
    </Card>
  )
}
