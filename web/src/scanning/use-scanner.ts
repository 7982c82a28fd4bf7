import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { emptyForm, nextForm, takeCode, type ScanForm } from './scan-form.ts'
import { createWedge, type TypedLine } from './wedge.ts'

type Fields = { barcode: RefObject<HTMLInputElement | null>; quantity: RefObject<HTMLInputElement | null> }

type ScannerOptions = {
  fields: Fields
  /** Whether the focus goes by itself to the field that is typed next. */
  keepFocus: boolean
  onSubmit: (form: ScanForm) => void
}

export type Scanner = {
  form: ScanForm
  setForm: (form: ScanForm) => void
  /** Goes on to the next entry, with the focus where it is typed. */
  next: () => void
  focus: (form: ScanForm) => void
}

/** Keys that are somebody else's: shortcuts, input methods, other fields and open dialogs. */
function isForeign(event: KeyboardEvent, fields: Fields): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  if (target === fields.barcode.current || target === fields.quantity.current) return false
  return target.matches('input, textarea, select, dialog *')
}

/**
 * The inputs of a count screen, fed by keyboard and scanner. Scanner bursts are taken wherever the focus is; state
 * changes in the same instant as the key, so that the next burst never meets an old field.
 */
export function useScanner({ fields, keepFocus, onSubmit }: ScannerOptions): Scanner {
  const [form, setFormState] = useState<ScanForm>(emptyForm)
  const [wedge] = useState(createWedge)
  const beforeLine = useRef(emptyForm)

  const setForm = (changed: ScanForm) => flushSync(() => setFormState(changed))

  function focus(shown: ScanForm): void {
    if (!keepFocus) return
    const field = shown.taken ? fields.quantity.current : fields.barcode.current
    field?.focus()
  }

  function show(changed: ScanForm): void {
    setForm(changed)
    focus(changed)
  }

  /** The scanner typed into whatever had the focus: what stood there before comes back, and the code is taken. */
  function takeLine(line: TypedLine): void {
    show(takeCode(beforeLine.current, line.text))
  }

  /** An end key in a field of the form, or the end of a burst anywhere else. Says whether it meant something. */
  function endLine(target: EventTarget | null, line: TypedLine | null): boolean {
    if (target === fields.quantity.current) {
      // Digits may be the quantity; anything else never is, however slowly it came.
      if (line !== null && /\D/.test(line.text)) takeLine(line)
      else onSubmit(form)
      return true
    }
    if (target === fields.barcode.current && !form.taken) {
      show(takeCode(form, form.barcode))
      return true
    }
    if (line?.isBurst === true) takeLine(line)
    return line?.isBurst === true
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isForeign(event, fields)) return
    const pressed = wedge.press({ key: event.key, at: event.timeStamp })
    if (pressed === 'start') beforeLine.current = form
    if (pressed === 'start' || (event.key !== 'Enter' && event.key !== 'Tab')) return
    // Tab is a scanner's end key only after a burst; otherwise it moves the focus.
    if (event.key === 'Tab' && pressed?.isBurst !== true) return
    if (endLine(event.target, pressed)) event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])

  const { barcode } = fields
  useEffect(() => barcode.current?.focus(), [barcode])

  return { form, setForm, next: () => show(nextForm(form)), focus }
}
