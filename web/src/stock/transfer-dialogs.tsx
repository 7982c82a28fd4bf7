import type { LocationCode } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import {
  mostReceived,
  receiveTransfer,
  receiveTransfers,
  writeOffTransfer,
  type Transfer,
} from '@inventory-manager/contract/stock/transfer-endpoints'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { FormDialog } from './form-dialog.tsx'

/** What of a transfer has not arrived. */
export function leftOf({ quantity, received_quantity: received }: Transfer): number {
  return quantity - received
}

type DialogProps = {
  transfer: Transfer
  location: LocationCode
  onClose: () => void
  onSaved: (words: string) => void
}

/** Receives less than was sent: the rest stays on its way. */
export function ReceivePartDialog({ transfer, location, onClose, onSaved }: DialogProps) {
  const left = leftOf(transfer)
  const [quantity, setQuantity] = useState('')
  const { faults, accept, forget } = useFaults<'quantity'>()
  const once = useOnce()

  async function save(form: HTMLFormElement): Promise<string | null> {
    const isSome = /^\d{1,10}$/.test(quantity) && quantity !== '0'
    if (!accept(isSome ? {} : { quantity: 'Enter a whole number of 1 or more.' }, form)) return null
    const input = { params: { id: transfer.id }, body: { location, quantity: Number(quantity) } }
    const { transfer: now } = await once(input, (idempotencyKey) =>
      call(receiveTransfer, input, { idempotencyKey }),
    )
    const rest = leftOf(now)
    const received = `${formatNumber(Number(quantity))} × ${transfer.barcode} received.`
    return rest === 0 ? received : `${received} ${formatNumber(rest)} still on the way.`
  }

  return (
    <FormDialog
      title={`Receive part of ${transfer.barcode}`}
      submit="Receive"
      onClose={onClose}
      onSaved={onSaved}
      save={save}
    >
      <TextField
        label="Quantity that arrived"
        hint={`Of ${formatNumber(left)} on the way. The rest stays on its way, until it arrives or an administrator ends the transfer.`}
        name="quantity"
        inputMode="numeric"
        autoComplete="off"
        value={quantity}
        error={faults.quantity}
        onChange={(event) => {
          const typed = event.target.value.trim()
          setQuantity(typed)
          forget({ quantity: typed })
        }}
      />
    </FormDialog>
  )
}

/** Takes what will not arrive off the books. */
export function WriteOffDialog({ transfer, onClose, onSaved }: Omit<DialogProps, 'location'>) {
  const pieces = leftOf(transfer)
  const left = formatNumber(pieces)
  const isOne = pieces === 1
  const [reason, setReason] = useState('')
  const once = useOnce()

  async function save(): Promise<string> {
    const input = { params: { id: transfer.id }, body: { reason } }
    const { transfer: now } = await once(input, (idempotencyKey) =>
      call(writeOffTransfer, input, { idempotencyKey }),
    )
    // Some of it may have arrived while the question was open.
    return `${formatNumber(leftOf(now))} × ${transfer.barcode} written off.`
  }

  return (
    <FormDialog
      title={`Write off ${left} × ${transfer.barcode}`}
      submit="Write off"
      onClose={onClose}
      onSaved={onSaved}
      save={save}
    >
      <p>
        {isOne ? 'It' : 'They'} left {placeName(transfer.from)}, did not arrive in {placeName(transfer.to)},
        and {isOne ? 'is' : 'are'} no longer stock anywhere. To give {isOne ? 'it' : 'them'} back to{' '}
        {placeName(transfer.from)}, close this and choose Cancel transfer.
      </p>
      <TextField
        label="Reason"
        hint="Optional. Shown in the audit trail."
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  )
}

type ReceiveAllProps = Omit<DialogProps, 'transfer'> & { transfers: readonly Transfer[] }

/** Asks before all that is shown is received: what is stock by mistake is moved back by hand. */
export function ReceiveAllDialog({ transfers, location, onClose, onSaved }: ReceiveAllProps) {
  // What is sent while the question is open is none that was asked about.
  const [asked] = useState(() => transfers.slice(0, mostReceived))
  const once = useOnce()
  const count = formatNumber(asked.length)
  const pieces = formatNumber(asked.reduce((sum, transfer) => sum + leftOf(transfer), 0))

  async function save(): Promise<string> {
    const body = { location, ids: asked.map(({ id }) => id) }
    const reply = await once(body, (idempotencyKey) => call(receiveTransfers, { body }, { idempotencyKey }))
    const received = `${howMany(reply.received, 'transfer')} with ${howMany(reply.pieces, 'piece')} received.`
    if (reply.ended_before === 0) return received
    if (reply.ended_before === 1) return `${received} 1 was no longer on its way.`
    return `${received} ${formatNumber(reply.ended_before)} were no longer on their way.`
  }

  return (
    <FormDialog
      title={`Receive ${count} transfers?`}
      submit={`Receive ${count}`}
      onClose={onClose}
      onSaved={onSaved}
      save={save}
    >
      <p>
        All {pieces} pieces still to arrive then count as stock in {placeName(location)}. Has something not
        arrived? Receive that in part, and the others one by one.
      </p>
    </FormDialog>
  )
}
