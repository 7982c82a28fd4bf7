import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { signedMoney } from '@inventory-manager/contract/signed'

/** What a difference is worth, with its sign; null where that is not known, or it has gone away. */
export function worthOf({ difference, value }: Discrepancy, currency: string | null): string | null {
  if (currency === null || value === null || difference === 0) return null
  return signedMoney(value, currency)
}

/** What is missing and what is too much, such as '−$37.50' and '+$12.00', and of how many differences nobody knows. */
export type WorthOfAll = { amounts: string[]; unknown: number }

/** By how much money differences differ, never netted; null where that is known of none. */
export function worthOfAll(items: readonly Discrepancy[], currency: string | null): WorthOfAll | null {
  const values = items.flatMap(({ value }) => (value === null ? [] : [value]))
  if (currency === null || values.length === 0) return null
  const sum = (those: number[]) => those.reduce((total, value) => total + value, 0)
  const sums = [sum(values.filter((value) => value < 0)), sum(values.filter((value) => value > 0))]
  const some = sums.filter((value) => value !== 0)
  return {
    amounts: (some.length === 0 ? [0] : some).map((value) => signedMoney(value, currency)),
    unknown: items.length - values.length,
  }
}
