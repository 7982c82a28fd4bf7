import { z } from '../zod.ts'

/** How many of some barcodes differ from those of components only by zeros in front, the first of them, and its component. */
export const zeroTwins = z.object({ rows: z.int(), barcode: z.string(), component: z.string() })

export type ZeroTwins = z.infer<typeof zeroTwins>
