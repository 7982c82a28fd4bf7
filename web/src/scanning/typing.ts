import { clearOf, type ScanForm } from './scan-form.ts'
import { createWedge, isEndKey, type Keystroke, type TypedLine } from './wedge.ts'

export type ScanField = 'barcode' | 'quantity'

/** What the end of a typed line means. `before`: the fields as they stood before the code was typed over them. */
type Meaning =
  | { kind: 'code'; text: string; before: ScanForm }
  | { kind: 'submit'; isScanned: boolean }
  | { kind: 'barcode_finished' | 'separated' | 'nothing' }

type Facts = {
  line: TypedLine | null
  form: ScanForm
  beforeLine: ScanForm
  beforeBurst: ScanForm
  isKnown: (code: string) => boolean
}

/** Digits and signs that a quantity may be typed with, in whatever country: never a code that somebody typed slowly. */
const numberLike = /^[\d.,+\-\s'’]+$/
const leastDigitsOfCode = 8
/** A burst of fewer digits in the quantity field is taken for a quantity, as on cards of numbers. */
const leastDigitsAsked = 5

/** Whether a quantity was typed with signs between its digits, which a field for numbers leaves out: 1,5 would be 15. */
function isSeparated(text: string): boolean {
  return /\D/.test(text) && numberLike.test(text)
}

/** Whether the burst after a half typed quantity, or while a number is in question, is a code of its own. */
function isCodeAfterQuantity({ text, burst }: TypedLine, { beforeBurst, isKnown }: Facts): boolean {
  const typed = text.slice(0, text.length - burst.length)
  const isFirst = beforeBurst.quantity === '' && beforeBurst.asking === null
  if (burst === '' || isFirst || /\D/.test(typed)) return false
  return /\D/.test(burst) || burst.length >= leastDigitsOfCode || isKnown(burst)
}

/** Whether the scanner has read the code again whose quantity is missing. */
function isCodeAgain({ isBurst, text }: TypedLine, { form }: Facts): boolean {
  return isBurst && text.length >= leastDigitsOfCode && text === form.barcode.trim()
}

function meaningInQuantity(facts: Facts): Meaning {
  const { line, beforeLine, beforeBurst } = facts
  if (line === null) return { kind: 'submit', isScanned: false }
  if (isCodeAgain(line, facts)) return { kind: 'code', text: line.text, before: beforeLine }
  if (isCodeAfterQuantity(line, facts)) return { kind: 'code', text: line.burst, before: beforeBurst }
  // Digits may be the quantity; other characters never are.
  const isCode = /\D/.test(line.text) && (line.isBurst || !numberLike.test(line.text))
  if (isCode) return { kind: 'code', text: line.text, before: beforeLine }
  if (isSeparated(line.text)) return { kind: 'separated' }
  return { kind: 'submit', isScanned: line.burst.length >= leastDigitsAsked }
}

function meaningInBarcode({ line, form, beforeBurst, isKnown }: Facts): Meaning {
  const burst = line?.burst ?? ''
  if (burst !== '' && beforeBurst.taken) return { kind: 'code', text: burst, before: beforeBurst }
  if (burst !== '' && !isKnown(form.barcode.trim()) && isKnown(burst)) {
    return { kind: 'code', text: burst, before: clearOf(beforeBurst) }
  }
  return { kind: 'barcode_finished' }
}

function meaningElsewhere({ line, beforeLine, beforeBurst }: Facts): Meaning {
  if (line === null || line.burst === '') return { kind: 'nothing' }
  return { kind: 'code', text: line.burst, before: line.isBurst ? beforeLine : beforeBurst }
}

type Target = {
  getForm: () => ScanForm
  isKnown: (code: string) => boolean
  /** A code was typed over what stood in the fields before. */
  takeTyped: (text: string, before: ScanForm) => void
  finishBarcode: () => void
  submit: (isScanned: boolean) => void
  /** A quantity was typed with signs between its digits. */
  refuseSeparated: () => void
}

export type Typing = {
  press: (stroke: Keystroke, field: ScanField | null) => boolean
  isBusy: (at: number) => boolean
  /** Whether what a scanner may end a line with ends one at this time, or has just done so. */
  takesEnd: (at: number) => boolean
}

type Followed = Typing & {
  cut: () => void
  /** Whether signs stand between the digits of the quantity that is being typed. */
  isSeparated: () => boolean
}

/**
 * Follows the keys of a count screen, wherever they go, and makes codes and entries of what is typed. A line is of one field;
 * `cut` ends it where something other than a key changed the fields.
 */
export function createTyping({ getForm, isKnown, ...target }: Target): Followed {
  const wedge = createWedge()
  let beforeLine = getForm()
  let beforeBurst = beforeLine
  let lineField: ScanField | null = null

  function endLine(field: ScanField | null, line: TypedLine | null): boolean {
    const facts = { line, form: getForm(), beforeLine, beforeBurst, isKnown }
    const inField = field === 'quantity' ? meaningInQuantity(facts) : meaningInBarcode(facts)
    const meaning = field === null ? meaningElsewhere(facts) : inField
    if (meaning.kind === 'code') target.takeTyped(meaning.text, meaning.before)
    if (meaning.kind === 'barcode_finished') target.finishBarcode()
    if (meaning.kind === 'submit') target.submit(meaning.isScanned)
    if (meaning.kind === 'separated') target.refuseSeparated()
    return meaning.kind !== 'nothing'
  }

  function take(stroke: Keystroke, field: ScanField | null): boolean {
    const { key, at } = stroke
    // A space would press the button that has the focus.
    const isUsedUp = key === ' ' && field === null && wedge.isBusy(at)
    if (field !== lineField) wedge.cut()
    lineField = field
    const pressed = wedge.press(stroke)
    if (pressed === 'start') beforeLine = getForm()
    if (typeof pressed === 'string') {
      beforeBurst = getForm()
      return isUsedUp
    }
    // Tab is a scanner's end key only after a burst; otherwise it moves the focus.
    const isEnd = key === 'Enter' || (key === 'Tab' && pressed !== null && pressed.burst !== '')
    return isEnd ? endLine(field, pressed) : isUsedUp
  }

  return {
    isBusy: (at) => wedge.isBusy(at),
    takesEnd: (at) => wedge.isOpen(at) || wedge.isEnding(at),
    cut: () => wedge.cut(),
    isSeparated: () => lineField === 'quantity' && isSeparated(wedge.typed()),
    press: (stroke, field) => (isEndKey(stroke.key) && wedge.isEnding(stroke.at)) || take(stroke, field),
  }
}
