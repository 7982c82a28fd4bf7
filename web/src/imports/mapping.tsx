import { importFields, type ImportField } from '@inventory-manager/contract/imports/rules'
import { getLocation } from '@inventory-manager/contract/locations'
import { useState } from 'react'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, SelectField } from '../ui/field.tsx'
import { fieldsByPlace, guessFields } from './guess-fields.ts'
import type { ImportFile } from './import-file.ts'
import type { Plan } from './upload.ts'

const fieldLabels: Record<ImportField, string> = {
  barcode: 'Barcode',
  description: 'Description',
  primary_quantity: 'Stock at Primary Warehouse',
  secondary_quantity: 'Stock at Secondary Warehouse',
  fulfillment_quantity: 'Stock at Fulfillment Center',
  distribution_quantity: 'Stock at Distribution Center',
  quarantine_quantity: 'Stock in Quarantine',
}

const options = [
  { value: '', label: 'Not imported' },
  ...importFields.map((field) => ({ value: field, label: fieldLabels[field] })),
]

/** What is wrong with a choice of columns; null where nothing is. */
function faultOf(fields: readonly (ImportField | null)[]): string | null {
  const chosen = fields.filter((field) => field !== null)
  if (!chosen.includes('barcode')) return 'Say which column is the barcode.'
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index)
  return twice === undefined ? null : `${fieldLabels[twice]} is chosen for two columns.`
}

type MappingProps = { file: ImportFile; onBack: () => void; onPlan: (plan: Plan) => void }

/** What each column of the file means, guessed from its head, beside what stands in it. */
export function Mapping({ file, onBack, onPlan }: MappingProps) {
  const here = getLocation(useLocatedSession().location).quantityField
  const [head] = file.first
  const columns = Math.max(...file.first.map(({ cells }) => cells.length))
  const guess = guessFields(
    Array.from({ length: columns }, (_, index) => head?.cells[index] ?? ''),
    here,
  )
  const headed = guess.includes('barcode')
  const [hasHeads, setHasHeads] = useState(headed)
  const [fields, setFields] = useState(headed ? guess : fieldsByPlace(columns, here))
  const [setsStock, setSetsStock] = useState(false)
  const [leavesRetired, setLeavesRetired] = useState(false)
  const fault = faultOf(fields)
  const samples = hasHeads ? file.first.slice(1) : file.first

  function choose(column: number, value: string): void {
    const chosen = importFields.find((field) => field === value) ?? null
    setFields(fields.map((field, index) => (index === column ? chosen : field)))
  }

  return (
    <Card title={`2. What the columns of ${file.name} mean`}>
      <div className="flex flex-col gap-4">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {fields.map((field, index) => {
            const title = hasHeads ? head?.cells[index] : undefined
            return (
              // Columns have no other identity than their place.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className="min-w-0 rounded-card border border-line p-3">
                <SelectField
                  label={title === undefined || title === '' ? `Column ${index + 1}` : title}
                  options={options}
                  value={field ?? ''}
                  onChange={(event) => choose(index, event.target.value)}
                  hint={
                    <span className="block truncate font-mono">
                      {samples
                        .map(({ cells }) => cells[index] ?? '')
                        .filter((cell) => cell !== '')
                        .join(' · ') || 'empty'}
                    </span>
                  }
                />
              </li>
            )
          })}
        </ul>
        <div>
          <Checkbox
            label="The first line is a heading"
            checked={hasHeads}
            onChange={(event) => setHasHeads(event.target.checked)}
          />
          <Checkbox
            label="Also set the stock of existing components"
            checked={setsStock}
            onChange={(event) => setSetsStock(event.target.checked)}
          />
          <Checkbox
            label="Leave retired components out"
            checked={leavesRetired}
            onChange={(event) => setLeavesRetired(event.target.checked)}
          />
        </div>
        {fault !== null && <Banner tone="warn">{fault}</Banner>}
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            disabled={fault !== null}
            onClick={() =>
              onPlan({
                file,
                fields,
                hasHeads,
                existing: setsStock ? 'set' : 'keep',
                retired: leavesRetired ? 'leave_out' : 'bring_back',
              })
            }
          >
            Check the rows
          </Button>
          <Button onClick={onBack}>Choose another file</Button>
        </div>
      </div>
    </Card>
  )
}
