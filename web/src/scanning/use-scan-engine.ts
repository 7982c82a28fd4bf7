import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import { readOwner } from '../api/token.ts'
import { keepInTab } from '../lib/tab.ts'
import { closeSheet, watchDialogs } from '../ui/dialog.tsx'
import { createScanEngine, type ScanEngine } from './engine.ts'
import type { ScanHandlers } from './form-state.ts'
import { groupSeparator } from './gs1.ts'
import { formKey, readSavedForm } from './saved-form.ts'
import { emptyForm, savedForm, type ScanForm } from './scan-form.ts'
import { readScannerSettings, type ScannerSettings } from './settings.ts'
import { isEndCharacter, isForBrowser } from './stray-scans.ts'
import type { Place, ScanField } from './typing.ts'
import { isEndKey } from './wedge.ts'

type ScanFields = Record<ScanField, RefObject<HTMLInputElement | null>>

type EngineOptions = Omit<ScanHandlers, 'onTurn' | 'settings'> & {
  fields: ScanFields
  /** Shows the fields, and what is said of a scan, where they are out of view. */
  bringIntoView: () => void
  /** The count whose codes without a quantity survive a reload of the page, for this person. */
  session: string
  /** Whether the focus goes by itself to the field that is typed next. */
  keepFocus: boolean
  /** What a company has set for its scanners, for devices that have no settings of their own. */
  company: ScannerSettings | undefined
}

/** Fields of somebody else that text is typed into; a scan into one of those is meant for it, unless it says not. */
const foreignFields =
  'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range], [data-takes-scans])'

function placeOf(target: EventTarget | null, fields: ScanFields): Place {
  if (target === fields.barcode.current) return 'barcode'
  if (target === fields.quantity.current) return 'quantity'
  return target instanceof HTMLElement && target.matches('[data-takes-scans]') ? 'search' : null
}

