import { wholeNumber } from '../numbers.ts'
import { maxDescriptionLength } from '../values.ts'

/** What the label of another barcode says: first how many pieces it stands for, where those are several, so that this is never cut. */
export function describePack(description: string, pieces: number): string {
  if (pieces === 1) return description
  const pack = `Pack of ${wholeNumber(pieces)}`
  if (description === '') return pack
  // Not half of a sign that takes two units.
  return `${pack}: ${description}`.slice(0, maxDescriptionLength).replace(/\p{Cs}$/u, '')
}
