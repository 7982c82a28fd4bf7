import { readUnitCost, type DecimalSign } from '@inventory-manager/contract/amounts'
import { howMany } from '@inventory-manager/contract/numbers'
import { maxUnitCost } from '@inventory-manager/contract/money'
import { maxPackPieces, type Pack } from '@inventory-manager/contract/stock/packs'
import { maxBinLength, maxQuantity } from '@inventory-manager/contract/values'
import { formatAmount, formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import type { Change } from './several-changes.ts'
import type { Booking } from './several-keys.ts'
import {
  decimalSignOf,
  findDoubtfulLines,
  findDoubtfulPairs,
  findOpenLines,
  findTelling,
  isSignCertain,
  type Line,
  type LineForm,
} from './several-lines.ts'

type PairForm = Exclude<LineForm, 'barcode' | 'barcodes'>

/** What a line says of its barcode, and which of that is taken. */
const said: Record<PairForm, { name: string; taken: string }> = {
  amount: { name: 'amount', taken: `an amount from 1 to ${formatNumber(maxQuantity)}` },
  bin: { name: 'bin', taken: `a bin of up to ${maxBinLength} characters` },
  minimum: { name: 'minimum', taken: `a whole number from 0 to ${formatNumber(maxQuantity)}` },
  cost: { name: 'cost', taken: `an amount from 0 to ${formatAmount(maxUnitCost)}, or none` },
}

/** Which other barcodes of a line are taken. */
const takenOthers = `other ones of 1 to ${formatNumber(maxPackPieces)} pieces`

/** How many lines have a barcode alone; undefined where none has. */
function aloneWords(lines: readonly Line[]): string | undefined {
  const { length } = lines.filter(({ cells }) => cells.length < 2)
  if (length === 0) return undefined
  return length === 1
    ? 'One line has no other barcode.'
    : `${formatNumber(length)} lines have no other barcode.`
}

/** Which lines are not what they should be, and what that is. */
export function bareWords(bare: readonly Line[], { form }: Pick<Change, 'form'>): string | undefined {
  const [first] = bare
  if (first === undefined || form === 'barcode') return undefined
  const count = formatNumber(bare.length)
  const alone = form === 'barcodes' ? aloneWords(bare) : undefined
  if (alone !== undefined) return alone
  const whole = `a barcode and ${form === 'barcodes' ? takenOthers : said[form].taken}`
  return bare.length === 1
    ? `"${first.text}" is not ${whole}.`
    : `${count} lines are not ${whole}, the first is "${first.text}".`
}

/** Asks about what may be a scanned code in place of what a line should say. */
export function doubtfulWords(doubtful: readonly Line[], { form }: Pick<Change, 'form'>): string | null {
  const [first, ...others] = doubtful
  if (first === undefined || form === 'barcode' || form === 'barcodes') return null
  const { name } = said[form]
  return others.length === 0
    ? `"${first.text}" may have a scanned code in place of its ${name}. If it is the ${name}, press the button once more.`
    : `${formatNumber(doubtful.length)} lines may have a scanned code in place of their ${name}, the first is "${first.text}". If these are the ${name}s, press the button once more.`
}

function costAsRead(text: string, decimals: DecimalSign): string {
  const cost = readUnitCost(text, decimals)
  return typeof cost === 'number' ? formatAmount(cost) : text
}

/** Asks about costs that may be thousands as well as decimals, and says how they are read and by which line. */
function openWords(lines: readonly Line[]): string | null {
  const open = findOpenLines(lines)
  const [first, ...others] = open
  if (first === undefined || isSignCertain(lines)) return null
  const { text, cells } = first
  const sign = decimalSignOf(lines)
  const [read, other] = [sign, sign === '.' ? (',' as const) : ('.' as const)].map((one) =>
    costAsRead(cells[1] ?? '', one),
  )
  const telling = findTelling(lines, sign)
  const why = telling === undefined ? '' : ` because of "${telling.text}"`
  const how = `is read as ${read}${why}, not as ${other}. If that is right, press the button once more.`
  return others.length === 0
    ? `"${text}" ${how}`
    : `${formatNumber(open.length)} costs may be thousands or decimals: the first, "${text}", ${how}`
}

/** Asks about lines that were taken together, though both could be an amount. */
function pairWords(lines: readonly Line[]): string | null {
  const [first, ...others] = findDoubtfulPairs(lines)
  if (first === undefined) return null
  const [barcode = '', amount = ''] = first.cells
  const pair = `${barcode} is taken for a barcode and ${amount}, below it, for its amount.`
  return others.length === 0
    ? `${pair} If that is right, press the button once more.`
    : `${formatNumber(others.length + 1)} lines are taken together with the one below: the first, ${pair} If that is right, press the button once more.`
}

/** Asks about amounts that may be of packs, where they are booked as pieces; null where none is. */
export function packWords(lines: readonly { line: Line; pack: Pack }[]): string | null {
  const [first, ...others] = lines
  if (first === undefined) return null
  const { barcode, pieces } = first.pack
  const amount = first.line.cells[1] ?? ''
  const words = `${barcode} is a pack of ${formatNumber(pieces)}: ${amount} is taken as ${howMany(Number(amount), 'piece')}, not as packs. Write packs as ${amount} x${pieces}. If pieces are right, press the button once more.`
  return others.length === 0
    ? words
    : `${formatNumber(others.length + 1)} lines are of packs. The first, ${words}`
}

/** What is asked about a list before it is worked through; null where nothing is. */
export function questionAbout(lines: readonly Line[], change: Pick<Change, 'form'>): string | null {
  const doubtful = doubtfulWords(findDoubtfulLines(lines, change.form), change)
  const open = change.form === 'cost' ? openWords(lines) : null
  const paired = change.form === 'amount' ? pairWords(lines) : null
  return [doubtful, paired, open].filter((words) => words !== null).join(' ') || null
}

/** How costs of some lines of a list were read that may be thousands as well as decimals; null where there are none. */
export function readAsWords(lines: readonly Line[], sign: DecimalSign): string | null {
  const open = findOpenLines(lines)
  const cost = open[0]?.cells[1]
  if (cost === undefined) return null
  const read = costAsRead(cost, sign)
  return open.length === 1
    ? `${cost} was read as ${read}.`
    : `${formatNumber(open.length)} costs such as ${cost} were read as ${read}.`
}

/** What is not known of a booking that nobody answered. */
export function unansweredWords(booking: Booking): string {
  if ('to' in booking) {
    const { barcode, from, to, quantity } = booking
    return `It is not known whether ${formatNumber(quantity)} of ${barcode} left ${placeName(from)} for ${placeName(to)}. If the next list sent there has it, it is not booked twice.`
  }
  const { barcode, location, amount } = booking
  if (amount < 0) {
    return `It is not known whether ${formatNumber(-amount)} of ${barcode} went out of ${placeName(location)}. If the next list issued there has it, it is not booked twice.`
  }
  return `It is not known whether ${formatNumber(amount)} of ${barcode} arrived at ${placeName(location)}. If the next list received there has it, it is not booked twice.`
}

/** That the line that was under way may have been booked, where somebody stopped it or, with `failure`, nobody answered. */
export function resendWords(failure: string | null): string {
  return failure === null
    ? 'One line was under way and may have been booked. Sent again, nothing is booked twice.'
    : 'Sent again, nothing is booked twice.'
}
