import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { emptyForm, looksLikeCode, nextForm, takeCode, type ScanForm } from './scan-form.ts'
import { createWedge } from './wedge.ts'

type Fields = { barcode: RefObject<HTMLInputElement | null>; quantity: RefObject<HTMLInputElement | null> }

type ScannerOptions = {
  fields: Fields
  /** Whether the focus goes by itself to the field that is typed next. */
  keepFocus: boolean
  isKnownCode: (code: string) => boolean
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
export function useScanner({ fields, keepFocus, isKnownCode, onSubmit }: ScannerOptions): Scanner {
  const [form, setFormState] = useState<ScanForm>(emptyForm)
  const [wedge] = useState(createWedge)
  const beforeBurst = useRef(emptyForm)

  const setForm = (changed: ScanForm) => flushSync(() => setFormState(changed))

  function focus(shown: ScanForm): void {
    if (!keepFocus) return
    const field = shown.barcode === '' ? fields.barcode.current : fields.quantity.current
    field?.focus()
  }

  function show(changed: ScanForm): void {
    setForm(changed)
    focus(changed)
  }

  /** A scanned code: digits in the quantity field may be the quantity; anything else is the code of an item. */
  function takeBurst(code: string, inQuantity: boolean): void {
    const digits = inQuantity && /^\d+$/.test(code)
    if (digits && !looksLikeCode(code, isKnownCode)) onSubmit(form)
    else if (digits) setForm({ ...form, asking: code })
    // The scanner has typed into the focused field: what stood there before comes back.
    else show(takeCode(beforeBurst.current, code))
  }

  function pressEnter(inQuantity: boolean): void {
    if (inQuantity) onSubmit(form)
    else if (form.barcode.trim() !== '') fields.quantity.current?.focus()
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isForeign(event, fields)) return
    const inQuantity = event.target === fields.quantity.current
    const pressed = wedge.press({ key: event.key, at: event.timeStamp })
    if (pressed === 'start') {
      beforeBurst.current = form
    } else if (pressed !== null) {
      event.preventDefault()
      takeBurst(pressed.code, inQuantity)
    } else if (event.key === 'Enter' && (inQuantity || event.target === fields.barcode.current)) {
      event.preventDefault()
      pressEnter(inQuantity)
    }
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
