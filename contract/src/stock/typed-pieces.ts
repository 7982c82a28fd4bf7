import { wholeNumber } from '../numbers.ts'
import { maxQuantity } from '../values.ts'

/** The number of pieces that somebody has typed, from 0 up; null where it is none, or more than stock can be. */
export function readPiecesTyped(typed: string): number | null {
  const digits = typed.trim()
  return /^\d{1,10}$/.test(digits) && Number(digits) <= maxQuantity ? Number(digits) : null
}

const wanted = `Give a whole number from 0 to ${wholeNumber(maxQuantity)}`

/** What is said where it is none, and of a field that may be empty. */
export const piecesFaults = { needed: `${wanted}.`, optional: `${wanted}, or nothing.` } as const
