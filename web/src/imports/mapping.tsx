import type { DecimalSign } from '@inventory-manager/contract/amounts'
import { getLocation } from '@inventory-manager/contract/locations'
import { useState } from 'react'
import { ownLocationNames } from '../session/place-names.ts'
import { CostsCurrency } from '../session/costs-currency.tsx'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, SelectField } from '../ui/field.tsx'
import { LettersField } from '../ui/letters-field.tsx'
import { Loading } from '../ui/loading.tsx'
import { faultOf, fieldsOffered, optionsOf, thereFields, type Meaning } from './column-meanings.ts'
import { readAsWords } from './cost-decimals.ts'
import { fieldsByPlace, guessFields, guessHeading, type Guessing } from './guess-fields.ts'
import { guessByLocation } from './guess-location.ts'
import type { Asked, ImportFile } from './import-file.ts'
import { isOfPieces, type Choices, type Plan } from './upload.ts'

type Fields = readonly (Meaning | null)[]

/** Where the heading of a file is, from 0: its first row, or one below titles that has more to say. Below goods there is none. */
function findHeading(
  rows: readonly string[][],
  guessing: Guessing,
): { headAt: number; byHead: Fields | null } {
  const [first = []] = rows
  const atTop = guessHeading(first, guessing)
  // A title stands alone in its row.
  const isGoods = first.filter((cell) => cell.trim() !== '').length > 1
  if (atTop !== null || (isGoods && guessFields(first, guessing).includes('barcode'))) {
    return { headAt: 0, byHead: atTop }
  }
  for (const [headAt, cells] of rows.entries()) {
    const byHead = guessHeading(cells, guessing)
    if (byHead?.some((field) => field !== null && field !== 'barcode')) return { headAt, byHead }
  }
  return { headAt: 0, byHead: null }
}

/** What the columns of a file are taken for, by its heading if it has one, and by their places. */
type Guess = { headAt: number; byHead: Fields | null; byPlace: Fields }

function guessFile({ first }: ImportFile, guessing: Guessing): Guess {
  const columns = Math.max(...first.map(({ cells }) => cells.length))
  const rows = first.map(({ cells }) => Array.from({ length: columns }, (_, index) => cells[index] ?? ''))
  const found = findHeading(rows, guessing)
  const byHead =
    found.byHead === null
      ? null
      : (guessByLocation(rows.slice(found.headAt), found.byHead, guessing) ?? found.byHead)
  return { headAt: found.headAt, byHead, byPlace: fieldsByPlace(columns, guessing.here) }
}

/** What is chosen of a file before anybody has chosen. */
function firstChoices({ headAt, byHead, byPlace }: Guess): Choices {
  const hasHeads = byHead !== null
  return {
    fields: byHead ?? byPlace,
    hasHeads,
    headAt,
    existing: 'keep',
    retired: 'bring_back',
    decimals: null,
  }
}

/** How many rows of the file are shown below the heading. */
const rowsShown = 4

type WayChoiceProps = { file: ImportFile; asked: Asked | null; onAsked: (asked: Asked) => void }

/** Which sheet of a workbook is read, where it has several, and how the letters of a text file that does not say. */
function WayChoice({ file: { sheets, encoding }, asked, onAsked }: WayChoiceProps) {
  if (encoding !== null) {
    const chosen = asked !== null && 'encoding' in asked ? asked.encoding : encoding
    return <LettersField choice={chosen} onChoose={(other) => onAsked({ encoding: other })} />
  }
  if (sheets === null || sheets.all.length < 2) return null
  return (
    <SelectField
      label="Sheet of the workbook"
      hint="One sheet is imported at a time."
      options={sheets.all.map((name) => ({ value: name, label: name }))}
      value={asked !== null && 'sheet' in asked ? asked.sheet : sheets.chosen}
      onChange={(event) => onAsked({ sheet: event.target.value })}
    />
  )
}

const decimals = [
  { value: '', label: 'As the column shows' },
  { value: '.', label: '1,234.56' },
  { value: ',', label: '1.234,56' },
] as const

/** Where it is asked how numbers are written: at unit costs, and at the first column of pieces that are not written in digits alone. */
function asksDecimals({ first }: ImportFile, fields: Fields): Map<number, string> {
  const pieces = fields.findIndex(
    (field, index) => isOfPieces(field) && first.some(({ cells }) => /\d[.,]\d/.test(cells[index] ?? '')),
  )
  const asked = new Map([[fields.indexOf('unit_cost'), 'How unit costs are written']])
  return asked.set(pieces, 'How quantities are written')
}

/** How numbers are written: whether 1.234 is more than a thousand tell the others of its column, or who knows the file. */
function DecimalsChoice({
  label,
  chosen,
  onChoose,
}: {
  label: string
  chosen: DecimalSign | null
  onChoose: (sign: DecimalSign | null) => void
}) {
  return (
    <SelectField
      label={label}
      hint={
        chosen === null
          ? 'Decides whether 1.234 is a thousand and more, or one and a bit.'
          : `${readAsWords('1.234', chosen)}.`
      }
      options={decimals}
      value={chosen ?? ''}
      onChange={(event) => {
        const { value = '' } = decimals.find((one) => one.value === event.target.value) ?? {}
        onChoose(value === '' ? null : value)
      }}
    />
  )
}

