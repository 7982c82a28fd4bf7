import { money, unitMoney } from './money.ts'
import { wholeNumber } from './numbers.ts'

/** A difference with its sign: '+3', '−12'. */
export function signed(value: number): string {
  if (value === 0) return '0'
  return `${value > 0 ? '+' : '−'}${wholeNumber(Math.abs(value))}`
}

/** What a difference is worth, with its sign: '+$3.00', '−$37.50'; with up to four decimals where it were nothing without. */
export function signedMoney(value: number, currency: string): string {
  if (value === 0) return money(0, currency)
  const amount = Math.abs(value)
  const rounded = money(amount, currency)
  const written = rounded === money(0, currency) ? unitMoney(amount, currency) : rounded
  return `${value > 0 ? '+' : '−'}${written}`
}
