import { largestUnaskedQuantity } from '@inventory-manager/contract/counting/rules'
import { maxQuantity } from '@inventory-manager/contract/values'

/**
 * What stands in the two inputs, and the codes scanned since that still wait for their quantity.
 * `taken`: the barcode is complete, its quantity comes next. `asking` is a number that may be a barcode:
 * it stands in no input until that is answered. `doubled` is the last code, where it arrived twice in one string and was
 * taken once; `again` one that was scanned again before its quantity, and was taken once. `isTally`: the quantity is how often the
 * code was scanned. `addsTo` was counted of it before, elsewhere at the location, and is added to the quantity.
 */
export type ScanForm = {
  barcode: string
  taken: boolean
  quantity: string
  waiting: readonly string[]
  asking: string | null
  doubled: string | null
  again: string | null
  isTally: boolean
  addsTo: number
}

export const emptyForm: ScanForm = {
  barcode: '',
  taken: false,
  quantity: '',
  waiting: [],
  asking: null,
  doubled: null,
  again: null,
  isTally: false,
  addsTo: 0,
}

const ofNoCode = { quantity: '', isTally: false, addsTo: 0 } as const

/**
 * A complete code: into the barcode field, or behind the one whose quantity is still missing. One that is there already
 * was scanned again by mistake: a second line of it would give each later quantity to the code before.
 */
export function takeCode(form: ScanForm, code: string): ScanForm {
  const trimmed = code.trim()
  if (trimmed === '') return form
  if (!form.taken) return { ...form, barcode: trimmed, taken: true, again: null, addsTo: 0 }
  if (trimmed === form.barcode.trim() || trimmed === form.waiting.at(-1)) return { ...form, again: trimmed }
  return { ...form, waiting: [...form.waiting, trimmed], again: null }
}

/** The form with one more piece of its code; null where its quantity is none that one can be added to. */
export function addPiece(form: ScanForm): ScanForm | null {
  const digits = form.quantity.trim()
  if (!/^\d*$/.test(digits) || Number(digits) >= maxQuantity) return null
  return { ...form, quantity: String(Number(digits) + 1), isTally: true, again: null, doubled: null }
}

/** As takeCode, where each scan counts one: a code that comes into the barcode field is its first piece. */
export function takePiece(form: ScanForm, code: string): ScanForm {
  const next = takeCode(form, code)
  const isFirst = !form.taken && next.taken && next.quantity === ''
  return (isFirst ? addPiece(next) : null) ?? next
}

/** The form for the next entry: the next waiting code, and no quantity. */
export function nextForm(form: ScanForm): ScanForm {
  const [barcode = '', ...waiting] = form.waiting
  return { ...form, ...ofNoCode, barcode, taken: barcode !== '', waiting, asking: null, again: null }
}

/** The form with nothing in its fields; what waits stays. */
export function clearOf(form: ScanForm): ScanForm {
  return { ...form, ...ofNoCode, barcode: '', taken: false }
}

export type ScanProblem =
  'barcode_missing' | 'barcode_too_long' | 'quantity_missing' | 'quantity_invalid' | 'quantity_separated'

type Submission =
  | { kind: ScanProblem }
  | { kind: 'ask'; number: string }
  | { kind: 'entry'; barcode: string; quantity: number }

/** `confirmed`: the person has said that the number is a quantity. `isScanned`: it came as fast as scanners type codes. */
export type Submitting = { confirmed: boolean; isScanned: boolean }

type Judging = Submitting & { isKnownCode: (code: string) => boolean }

/** Nobody writes a quantity with these. */
const leadingZeros = /^0\d{3}/

/** Whether a number in the quantity field is rather a code. */
function looksLikeCode(digits: string, { confirmed, isScanned, isKnownCode }: Judging): boolean {
  if (confirmed) return false
  return (
    isScanned || Number(digits) > largestUnaskedQuantity || leadingZeros.test(digits) || isKnownCode(digits)
  )
}

/** What pressing Submit means. */
export function readSubmission(form: ScanForm, judging: Judging): Submission {
  const barcode = form.barcode.trim()
  const digits = form.quantity.trim()
  if (barcode === '') return { kind: 'barcode_missing' }
  if (digits === '') return { kind: 'quantity_missing' }
  if (!/^\d+$/.test(digits)) return { kind: 'quantity_invalid' }
  if (!form.isTally && looksLikeCode(digits, judging)) return { kind: 'ask', number: digits }
  const quantity = form.addsTo + Number(digits)
  return quantity > maxQuantity ? { kind: 'quantity_invalid' } : { kind: 'entry', barcode, quantity }
}

/** A form as an earlier page has left it, or null. */
export function readScanForm(saved: unknown): ScanForm | null {
  if (typeof saved !== 'object' || saved === null) return null
  const { barcode, quantity, waiting, taken, asking, isTally, addsTo }: Record<string, unknown> = { ...saved }
  if (typeof barcode !== 'string' || typeof quantity !== 'string' || !Array.isArray(waiting)) return null
  const codes: unknown[] = waiting
  const isCode = (code: unknown): code is string => typeof code === 'string'
  const form = { ...emptyForm, barcode, quantity, waiting: codes.filter(isCode), taken: taken === true }
  return {
    ...form,
    asking: isCode(asking) ? asking : null,
    isTally: isTally === true,
    addsTo: typeof addsTo === 'number' ? addsTo : 0,
  }
}
