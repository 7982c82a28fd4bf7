import { isThere, thereFields, type Meaning } from './column-meanings.ts'
import { guessFields, type Guessing } from './guess-fields.ts'
import { findPlace } from './named-places.ts'

/** Heads of a column of locations, also in German, French and Spanish; many lists have a place of another kind under them. */
const locationHead =
  /^(stock[ _-]?)?(location|warehouse|site|store|depot|d[ée]p[ôo]t|lager(ort|haus)?|standort|entrep[ôo]t|almac[ée]n|bodega)([ _-]?(name|code|id))?$/iu

const isSaid = (cell: string) => cell.trim() !== ''

/** Whether one barcode stands in several rows. */
function hasRepeats(rows: readonly string[][], barcode: number): boolean {
  const codes = rows.map((cells) => cells[barcode] ?? '').filter(isSaid)
  return new Set(codes).size < codes.length
}

/**
 * The columns of a file that has a line for each location of a component, where one of those that mean nothing names locations of the
 * company, or says that it does while barcodes repeat; null of any other file. `rows`: its heading, and what is below it.
 */
export function guessByLocation(
  [heads = [], ...rows]: readonly string[][],
  guessed: readonly (Meaning | null)[],
  guessing: Guessing,
): (Meaning | null)[] | null {
  const repeats = hasRepeats(rows, guessed.indexOf('barcode'))
  const at = guessed.findIndex((field, column) => {
    if (field !== null) return false
    const cells = rows.map((row) => row[column] ?? '').filter(isSaid)
    const areNames = cells.length > 0 && cells.every((cell) => findPlace(cell, guessing.ownNames) !== null)
    return areNames || (repeats && locationHead.test(heads[column]?.trim() ?? ''))
  })
  if (at === -1) return null
  const here = {
    quantityField: 'quantity_there',
    binField: 'bin_there',
    minimumField: 'minimum_there',
  } as const
  const offered: Meaning[] = ['barcode', 'description', 'unit_cost', 'other_barcodes', ...thereFields]
  const fields = guessFields(heads, { ...guessing, here, offered }).with(at, 'location')
  return fields.some((field) => field !== null && field !== 'location' && isThere(field)) ? fields : null
}
