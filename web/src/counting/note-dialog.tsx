import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { maxCountNoteLength } from '@inventory-manager/contract/counting/note-endpoints'
import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { SentencesField } from '../ui/sentences-field.tsx'
import { useOutboxState, useResultsAfterwards } from './count-entries.ts'
import { addNote } from './count-notes.ts'
import { countOutbox } from './count-outbox.ts'
import { listNotable, type Notable } from './notable.ts'
import { timeOfScan } from './time-of-scan.ts'

type NoteDialogProps = {
  session: string
  /** Whether the entry with a key was not taken back. */
  stands: (id: string) => boolean
  onClose: () => void
}

type ScanChoiceProps = { scan: Notable; isChosen: boolean; onChoose: (scan: Notable) => void }

function ScanChoice({ scan, isChosen, onChoose }: ScanChoiceProps) {
  return (
    <label className="flex min-h-12 items-center gap-3 py-1 lg:min-h-9">
      <input
        type="radio"
        name="noted"
        className="size-5 shrink-0 accent-accent lg:size-4"
        checked={isChosen}
        onChange={() => onChoose(scan)}
      />
      <span className="min-w-0 flex-1 truncate font-mono text-sm">{scan.barcode}</span>
      <span className="font-medium tabular-nums">{formatNumber(scan.quantity)}</span>
      <time dateTime={scan.timestamp} className="text-xs whitespace-nowrap text-muted tabular-nums">
        {timeOfScan(scan.timestamp)}
      </time>
    </label>
  )
}

/** The scans there were as the dialog was opened: no row moves under a finger while somebody goes on scanning behind it. */
function useNotable(session: string): readonly Notable[] {
  const results = useResultsAfterwards(session)
  const own = useOutboxState()
  const [notable] = useState(() => listNotable(session, { ...own, results }))
  return notable
}

type NoteFormProps = NoteDialogProps & { notable: readonly Notable[]; newest: Notable }

function NoteForm({ notable, newest, session, stands, onClose }: NoteFormProps) {
  const [chosen, setChosen] = useState(newest)
  const [text, setText] = useState(chosen.note)
  const [failure, setFailure] = useState<string | null>(null)
  const note = text.trim()
  const isChanged = note !== chosen.note

  /** What somebody has begun to write stays. */
  function choose(scan: Notable): void {
    if (!isChanged) setText(scan.note)
    setChosen(scan)
    setFailure(null)
  }

  async function save(): Promise<void> {
    if (!stands(chosen.id)) {
      setFailure(entryMessages.notNotedBack)
      return
    }
    await addNote(countOutbox(), { group: session, key: chosen.id, barcode: chosen.barcode, note })
    onClose()
  }

  return (
    <Dialog
      title="Add a note"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!isChanged} onClick={() => void save().catch(reportError)}>
            Save note
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {failure !== null && <Fault text={failure} />}
        <SentencesField
          label="Note"
          hint={`Administrators read it. ${text.length} of ${maxCountNoteLength} characters.`}
          autoComplete="off"
          maxLength={maxCountNoteLength}
          value={text}
          onChange={setText}
        />
        <fieldset>
          <legend className="pb-1 text-sm font-medium">Scan that it is about</legend>
          <div className="divide-y divide-line border-y border-line">
            {notable.map((scan) => (
              <ScanChoice key={scan.id} scan={scan} isChosen={scan.id === chosen.id} onChoose={choose} />
            ))}
          </div>
        </fieldset>
      </div>
    </Dialog>
  )
}

/** Says something of one of the recent scans, for an administrator to read; what is scanned meanwhile is counted behind it. */
export function NoteDialog(props: NoteDialogProps) {
  const notable = useNotable(props.session)
  const [newest] = notable
  if (newest !== undefined) return <NoteForm {...props} notable={notable} newest={newest} />
  return (
    <Dialog
      title="Add a note"
      onClose={props.onClose}
      actions={<Button onClick={props.onClose}>Close</Button>}
    >
      <p>{entryMessages.nothingToNote}</p>
    </Dialog>
  )
}
