import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { signed } from '@inventory-manager/contract/signed'
import { adjustQuantity } from '@inventory-manager/contract/stock/adjust-endpoints'
import {
  adjustmentFault,
  adjustReasonKeys,
  adjustReasons,
  type AdjustReason,
} from '@inventory-manager/contract/stock/adjusting'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import type { StockDialogProps } from './edit-dialogs.tsx'
import { FormDialog } from './form-dialog.tsx'
import { LocationField, NoteField } from './stock-fields.tsx'

const amountHints: Record<(typeof adjustReasons)[AdjustReason]['way'], string> = {
  adds: 'How many came. It is added to the stock.',
  takes: 'How many went. It is taken from the stock.',
  either: 'With its sign: +12 adds, -3 takes.',
}

/** What was typed as a signed amount: without a sign by what the reason does; null where it is none. */
function readAmount(text: string, reason: AdjustReason): number | null {
  const [, sign = '', digits] = /^([+\u2212-]?)(\d{1,10})$/.exec(text) ?? []
  const { way } = adjustReasons[reason]
  if (digits === undefined || Number(digits) === 0 || (sign === '' && way === 'either')) return null
  const isTaken = sign === '' ? way === 'takes' : sign !== '+'
  return isTaken ? -Number(digits) : Number(digits)
}

type Faults = { amount?: string; note?: string }
type Adjustment = { reason: AdjustReason; amount: number | null; note: string }

/** What is wrong with what was entered, by its field; the amount is null where it is none. */
function faultsOf({ reason, amount, note }: Adjustment): Faults {
  const isEither = adjustReasons[reason].way === 'either'
  if (amount === null) {
    return {
      amount: isEither
        ? 'Enter a whole number with its sign: +12 or -3.'
        : 'Enter a whole number of 1 or more.',
    }
  }
  const fault = adjustmentFault({ reason, amount, note })
  if (fault === null) return {}
  return isEither ? { note: fault } : { amount: fault }
}

type Entered = { location: LocationCode; amount: string; reason: AdjustReason }

/** What the stock would become; a sentence keeps its place, so that nothing jumps. */
function Outcome({ entered, stock }: { entered: Entered; stock: StockDialogProps['stock'] }) {
  const { location, reason } = entered
  const now = stock.get(location) ?? 0
  const amount = readAmount(entered.amount, reason)
  return (
    <p className="text-sm wrap-anywhere tabular-nums text-muted">
      {placeName(location)}: {formatNumber(now)}
      {amount !== null && ` → ${now + amount < 0 ? signed(now + amount) : formatNumber(now + amount)}`}
    </p>
  )
}

/** Receives or issues stock: an amount on top of what is there by then, for a reason. */
export function AdjustDialog({ stock, ...props }: StockDialogProps) {
  const [location, setLocation] = useState(props.here)
  const [reason, setReason] = useState<AdjustReason>('received')
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const { faults, accept, forget } = useFaults<keyof Faults>()
  const once = useOnce()
  const doubt = useDoubtfulQuantity(props.barcode)
  const { way } = adjustReasons[reason]
  const amountField = useRef<HTMLInputElement>(null)
  useEffect(() => amountField.current?.focus(), [])

  async function save(form: HTMLFormElement): Promise<string | null> {
    const change = readAmount(amount, reason)
    const entered = { reason, note: note.trim() }
    if (!accept(faultsOf({ ...entered, amount: change }), form) || change === null) return null
    const body = { barcode: props.barcode, location, amount: change, ...entered }
    doubt.ask(amount.replace(/^[+-]/, ''))
    const { component } = await once(body, (idempotencyKey) =>
      call(adjustQuantity, { body }, { idempotencyKey }),
    )
    const { quantityField } = getLocation(location)
    const now = component[quantityField]
    return `${adjustReasons[reason].name}: ${signed(change)} at ${placeName(location)}, where ${formatNumber(now)} ${now === 1 ? 'is' : 'are'} now.`
  }

  return (
    <FormDialog
      title={`Receive or issue ${props.barcode}`}
      submit="Save"
      onClose={props.onClose}
      onSaved={props.onSaved}
      save={save}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <LocationField value={location} stock={stock} onChange={setLocation} />
        <SelectField
          label="Reason"
          options={adjustReasonKeys.map((key) => ({ value: key, label: adjustReasons[key].name }))}
          value={reason}
          onChange={(event) => {
            setReason(adjustReasonKeys.find((key) => key === event.target.value) ?? reason)
            forget({ amount, note })
          }}
        />
      </div>
      <TextField
        ref={amountField}
        label="Amount"
        name="amount"
        hint={amountHints[way]}
        error={faults.amount}
        inputMode={way === 'either' ? 'text' : 'numeric'}
        autoComplete="off"
        value={amount}
        onKeyDown={doubt.follow}
        onChange={(event) => {
          const typed = event.target.value.trim()
          doubt.forget()
          setAmount(typed)
          forget({ amount: typed })
        }}
      />
      <Outcome entered={{ location, amount, reason }} stock={stock} />
      <NoteField
        hint={
          way === 'either'
            ? 'Why the stock changes. Shown with the movement and in the audit trail.'
            : 'Optional: document, supplier, order. Shown with the movement and in the audit trail.'
        }
        value={note}
        error={faults.note}
        onChange={(text) => {
          setNote(text)
          forget({ note: text })
        }}
      />
    </FormDialog>
  )
}
