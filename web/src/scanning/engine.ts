import { parseCommand, type Command } from '@inventory-manager/contract/scanning/commands'
import { maxBarcodeLength, maxQuantity } from '@inventory-manager/contract/values'
import { readCode, type ReadCode } from './codes.ts'
import {
  addPiece,
  emptyForm,
  nextForm,
  readSubmission,
  takeCode,
  takePiece,
  type ScanForm,
  type ScanProblem,
  type Submitting,
} from './scan-form.ts'
import type { ScannerSettings } from './settings.ts'
import { createTyping, type ScanField, type Typing } from './typing.ts'

/** What a count screen does for its engine. Each is called at once, before the next key. */
export type ScanHandlers = {
  /** What the scanners here add around each code. */
  settings: () => ScannerSettings
  isKnownCode: (code: string) => boolean
  /** Whether each scan of a code counts one piece of it, until another code is scanned. */
  countsPieces: () => boolean
  /** Whether two codes are of the same SKU. */
  isSame: (one: string, other: string) => boolean
  /** Whether an entry is taken now; where it is not, the screen says why and the form keeps it. */
  mayTake: () => boolean
  /** One complete entry; the form is cleared for the next. */
  onEntry: (entry: { barcode: string; quantity: number }) => void
  onProblem: (problem: ScanProblem) => void
  onUndo: () => void
  /** The item in the fields was left for the next one. */
  onNext: () => void
  /** A location's command code; the location is as printed. */
  onLocation: (location: string) => void
  /** A whole code that asks for a quantity. */
  onCode: (code: string) => void
  /** A piece of the code in the fields was scanned; so many are counted now. */
  onPiece: (pieces: number) => void
  /** A code arrived twice in one string, or was scanned again before its quantity, and is taken once. */
  onDoubled: (code: string) => void
  /** A number may be a code: nothing is entered until somebody says what it is. */
  onAsk: (number: string) => void
  /** Where what comes next is typed. */
  onTurn: (field: ScanField) => void
}

export type ScanEngine = Typing & {
  getForm: () => ScanForm
  subscribe: (listener: () => void) => () => void
  /** Connects the screen; the answer disconnects it. What was scanned stays. */
  connect: (handlers: ScanHandlers) => () => void
  /** A whole code of a camera, which adds nothing around it. */
  take: (code: string) => void
  type: (field: ScanField, text: string) => void
  /** Whoever goes on to the quantity has finished the barcode. */
  enterQuantity: () => void
  submit: () => void
  /** Says what the number in question is. */
  answer: (kind: 'code' | 'quantity' | 'neither') => void
  /** Says what was counted before of the code in the fields, so that it is added to the quantity; 0: nothing is added. */
  addTo: (quantity: number) => void
  /** Moves on to what the form needs next, after something else was pressed. */
  resume: () => void
  next: () => void
  discardWaiting: () => void
}

const pressedSubmit: Submitting = { confirmed: false, isScanned: false }

const plainScanner: ScannerSettings = { prefix: '', suffix: '' }

/** The form with a listener's door, and whoever handles what comes out of it. */
function createState(saved: ScanForm | null) {
  const listeners = new Set<() => void>()
  const state: { form: ScanForm; handlers: ScanHandlers | null } = {
    form: saved ?? emptyForm,
    handlers: null,
  }

  function set(form: ScanForm): void {
    state.form = form
    for (const listener of listeners) listener()
  }

  return {
    state,
    set,
    /** Sets the form and moves on to what it needs next. */
    show: (form: ScanForm): void => {
      set(form)
      state.handlers?.onTurn(form.taken ? 'quantity' : 'barcode')
    },
    isKnown: (code: string) => state.handlers?.isKnownCode(code) ?? false,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connect: (handlers: ScanHandlers) => {
      state.handlers = handlers
      return () => {
        if (state.handlers === handlers) state.handlers = null
      }
    },
  }
}

type State = ReturnType<typeof createState>

/** What makes entries of a form and hands them on. */
function createEntering({ state, set, show, isKnown }: State) {
  const scanner = () => state.handlers?.settings() ?? plainScanner
  const read = (raw: string, settings = scanner()) => readCode(raw, settings, isKnown)

  /** Shows the form with a code in it or taken out of it; a doubled one stays named until the next code. */
  function showRead(form: ScanForm, { code, isDoubled }: ReadCode): void {
    show(isDoubled ? { ...form, doubled: code } : form)
    if (isDoubled) state.handlers?.onDoubled(code)
  }

  function multiply(): void {
    const { form, handlers } = state
    const quantity = Number(form.quantity.trim()) * 10
    if (form.quantity.trim() === '') handlers?.onProblem('quantity_missing')
    else if (!Number.isSafeInteger(quantity) || quantity > maxQuantity)
      handlers?.onProblem('quantity_invalid')
    else show({ ...form, quantity: String(quantity) })
  }

  /** Takes the number out of the input, so that nothing is typed behind it. */
  function ask(number: string): void {
    const { form, handlers } = state
    if (form.asking === null) set({ ...form, quantity: '', asking: number })
    handlers?.onAsk(number)
  }

  function submit(how = pressedSubmit): void {
    const { form, handlers } = state
    // Without a screen nobody would take the entry.
    if (handlers === null) return
    if (!how.confirmed && form.asking !== null) {
      ask(form.asking)
      return
    }
    const submission = readSubmission(form, { ...how, isKnownCode: isKnown })
    if (submission.kind === 'ask') ask(submission.number)
    else if (submission.kind !== 'entry') handlers.onProblem(submission.kind)
    else enter(submission, handlers)
  }

  function enter(
    { barcode: given, quantity }: { barcode: string; quantity: number },
    handlers: ScanHandlers,
  ) {
    const { form } = state
    // What was taken has lost already what the scanner adds.
    const barcode = form.taken ? { code: given, isDoubled: false } : read(given)
    if (barcode.code.length > maxBarcodeLength) handlers.onProblem('barcode_too_long')
    else if (handlers.mayTake()) {
      // The entry first: it is on its way before anything is drawn.
      handlers.onEntry({ barcode: barcode.code, quantity })
      showRead(nextForm(form), barcode)
    }
  }

  function next(): void {
    show(nextForm(state.form))
    state.handlers?.onNext()
  }

  return { read, showRead, multiply, submit, next }
}

