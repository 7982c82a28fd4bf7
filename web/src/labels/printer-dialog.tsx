import { calibrationPage } from '@inventory-manager/contract/labels/endpoints'
import { labelPages, layoutSheet, type SheetMargins } from '@inventory-manager/contract/labels/sheets'
import { labelSizes, pointsPerInch } from '@inventory-manager/contract/labels/sizes'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { callForFile } from '../api/file-client.ts'
import { downloadFile } from '../lib/files.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { paperOf, type PrintChoice, type PrinterProfile, type Printing } from './print-choice.ts'

const millimetresPerInch = 25.4

type Field = 'x' | 'y' | 'left' | 'top' | 'columnGap' | 'rowGap'
type Typed = Record<Field, string>

/** Bounds in millimetres, as the server takes them. */
const bounds: Record<Field, { label: string; least: number; most: number }> = {
  x: { label: 'Move to the right (mm)', least: -12.7, most: 12.7 },
  y: { label: 'Move down (mm)', least: -12.7, most: 12.7 },
  left: { label: 'Left margin (mm)', least: 0, most: 101.6 },
  top: { label: 'Top margin (mm)', least: 0, most: 101.6 },
  columnGap: { label: 'Gap between columns (mm)', least: 0, most: 50.8 },
  rowGap: { label: 'Gap between rows (mm)', least: 0, most: 50.8 },
}

/** The margins of labels in the middle of their page: what a sheet with margins of its own is corrected from. */
function marginsInMiddle({ size, page, dpi }: PrintChoice): SheetMargins {
  const [first] = layoutSheet({ size, page, dpi }).cells
  const inInches = (points = 0) => points / pointsPerInch
  return { left: inInches(first?.x), top: inInches(first?.y), columnGap: 0, rowGap: 0 }
}

function typedOf({ choice, profile: { offset, margins } }: Printing): Typed {
  const inMillimetres = (inches: number) => String(Math.round(inches * millimetresPerInch * 100) / 100)
  const { left, top, columnGap, rowGap } = margins ?? marginsInMiddle(choice)
  return {
    x: inMillimetres(offset.x),
    y: inMillimetres(offset.y),
    left: inMillimetres(left),
    top: inMillimetres(top),
    columnGap: inMillimetres(columnGap),
    rowGap: inMillimetres(rowGap),
  }
}

function faultOf(field: Field, typed: string): string | undefined {
  const { least, most } = bounds[field]
  const value = Number(typed.replace(',', '.'))
  const fits = typed.trim() !== '' && value >= least && value <= most
  return fits ? undefined : `A number from ${least} to ${most}.`
}

function profileOf(typed: Typed, ownMargins: boolean): PrinterProfile {
  const inches = (field: Field) => Number(typed[field].replace(',', '.')) / millimetresPerInch
  return {
    offset: { x: inches('x'), y: inches('y') },
    margins: ownMargins
      ? {
          left: inches('left'),
          top: inches('top'),
          columnGap: inches('columnGap'),
          rowGap: inches('rowGap'),
        }
      : null,
  }
}

/** How this printer has to be corrected for this kind of page and label, with a page to measure it by. */
export function PrinterDialog({ printing, onClose }: { printing: Printing; onClose: () => void }) {
  const { choice, profile, setProfile } = printing
  const [typed, setTyped] = useState(() => typedOf(printing))
  const [ownMargins, setOwnMargins] = useState(profile.margins !== null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)
  const offsets: Field[] = ['x', 'y']
  const margins: Field[] = ownMargins ? ['left', 'top', 'columnGap', 'rowGap'] : []
  const isWrong = [...offsets, ...margins].some((field) => faultOf(field, typed[field]) !== undefined)
  const next = profileOf(typed, ownMargins)
  const { width, height } = labelSizes[choice.size]

  async function download(): Promise<void> {
    setFailure(null)
    setMaking(true)
    try {
      downloadFile(await callForFile(calibrationPage, { body: paperOf({ choice, profile: next }) }))
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setMaking(false)
    }
  }

  const field = (name: Field) => (
    <TextField
      key={name}
      label={bounds[name].label}
      inputMode="decimal"
      value={typed[name]}
      error={faultOf(name, typed[name])}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
    />
  )

  return (
    <Dialog
      title="Adjust for Printer"
      onClose={onClose}
      actions={
        <>
          <Button disabled={isWrong || isMaking} onClick={() => void download()}>
            {isMaking ? 'Working...' : 'Download Calibration Page'}
          </Button>
          <Button
            look="primary"
            disabled={isWrong}
            onClick={() => {
              setProfile(next)
              onClose()
            }}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          For {labelPages[choice.page].name} and labels of {width} x {height} in; kept on this device. Print
          the calibration page at actual size and hold it against your labels: its frames belong on their
          edges.
        </p>
        {failure !== null && <Fault text={failure} />}
        <div className="grid gap-3 sm:grid-cols-2">{offsets.map(field)}</div>
        {choice.page !== 'roll' && (
          <Checkbox
            label="The sheet has margins of its own"
            checked={ownMargins}
            onChange={(event) => setOwnMargins(event.target.checked)}
          />
        )}
        {margins.length > 0 && <div className="grid gap-3 sm:grid-cols-2">{margins.map(field)}</div>}
      </div>
    </Dialog>
  )
}
