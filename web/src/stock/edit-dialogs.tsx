import type { LocationCode } from '@inventory-manager/contract/locations'
import { describeComponent } from '@inventory-manager/contract/stock/component-endpoints'
import { placesIn, type Place } from '@inventory-manager/contract/stock/places'
import { signed } from '@inventory-manager/contract/signed'
import { updateQuantity } from '@inventory-manager/contract/stock/endpoints'
import { piecesFaults, readPiecesTyped } from '@inventory-manager/contract/stock/typed-pieces'
import { sendTransfer } from '@inventory-manager/contract/stock/transfer-endpoints'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import { FormDialog } from './form-dialog.tsx'
import { useWaitingDifference } from './queries.ts'
import { LocationField, NoteField } from './stock-fields.tsx'

export type DialogProps = { barcode: string; onClose: () => void; onSaved: (words: string) => void }

export function DescribeDialog({ description, ...props }: DialogProps & { description: string }) {
  const [text, setText] = useState(description)
  const once = useOnce()
  return (
    <FormDialog
      title={`Description of ${props.barcode}`}
      submit="Save"
      onClose={props.onClose}
      onSaved={props.onSaved}
      save={async () => {
        const body = { barcode: props.barcode, description: text }
        await once(body, (idempotencyKey) => call(describeComponent, { body }, { idempotencyKey }))
        return 'Description saved.'
      }}
    >
      <TextField
        label="Description"
        value={text}
        maxLength={500}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}

export type StockDialogProps = DialogProps & { here: LocationCode; stock: ReadonlyMap<string, number> }

/** Says of a difference that waits that it is the one to be accepted: booked once more by hand it would count twice. */
function WaitingDifference({ barcode, location }: { barcode: string; location: LocationCode }) {
  const waiting = useWaitingDifference(barcode, location)
  if (waiting === null) return null
  return (
    <Banner tone="warn">
      {waiting.user_name} counted {formatNumber(waiting.counted)} here, {signed(waiting.difference)}, and that
      waits to be decided. Accept it in Discrepancies instead: after a correction to what was counted it would
      be booked twice.
    </Banner>
  )
}

/** Sets the stock at a location to what is there; the difference is a movement with the note. */
export function CorrectDialog({ stock, ...props }: StockDialogProps) {
  const [location, setLocation] = useState(props.here)
  const [quantity, setQuantity] = useState('')
  const [note, setNote] = useState('')
  const { faults, accept, forget } = useFaults<'quantity' | 'note'>()
  const once = useOnce()
  const doubt = useDoubtfulQuantity(props.barcode)

  async function save(form: HTMLFormElement): Promise<string | null> {
    const wrong = {
      ...(readPiecesTyped(quantity) === null ? { quantity: piecesFaults.needed } : {}),
      ...(note.trim() === '' ? { note: 'Say why: whoever checks the books asks about this first.' } : {}),
    }
    if (!accept(wrong, form)) return null
    doubt.ask(quantity)
    const body = { barcode: props.barcode, location, quantity: Number(quantity), note }
    await once(body, (idempotencyKey) => call(updateQuantity, { body }, { idempotencyKey }))
    return `Stock at ${placeName(location)} was set to ${formatNumber(Number(quantity))}.`
  }

  return (
    <FormDialog
      title={`Correct the stock of ${props.barcode}`}
      submit="Save"
      onClose={props.onClose}
      onSaved={props.onSaved}
      save={save}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <LocationField value={location} stock={stock} onChange={setLocation} />
        <TextField
          label="New quantity"
          name="quantity"
          inputMode="numeric"
          autoComplete="off"
          value={quantity}
          error={faults.quantity}
          onKeyDown={doubt.follow}
          onChange={(event) => {
            const typed = event.target.value.trim()
            doubt.forget()
            setQuantity(typed)
            forget({ quantity: typed })
          }}
        />
      </div>
      <WaitingDifference barcode={props.barcode} location={location} />
      <NoteField
        hint="Why. Shown with the movement and in the audit trail."
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

type MoveProps = DialogProps & { from: Place; stock: ReadonlyMap<string, number> }

/** Moves stock: to another location it is on its way until it is received there, to quarantine it is there at once. */
export function MoveDialog({ stock, ...props }: MoveProps) {
  const { user } = useLocatedSession()
  const all = placesIn(user.plan)
  const [from, setFrom] = useState<Place>(props.from)
  const [to, setTo] = useState<Place>(all.find((place) => place !== props.from) ?? 'QUARANTINE')
  const [quantity, setQuantity] = useState('')
  const [note, setNote] = useState('')
  const { faults, accept, forget } = useFaults<'quantity'>()
  const once = useOnce()
  const doubt = useDoubtfulQuantity(props.barcode)
  const atOnce = from === 'QUARANTINE' || to === 'QUARANTINE'
  const options = all.map((place) => ({
    value: place,
    label: `${placeName(place)} (${formatNumber(stock.get(place) ?? 0)})`,
  }))
  const choose = (value: string, set: (place: Place) => void) => {
    const chosen = all.find((place) => place === value)
    if (chosen !== undefined) set(chosen)
  }

  async function save(form: HTMLFormElement): Promise<string | null> {
    const isSome = /^\d{1,10}$/.test(quantity) && Number(quantity) >= 1
    if (!accept(isSome ? {} : { quantity: 'Give a whole quantity of at least 1.' }, form)) return null
    doubt.ask(quantity)
    const body = { barcode: props.barcode, from, to, quantity: Number(quantity), note }
    await once(body, (idempotencyKey) => call(sendTransfer, { body }, { idempotencyKey }))
    const moved = formatNumber(Number(quantity))
    if (atOnce) return `${moved} moved from ${placeName(from)} to ${placeName(to)}.`
    return Number(quantity) === 1
      ? `1 on its way to ${placeName(to)}. It counts as stock there when somebody receives it.`
      : `${moved} on their way to ${placeName(to)}. They count as stock there when somebody receives them.`
  }

  return (
    <FormDialog
      title={`Move ${props.barcode}`}
      submit="Move"
      onClose={props.onClose}
      onSaved={props.onSaved}
      save={save}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="From"
          options={options}
          value={from}
          onChange={(event) => choose(event.target.value, setFrom)}
        />
        <SelectField
          label="To"
          options={options}
          value={to}
          onChange={(event) => choose(event.target.value, setTo)}
        />
      </div>
      <TextField
        label="Quantity to move"
        name="quantity"
        inputMode="numeric"
        autoComplete="off"
        value={quantity}
        error={faults.quantity}
        onKeyDown={doubt.follow}
        onChange={(event) => {
          const typed = event.target.value.trim()
          doubt.forget()
          setQuantity(typed)
          forget({ quantity: typed })
        }}
      />
      <NoteField hint="Optional: carrier, reason, document." value={note} onChange={setNote} />
      <p className="text-sm text-muted">
        {atOnce
          ? 'Quarantine takes effect at once. Counts do not look at stock in quarantine.'
          : 'On its way, stock belongs to neither location until somebody receives it at its target.'}
      </p>
    </FormDialog>
  )
}
