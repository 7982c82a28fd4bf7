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
import { refreshStock, useArrivals } from './queries.ts'

type RowProps = {
  transfer: Transfer
  named: boolean
  busy: boolean
  onReceive: () => void
  onCancel: () => void
}

function TransferRow({ transfer, named, busy, onReceive, onCancel }: RowProps) {
  const { user, location } = useLocatedSession()
  const what = `${formatNumber(transfer.quantity)} × ${transfer.barcode}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-0">
        <p className="font-medium">
          {formatNumber(transfer.quantity)}
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
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {transfer.to === location && (
          <Button look="primary" disabled={busy} aria-label={`Receive ${what}`} onClick={onReceive}>
            Receive
          </Button>
        )}
        {user.role === 'admin' && (
          <Button disabled={busy} aria-label={`Cancel the transfer of ${what}`} onClick={onCancel}>
            Cancel transfer
          </Button>
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
  const once = useOnce()

  async function close(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setFault(null)
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
              onCancel={() => void close(cancel)}
            />
          )
        })}
      </ul>
    </>
  )
}

/** What is on its way to the chosen location; nothing where nothing is. */
export function Arrivals() {
  const { location } = useLocatedSession()
  const { data } = useArrivals(location)
  if (data === undefined || data.transfers.length === 0) return null
  return (
    <Card title={`On its way to ${getLocation(location).name}`} flush>
      <TransferList transfers={data.transfers} named />
    </Card>
  )
}
