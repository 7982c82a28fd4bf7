import { maxCopies } from '@inventory-manager/contract/labels/limits'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { labelPages } from '@inventory-manager/contract/labels/sheets'
import { labelSizes } from '@inventory-manager/contract/labels/sizes'
import { symbologies } from '@inventory-manager/contract/labels/symbologies'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import type { Printing } from './print-choice.ts'
import { PrinterDialog } from './printer-dialog.tsx'

function options<T extends { key: string }>(table: Record<string, T>, label: (entry: T) => string) {
  return Object.values(table).map((entry) => ({ value: entry.key, label: label(entry) }))
}

/** The entry of a table that a select names. */
function chosen<T extends { key: string }>(
  table: Record<string, T>,
  value: string,
  before: T['key'],
): T['key'] {
  return Object.values(table).find(({ key }) => key === value)?.key ?? before
}

const resolutions = [
  { value: '203', label: '203 dpi, fits most' },
  { value: '300', label: '300 dpi only' },
]
const dotsOfZpl = [
  { value: '203', label: '203 dpi' },
  { value: '300', label: '300 dpi' },
]
const formats = [
  { value: 'pdf', label: 'PDF' },
  { value: 'zpl', label: 'ZPL, for thermal printers' },
]

function CopiesField({ printing }: { printing: Printing }) {
  const { copies } = printing.choice
  return (
    <TextField
      label="Copies of each label"
      type="number"
      inputMode="numeric"
      min={1}
      max={maxCopies}
      value={printing.typedCopies}
      // One of the two, in the same place: what is below does not move while somebody types.
      {...(copies === 0 ? { error: labelMessages.copies } : { hint: `1 to ${maxCopies}` })}
      onWheel={(event) => event.currentTarget.blur()}
      onChange={(event) => printing.typeCopies(event.target.value)}
    />
  )
}

function ResolutionField({ printing: { choice, setChoice } }: { printing: Printing }) {
  const isZpl = choice.format === 'zpl'
  return (
    <SelectField
      label="Printer resolution"
      options={isZpl ? dotsOfZpl : resolutions}
      hint={isZpl ? 'A label in ZPL is drawn in the dots of the printer: choose its own.' : undefined}
      value={String(choice.dpi)}
      onChange={(event) => setChoice({ dpi: event.target.value === '300' ? 300 : 203 })}
    />
  )
}

type LabelOptionsProps = { printing: Printing; sizeIsFixed?: boolean; disabled?: boolean }

/** What labels are made on, how many of each, and as which symbol: one part for both label screens. */
export function LabelOptions({ printing, sizeIsFixed = false, disabled = false }: LabelOptionsProps) {
  const { choice, setChoice } = printing
  const [adjusting, setAdjusting] = useState(false)
  const perPage = printing.sheet.cells.length
  return (
    <fieldset disabled={disabled} className="grid gap-3 sm:grid-cols-2">
      <legend className="sr-only">Label options</legend>
      {!sizeIsFixed && (
        <SelectField
          label="Label size"
          options={options(labelSizes, ({ width, height, name }) => `${width} x ${height} in, ${name}`)}
          value={choice.size}
          onChange={(event) => setChoice({ size: chosen(labelSizes, event.target.value, choice.size) })}
        />
      )}
      <SelectField
        label="Print on"
        options={options(labelPages, ({ name }) => name)}
        value={choice.page}
        hint={perPage === 1 ? 'One label on each page.' : `${perPage} labels fit on a page.`}
        onChange={(event) => setChoice({ page: chosen(labelPages, event.target.value, choice.page) })}
      />
      <CopiesField printing={printing} />
      <SelectField
        label="Symbol"
        options={options(symbologies, ({ name }) => name)}
        value={choice.symbology}
        hint={
          choice.symbology === 'code128'
            ? undefined
            : 'Laser scanners cannot read it: use a camera or imager.'
        }
        onChange={(event) =>
          setChoice({ symbology: chosen(symbologies, event.target.value, choice.symbology) })
        }
      />
      <ResolutionField printing={printing} />
      {choice.page === 'roll' && (
        <SelectField
          label="File"
          options={formats}
          value={choice.format}
          hint={
            choice.format === 'zpl'
              ? "In the printer's own font: Latin letters, '?' for others; no logo."
              : undefined
          }
          onChange={(event) => setChoice({ format: event.target.value === 'zpl' ? 'zpl' : 'pdf' })}
        />
      )}
      <div className="flex items-end">
        <Button onClick={() => setAdjusting(true)}>Adjust for Printer</Button>
      </div>
      {adjusting && <PrinterDialog printing={printing} onClose={() => setAdjusting(false)} />}
    </fieldset>
  )
}
