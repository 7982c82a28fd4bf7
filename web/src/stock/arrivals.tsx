import { getLocation } from '@inventory-manager/contract/locations'
import { placeName } from '@inventory-manager/contract/stock/places'
import {
  cancelTransfer,
  receiveTransfer,
  type Transfer,
} from '@inventory-manager/contract/stock/transfer-endpoints'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ListEnd } from '../ui/paged-list.tsx'
import { refreshStock, useArrivals } from './queries.ts'
import { leftOf, ReceivePartDialog, WriteOffDialog } from './transfer-dialogs.tsx'

type RowProps = {
  transfer: Transfer
  named: boolean
  busy: boolean
  onReceive: () => void
  onReceivePart: () => void
  onCancel: () => void
  onWriteOff: () => void
}

function TransferRow({ transfer, named, busy, ...on }: RowProps) {
  const { user, location } = useLocatedSession()
  const left = leftOf(transfer)
  const what = `${formatNumber(left)} × ${transfer.barcode}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-0">
        <p className="font-medium">
          {formatNumber(left)}
          {named && (
            <>
              {' × '}
              <Link href={componentPath(transfer.barcode)} className="font-mono text-accent-text underline">
                {transfer.barcode}
              </Link>{' '}
              <span className="font-normal">{transfer.description}</span>
            </>
          )}
        </p>
        <p className="text-sm text-muted">
          {placeName(transfer.from)} to {placeName(transfer.to)}, sent by {transfer.user_name},{' '}
          {formatMoment(transfer.timestamp)}
          {transfer.note !== '' && `: ${transfer.note}`}
          {left < transfer.quantity &&
            `. ${formatNumber(transfer.received_quantity)} of ${formatNumber(transfer.quantity)} received`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {transfer.to === location && (
          <>
            <Button look="primary" disabled={busy} aria-label={`Receive ${what}`} onClick={on.onReceive}>
              Receive
            </Button>
            {left > 1 && (
              <Button disabled={busy} aria-label={`Receive part of ${what}`} onClick={on.onReceivePart}>
                Receive part
              </Button>
            )}
          </>
        )}
        {user.role === 'admin' && (
          <>
            <Button disabled={busy} aria-label={`Cancel the transfer of ${what}`} onClick={on.onCancel}>
              Cancel transfer
            </Button>
            <Button disabled={busy} aria-label={`Write off ${what}`} onClick={on.onWriteOff}>
              Write off
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

/** What is on its way, to be received at its target or given back. */
export function TransferList({ transfers, named }: { transfers: Transfer[]; named: boolean }) {
  const { location } = useLocatedSession()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [dialog, setDialog] = useState<{ kind: 'part' | 'write-off'; transfer: Transfer } | null>(null)
  const open = (kind: 'part' | 'write-off', transfer: Transfer) => {
    setSaid(null)
    setDialog({ kind, transfer })
  }
  const once = useOnce()

  async function close(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setFault(null)
    setSaid(null)
    try {
      await work()
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
      refreshStock()
    }
  }

  return (
    <>
      {fault !== null && (
        <div className="p-4">
          <Banner tone="bad">{fault}</Banner>
        </div>
      )}
      {said !== null && (
        <div className="p-4">
          <Banner tone="good">{said}</Banner>
        </div>
      )}
      <ul aria-label="On its way">
        {transfers.map((transfer) => {
          const params = { id: transfer.id }
          const input = { params, body: { location } }
          const receive = () =>
            once(input, (idempotencyKey) => call(receiveTransfer, input, { idempotencyKey }))
          const cancel = () =>
            once(params, (idempotencyKey) => call(cancelTransfer, { params }, { idempotencyKey }))
          return (
            <TransferRow
              key={transfer.id}
              transfer={transfer}
              named={named}
              busy={busy}
              onReceive={() => void close(receive)}
              onReceivePart={() => open('part', transfer)}
              onCancel={() => void close(cancel)}
              onWriteOff={() => open('write-off', transfer)}
            />
          )
        })}
      </ul>
      {dialog?.kind === 'part' && (
        <ReceivePartDialog
          transfer={dialog.transfer}
          location={location}
          onClose={() => setDialog(null)}
          onSaved={setSaid}
        />
      )}
      {dialog?.kind === 'write-off' && (
        <WriteOffDialog transfer={dialog.transfer} onClose={() => setDialog(null)} onSaved={setSaid} />
      )}
    </>
  )
}

/** What is on its way to the chosen location; nothing where nothing is. */
export function Arrivals() {
  const { location } = useLocatedSession()
  const list = useArrivals(location)
  const transfers = list.data?.pages.flatMap((page) => page.transfers) ?? []
  if (transfers.length === 0) return null
  return (
    <Card title={`On its way to ${getLocation(location).name}`} flush>
      <TransferList transfers={transfers} named />
      <ListEnd list={list} failure={list.error === null ? null : messageOf(list.error)} more="Show older" />
    </Card>
  )
}
