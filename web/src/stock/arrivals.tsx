import {
  cancelTransfer,
  receiveTransfer,
  type Transfer,
} from '@inventory-manager/contract/stock/transfer-endpoints'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { readAnewAfter } from '../api/read-anew.ts'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'
import { Loading } from '../ui/loading.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { Who } from '../ui/who.tsx'
import { refreshStock, useArrivals } from './queries.ts'
import { leftOf, ReceiveAllDialog, ReceivePartDialog, WriteOffDialog } from './transfer-dialogs.tsx'

/** What of a transfer is still to come, in words. */
function whatOf(transfer: Transfer): string {
  return `${formatNumber(leftOf(transfer))} × ${transfer.barcode}`
}

/** Each with what its buttons are called after; those that only their place in the list tells apart are numbered. */
function withNames(transfers: readonly Transfer[]): { transfer: Transfer; name: string }[] {
  const times = new Map<string, number>()
  return transfers.map((transfer) => {
    const { from, to, timestamp } = transfer
    const name = `${whatOf(transfer)} from ${placeName(from)} to ${placeName(to)}, sent ${formatMoment(timestamp)}`
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return { transfer, name: time === 1 ? name : `${name}, number ${time}` }
  })
}

type RowProps = {
  transfer: Transfer
  /** What its buttons are called after. */
  name: string
  named: boolean
  busy: boolean
  onReceive: () => void
  onReceivePart: () => void
  onCancel: () => void
  onWriteOff: () => void
}

