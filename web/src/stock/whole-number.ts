import { maxQuantity } from '@inventory-manager/contract/values'
import { formatNumber } from '../lib/numbers.ts'

/** What is wrong with a field for a number of pieces that may be empty; null where nothing is. */
export function optionalNumberFault(text: string): string | null {
  if (/^\d{0,10}$/.test(text) && Number(text) <= maxQuantity) return null
  return `Give a whole number from 0 to ${formatNumber(maxQuantity)}, or nothing.`
}
