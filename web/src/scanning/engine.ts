import { parseCommand, type Command } from '@inventory-manager/contract/scanning/commands'
import type { ReadCode } from './codes.ts'
import { hasOtherZeros } from './gs1.ts'
import { createEntering, pressedSubmit } from './entering.ts'
import { createFormState, type FormState, type ScanHandlers } from './form-state.ts'
import { createLeaving, createPieces } from './pieces.ts'
import { backToTally, takeCode, type Added, type ScanForm } from './scan-form.ts'
import { plainScanner } from './settings.ts'
import { createTyping, type ScanField, type Typing } from './typing.ts'

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
  /** Says what was counted before of the code in the fields, so that it is added to the quantity; null: nothing is added. */
  addTo: (added: Added | null) => void
  /** Takes off what was typed over pieces, or the last piece, or the last entry back where none is counted. */
  undo: () => void
  /** Moves on to what the form needs next, after something else was pressed. */
  resume: () => void
  next: () => void
  /** Fills the fields again with what Next Item left. */
  putBack: () => void
  /** Says that what Next Item left was meant to be left. */
  discardLeft: () => void
  discardWaiting: () => void
}

/** A code whose quantity is typed. */
function takeOnce({ state, show, showRead, isSame }: FormState, taken: ReadCode): void {
  const before = state.form
  const form = takeCode(before, taken.code, isSame)
  if (!before.taken) {
    showRead({ ...form, doubled: null }, taken)
    state.handlers?.onCode(taken.code)
    return
  }
  // One sentence is heard, the next would cut it short: that a code waits, rather than that it was taken once.
  show({ ...form, doubled: taken.isDoubled ? taken.code : null })
  if (form.again !== null) {
    state.handlers?.onDoubled(taken.code)
    return
  }
  const isTyped = before.quantity.trim() !== '' || before.asking !== null
  state.handlers?.onWaiting(taken.code, { code: before.barcode.trim(), isTyped })
}

/** Whether the quantity of a code was typed, to which a piece of it would be added. */
const isTypedFor = ({ taken, isTally }: ScanForm) => taken && !isTally

/** What keeps a quantity that was typed with signs between its digits from being taken without them. */
function createRefusing({ state, show }: FormState, isSeparated: () => boolean) {
  /** It is typed anew; pieces that it was typed over are there again. */
  function refuseSeparated(): void {
    show(backToTally({ ...state.form, quantity: '' }))
    state.handlers?.onProblem('quantity_separated')
  }

  /** It is another number also where it is left to be put back. */
  const unlessSeparated = (act: () => void) => () => (isSeparated() ? refuseSeparated() : act())

  return { refuseSeparated, unlessSeparated }
}

/** What comes out of a form: codes taken in, commands obeyed, entries handed on. */
function createActions(door: FormState, isSeparated: () => boolean) {
  const { state, set, read, countsPieces, isSame } = door
  const entering = createEntering(door)
  const { multiply, next } = entering
  const { takePieceOf, undo, finishOverTally } = createPieces(door, entering)
  const { goTo, putBack } = createLeaving(door, entering)
  const { refuseSeparated, unlessSeparated } = createRefusing(door, isSeparated)

  const obey: Record<Command, () => void> = {
    UNDO: undo,
    NEXT: unlessSeparated(next),
    SUBMIT: unlessSeparated(() => submit()),
    X10: unlessSeparated(multiply),
  }

  function takePiece(taken: ReadCode): void {
    const { form } = state
    if (taken.isOfContents) state.handlers?.onProblem('of_contents')
    else if (isSeparated() && isTypedFor(form) && isSame(form.barcode, taken.code)) refuseSeparated()
    else takePieceOf(taken)
  }

  function takeNew(taken: ReadCode): void {
    if (state.handlers?.mayScan(taken.code) === false) return
    // A code that is typed over one whose pieces are counted comes after those.
    if (state.form.isTally) set(backToTally(state.form))
    if (countsPieces()) takePiece(taken)
    else takeOnce(door, taken)
  }

  function take(taken: ReadCode): void {
    if (taken.code === '') return
    const command = parseCommand(taken.code)
    if (command === null) takeNew(taken)
    else if (command.kind === 'location') goTo(command.location)
    else obey[command.command]()
  }

  /** A typed barcode is finished where it stands. */
  function finish(): void {
    const { form } = state
    if (form.taken) return
    const barcode = read(form.barcode)
    if (form.isTally) finishOverTally(barcode)
    if (form.isTally || barcode.code === '') return
    const doubled = barcode.isDoubled ? barcode.code : null
    set({ ...form, barcode: barcode.code, taken: true, doubled, addsTo: null })
    if (barcode.isDoubled) state.handlers?.onDoubled(barcode.code)
    state.handlers?.onCode(barcode.code)
  }

  function submit(how = pressedSubmit): void {
    if (state.form.isTally) finish()
    entering.submit(how)
  }

  return {
    take: (raw: string) => take(read(raw)),
    takeSeen: (code: string) => take(read(code, plainScanner)),
    finish,
    submit,
    obey,
    putBack: unlessSeparated(putBack),
    refuseSeparated,
  }
}