/** With Alt, which is Option on a Mac, some keyboards type signs such as @ and #. */
function isForeign({ target, key, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (metaKey || (altKey && key.length !== 1) || isComposing) return true
  return target instanceof HTMLElement && target.matches(foreignFields)
}

/** Of a separator no browser types anything. */
function pressSeparator(engine: ScanEngine, at: number, place: Place): void {
  engine.press({ key: groupSeparator, at }, place)
  if (place === 'barcode') engine.type(place, engine.getForm().barcode + groupSeparator)
}

/**
 * A shortcut, or inside a burst a control character: one that ends a line ends the code, one that separates elements of GS1 is
 * part of it, by its place on the keyboard whatever is written there, and no other is typed.
 */
function pressControl(engine: ScanEngine, event: KeyboardEvent, place: Place): void {
  const isEnd = isEndCharacter(event.key)
  const at = event.timeStamp
  if (!(isEnd ? engine.pressEnd(at, place) : engine.isBusy(at))) return
  event.preventDefault()
  if (!isEnd && event.code === 'BracketRight') pressSeparator(engine, at, place)
}

/**
 * A field for numbers shows the E and the signs of a code that was scanned into it, and has no value: React, which sets an empty
 * value where there is none, leaves them there.
 */
function clearLeftover(quantity: HTMLInputElement | null): void {
  if (quantity?.validity.badInput === true) quantity.value = ''
}

/** Whether a character is typed by its number, with Alt: none of these keys names it. */
function isByNumber({ altKey, code }: KeyboardEvent): boolean {
  return altKey && code.startsWith('Numpad')
}

/** Whether a key has named the text that it puts into a field, if any. */
function namesText(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !isByNumber(event)
}

/** A text whose end key is a part of it: browsers put it into a field without, and press nothing. */
const endedText = /^([^\r\n\t]+)[\r\n\t]+$/

/** Puts a text into the fields as the browser would, a quantity without what is no digit. */
function put(engine: ScanEngine, text: string, place: Place): void {
  const { barcode, quantity, isTally } = engine.getForm()
  if (place === 'barcode') engine.type(place, barcode + text)
  // A number of pieces is selected there, and typed over.
  if (place === 'quantity') engine.type(place, (isTally ? '' : quantity) + text.replaceAll(/\D/g, ''))
}

/** What somebody composes by an input method, and puts right until it is what was meant: no scan. */
function isComposed({ inputType, isComposing }: InputEvent): boolean {
  return isComposing || inputType === 'insertCompositionText' || inputType === 'insertFromComposition'
}

/** What is about to be put into a field, at a time, without a key that names it. */
function receiveIn(engine: ScanEngine, event: InputEvent, { place, at }: { place: Place; at: number }): void {
  const { data, inputType } = event
  if (inputType === 'insertLineBreak') return
  const ended = inputType === 'insertText' ? endedText.exec(data ?? '')?.[1] : undefined
  engine.receive(isComposed(event) ? null : (ended ?? data), at, place)
  if (place === 'quantity') engine.insert(ended ?? data)
  if (ended === undefined) return
  event.preventDefault()
  put(engine, ended, place)
  engine.press({ key: 'Enter', at }, place)
}

/** Digits by which a sign is named, of which the sign itself follows; and shortcuts of a Mac. */
const isOfNoScanner = (event: KeyboardEvent) => isByNumber(event) || event.metaKey

function pressIn(engine: ScanEngine, event: KeyboardEvent, fields: ScanFields): void {
  const place = placeOf(event.target, fields)
  if (isOfNoScanner(event) || ((place === null || place === 'search') && isForeign(event))) return
  if (event.ctrlKey) {
    pressControl(engine, event, place)
    return
  }
  const isUsedUp = engine.press({ key: event.key, at: event.timeStamp }, place)
  if (isUsedUp && isEndKey(event.key)) clearLeftover(fields.quantity.current)
  if (isUsedUp || isForBrowser(event)) event.preventDefault()
}

/** A part of an engine's form; what uses it is drawn again only when that part is another. */
export function useFormPart<P>(engine: ScanEngine, partOf: (form: ScanForm) => P): P {
  return useSyncExternalStore(engine.subscribe, () => partOf(engine.getForm()))
}

/**
 * Saves the form whenever whole codes in it change: saving each letter would slow a burst down. What it holds already is saved at
 * once: a count that goes on as another session begins under another name.
 */
function saveCodes(engine: ScanEngine, savedAs: string): () => void {
  const partsOf = ({ taken, barcode, waiting, asking, tally, addsTo, left }: ScanForm) => [
    taken ? barcode : '',
    waiting,
    asking,
    tally,
    addsTo,
    left,
  ]
  let saved = partsOf(emptyForm)
  function save(): void {
    const parts = partsOf(engine.getForm())
    if (parts.every((part, at) => part === saved[at])) return
    saved = parts
    keepInTab(savedAs, JSON.stringify(savedForm(engine.getForm())))
  }
  save()
  return engine.subscribe(save)
}

/** Why a scan is not taken is to be seen as well. */
function telling(
  { onProblem, mayScan }: Pick<ScanHandlers, 'onProblem' | 'mayScan'>,
  bringIntoView: () => void,
): Pick<ScanHandlers, 'onProblem' | 'mayScan'> {
  return {
    onProblem(problem) {
      onProblem(problem)
      queueMicrotask(bringIntoView)
    },
    mayScan(code) {
      const may = mayScan(code)
      if (!may) queueMicrotask(bringIntoView)
      return may
    },
  }
}

/** Connects a screen's fields and keyboard to an engine of its own. */
export function useScanEngine(options: EngineOptions): ScanEngine {
  const { fields, keepFocus, company, bringIntoView, ...handlers } = options
  const [owner] = useState(readOwner)
  const savedAs = formKey(options.session, owner)
  const [engine] = useState(() => createScanEngine(readSavedForm(savedAs)))

  /** An open dialog keeps the focus: scanning goes on behind it. */
  function focus(field: ScanField): void {
    const isDialogOpen = document.querySelector('dialog[open]') !== null
    if (keepFocus && !isDialogOpen) fields[field].current?.focus({ preventScroll: true })
  }

  function onTurn(field: ScanField): void {
    // Still before the next key, but after the form is drawn: moving the focus lays the page out, once is enough.
    queueMicrotask(() => {
      focus(field)
      bringIntoView()
    })
  }
  // Before the fields are painted: a scan at their first sight is one.
  useLayoutEffect(() =>
    engine.connect({
      ...handlers,
      ...telling(handlers, bringIntoView),
      settings: () => readScannerSettings(company),
      onTurn,
    }),
  )
  useLayoutEffect(() => saveCodes(engine, savedAs), [engine, savedAs])
  // What was scanned is to be seen.
  useEffect(() => engine.subscribe(closeSheet), [engine])

  const newestKey = useRef<KeyboardEvent>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    newestKey.current = event
    pressIn(engine, event, fields)
  })
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])

  const onInput = useEffectEvent((event: InputEvent) => {
    const place = placeOf(event.target, fields)
    const key = newestKey.current
    const isNamed = key !== null && namesText(key)
    // A key was pressed when it was; what it puts in comes when the page has time, several together.
    const at = key?.key === 'Unidentified' ? key.timeStamp : event.timeStamp
    if (place !== null && !isNamed) receiveIn(engine, event, { place, at })
    else if (place === 'quantity') engine.insert(event.data)
  })
  useLayoutEffect(() => {
    const listener = (event: InputEvent) => onInput(event)
    document.addEventListener('beforeinput', listener, { capture: true })
    return () => document.removeEventListener('beforeinput', listener, { capture: true })
  }, [])

  const next = () => (engine.getForm().taken ? 'quantity' : 'barcode')
  const focusFirst = useEffectEvent(() => onTurn(next()))
  useEffect(() => focusFirst(), [])
  // Not on the button that opened the dialog: what is typed next is meant for the field.
  const focusAgain = useEffectEvent(() => focus(next()))
  useEffect(() => watchDialogs(() => focusAgain()), [])

  return engine
}
