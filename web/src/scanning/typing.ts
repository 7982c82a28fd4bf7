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
  /** Of the line, and of what came without a pause before its end. */
  first: Start
  last: Start
  starts: readonly Start[]
  isKnown: (code: string) => boolean
  /** Pieces are counted by their scans, so that no quantity is scanned. */
  countsPieces: boolean
}

const leastDigitsOfCode = 8
/** A burst of fewer digits in the quantity field is taken for a quantity, as on cards of numbers. */
export const leastDigitsAsked = 5

/** Whether nobody would write a quantity like this. */
function isLikeCode(text: string): boolean {
  return /\D/.test(text) || text.length >= leastDigitsOfCode
}

function codeFrom({ at, before }: Start, { text }: TypedLine): Meaning {
  return { kind: 'code', text: text.slice(at), before }
}

/** Where the longest known end of a line begins, at its beginning or after a pause: a scanner may hesitate also within a code. */
function startOfKnown(
  { text }: TypedLine,
  { starts, isKnown }: Facts,
  mayBe: (code: string) => boolean = () => true,
): Start | undefined {
  return starts.find(({ at }) => mayBe(text.slice(at)) && isKnown(text.slice(at)))
}

/** Where a code of its own begins after a half typed quantity, or while a number is in question. */
function startAfterQuantity(line: TypedLine, facts: Facts): Start | undefined {
  const { text, burst } = line
  const isSure = (code: string) => code === burst || isLikeCode(code)
  const start = startOfKnown(line, facts, isSure) ?? (isLikeCode(burst) ? facts.last : undefined)
  if (start === undefined || /\D/.test(text.slice(0, start.at))) return undefined
  const { quantity, asking } = start.before.form
  return quantity === '' && asking === null ? undefined : start
}

/**
 * Whether the whole line is a code: the one again whose quantity is missing, or a piece over the number of those before it, also
 * with a pause between its characters.
 */
function isWholeCode({ text, isBurst, burst }: TypedLine, { form, countsPieces, isKnown }: Facts): boolean {
  const isAgain = text === form.barcode.trim()
  if (!countsPieces || burst === '') return isBurst && isAgain && text.length >= leastDigitsOfCode
  return isAgain || isKnown(text) || (isBurst && isLikeCode(text))
}

/** What the end of a quantity means that no code was typed into. */
function meaningOfQuantity(facts: Facts): Meaning {
  const { line, isMarked, countsPieces } = facts
  if (isMarked || isSeparated(line?.text ?? '')) return { kind: 'separated' }
  if (line === null) return { kind: 'submit', isScanned: false }
  const isAsked = ({ length }: string) => length >= leastDigitsAsked
  const isFast = countsPieces ? line.burst !== '' : isAsked(line.burst)
  return { kind: 'submit', isScanned: isFast || startOfKnown(line, facts, isAsked) !== undefined }
}

function meaningInQuantity(facts: Facts): Meaning {
  const { line, first } = facts
  if (line === null) return meaningOfQuantity(facts)
  if (isWholeCode(line, facts)) return codeFrom(first, line)
  const after = startAfterQuantity(line, facts)
  if (after !== undefined) return codeFrom(after, line)
  // Digits may be the quantity; other characters never are.
  const isCode = /\D/.test(line.text) && (line.isBurst || !isNumberLike(line.text))
  return isCode ? codeFrom(first, line) : meaningOfQuantity(facts)
}

/** Whether a code was typed behind the one whose quantity is missing, with a pause between its characters or before its end key. */
function isCodeBehind({ text }: TypedLine, { form, first, isKnown }: Facts): boolean {
  if (text.length < leastCharacters || !first.before.form.taken) return false
  return isKnown(text) && !isKnown(form.barcode.trim())
}

function meaningInBarcode(facts: Facts): Meaning {
  const { line, form, first, last, isKnown } = facts
  if (line !== null && isCodeBehind(line, facts)) return codeFrom(first, line)
  if (line === null || line.burst === '') return { kind: 'barcode_finished' }
  const before = last.before.form
  if (before.taken) return codeFrom(last, line)
  return !isKnown(form.barcode.trim()) && isKnown(line.burst)
    ? codeFrom({ ...last, before: { form: clearOf(before), isMarked: false } }, line)
    : { kind: 'barcode_finished' }
}

function meaningInSearch(facts: Facts): Meaning {
  const { line, last } = facts
  if (line === null || line.burst === '') return { kind: 'nothing' }
  return codeFrom(startOfKnown(line, facts) ?? last, line)
}

/** Nobody types here: a scanner may hesitate anywhere, and before its end key. */
function meaningOnPage(facts: Facts): Meaning {
  const { line, last } = facts
  if (line === null || !line.isPrompt) return { kind: 'nothing' }
  const start = startOfKnown(line, facts) ?? last
  // So few characters are a code where all of the line is one that is known.
  const isWhole = start.at === 0 && facts.isKnown(line.text)
  const isTooShort = line.text.length - start.at < leastCharacters
  return isTooShort && !isWhole ? { kind: 'nothing' } : codeFrom(start, line)
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
  /**
   * Takes what no key has named, before it is put into a field: where the scanner of a handheld is its keyboard, whole codes. Null
   * where something is taken out, or put right.
   */
  receive: (text: string | null, at: number, place: Place) => void
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
    const before = present()
    const now = { at: 0, before }
    const [first = now] = starts
    const last = starts.at(-1) ?? now
    const facts = { line, ...before, first, last, starts, isKnown, countsPieces: countsPieces() }
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
    // A space would press the button that has the focus. Behind another key, however late, it is of a code.
    const isUsedUp = key === ' ' && place === null && wedge.takesSpace(at)
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
    receive(text, at, place) {
      // What is put right is no scan.
      for (const key of text?.split('') ?? ['Backspace']) take({ key, at }, place)
    },
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
