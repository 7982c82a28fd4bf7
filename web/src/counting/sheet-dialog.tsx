import { countSheet } from '@inventory-manager/contract/counting/sheet-endpoints'
import { writeBins } from '@inventory-manager/contract/stock/bin-names'
import type { WeekDay } from '@inventory-manager/contract/stock/rules'
import { useState } from 'react'
import { DownloadStatus, useDownload } from '../api/download.tsx'
import { usualPaper, type Paper } from '../lib/papers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { PaperField } from '../ui/paper-field.tsx'
import { BinsField } from './assignments/bins-field.tsx'
import { useMyBins } from './assignments/my-bins.ts'
import { ownTextKey, useOwnText } from './own-text.ts'

/** A weekly count by its day, or a cycle count by its id; else the month's. */
export type SheetOf = { day?: WeekDay; cycle?: string }

type Choice = 'pending' | 'all' | 'spot'

function pendingLabel({ day, cycle }: SheetOf): string {
  if (cycle !== undefined) return 'Not counted in this cycle'
  return day === undefined ? 'Not counted this month' : 'Not counted today'
}

type SheetDialogProps = {
  of: SheetOf
  /** Whether it is said of anything in which bin it lies. */
  hasBins: boolean
  onClose: () => void
}

/** Chooses what a count sheet is of, and downloads it; of the month at first what whoever prints it is asked to count. */
export function SheetDialog({ of, hasBins, onClose }: SheetDialogProps) {
  const { location } = useLocatedSession()
  const my = useMyBins()
  const [mine] = useState(() => (my.isOnly && of.day === undefined ? my.bins : []))
  const [bins, setBins] = useState(() => writeBins(mine))
  const [isNoneToo, setNoneToo] = useState(() => mine.includes(''))
  const [components, setComponents] = useState<Choice>('pending')
  const [paper, setPaper] = useState<Paper>(usualPaper)
  const download = useDownload()
  const [spotKey] = useState(() => ownTextKey('spot_skus', location))
  const hasSpot = useOwnText(spotKey) !== '' && of.day === undefined
  const options: readonly { value: Choice; label: string }[] = [
    { value: 'pending', label: pendingLabel(of) },
    ...(hasSpot ? [{ value: 'spot' as const, label: 'Left of the spot count' }] : []),
    { value: 'all', label: 'All' },
  ]

  function choose(value: string): void {
    const chosen = options.find((option) => option.value === value)?.value ?? 'pending'
    setComponents(chosen)
    // A spot count is of whichever bins: one's own were meant for the month.
    if (chosen !== 'spot' || bins !== writeBins(mine)) return
    setBins('')
    setNoneToo(false)
  }

  function print(): void {
    const ofBins = {
      ...(bins.trim() === '' ? {} : { bins }),
      ...(isNoneToo ? ({ no_bin: 'true' } as const) : {}),
    }
    const what =
      components === 'spot'
        ? ({ components: 'pending', spot_count: 'mine' } as const)
        : ({ components, ...of } as const)
    const query = { location, paper, ...what, ...ofBins }
    download.start('The count sheet', countSheet, { query }).catch(reportError)
  }

  return (
    <Dialog
      title="Count sheet"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" disabled={download.busy} onClick={print}>
            Download PDF
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          For counting on paper: what is to be counted here, in order of bins and without quantities. Enter
          the results later by scanning the sheet's barcodes; type codes too long to print as one.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Components"
            options={options}
            value={components}
            onChange={({ target }) => choose(target.value)}
          />
          <PaperField value={paper} onChange={setPaper} />
        </div>
        {hasBins && (
          <BinsField value={bins} onChange={setBins} isNoneToo={isNoneToo} onNoneToo={setNoneToo} />
        )}
        <DownloadStatus download={download} />
      </div>
    </Dialog>
  )
}
