import { howMany, wholeNumber } from '@inventory-manager/contract/numbers'

/** A whole number as sentences of the contract have it. */
export const formatNumber: (value: number) => string = wholeNumber

/** '1 SKU', '12 SKUs'. */
export function skus(number: number): string {
  return howMany(number, 'SKU')
}

/** Some names, and how many more there are: 'A, B and 12 more'. `of`: how many there are in all. */
export function someOf(names: readonly string[], { most, of }: { most: number; of: number }): string {
  const told = names.slice(0, most)
  const more = of - told.length
  return `${told.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
}

const amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** An amount of money without its currency, with up to four decimals. */
export function formatAmount(value: number): string {
  return amount.format(value)
}

/** What stands before decimals where this browser is used. */
export const ownDecimalSign: '.' | ',' = amount.format(0).includes(',') ? ',' : '.'

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
