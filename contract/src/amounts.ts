import { maxUnitCost } from './money.ts'

/** The sign before the decimals of an amount; the other one may set its thousands apart. */
export type DecimalSign = '.' | ','

/** An amount of money as it is written, without what stands around it. */
type Amount = {
  isNegative: boolean
  whole: string
  decimals: string
  /** Before its decimals, or by its thousands; null where it tells nothing of that. */
  sign: DecimalSign | null
  /** Whether it may be thousands as well as decimals: 1.234. */
  isOpen: boolean
  isGrouped: boolean
}

type Digits = Omit<Amount, 'isNegative'>

const currencyCodes = new Set(Intl.supportedValuesOf('currency'))
/** How currencies are written that have no sign of their own. */
const currencyWords = new Set(['kr', 'zł', 'kč', 'ft', 'lei', 'fr', 'sfr', 'лв', 'руб', 'euro', 'euros'])

/** Whether what stands beside a number is a currency: $, US$, EUR, zł. */
function isCurrency(text: string): boolean {
  const word = text.replace(/\.$/, '').toLowerCase()
  return /^\p{Lu}{0,3}\p{Sc}$/u.test(text) || currencyCodes.has(word.toUpperCase()) || currencyWords.has(word)
}

const plain = /^(?<whole>\d*)(?:(?<sign>[.,])(?<decimals>\d+))?$/
const inThrees =
  /^(?<whole>[1-9]\d{0,2}(?<by>[ '.,])\d{3}(?:\k<by>\d{3})*)(?:(?!\k<by>)(?<sign>[.,])(?<decimals>\d+))?$/
/** As in India: 12,34,567.00. */
const inTwos = /^(?<whole>[1-9]\d?(?<by>,)(?:\d{2},)+\d{3})(?:(?<sign>\.)(?<decimals>\d+))?$/

function asSign(text: string | undefined): DecimalSign | null {
  return text === '.' || text === ',' ? text : null
}

/** What stands before decimals where this stands between thousands. */
function besideThousands(by: string | undefined): DecimalSign | null {
  if (by === ',') return '.'
  return by === '.' ? ',' : null
}

function readPlain(number: string): Digits | null {
  const { whole = '', decimals = '', sign } = plain.exec(number)?.groups ?? {}
  if (whole === '' && decimals === '') return null
  const isOpen = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  return { whole, decimals, sign: asSign(sign), isOpen, isGrouped: false }
}

function readGrouped(number: string): Digits | null {
  const { whole, by, decimals = '', sign } = (inThrees.exec(number) ?? inTwos.exec(number))?.groups ?? {}
  if (whole === undefined) return null
  return {
    whole: whole.replaceAll(/\D/g, ''),
    decimals,
    sign: besideThousands(by) ?? asSign(sign),
    isOpen: false,
    isGrouped: true,
  }
}

/** What stands before a number, it, no cents as in 12,- and what stands behind it. The point of Fr.12 is none of the number. */
const around = /^(\D*?)((?:(?<!\p{L})[.,])?\d(?:[\d.,\s'’]*\d)?)(?:([.,])[-–—]{1,2})?(\D*)$/u

/** Reads an amount, such as 12.5, 12,50, 1.234,56 €, $1,234.56 or CHF 1’234.–; null where a text is none. */
function readAmount(text: string): Amount | null {
  const [, before = '', number = '', round, behind = ''] = around.exec(text.trim()) ?? []
  const beside = [before, behind].map((side) => side.replaceAll(/[-+−()\s]/g, ''))
  if (beside.some((side) => side !== '' && !isCurrency(side))) return null
  const digits = number.replaceAll(/\s/g, ' ').replaceAll('’', "'")
  const whole = round === undefined ? digits : `${digits}${round}00`
  const read = readPlain(whole) ?? readGrouped(whole)
  return read === null ? null : { ...read, isNegative: /[-−(]/.test(before) || /[-−)]/.test(behind) }
}

/** Why a text is no unit cost. */
export type CostFault = 'no_amount' | 'negative' | 'too_small' | 'over'

/**
 * The unit cost that a text says, to four decimals, since spreadsheets reckon with more; or why it says none. What may be thousands as well as decimals, such as 1.234, is read as where `sign`
 * stands before decimals.
 */
export function readUnitCost(text: string, sign: DecimalSign): number | CostFault {
  const amount = readAmount(text)
  if (amount === null) return 'no_amount'
  if (amount.isNegative) return 'negative'
  const isWhole = amount.isOpen && amount.sign !== sign
  const exact = Number(isWhole ? `${amount.whole}${amount.decimals}` : `${amount.whole}.${amount.decimals}`)
  const cost = Math.round(exact * 10_000) / 10_000
  if (cost === 0 && exact > 0) return 'too_small'
  return cost > maxUnitCost ? 'over' : cost
}

/** A number without anything beside it. */
const bare = /^[\d.,\s'’]+$/u

/**
 * The pieces that a text says, as programs write them that know decimals and thousands: 12.00, 1.250 and 1,250.0 where those are whole;
 * null where it says none. What may be both is read as in `readUnitCost`.
 */
export function readPieces(text: string, sign: DecimalSign): number | null {
  const amount = bare.test(text) ? readAmount(text) : null
  if (amount === null) return null
  const { whole, decimals, isOpen } = amount
  const pieces = Number(isOpen && amount.sign !== sign ? `${whole}${decimals}` : `${whole}.${decimals}`)
  return Number.isSafeInteger(pieces) ? pieces : null
}

/** Whether an amount may be thousands as well as decimals. */
export function isOpenAmount(text: string): boolean {
  return readAmount(text)?.isOpen ?? false
}

/**
 * Finds which sign stands before the decimals of a column of amounts, from all its cells. One that can be read in one way only tells it:
 * 12,5, 1.234,56 and 1.234.567 a comma, 12.5, 0.125 and 1,234.56 a point; what most of these say is so. Where they say nothing, in a column
 * with numbers such as 1500 thousands are not set apart, so what stands in 1.234 is before decimals. Null where that says nothing either.
 */
export function createSignFinder() {
  const told = { '.': 0, ',': 0 }
  const open = { '.': 0, ',': 0 }
  let isUngrouped = false
  const more = (of: Record<DecimalSign, number>): DecimalSign | null => {
    if (of['.'] === of[',']) return null
    return of['.'] > of[','] ? '.' : ','
  }
  return {
    add(text: string): void {
      const amount = readAmount(text)
      if (amount === null) return
      const { sign, isOpen, isGrouped, whole } = amount
      if (sign !== null) (isOpen ? open : told)[sign] += 1
      else if (!isGrouped && whole.length > 3) isUngrouped = true
    },
    find: (): DecimalSign | null => more(told) ?? (isUngrouped ? more(open) : null),
    /** Whether those that tell it all tell the same. */
    isAgreed: (): boolean => {
      const telling = told['.'] + told[','] > 0 ? told : open
      return telling['.'] === 0 || telling[','] === 0
    },
  }
}
