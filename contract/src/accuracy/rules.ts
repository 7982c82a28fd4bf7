/**
 * What was counted, in lines. A line is one count of one SKU at one location; entries that answer the same difference
 * are one line. Differences are never netted: 3 too many of one SKU and 3 too few of another are two lines that differ.
 */
export type LineFigures = {
  lines: number
  /** Lines whose last entry was what the stock said. */
  matched: number
  /** Lines that differed, and were accepted by the count tolerance of the time. */
  tolerated: number
}

/** Share of lines in percent, cut to one decimal, so that only all of them are 100 %; null where none was counted. */
function percent(part: number, lines: number): number | null {
  return lines === 0 ? null : Math.floor((part * 1_000) / lines) / 10
}

/** Inventory record accuracy in percent: lines that matched of lines counted. */
export function recordAccuracy({ lines, matched }: LineFigures): number | null {
  return percent(matched, lines)
}

/** The same with lines within the count tolerance. */
export function accuracyWithinTolerance({ lines, matched, tolerated }: LineFigures): number | null {
  return percent(matched + tolerated, lines)
}

/** How many months one look covers, and what the screen offers. */
export const mostMonths = 24
export const monthChoices = [1, 3, 6, 12, 24] as const

/** How many SKUs and causes a look names. */
export const mostNamed = 10

/** By what the SKUs of a look are chosen. */
export const skuOrders = ['lines', 'value'] as const

export type SkuOrder = (typeof skuOrders)[number]

/** How many counting sessions of a month are offered for a certificate. */
export const mostSessions = 200

/** The most lines that differ on one certificate: about 1,000 pages. */
export const mostCertifiedDifferences = 20_000