function typedInto(form: ScanForm, field: ScanField, text: string): ScanForm {
  // What was counted of one code is not added to another that is typed over it.
  if (field === 'barcode') return { ...form, barcode: text, taken: false, addsTo: null }
  return { ...form, quantity: text, isTally: false }
}

/** Whether a typed text is a code, with what a scanner adds; a zero before a code may as well be the end of a number before it. */
const knownAsTyped =
  ({ read, isKnown }: FormState) =>
  (typed: string): boolean => {
    const { code } = read(typed)
    return !hasOtherZeros(typed, code) && isKnown(code)
  }

/**
 * The scanning of a count screen, without the screen: scanner bursts wherever the focus is, typed fields, camera and
 * command codes go in; whole entries come out, in order. Nothing but a person's entry or discard takes a code out.
 */
export function createScanEngine(saved: ScanForm | null): ScanEngine {
  const door = createFormState(saved)
  const { state, set, show } = door
  const actions = createActions(door, () => isSeparated())
  const { take, submit, refuseSeparated } = actions
  const { cut, isSeparated, ...typing } = createTyping({
    getForm: () => state.form,
    isKnown: knownAsTyped(door),
    countsPieces: door.countsPieces,
    submit: (isScanned) => submit({ ...pressedSubmit, isScanned }),
    refuseSeparated,
    // The scanner typed into whatever had the focus: what stood there before comes back, and the code is taken.
    takeTyped(text, { barcode, taken, quantity, tally, isTally, addsTo }) {
      set({ ...state.form, barcode, taken, quantity, tally, isTally, addsTo })
      take(text)
    },
    finishBarcode() {
      const { barcode, taken } = state.form
      if (taken) show(state.form)
      else {
        set({ ...state.form, barcode: '' })
        take(barcode)
      }
    },
  })

  /** What was typed before something is pressed, or seen by a camera, is no part of what is typed after it. */
  const pressed =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      act(...args)
      cut()
    }

  return {
    ...typing,
    getForm: () => state.form,
    subscribe: door.subscribe,
    connect: door.connect,
    take: pressed(actions.takeSeen),
    type: (field, text) => set(typedInto(state.form, field, text)),
    enterQuantity: pressed(actions.finish),
    submit: pressed(actions.obey.SUBMIT),
    answer: pressed((kind) => {
      const { asking } = state.form
      if (asking === null) return
      const form = { ...state.form, asking: null }
      if (kind === 'quantity') {
        set({ ...form, quantity: asking })
        submit({ ...pressedSubmit, confirmed: true })
        return
      }
      show(backToTally(form))
      if (kind === 'code') take(asking)
    }),
    undo: pressed(actions.obey.UNDO),
    addTo: pressed((addsTo) => show({ ...state.form, addsTo })),
    resume: () => show(state.form),
    next: pressed(actions.obey.NEXT),
    putBack: pressed(actions.putBack),
    discardLeft: () => show({ ...state.form, left: null }),
    discardWaiting: () => show({ ...state.form, waiting: [] }),
  }
}
