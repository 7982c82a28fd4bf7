import { largestUnaskedQuantity } from '@inventory-manager/contract/counting/rules'
import { maxBarcodeLength, maxQuantity } from '@inventory-manager/contract/values'

/** A scan of a pack, which has made so many pieces of those before. */
type PackScan = { at: number; pieces: number }

/** Pieces of a code; one of each scan, but of the packs among them, and of those that somebody typed before the scans. */
type Tally = { code: string; pieces: number; packs: readonly PackScan[]; typed: number }

/** The entry that was made of the code before, elsewhere at the location: its quantity is added. */
export type Added = { id: string; quantity: number }

/** A code and its number, typed or in question, that were not entered when somebody went on. */
export type Left = { barcode: string; quantity: string; asking: string | null; addsTo: Added | null }

/**
 * What stands in the two inputs, and the codes scanned since that still wait for their quantity.
 * `taken`: the barcode is complete, its quantity comes next. `asking` is a number that may be a barcode:
 * it stands in no input until that is answered. `doubled` is the last code, where it arrived twice in one string and was
 * taken once; `again` one that was scanned again before its quantity, and was taken once. `isTally`: the quantity is that of the
 * tally; a number that is typed over it leaves the tally as it was. `left` can be put back until the next entry.
 */
export type ScanForm = {
  barcode: string
  taken: boolean
  quantity: string
  waiting: readonly string[]
  asking: string | null
  doubled: string | null
  again: string | null
  tally: Tally | null
  isTally: boolean
  addsTo: Added | null
  left: Left | null
}

export const emptyForm: ScanForm = {
  barcode: '',
  taken: false,
  quantity: '',
  waiting: [],
  asking: null,
  doubled: null,
  again: null,
  tally: null,
  isTally: false,
  addsTo: null,
  left: null,
}

const ofNoCode = { quantity: '', tally: null, isTally: false, addsTo: null } as const

/** How many pieces one scan of a code counts. */
export type PiecesPerScan = (code: string) => number

/** Whether two codes mean the same: UPC-A under bars and in a GS1 symbol, or two barcodes of one component. */
export type IsSame = (one: string, other: string) => boolean

/**
 * A complete code: into the barcode field, or behind the one whose quantity is still missing. One that is there already
 * was scanned again by mistake, also in another writing: a second line of it would give each later quantity to the code before.
 */
export function takeCode(form: ScanForm, code: string, isSame: IsSame): ScanForm {
  const trimmed = code.trim()
  if (trimmed === '') return form
  if (!form.taken) return takeFirst(form, trimmed)
  const isThere = (other: string | undefined) => other !== undefined && isSame(other, trimmed)
  if (isThere(form.barcode.trim()) || isThere(form.waiting.at(-1))) return { ...form, again: trimmed }
  return { ...form, waiting: [...form.waiting, trimmed], again: null }
}

function takeFirst(form: ScanForm, code: string): ScanForm {
  return { ...form, barcode: code, taken: true, again: null, addsTo: null }
}

/** The form with so many pieces of its code. */
function withPieces(form: ScanForm, pieces: Omit<Tally, 'code'>): ScanForm {
  const tally = { ...pieces, code: form.barcode.trim() }
  return { ...form, tally, isTally: true, quantity: String(tally.pieces), again: null, doubled: null }
}

/** The form with the pieces of one more scan than there are already. */
function withScan(form: ScanForm, before: Omit<Tally, 'code'>, more: number): ScanForm {
  const pieces = before.pieces + more
  const packs = more === 1 ? before.packs : [...before.packs, { at: pieces, pieces: more }]
  return withPieces(form, { ...before, pieces, packs })
}

const noPieces = { pieces: 0, packs: [], typed: 0 }

/** The form with ten times its quantity, which is so many. */
export function withTenfold(form: ScanForm, quantity: number): ScanForm {
  if (!form.isTally || form.tally === null) return { ...form, quantity: String(quantity) }
  return withPieces(form, { pieces: quantity, packs: [], typed: form.tally.typed * 10 })
}

/** How many scans of which each counted one are in the quantity. */
export function scansIn({ isTally, tally }: ScanForm): number {
  if (!isTally || tally === null) return 0
  return tally.packs.reduce((left, { pieces }) => left - pieces, tally.pieces - tally.typed)
}

/**
 * With the pieces of a scan more than its quantity, or than were scanned where it has none; null where they cannot be added to that.
 */
