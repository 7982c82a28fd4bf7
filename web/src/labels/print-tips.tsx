import { commandSheet } from '@inventory-manager/contract/labels/endpoints'
import { labelPages, labelsPerPage, type LabelPageKey } from '@inventory-manager/contract/labels/sheets'
import { labelSizes } from '@inventory-manager/contract/labels/sizes'
import { planLocations } from '@inventory-manager/contract/plans'
import { commands } from '@inventory-manager/contract/scanning/commands'
import { useState } from 'react'
import { callForFile } from '../api/file-client.ts'
import { downloadFile } from '../lib/files.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'
import { paperOf, type Printing } from './print-choice.ts'
import { refusalOf } from './refusal.ts'

/** How many labels a page takes: of the chosen page, or of the usual one while labels come from a roll. */
function perPageTip({ choice, sheet }: Printing): string {
  const { name } = labelSizes[choice.size]
  const fit = (labels: number, page: LabelPageKey) =>
    `${labels} ${name} labels fit on a page (${labelPages[page].name}).`
  return choice.page === 'roll'
    ? fit(labelsPerPage(choice.size, '4x6'), '4x6')
    : fit(sheet.cells.length, choice.page)
}

/** Tips for printing, and the barcodes that steer the count screens. */
export function PrintTips({ printing, busy }: { printing: Printing; busy: boolean }) {
  const { user } = useLocatedSession()
  const [failure, setFailure] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)

  async function download(): Promise<void> {
    setFailure(null)
    setMaking(true)
    try {
      const { first, symbology } = printing.choice
      downloadFile(await callForFile(commandSheet, { body: { ...paperOf(printing), first, symbology } }))
      printing.goOnBehind(commands.length + planLocations(user.plan).length)
    } catch (error) {
      setFailure(refusalOf(error))
    } finally {
      setMaking(false)
    }
  }

  return (
    <Card title="Tips">
      <div className="flex flex-col items-start gap-3 text-sm text-muted">
        <p>Tip: {perPageTip(printing)}</p>
        <p>
          Command barcodes steer the count screens without touching them: choose a location, undo, next,
          submit, count ten at once.
        </p>
        {failure !== null && <Fault text={failure} />}
        <Button disabled={busy || isMaking} onClick={() => void download()}>
          {isMaking ? 'Working...' : 'Download Command Barcodes'}
        </Button>
      </div>
    </Card>
  )
}