function TransferRow({ transfer, name, named, busy, ...on }: RowProps) {
  const { user, location } = useLocatedSession()
  const left = leftOf(transfer)
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">
          {formatNumber(left)}
          {named && (
            <>
              {' × '}
              <Link
                href={componentPath(transfer.barcode)}
                className="font-mono wrap-anywhere text-accent-text underline"
              >
                {transfer.barcode}
              </Link>{' '}
              <span className="font-normal">{transfer.description}</span>
            </>
          )}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {placeName(transfer.from)} to {placeName(transfer.to)}, sent by <Who name={transfer.user_name} />,{' '}
          {formatMoment(transfer.timestamp)}
          {transfer.note !== '' && `: ${transfer.note}`}
          {left < transfer.quantity &&
            `. ${formatNumber(transfer.received_quantity)} of ${formatNumber(transfer.quantity)} received`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {transfer.to === location && (
          <>
            <Button look="primary" disabled={busy} aria-label={`Receive ${name}`} onClick={on.onReceive}>
              Receive
            </Button>
            {left > 1 && (
              <Button disabled={busy} aria-label={`Receive part of ${name}`} onClick={on.onReceivePart}>
                Receive part
              </Button>
            )}
          </>
        )}
        {user.role === 'admin' && (
          <>
            <Button disabled={busy} aria-label={`Cancel the transfer of ${name}`} onClick={on.onCancel}>
              Cancel transfer
            </Button>
            <Button disabled={busy} aria-label={`Write off ${name}`} onClick={on.onWriteOff}>
              Write off
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

/** Receives transfers, or gives them back, one after the other. */
function useClosing(onSaid: (words: string | null) => void) {
  const { location } = useLocatedSession()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const once = useOnce()

  async function close(work: () => Promise<string>): Promise<void> {
    setBusy(true)
    setFault(null)
    onSaid(null)
    try {
      await readAnewAfter(async () => onSaid(await work()), refreshStock)
    } catch (error) {
      setFault(messageOf(error))
    }
    setBusy(false)
  }

  async function receive(transfer: Transfer): Promise<string> {
    // What was shown as left, so that no less is received than is said.
    const input = { params: { id: transfer.id }, body: { location, quantity: leftOf(transfer) } }
    await once(input, (idempotencyKey) => call(receiveTransfer, input, { idempotencyKey }))
    return `${whatOf(transfer)} received.`
  }

  async function giveBack(transfer: Transfer): Promise<string> {
    const params = { id: transfer.id }
    const { transfer: now } = await once(params, (idempotencyKey) =>
      call(cancelTransfer, { params }, { idempotencyKey }),
    )
    return `${whatOf(now)} given back to ${placeName(transfer.from)}.`
  }

  return {
    busy,
    fault,
    receive: (transfer: Transfer) => void close(() => receive(transfer)),
    giveBack: (transfer: Transfer) => void close(() => giveBack(transfer)),
  }
}

type TransfersProps = {
  title: string
  transfers: Transfer[]
  named: boolean
  /** Says what was done; the last transfer takes the card with it. */
  onSaid: (words: string | null) => void
  aside?: ReactNode
  children?: ReactNode
}

/** What is on its way, to be received at its target or given back; no card where nothing is. */
export function Transfers({ title, transfers, named, onSaid, aside, children }: TransfersProps) {
  const { location } = useLocatedSession()
  const { busy, fault, receive, giveBack } = useClosing(onSaid)
  const [dialog, setDialog] = useState<{ kind: 'part' | 'write-off'; transfer: Transfer } | null>(null)
  const left = transfers.reduce((sum, transfer) => sum + leftOf(transfer), 0)
  const list = useListFocus<HTMLUListElement>(busy || dialog !== null ? null : left)
  const open = (kind: 'part' | 'write-off', transfer: Transfer) => {
    onSaid(null)
    setDialog({ kind, transfer })
  }
  return (
    <>
      {fault !== null && <Fault text={fault} />}
      {transfers.length > 0 && (
        <Card title={title} aside={aside} flush>
          {/* However many there are, what is below them stays in reach. */}
          <ul
            ref={list}
            tabIndex={-1}
            aria-label="On its way"
            className="max-h-[min(50vh,24rem)] overflow-y-auto"
          >
            {withNames(transfers).map(({ transfer, name }) => (
              <TransferRow
                key={transfer.id}
                transfer={transfer}
                name={name}
                named={named}
                busy={busy}
                onReceive={() => receive(transfer)}
                onReceivePart={() => open('part', transfer)}
                onCancel={() => giveBack(transfer)}
                onWriteOff={() => open('write-off', transfer)}
              />
            ))}
          </ul>
          {children}
        </Card>
      )}
      {dialog?.kind === 'part' && (
        <ReceivePartDialog
          transfer={dialog.transfer}
          location={location}
          onClose={() => setDialog(null)}
          onSaved={onSaid}
        />
      )}
      {dialog?.kind === 'write-off' && (
        <WriteOffDialog transfer={dialog.transfer} onClose={() => setDialog(null)} onSaved={onSaid} />
      )}
    </>
  )
}

/**
 * What is on its way to the chosen location, and what was done with it, over what it is handed; nothing where nothing is. All of it
 * comes together: transfers that arrive later would push the rest away, and their buttons under a finger.
 */
export function Arrivals({ children }: { children: ReactNode }) {
  const { location } = useLocatedSession()
  const list = useArrivals(location)
  const [said, setSaid] = useState<string | null>(null)
  const [receivingAll, setReceivingAll] = useState(false)
  const transfers = list.data?.pages.flatMap((page) => page.transfers) ?? []
  const failure =
    list.error === null ? null : `What is on its way could not be loaded: ${messageOf(list.error)}`
  if (list.isPending) return <Loading label="Loading what is on its way..." />
  return (
    <>
      <ListFailure list={list} failure={failure} />
      {said !== null && <Banner tone="good">{said}</Banner>}
      <Transfers
        title={`On its way to ${placeName(location)}`}
        transfers={transfers}
        named
        onSaid={setSaid}
        aside={
          transfers.length > 1 && (
            <Button
              onClick={() => {
                setSaid(null)
                setReceivingAll(true)
              }}
            >
              {list.hasNextPage ? 'Receive all shown' : 'Receive all'}
            </Button>
          )
        }
      >
        <ListEnd list={list} failure={failure} more="Show older" />
      </Transfers>
      {receivingAll && (
        <ReceiveAllDialog
          transfers={transfers}
          location={location}
          onClose={() => setReceivingAll(false)}
          onSaved={setSaid}
        />
      )}
      {children}
    </>
  )
}