export function addPieces(form: ScanForm, code: string, piecesPerScan: PiecesPerScan): ScanForm | null {
  const digits = form.quantity.trim()
  const more = piecesPerScan(code)
  if (!/^\d*$/.test(digits) || Number(digits) + more > maxQuantity) return null
  const scanned = form.tally ?? withScan(form, noPieces, piecesPerScan(form.barcode.trim())).tally ?? noPieces
  const isTyped = digits !== '' && Number(digits) !== scanned.pieces
  const typed = Number(digits)
  return withScan(form, isTyped ? { pieces: typed, packs: [], typed } : scanned, more)
}

/** Without the pieces of the last scan; null where none are left. */
export function withoutLastScan(form: ScanForm): ScanForm | null {
  if (form.tally === null) return null
  const { pieces, packs, typed } = form.tally
  const last = packs.at(-1)
  const isPack = last?.at === pieces
  const left = pieces - (isPack ? last.pieces : 1)
  if (left <= 0) return null
  return withPieces(form, {
    pieces: left,
    packs: isPack ? packs.slice(0, -1) : packs,
    typed: Math.min(typed, left),
  })
}

/** As takeCode, where each scan counts pieces: the first of a code, or those that wait behind another code. */
export function takePieces(form: ScanForm, code: string, piecesPerScan: PiecesPerScan): ScanForm {
  if (form.taken) return { ...form, waiting: [...form.waiting, code.trim()], again: null }
  const trimmed = code.trim()
  const next = trimmed === '' ? form : takeFirst(form, trimmed)
  return next.quantity === '' ? withScan(next, noPieces, piecesPerScan(next.barcode.trim())) : next
}

/** What the pieces of a tally stand for where something else was typed over them. */
export function backToTally(form: ScanForm): ScanForm {
  if (form.tally === null) return form
  const { code, pieces } = form.tally
  return { ...form, barcode: code, taken: true, quantity: String(pieces), isTally: true }
}

/** Whether something else stands in the fields, or is in question, than the pieces that were scanned. */
export function isTypedOver({ tally, isTally }: ScanForm): boolean {
  return tally !== null && !isTally
}

/** How many scanned pieces a form holds that are not entered: in its fields, whatever was typed over them, and behind those. */
export function piecesIn(form: ScanForm | null): number {
  return form?.tally == null ? 0 : form.tally.pieces + form.waiting.length
}

/** The form for the next entry: the next waiting code, and no quantity. */
export function nextForm(form: ScanForm): ScanForm {
  const [barcode = '', ...waiting] = form.waiting
  return { ...form, ...ofNoCode, barcode, taken: barcode !== '', waiting, asking: null, again: null }
}

/** What there is to know of codes where their scans are counted. */
export type Counting = { isSame: IsSame; piecesPerScan: PiecesPerScan }

/** As nextForm, where each scan counts pieces: with those of all scans of the next code that wait one after the other. */
export function nextPieces(form: ScanForm, { isSame, piecesPerScan }: Counting): ScanForm {
  const next = nextForm(form)
  if (!next.taken) return next
  const others = next.waiting.findIndex((code) => !isSame(next.barcode, code))
  const more = others === -1 ? next.waiting.length : others
  let counted = next
  for (const code of [next.barcode, ...next.waiting.slice(0, more)]) {
    counted = withScan(counted, counted.tally ?? noPieces, piecesPerScan(code))
  }
  return { ...counted, waiting: next.waiting.slice(more) }
}

/** What is lost of a form where somebody goes on; a code alone is passed over, and one that is too long is never counted. */
export function leftOf({ barcode: typed, quantity: number, asking, addsTo }: ScanForm): Left | null {
  const barcode = typed.trim()
  const quantity = number.trim()
  const isWhole = barcode !== '' && barcode.length <= maxBarcodeLength && (quantity !== '' || asking !== null)
  return isWhole ? { barcode, quantity, asking, addsTo } : null
}

/**
 * The form with what was left in its fields again: what stands there by now is left, or waits behind it. The same code, scanned
 * again meanwhile, is no second line of it, and half a code is none.
 */
export function withLeft(form: ScanForm, left: Left, isSame: IsSame): ScanForm {
  const here = form.barcode.trim()
  const instead = leftOf(form)
  const waits = instead === null && form.taken && !isSame(here, left.barcode)
  const waiting = waits ? [here, ...form.waiting] : form.waiting
  return { ...form, ...ofNoCode, ...left, taken: true, waiting, left: instead, again: null, doubled: null }
}

/** Whether nothing stands in the fields, or is in question. */
export function isEmpty({ barcode, quantity, asking }: ScanForm): boolean {
  return barcode.trim() === '' && quantity.trim() === '' && asking === null
}

/** The form with nothing in its fields; what waits stays. */
export function clearOf(form: ScanForm): ScanForm {
  return { ...form, ...ofNoCode, barcode: '', taken: false }
}

