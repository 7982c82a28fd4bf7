import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { takeCode, type ScanForm } from './scan-form.ts'
import { useScanner } from './use-scanner.ts'

type ScanPanelProps = {
  keepFocus: boolean
  submitLabel: string
  /** Takes the form's entry; true when it was taken and the next one can come. */
  onEntry: (form: ScanForm, confirmed: boolean) => 'taken' | 'kept' | { ask: string }
}

function Question({ number, onAnswer }: { number: string; onAnswer: (answer: 'code' | 'quantity') => void }) {
  return (
    <div
      role="alert"
      className="flex flex-col gap-3 rounded-card border border-warn/40 bg-warn-soft p-3 text-warn-text"
    >
      <p>
        Is <span className="font-mono">{number}</span> a quantity or a barcode?
      </p>
      <div className="flex gap-2">
        <Button onClick={() => onAnswer('code')}>Barcode</Button>
        <Button onClick={() => onAnswer('quantity')}>Quantity</Button>
      </div>
    </div>
  )
}

/** Barcode, quantity and Submit, within reach of a thumb; codes scanned meanwhile wait below. */
export function ScanPanel({ keepFocus, submitLabel, onEntry }: ScanPanelProps) {
  const barcode = useRef<HTMLInputElement>(null)
  const quantity = useRef<HTMLInputElement>(null)
  const scanner = useScanner({
    fields: { barcode, quantity },
    keepFocus,
    onSubmit: (form) => submit(form, false),
  })
  const { form } = scanner

  function submit(submitted: ScanForm, confirmed: boolean): void {
    const outcome = onEntry(submitted, confirmed)
    if (outcome === 'taken') scanner.next()
    else if (outcome !== 'kept') scanner.setForm({ ...submitted, asking: outcome.ask })
  }

  function answer(kind: 'code' | 'quantity'): void {
    if (kind === 'quantity') {
      submit(form, true)
      return
    }
    const taken = takeCode({ ...form, quantity: '', asking: null }, form.asking ?? '')
    scanner.setForm(taken)
    scanner.focus(taken)
  }

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit(form, false)
      }}
    >
      <div className="grid grid-cols-[2fr_1fr] gap-3">
        <TextField
          ref={barcode}
          label="Barcode"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          placeholder="Scan or type"
          value={form.barcode}
          onChange={(event) => scanner.setForm({ ...form, barcode: event.target.value, taken: false })}
        />
        <TextField
          ref={quantity}
          label="Quantity"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="send"
          placeholder="0"
          value={form.quantity}
          // A wheel over a focused number field would change the count.
          onWheel={(event) => event.currentTarget.blur()}
          onFocus={() => {
            if (!form.taken && form.barcode.trim() !== '') scanner.setForm({ ...form, taken: true })
          }}
          onChange={(event) => scanner.setForm({ ...form, quantity: event.target.value, asking: null })}
        />
      </div>
      {form.asking !== null && <Question number={form.asking} onAnswer={answer} />}
      <div className="flex gap-3">
        <Button look="primary" submits className="flex-1">
          {submitLabel}
        </Button>
        <Button onClick={scanner.next} disabled={form.barcode === '' && form.quantity === ''}>
          Next Item
        </Button>
      </div>
      {form.waiting.length > 0 && (
        <div className="rounded-card bg-sunken p-3 text-sm">
          <div className="flex items-center justify-between gap-2">
            <p>
              {form.waiting.length} scanned, waiting for {form.waiting.length === 1 ? 'its' : 'their'}{' '}
              quantity
            </p>
            <Button look="quiet" onClick={() => scanner.setForm({ ...form, waiting: [] })}>
              Discard
            </Button>
          </div>
          <p className="truncate font-mono">{form.waiting.join('  ')}</p>
        </div>
      )}
    </form>
  )
}
