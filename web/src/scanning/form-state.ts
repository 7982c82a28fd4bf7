import { parseCommand } from '@inventory-manager/contract/scanning/commands'
import { readCode, type ReadCode } from './codes.ts'
import { emptyForm, type Left, type ScanForm, type ScanProblem } from './scan-form.ts'
import { plainScanner, type ScannerSettings } from './settings.ts'
import type { ScanField } from './typing.ts'

/** What a count screen does for its engine. Each is called at once, before the next key. */
export type ScanHandlers = {
  /** What the scanners here add around each code. */
  settings: () => ScannerSettings
  isKnownCode: (code: string) => boolean
  /** Whether each scan of a code counts one piece of it, until another code is scanned. */
  countsPieces: () => boolean
  /** Whether two codes are of the same SKU. */
  isSame: (one: string, other: string) => boolean
  /** How many pieces one scan of a code stands for: more than one of a pack. */
  piecesPerScan: (code: string) => number
  /** Whether the entry with a key was not taken back. */
  stands: (id: string) => boolean
  /** Whether a code is taken now; where it is not, the screen says why and the form stays as it is. */
  mayScan: (code: string) => boolean
  /** Whether an entry of a code is taken now; where it is not, the screen says why and the form keeps it. */
  mayTake: (code: string) => boolean
  /** One complete entry; the form is cleared for the next. `scans`: as of `scansIn`. */
  onEntry: (entry: { barcode: string; quantity: number; scans: number }) => void
  onProblem: (problem: ScanProblem) => void
  onUndo: () => void
  /** The item in the fields was left for the next one. */
  onNext: () => void
  /** What of it was not entered. */
  onLeft: (left: Left) => void
  /** A location's command code; the location is as printed. */
  onLocation: (location: string) => void
  /** A whole code that asks for a quantity. */
  onCode: (code: string) => void
  /** A whole code came before another was entered, and waits behind it; `isTyped`: that one has its quantity already. */
  onWaiting: (code: string, behind: { code: string; isTyped: boolean }) => void
  /** A piece of a code was scanned, or taken off; so many are counted now. */
  onPiece: (code: string, pieces: number) => void
  /** A code arrived twice in one string, or was scanned again before its quantity, and is taken once. */
  onDoubled: (code: string) => void
  /** A number may be a code: nothing is entered until somebody says what it is. */
  onAsk: (number: string) => void
  /** Where what comes next is typed. */
  onTurn: (field: ScanField) => void
}

/** The form with a listener's door, and whoever handles what comes out of it. */
export function createFormState(saved: ScanForm | null) {
  const listeners = new Set<() => void>()
  const state: { form: ScanForm; handlers: ScanHandlers | null } = {
    form: saved ?? emptyForm,
    handlers: null,
  }

  function set(form: ScanForm): void {
    state.form = form
    for (const listener of listeners) listener()
  }

  /** Sets the form and moves on to what it needs next. */
  function show(form: ScanForm): void {
    set(form)
    state.handlers?.onTurn(form.taken ? 'quantity' : 'barcode')
  }

  /** Command codes are known wherever codes are. */
  const isKnown = (code: string) =>
    parseCommand(code) !== null || (state.handlers?.isKnownCode(code) ?? false)
  const scanner = () => state.handlers?.settings() ?? plainScanner
  const read = (raw: string, settings = scanner()) => readCode(raw, settings, isKnown)

  /** Shows the form with a code in it or taken out of it; a doubled one stays named until the next code. */
  function showRead(form: ScanForm, { code, isDoubled }: ReadCode): void {
    show(isDoubled ? { ...form, doubled: code } : form)
    if (isDoubled) state.handlers?.onDoubled(code)
  }

  return {
    state,
    set,
    show,
    read,
    showRead,
    isKnown,
    countsPieces: () => state.handlers?.countsPieces() ?? false,
    isSame: (one: string, other: string) => state.handlers?.isSame(one, other) ?? one === other,
    piecesPerScan: (code: string) => state.handlers?.piecesPerScan(code) ?? 1,
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

export type FormState = ReturnType<typeof createFormState>
