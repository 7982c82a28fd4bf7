import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { useState } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { useOutboxState } from '../count-entries.ts'
import { discardNote, sendNoteAgain, type NoteJob } from '../count-notes.ts'
import { countOutbox } from '../count-outbox.ts'

function NotNotedItem({ note }: { note: NoteJob }) {
  const [isLost, setLost] = useState(false)
  const { barcode, note: text } = note.value

  async function decide(work: Promise<boolean>): Promise<void> {
    setLost(!(await work))
  }

  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 px-4 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-mono text-sm">{barcode}</p>
        <p className="text-sm wrap-anywhere">{text === '' ? 'Its note is taken away' : text}</p>
        <p className="text-sm text-muted">{note.refusal?.message}</p>
      </div>
      <Button
        aria-label={`Discard the note on ${barcode}`}
        onClick={() => void decide(discardNote(countOutbox(), note)).catch(reportError)}
      >
        Discard
      </Button>
      <Button
        aria-label={`Send the note on ${barcode} again`}
        onClick={() => void decide(sendNoteAgain(countOutbox(), note)).catch(reportError)}
      >
        Send again
      </Button>
      {isLost && <Banner tone="bad">{entryMessages.notDecided}</Banner>}
    </li>
  )
}

/** What the server refused of what was said of counts, of all this person's counts on this device, until somebody has decided. */
export function NotNoted() {
  const { notNoted } = useOutboxState()
  const list = useListFocus<HTMLUListElement>(notNoted.length)
  if (notNoted.length === 0) return null
  return (
    <Card title="Notes not stored" flush>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line" aria-label="Notes not stored">
        {notNoted.map((note) => (
          <NotNotedItem key={note.id} note={note} />
        ))}
      </ul>
    </Card>
  )
}
