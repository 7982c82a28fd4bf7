import { z } from './zod.ts'

export const maxUnitCost = 9_999_999.9999

const wrongCost = 'must be a number from 0 to 9,999,999.9999 with at most four decimals.'

/** The cost of one piece, in the company's currency: screws cost less than a cent. */
export const unitCost = z.number(wrongCost).check(
  z.minimum(0, wrongCost),
  z.maximum(maxUnitCost, wrongCost),
  z.refine((cost) => Number(cost.toFixed(4)) === cost, wrongCost),
)

// As whole numbers are written (numbers.ts).
const locale = 'document' in globalThis ? undefined : 'en-US'

/** A sum as people read it, in the decimals of its currency. */
export function money(value: number, code: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: code }).format(value)
}

/** The cost of one piece as people read it, with up to four decimals where it has them. */
export function unitMoney(value: number, code: string): string {
  const { minimumFractionDigits } = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
  }).resolvedOptions()
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    minimumFractionDigits,
    maximumFractionDigits: Math.max(4, minimumFractionDigits ?? 0),
  }).format(value)
}
