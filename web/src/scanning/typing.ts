import { clearOf, type ScanForm } from './scan-form.ts'
import { createTypedSigns, isNumberLike, isSeparated } from './typed-signs.ts'
import { createWedge, isEndKey, leastCharacters, type Keystroke, type TypedLine } from './wedge.ts'

export type ScanField = 'barcode' | 'quantity'

/** Where a key goes; null: to nothing that text is typed into, as a button or the page. */
export type Place = ScanField | 'search' | null

/** The fields as they stood, and whether a sign had been typed into their quantity. */
type Before = { form: ScanForm; isMarked: boolean }

/** What the end of a typed line means. `before`: what there was before the code was typed over it. */
type Meaning =
  | { kind: 'code'; text: string; before: Before }
  | { kind: 'submit'; isScanned: boolean }
  | { kind: 'barcode_finished' | 'separated' | 'nothing' }

/** Where a line, or after a pause a part of it, began; and what there was before. */
type Start = { at: number; before: Before }

type Facts = {
  line: TypedLine | null
  form: ScanForm
  /** Whether a sign was typed into the quantity. */
  isMarked: boolean
  beforeLine: Before
  beforeBurst: Before
  starts: readonly Start[]
  isKnown: (code: string) => boolean
  /** Pieces are counted by their scans, so that no quantity is scanned. */
  countsPieces: boolean
}

const leastDigitsOfCode = 8
/** A burst of fewer digits in the quantity field is taken for a quantity, as on cards of numbers. */
const leastDigitsAsked = 5

type Code = { text: string; before: Before }

/** Whether nobody would write a quantity like this. */
function isLikeCode(text: string): boolean {
  return /\D/.test(text) || text.length >= leastDigitsOfCode
}

/** The longest end of a line that is known, from its beginning or a pause on: a scanner may hesitate also within a code. */
function knownEnd({ text }: TypedLine, { starts, isKnown }: Pick<Facts, 'starts' | 'isKnown'>): Code | null {
  const start = starts.find(({ at }) => isKnown(text.slice(at)))
  return start === undefined ? null : { text: text.slice(start.at), before: start.before }
}

/** The code of its own that came after a half typed quantity, or while a number is in question; or null. */
function codeAfterQuantity(line: TypedLine, { starts, isKnown }: Facts): Code | null {
  const { text, burst } = line
  const mayBe = (code: string) =>
    (burst !== '' || !isNumberLike(code)) && (code === burst || isLikeCode(code))
  const known = knownEnd(line, { starts, isKnown: (code) => mayBe(code) && isKnown(code) })
  const last = starts.at(-1)
  const code =
    known ?? (last !== undefined && isLikeCode(burst) ? { text: burst, before: last.before } : null)
  if (code === null) return null
  const { quantity, asking } = code.before.form
  const isFirst = quantity === '' && asking === null
  return isFirst || /\D/.test(text.slice(0, -code.text.length)) ? null : code
}

/** Whether the scanner has read the code again whose quantity is missing. */
function isCodeAgain({ isBurst, text }: TypedLine, { form }: Facts): boolean {
  return isBurst && text.length >= leastDigitsOfCode && text === form.barcode.trim()
}

/** The code of a piece that was scanned over the number of those before it, also with a pause between its characters; or null. */
function pieceIn({ text, isBurst, burst }: TypedLine, { form, countsPieces, isKnown }: Facts): string | null {
  if (!countsPieces || burst === '') return null
  if (text === form.barcode.trim() || isKnown(text)) return text
  return isBurst && isLikeCode(text) ? text : null
}

/** What the end of a quantity means that no code was typed into. */
function meaningOfQuantity(facts: Facts): Meaning {
  const { line, isMarked, countsPieces, isKnown } = facts
  if (isMarked || isSeparated(line?.text ?? '')) return { kind: 'separated' }
  if (line === null) return { kind: 'submit', isScanned: false }
  const isAsked = (text: string) => text.length >= leastDigitsAsked
  const isKnownAtEnd =
    knownEnd(line, { ...facts, isKnown: (code) => isAsked(code) && isKnown(code) }) !== null
  const isFast = countsPieces ? line.burst !== '' : isAsked(line.burst)
  return { kind: 'submit', isScanned: isFast || isKnownAtEnd }
}

function meaningInQuantity(facts: Facts): Meaning {
  const { line, beforeLine } = facts
  if (line === null) return meaningOfQuantity(facts)
  const piece = pieceIn(line, facts)
  if (piece !== null) return { kind: 'code', text: piece, before: beforeLine }
  if (isCodeAgain(line, facts)) return { kind: 'code', text: line.text, before: beforeLine }
  const after = codeAfterQuantity(line, facts)
  if (after !== null) return { kind: 'code', ...after }
  // Digits may be the quantity; other characters never are.
  const isCode = /\D/.test(line.text) && (line.isBurst || !isNumberLike(line.text))
  return isCode ? { kind: 'code', text: line.text, before: beforeLine } : meaningOfQuantity(facts)
}

