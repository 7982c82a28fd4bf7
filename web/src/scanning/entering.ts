import { maxBarcodeLength, maxQuantity } from '@inventory-manager/contract/values'
import { asWritten } from './codes.ts'
import type { FormState, ScanHandlers } from './form-state.ts'
import {
  backToTally,
  isTypedOver,
  leftOf,
  nextForm,
  nextPieces,
  readSubmission,
  scansIn,
  withTenfold,
  type ScanForm,
  type Submitting,
} from './scan-form.ts'

export const pressedSubmit: Submitting = { confirmed: false, isScanned: false }

/** Takes the number out of the input, so that nothing is typed behind it. */
function ask({ state, set }: FormState, number: string): void {
  const { form, handlers } = state
  if (form.asking === null) set({ ...form, quantity: '', isTally: false, asking: number })
  handlers?.onAsk(number)
}

/** What makes entries of a form and hands them on. */
export function createEntering(door: FormState) {
  const { state, set, show, read, showRead, isKnown, countsPieces } = door

  function multiply(): void {
    const { form, handlers } = state
    const quantity = Number(form.quantity.trim()) * 10
    if (form.quantity.trim() === '') handlers?.onProblem('quantity_missing')
    else if (!Number.isSafeInteger(quantity) || quantity > maxQuantity)
      handlers?.onProblem('quantity_invalid')
    else show(withTenfold(form, quantity))
  }

  function submit(how = pressedSubmit): void {
    const { form, handlers } = state
    // Without a screen nobody would take the entry.
    if (handlers === null) return
    if (!how.confirmed && form.asking !== null) {
      ask(door, form.asking)
      return
    }
    const { addsTo } = form
    const added = addsTo !== null && handlers.stands(addsTo.id) ? addsTo.quantity : 0
    const submission = readSubmission(form, { ...how, isKnownCode: isKnown, added })
    if (submission.kind === 'ask') ask(door, submission.number)
    else if (submission.kind !== 'entry') handlers.onProblem(submission.kind)
    else enter(submission, handlers)
  }

  function enter(
    { barcode: given, quantity }: { barcode: string; quantity: number },
    handlers: ScanHandlers,
  ) {
    const { form } = state
    // What was taken has lost already what the scanner adds.
    const barcode = form.taken ? asWritten(given) : read(given)
    if (barcode.code.length > maxBarcodeLength) handlers.onProblem('barcode_too_long')
    else if (handlers.mayTake(barcode.code)) {
      // The entry first: it is on its way before anything is drawn.
      handlers.onEntry({ barcode: barcode.code, quantity, scans: scansIn(form) })
      showRead({ ...following(form), left: null }, barcode)
    }
  }

  const following = (form: ScanForm) => (countsPieces() ? nextPieces(form, door) : nextForm(form))

  /** Pieces are entered: whoever goes on to the next item has counted those of this one. */
  function next(): void {
    if (staysTyped() || enterTally() !== 'none') return
    const left = leftOf(state.form)
    show({ ...following(state.form), left: left ?? state.form.left })
    state.handlers?.onNext()
    if (left !== null) state.handlers?.onLeft(left)
  }

  /** Nothing but Submit enters a number that was typed over pieces: whoever goes on stays with both, and is told. */
  function staysTyped(): boolean {
    const { form, handlers } = state
    if (!isTypedOver(form)) return false
    if (form.asking === null) handlers?.onProblem('pieces_typed_over')
    else ask(door, form.asking)
    return true
  }

  /** Enters the pieces in the fields, if there are any. */
  function enterTally(): 'none' | 'entered' | 'refused' {
    const { form } = state
    if (!form.isTally) return 'none'
    set(backToTally(form))
    submit()
    return state.form.tally === form.tally ? 'refused' : 'entered'
  }

  return { multiply, submit, next, staysTyped, enterTally, following }
}

export type Entering = ReturnType<typeof createEntering>
