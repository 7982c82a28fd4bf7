import { maxCellLength, storable, type ImportField } from '@inventory-manager/contract/imports/rules'
import { locations, type LocationNames } from '@inventory-manager/contract/locations'
import { placeName, places, type Place } from '@inventory-manager/contract/stock/places'
import { isThere, type Meaning } from './column-meanings.ts'
import type { FileRow, StagedRow } from './file-rows.ts'
import { findPlace } from './named-places.ts'

/** What a line may say of its location, and how that is called. */
const parts = [
  { meaning: 'quantity_there', kind: 'quantityField', words: 'quantity of' },
  { meaning: 'bin_there', kind: 'binField', words: 'bin at' },
  { meaning: 'minimum_there', kind: 'minimumField', words: 'minimum at' },
] as const

type Part = (typeof parts)[number]

/** The field of a part of a place; null where it has none. */
function fieldAt(place: Place, { kind }: Part): ImportField | null {
  const location = locations.find(({ code }) => code === place)
  if (location !== undefined) return location[kind]
  return kind === 'quantityField' ? 'quarantine_quantity' : null
}

/** The fields of some parts of every place. */
function fieldsThere(asked: readonly Part[]): ImportField[] {
  return places
    .flatMap((place) => asked.map((part) => fieldAt(place, part)))
    .filter((field) => field !== null)
}

/** What lines say of one component, and where each of it stands. */
type Merged = { line: number; cells: Map<ImportField, { text: string; line: number }>; fault: string | null }

/** Something that one line says. */
type Saying = { field: ImportField; text: string; line: number; words: string }

/** Other barcodes come together; what else two lines say otherwise is a fault, and of a location also the same twice. */
function say(merged: Merged, { field, text, line, words }: Saying): void {
  const before = merged.cells.get(field)
  if (before === undefined) {
    merged.cells.set(field, { text, line })
    return
  }
  if (field === 'other_barcodes') {
    const both = `${before.text}; ${text}`.slice(0, maxCellLength)
    if (before.text !== text) merged.cells.set(field, { text: both, line })
    return
  }
  const isOwn = field === 'description' || field === 'unit_cost'
  if (isOwn && before.text.trim() === text.trim()) return
  merged.fault ??= `the ${words} stands at line ${before.line} and again at line ${line}${isOwn ? ', otherwise' : ''}`
}

const ownWords: Partial<Record<Meaning, string>> = { description: 'description', unit_cost: 'unit cost' }

export type ByLocation = {
  /** What the columns mean, in the order of the cells of each row. */
  columns: readonly Meaning[]
  /** What may be said in the plan of the company. */
  offered: readonly ImportField[]
  ownNames: LocationNames
}

/**
 * Makes of lines that say each what there is of a component at one location one row for each component. A line whose location cannot be taken is a
 * faulty row of its own; where two say the same of one component, all of that is faulty: which of them is right, nobody knows.
 */
export function createMerging({ columns, offered, ownNames }: ByLocation) {
  const own = [...new Set(columns.filter((meaning) => !isThere(meaning)))]
  const asked = parts.filter(({ meaning }) => columns.includes(meaning))
  const fields = [...own, ...fieldsThere(asked).filter((field) => offered.includes(field))]
  const found = new Map<string, Merged>()
  const alone: StagedRow[] = []

  const sayingsOf = ({ line, cells }: FileRow): Saying[] =>
    columns.flatMap((meaning, column) => {
      const text = cells[column] ?? ''
      if (isThere(meaning) || meaning === 'barcode' || text.trim() === '') return []
      return [{ field: meaning, text, line, words: ownWords[meaning] ?? '' }]
    })

  /** What a line says of its location; or what is wrong with it. */
  function readThere({ line, cells }: FileRow): Saying[] | string {
    const cellOf = (meaning: Meaning) => (cells[columns.indexOf(meaning)] ?? '').trim()
    const said = asked.filter(({ meaning }) => cellOf(meaning) !== '')
    const named = cellOf('location')
    if (named === '') return said.length === 0 ? [] : 'the location is empty'
    const place = findPlace(named, ownNames)
    if (place === null) return `the location is not one of yours: ${named.slice(0, 40)}`
    const name = placeName(place, ownNames)
    const sayings: Saying[] = []
    for (const part of said) {
      const field = fieldAt(place, part)
      const text = cellOf(part.meaning)
      if (field === null) return `${name} has no bins and minimums`
      if (offered.includes(field)) sayings.push({ field, text, line, words: `${part.words} ${name}` })
      else if (text !== '0') return `your plan does not include ${name}`
    }
    return sayings
  }

  function addAlone(row: FileRow, fault: string | null): void {
    const barcode = row.cells[columns.indexOf('barcode')] ?? ''
    const cells = fields.map((field) => (field === 'barcode' ? barcode : ''))
    // What is too much in it stays so.
    const surplus = row.cells.slice(columns.length)
    alone.push({ line: row.line, cells: [...cells, ...surplus], ...(fault === null ? {} : { fault }) })
  }

  return {
    fields,
    add(row: FileRow): void {
      const barcode = (row.cells[columns.indexOf('barcode')] ?? '').trim()
      if (barcode === '' || row.cells.length > columns.length) return addAlone(row, null)
      const sayings = readThere(row)
      if (typeof sayings === 'string') return addAlone(row, storable(sayings))
      const merged = found.get(barcode) ?? { line: row.line, cells: new Map(), fault: null }
      found.set(barcode, merged)
      for (const saying of [...sayingsOf(row), ...sayings]) say(merged, saying)
    },
    /** The rows of all lines, by their first one. */
    end(): StagedRow[] {
      const rows = [...found].map(([barcode, { line, cells, fault }]): StagedRow => ({
        line,
        cells: fields.map((field) => (field === 'barcode' ? barcode : (cells.get(field)?.text ?? ''))),
        ...(fault === null ? {} : { fault: storable(fault) }),
      }))
      return [...rows, ...alone].toSorted((one, other) => one.line - other.line)
    },
  }
}