/** Whether a code was typed behind the one whose quantity is missing, with a pause between its characters or before its end key. */
function isCodeBehind({ text }: TypedLine, { form, beforeLine, isKnown }: Facts): boolean {
  if (text.length < leastCharacters || !beforeLine.form.taken) return false
  return isKnown(text) && !isKnown(form.barcode.trim())
}

function meaningInBarcode(facts: Facts): Meaning {
  const { line, form, beforeLine, beforeBurst, isKnown } = facts
  const burst = line?.burst ?? ''
  if (line !== null && isCodeBehind(line, facts)) return { kind: 'code', text: line.text, before: beforeLine }
  if (burst !== '' && beforeBurst.form.taken) return { kind: 'code', text: burst, before: beforeBurst }
  if (burst !== '' && !isKnown(form.barcode.trim()) && isKnown(burst)) {
    return { kind: 'code', text: burst, before: { form: clearOf(beforeBurst.form), isMarked: false } }
  }
  return { kind: 'barcode_finished' }
}

function meaningInSearch({ line, beforeBurst, ...facts }: Facts): Meaning {
  if (line === null || line.burst === '') return { kind: 'nothing' }
  return { kind: 'code', ...(knownEnd(line, facts) ?? { text: line.burst, before: beforeBurst }) }
}

/** Nobody types here: a scanner may hesitate anywhere, and before its end key. */
function meaningOnPage({ line, beforeBurst, ...facts }: Facts): Meaning {
  if (line === null || !line.isPrompt || line.text.length < leastCharacters) return { kind: 'nothing' }
  const known = knownEnd(line, facts)
  if (known !== null && known.text.length >= leastCharacters) return { kind: 'code', ...known }
  if (line.tail.length < leastCharacters) return { kind: 'nothing' }
  return { kind: 'code', text: line.tail, before: beforeBurst }
}

function meaningOf(place: Place, facts: Facts): Meaning {
  if (place === 'quantity') return meaningInQuantity(facts)
  if (place === 'barcode') return meaningInBarcode(facts)
  return place === 'search' ? meaningInSearch(facts) : meaningOnPage(facts)
}

type Target = {
  getForm: () => ScanForm
  isKnown: (code: string) => boolean
  countsPieces: () => boolean
  /** A code was typed over what stood in the fields before. */
  takeTyped: (text: string, before: ScanForm) => void
  finishBarcode: () => void
  submit: (isScanned: boolean) => void
  /** A quantity was typed with signs between its digits. */
  refuseSeparated: () => void
}

export type Typing = {
  press: (stroke: Keystroke, place: Place) => boolean
  /** Takes the control character of a line's end, and answers whether it is a scanner's. */
  pressEnd: (at: number, place: Place) => boolean
  /** Takes what is about to be put into the quantity; null where something is taken out. */
  insert: (text: string | null) => void
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
export function createTyping({ getForm, isKnown, countsPieces, ...target }: Target): Followed {
  const wedge = createWedge()
  const signs = createTypedSigns(getForm)
  const present = (): Before => ({ form: getForm(), isMarked: signs.isMarked() })
  let starts: Start[] = []
  let linePlace: Place = null

  function endLine(place: Place, line: TypedLine | null): boolean {
    const now = present()
    const beforeLine = starts[0]?.before ?? now
    const beforeBurst = starts.at(-1)?.before ?? now
    const facts = { line, ...now, beforeLine, beforeBurst, starts, isKnown, countsPieces: countsPieces() }
    const meaning = meaningOf(place, facts)
    if (meaning.kind === 'code') {
      signs.mark(meaning.before.isMarked)
      target.takeTyped(meaning.text, meaning.before.form)
    }
    if (meaning.kind === 'barcode_finished') target.finishBarcode()
    if (meaning.kind === 'submit') target.submit(meaning.isScanned)
    if (meaning.kind === 'separated') target.refuseSeparated()
    return meaning.kind !== 'nothing'
  }

  function take(stroke: Keystroke, place: Place): boolean {
    const { key, at } = stroke
    // A space would press the button that has the focus.
    const isUsedUp = key === ' ' && place === null && wedge.isBusy(at)
    if (place !== linePlace) wedge.cut()
    linePlace = place
    const pressed = wedge.press(stroke)
    if (pressed === 'start') starts = []
    if (typeof pressed === 'string') {
      starts.push({ at: wedge.typed().length - 1, before: present() })
      return isUsedUp
    }
    // Tab is a scanner's end key only after a burst, or where nobody types; otherwise it moves the focus.
    const isEnd = key === 'Enter' || (pressed !== null && (place === null || pressed.burst !== ''))
    return isEnd ? endLine(place, pressed) : isUsedUp
  }

  return {
    insert: (text) => signs.insert(text),
    isBusy: (at) => wedge.isBusy(at),
    takesEnd: (at) => wedge.isOpen(at) || wedge.isEnding(at),
    cut: () => wedge.cut(),
    isSeparated: () => signs.isMarked() || (linePlace === 'quantity' && isSeparated(wedge.typed())),
    pressEnd(at, place) {
      const ends = wedge.ends(at)
      if (ends === 'open') take({ key: 'Enter', at }, place)
      return ends !== null
    },
    press: (stroke, place) => (isEndKey(stroke.key) && wedge.isEnding(stroke.at)) || take(stroke, place),
  }
}
