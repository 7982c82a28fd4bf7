import { wholeNumber } from '@inventory-manager/contract/numbers'

/** A whole number as sentences of the contract have it. */
export const formatNumber: (value: number) => string = wholeNumber

const amount = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 })

/** A number with as many decimals as a unit cost may have. */
export function formatAmount(value: number): string {
  return amount.format(value)
}

const share = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Percent with one decimal; a dash where there is none. */
export function formatPercent(value: number | null): string {
  return value === null ? '–' : share.format(value)
}

/** How much of a whole is done, in whole percent, cut so that only all of it is 100. */
export function percentDone(done: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((done * 100) / whole)
}
