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

export type Pack = NonNullable<z.output<typeof packs>>[number]