const isSame = (one: Fields, other: Fields) => one.every((field, index) => field === other[index])

/** With or without a heading: what nobody has chosen is guessed by it. */
function withHeads({ fields }: Choices, hasHeads: boolean, { byHead, byPlace }: Guess): Partial<Choices> {
  const [before, now] = hasHeads ? [byPlace, byHead ?? byPlace] : [byHead ?? byPlace, byPlace]
  return { hasHeads, fields: isSame(fields, before) ? now : fields }
}

/**
 * What is chosen of a file. Another sheet has columns of its own. With other letters they are guessed anew too, unless somebody has
 * said what they are. What is wanted of the rows stays.
 */
function useChoices(file: ImportFile, chosen: Choices | null, guessing: Guessing) {
  const [known, setKnown] = useState(() => {
    const guess = guessFile(file, guessing)
    return { file, guess, choices: chosen ?? firstChoices(guess) }
  })
  if (known.file !== file) {
    const { choices } = known
    const before = firstChoices(known.guess)
    const guess = guessFile(file, guessing)
    const first = firstChoices(guess)
    const isChosen = choices.hasHeads !== before.hasHeads || !isSame(choices.fields, before.fields)
    const stays = file.sheets === null && isChosen && choices.fields.length === first.fields.length
    const { existing, retired } = choices
    setKnown({ file, guess, choices: stays ? choices : { ...first, existing, retired } })
  }
  const change = (choice: Partial<Choices>) =>
    setKnown((now) => ({ ...now, choices: { ...now.choices, ...choice } }))
  const setHeads = (hasHeads: boolean) => change(withHeads(known.choices, hasHeads, known.guess))
  return { choices: known.choices, change, setHeads }
}

type MappingProps = {
  file: ImportFile
  /** What was chosen of it before. */
  chosen: Choices | null
  onBack: () => void
  /** How it is being read meanwhile. */
  asked: Asked | null
  /** Reads the file in another way. */
  onAsked: (asked: Asked) => void
  onPlan: (plan: Plan) => void
}

/** What each column of the file means, guessed from its head, beside what stands in it. */
export function Mapping({ file, chosen, asked, onBack, onAsked, onPlan }: MappingProps) {
  const { user, location } = useLocatedSession()
  const offered = fieldsOffered(user.plan)
  const { choices, change, setHeads } = useChoices(file, chosen, {
    here: getLocation(location),
    offered,
    ownNames: ownLocationNames(),
  })
  const { fields, hasHeads, headAt, existing, retired } = choices
  const options = optionsOf(offered)
  const head = file.first[headAt]
  const fault = faultOf(fields)
  const decimalsAt = asksDecimals(file, fields)
  const samples = file.first.slice(hasHeads ? headAt + 1 : 0).slice(0, rowsShown)

  function choose(column: number, value: string): void {
    const meant = [...offered, ...thereFields].find((field) => field === value) ?? null
    change({ fields: fields.map((field, index) => (index === column ? meant : field)) })
  }

  return (
    <Card title={`2. What the columns of ${file.name} mean`}>
      <div className="flex flex-col gap-4">
        <WayChoice file={file} asked={asked} onAsked={onAsked} />
        {asked !== null && <Loading label={`Opening ${file.source.name}...`} />}
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {fields.map((field, index) => {
            const title = hasHeads ? head?.cells[index] : undefined
            return (
              // Columns have no other identity than their place.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className="flex min-w-0 flex-col gap-3 rounded-card border border-line p-3">
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
                {field === 'unit_cost' && <CostsCurrency />}
                {decimalsAt.has(index) && (
                  <DecimalsChoice
                    label={decimalsAt.get(index) ?? ''}
                    chosen={choices.decimals}
                    onChoose={(sign) => change({ decimals: sign })}
                  />
                )}
              </li>
            )
          })}
        </ul>
        <div>
          <Checkbox
            label={
              headAt === 0
                ? 'The first line is a heading'
                : `Line ${head?.line ?? ''} is the heading; what stands above it is left out`
            }
            checked={hasHeads}
            onChange={(event) => setHeads(event.target.checked)}
          />
          <Checkbox
            label="Also set the stock of existing components"
            checked={existing === 'set'}
            onChange={(event) => change({ existing: event.target.checked ? 'set' : 'keep' })}
          />
          <Checkbox
            label="Leave retired components out"
            checked={retired === 'leave_out'}
            onChange={(event) => change({ retired: event.target.checked ? 'leave_out' : 'bring_back' })}
          />
        </div>
        {fault !== null && <Banner tone="warn">{fault}</Banner>}
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            disabled={fault !== null || asked !== null}
            onClick={() => onPlan({ ...choices, file, offered })}
          >
            Check the rows
          </Button>
          <Button onClick={onBack}>Choose another file</Button>
        </div>
      </div>
    </Card>
  )
}
