import type { ReadCode } from './codes.ts'
import type { Entering } from './entering.ts'
import type { FormState } from './form-state.ts'
import {
  addPieces,
  backToTally,
  isEmpty,
  isTypedOver,
  takeCode,
  takePieces,
  withLeft,
  withoutLastScan,
  type ScanForm,
} from './scan-form.ts'

/** Whether a number was typed and is not entered: whoever goes to another location stays with it, and is told. */
function isUnentered({ form, handlers }: FormState['state']): boolean {
  const isTyped = form.taken && form.tally === null && form.quantity.trim() !== ''
  if (!isTyped && form.left === null) return false
  handlers?.onProblem(isTyped ? 'quantity_waits' : 'left_waits')
  return true
}

function addPiecesTo({ state, showRead, piecesPerScan }: FormState, taken: ReadCode): void {
  const { form, handlers } = state
  const more = addPieces(form, taken.code, piecesPerScan)
  if (more?.tally == null) {
    handlers?.onProblem('quantity_invalid')
    return
  }
  showRead(more, taken)
  handlers?.onPiece(more.tally.code, more.tally.pieces)
}

/** Counts pieces by their scans. */
export function createPieces(door: FormState, { enterTally, following }: Entering) {
  const { state, set, show, showRead, isKnown, isSame, piecesPerScan } = door

  /**
   * Adds a piece of the code in the fields, or enters what was counted before another. What nobody knows may be half of a code that
   * the scanner read with a pause: it waits, and enters nothing.
   */
  function addOrEnter(taken: ReadCode): 'added' | 'first' | 'refused' {
    while (state.form.taken && state.form.asking === null) {
      if (isSame(state.form.barcode, taken.code)) {
        addPiecesTo(door, taken)
        return 'added'
      }
      const came = isKnown(taken.code) ? enterTally() : 'none'
      if (came !== 'entered') return came === 'refused' ? 'refused' : 'first'
    }
    return 'first'
  }

  /** A piece of the code in the fields, or the first one of another: those that were counted before it are entered. */
  function takePieceOf(taken: ReadCode): void {
    const came = addOrEnter(taken)
    if (came === 'added') return
    const { tally } = state.form
    const form = takePieces(state.form, taken.code, piecesPerScan)
    showRead({ ...form, doubled: null }, taken)
    // Why what was there before is not taken is what is to be read.
    if (came === 'first') state.handlers?.onCode(taken.code)
    if (form.tally !== null && form.tally !== tally)
      state.handlers?.onPiece(form.tally.code, form.tally.pieces)
  }

  /** What was done last is taken back: an item was left, or else the last entry made. */
  function undoWithout(form: ScanForm): void {
    const { left } = form
    if (left !== null && isEmpty(form)) {
      show(withLeft(form, left, isSame))
      return
    }
    state.handlers?.onUndo()
    show(form)
  }

  function undo(): void {
    const { form, handlers } = state
    if (form.tally === null) {
      undoWithout(form)
      return
    }
    const { code, pieces } = form.tally
    if (isTypedOver(form)) {
      show(backToTally({ ...form, asking: null }))
      handlers?.onPiece(code, pieces)
      return
    }
    const back = backToTally(form)
    const fewer = withoutLastScan(back)
    show(fewer ?? following(back))
    handlers?.onPiece(code, fewer?.tally?.pieces ?? 0)
  }

  /** The pieces in the fields are of the code they were scanned by: what was typed over it since comes after them. */
  function finishOverTally({ code }: ReadCode): void {
    const { form } = state
    set(backToTally(form))
    if (code === '' || form.tally === null || isSame(form.tally.code, code)) return
    enterTally()
    set(takeCode(state.form, code, isSame))
    state.handlers?.onCode(code)
  }

  return { takePieceOf, undo, finishOverTally }
}

/** Going elsewhere from the item in the fields. */
export function createLeaving({ state, show, isSame }: FormState, { staysTyped, enterTally }: Entering) {
  /** Enters the pieces in the fields, and those of each code that waits behind them; false where that is refused. */
  function enterTallies(): boolean {
    let came: ReturnType<typeof enterTally>
    do came = enterTally()
    while (came === 'entered')
    return came === 'none'
  }

  /** Whoever goes to another location has counted the pieces of this one. */
  function goTo(location: string): void {
    if (staysTyped() || isUnentered(state)) return
    if (enterTallies()) state.handlers?.onLocation(location)
  }

  /** So has whoever goes back to the item that was left. */
  function putBack(): void {
    const { left } = state.form
    if (left !== null && !staysTyped() && enterTallies()) show(withLeft(state.form, left, isSame))
  }

  return { goTo, putBack }
}