export type ScanProblem =
  | 'barcode_missing'
  | 'barcode_too_long'
  | 'quantity_missing'
  | 'quantity_invalid'
  | 'quantity_separated'
  | 'pieces_typed_over'
  | 'quantity_waits'
  | 'left_waits'
  | 'of_contents'

type Submission =
  | { kind: ScanProblem }
  | { kind: 'ask'; number: string }
  | { kind: 'entry'; barcode: string; quantity: number }

/** `confirmed`: the person has said that the number is a quantity. `isScanned`: it came as fast as scanners type codes. */
export type Submitting = { confirmed: boolean; isScanned: boolean }

/** `added`: what is added to the quantity. */
type Judging = Submitting & { isKnownCode: (code: string) => boolean; added: number }

/** Nobody writes a quantity with these. */
const leadingZeros = /^0\d{3}/

/** Whether a number is rather a code than a quantity, by itself; `number` is what its digits are read as. */
export function isDoubtfulNumber(digits: string, number = Number(digits)): boolean {
  return number > largestUnaskedQuantity || leadingZeros.test(digits)
}

/** Whether a number in the quantity field is rather a code. */
function looksLikeCode(digits: string, { confirmed, isScanned, isKnownCode }: Judging): boolean {
  return !confirmed && (isScanned || isDoubtfulNumber(digits) || isKnownCode(digits))
}

/** What pressing Submit means. */
export function readSubmission(form: ScanForm, judging: Judging): Submission {
  const barcode = form.barcode.trim()
  const digits = form.quantity.trim()
  if (barcode === '') return { kind: 'barcode_missing' }
  if (digits === '') return { kind: 'quantity_missing' }
  if (!/^\d+$/.test(digits)) return { kind: 'quantity_invalid' }
  if (!form.isTally && looksLikeCode(digits, judging)) return { kind: 'ask', number: digits }
  const quantity = judging.added + Number(digits)
  return quantity > maxQuantity ? { kind: 'quantity_invalid' } : { kind: 'entry', barcode, quantity }
}

/** What of a form outlives its page: a number that is half typed does not. */
export function savedForm(form: ScanForm): ScanForm {
  const isCounted = form.tally !== null && form.asking === null
  return isCounted ? backToTally(form) : { ...form, quantity: '', isTally: false }
}

function isPackScan(saved: unknown): saved is PackScan {
  if (typeof saved !== 'object' || saved === null) return false
  const { at, pieces }: Record<string, unknown> = { ...saved }
  return typeof at === 'number' && typeof pieces === 'number'
}

function readTally(saved: unknown): Tally | null {
  if (typeof saved !== 'object' || saved === null) return null
  const { code, pieces, packs, typed }: Record<string, unknown> = { ...saved }
  if (typeof code !== 'string' || typeof pieces !== 'number') return null
  return {
    code,
    pieces,
    packs: Array.isArray(packs) ? packs.filter(isPackScan) : [],
    // The version before has not kept it.
    typed: typeof typed === 'number' ? typed : pieces,
  }
}

function readAdded(saved: unknown): Added | null {
  if (typeof saved !== 'object' || saved === null) return null
  const { id, quantity }: Record<string, unknown> = { ...saved }
  return typeof id === 'string' && typeof quantity === 'number' ? { id, quantity } : null
}

const isText = (value: unknown): value is string => typeof value === 'string'

function readLeft(saved: unknown): Left | null {
  if (typeof saved !== 'object' || saved === null) return null
  const { barcode, quantity, asking, addsTo }: Record<string, unknown> = { ...saved }
  if (!isText(barcode) || !isText(quantity)) return null
  return { barcode, quantity, asking: isText(asking) ? asking : null, addsTo: readAdded(addsTo) }
}

/** A form as an earlier page has left it, or null. */
export function readScanForm(saved: unknown): ScanForm | null {
  if (typeof saved !== 'object' || saved === null) return null
  const { barcode, quantity, waiting, taken, asking, ...counted }: Record<string, unknown> = { ...saved }
  if (!isText(barcode) || !isText(quantity) || !Array.isArray(waiting)) return null
  const codes: unknown[] = waiting
  const form = { ...emptyForm, barcode, quantity, waiting: codes.filter(isText), taken: taken === true }
  const tally = readTally(counted['tally'])
  return {
    ...form,
    asking: isText(asking) ? asking : null,
    tally,
    isTally: tally !== null && counted['isTally'] === true,
    addsTo: readAdded(counted['addsTo']),
    left: readLeft(counted['left']),
  }
}
