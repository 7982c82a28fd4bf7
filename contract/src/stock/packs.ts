import { wholeNumber } from '../numbers.ts'
import { z } from '../zod.ts'

/** How many pieces one other barcode may stand for. */
export const maxPackPieces = 10_000

/** Other barcodes that stand for several pieces each, such as those of cases. */
export const packs = z
  .optional(z.array(z.object({ barcode: z.string(), pieces: z.int() })))
  .check(
    z.describe(
      'Those of the other barcodes that stand for several pieces, such as that of a case, sorted; left out where none does.',
    ),
  )

export const packMessages = {
  hint: 'More than 1 where it is the code of a pack: 12 of a case of 12. Give it before the code is scanned.',
  wrong: `Give the pieces of a pack as a whole number from 1 to ${wholeNumber(maxPackPieces)}.`,
} as const

/** How many pieces somebody has typed; null where that is no such number. */
export function readPackPieces(typed: string): number | null {
  const digits = typed.trim()
  const pieces = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  return pieces < 1 || pieces > maxPackPieces ? null : pieces
}

export type Pack = NonNullable<z.output<typeof packs>>[number]