/** What comes out of a form: codes taken in, commands obeyed, entries handed on. */
function createActions(door: State, isSeparated: () => boolean) {
  const { state, set, show } = door
  const { read, showRead, multiply, submit, next } = createEntering(door)

  /** A quantity that was typed with signs between its digits is typed anew. */
  function refuseSeparated(): void {
    show({ ...state.form, quantity: '' })
    state.handlers?.onProblem('quantity_separated')
  }

  const obey: Record<Command, () => void> = {
    UNDO: () => state.handlers?.onUndo(),
    NEXT: next,
    SUBMIT: () => (isSeparated() ? refuseSeparated() : submit()),
    X10: () => (isSeparated() ? refuseSeparated() : multiply()),
  }

  /** One more piece of the code in the fields; a piece of another one enters those that were counted before it. */
  function isPieceTaken(taken: ReadCode): boolean {
    const { form, handlers } = state
    if (handlers === null || !form.taken || form.asking !== null) return false
    if (!handlers.isSame(form.barcode, taken.code)) {
      submit()
      return false
    }
    const more = addPiece(form)
    if (more === null) handlers.onProblem('quantity_invalid')
    else {
      showRead(more, taken)
      handlers.onPiece(Number(more.quantity))
    }
    return true
  }

  function takeNew(taken: ReadCode): void {
    const countsPieces = state.handlers?.countsPieces() ?? false
    if (countsPieces && isPieceTaken(taken)) return
    const form = (countsPieces ? takePiece : takeCode)(state.form, taken.code)
    showRead({ ...form, doubled: null }, taken)
    if (form.again !== null) state.handlers?.onDoubled(taken.code)
    else state.handlers?.onCode(taken.code)
  }

  function take(taken: ReadCode): void {
    if (taken.code === '') return
    const command = parseCommand(taken.code)
    if (command === null) takeNew(taken)
    else if (command.kind === 'location') state.handlers?.onLocation(command.location)
    else obey[command.command]()
  }

  /** A typed barcode is finished where it stands. */
  function finish(): void {
    const { form } = state
    const barcode = read(form.barcode)
    if (form.taken || barcode.code === '') return
    set({ ...form, barcode: barcode.code, taken: true, doubled: barcode.isDoubled ? barcode.code : null })
    if (barcode.isDoubled) state.handlers?.onDoubled(barcode.code)
    state.handlers?.onCode(barcode.code)
  }

  return {
    take: (raw: string) => take(read(raw)),
    takeSeen: (code: string) => take(read(code, plainScanner)),
    finish,
    submit,
    next,
    refuseSeparated,
  }
}

/**
 * The scanning of a count screen, without the screen: scanner bursts wherever the focus is, typed fields, camera and
 * command codes go in; whole entries come out, in order. Nothing but a person's entry or discard takes a code out.
 */
export function createScanEngine(saved: ScanForm | null): ScanEngine {
  const door = createState(saved)
  const { state, set, show } = door
  const { take, takeSeen, finish, submit, next, refuseSeparated } = createActions(door, () => isSeparated())
  const { cut, isSeparated, ...typing } = createTyping({
    getForm: () => state.form,
    isKnown: door.isKnown,
    countsPieces: () => state.handlers?.countsPieces() ?? false,
    submit: (isScanned) => submit({ ...pressedSubmit, isScanned }),
    refuseSeparated,
    // The scanner typed into whatever had the focus: what stood there before comes back, and the code is taken.
    takeTyped(text, { barcode, taken, quantity, isTally, addsTo }) {
      set({ ...state.form, barcode, taken, quantity, isTally, addsTo })
      take(text)
    },
    finishBarcode() {
      const { barcode, taken } = state.form
      if (taken) {
        show(state.form)
        return
      }
      set({ ...state.form, barcode: '' })
      take(barcode)
    },
  })

  /** What was typed before something is pressed, or seen by a camera, is no part of what is typed after it. */
  const pressed =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      cut()
      act(...args)
    }

  return {
    ...typing,
    getForm: () => state.form,
    subscribe: door.subscribe,
    connect: door.connect,
    take: pressed(takeSeen),
    type(field, text) {
      if (field === 'barcode') set({ ...state.form, barcode: text, taken: false, addsTo: 0 })
      else set({ ...state.form, quantity: text, isTally: false })
    },
    enterQuantity: pressed(finish),
    submit: () => pressed(isSeparated() ? refuseSeparated : () => submit())(),
    answer: pressed((kind) => {
      const { asking } = state.form
      if (asking === null) return
      const form = { ...state.form, asking: null }
      if (kind === 'quantity') {
        set({ ...form, quantity: asking })
        submit({ ...pressedSubmit, confirmed: true })
        return
      }
      show(form)
      if (kind === 'code') take(asking)
    }),
    addTo: pressed((addsTo) => show({ ...state.form, addsTo })),
    resume: () => show(state.form),
    next: pressed(next),
    discardWaiting: () => show({ ...state.form, waiting: [] }),
  }
}
