import { howMany } from '@inventory-manager/contract/numbers'
import {
  deliveryStatuses,
  listDeliveries,
  replayDelivery,
  type Delivery,
  type DeliveryStatus,
  type Webhook,
} from '@inventory-manager/contract/webhooks/endpoints'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { byCursor } from '../api/by-cursor.ts'
import { call } from '../api/client.ts'
import { standingOf } from '../api/list-standing.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatDateTime } from '../lib/dates.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/fault.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { eventLabels } from './event-labels.ts'

const states: Record<DeliveryStatus, { label: string; tone: BadgeTone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Given up', tone: 'bad' },
}

function attemptsOf({ attempts, tried_at: triedAt, next_at: nextAt, ...delivery }: Delivery): string {
  const last =
    triedAt === null ? 'not tried yet' : `${howMany(attempts, 'attempt')}, last ${formatDateTime(triedAt)}`
  const next = delivery.status === 'waiting' && nextAt !== null ? `, next ${formatDateTime(nextAt)}` : ''
  const code = delivery.reply_status === null ? '' : `, status ${delivery.reply_status}`
  return `${last}${code}${next}.`
}

type RowProps = { delivery: Delivery; busy: boolean; onReplay: () => void }

function DeliveryRow({ delivery, busy, onReplay }: RowProps) {
  const { label, tone } = states[delivery.status]
  return (
    <li className="flex flex-col gap-2 border-t border-line py-3 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {delivery.event === 'test' ? 'Test' : eventLabels[delivery.event]}{' '}
          <span className="text-sm font-normal text-muted tabular-nums">
            {formatDateTime(delivery.created_at)}
          </span>
        </span>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-sm text-muted first-letter:uppercase">{attemptsOf(delivery)}</p>
      {delivery.problem !== null && <p className="text-sm text-bad-text">{delivery.problem}</p>}
      <details className="text-sm">
        <summary className="min-h-12 cursor-pointer content-center lg:min-h-9">What was sent</summary>
        <pre className="rounded-control bg-sunken p-3 text-sm wrap-anywhere whitespace-pre-wrap">
          {delivery.body}
        </pre>
      </details>
      <div>
        <Button aria-label={`Send delivery ${delivery.id} once more`} disabled={busy} onClick={onReplay}>
          {busy ? 'Sending...' : 'Send once more'}
        </Button>
      </div>
    </li>
  )
}

const refreshMs = 3_000

/** The deliveries of a webhook in a state, page after page and kept current; what is shown stays while others load. */
function useDeliveries(id: string, status: DeliveryStatus | undefined) {
  const pages = useInfiniteQuery({
    queryKey: [listDeliveries.path, id, status],
    queryFn: ({ signal, pageParam }) =>
      call(listDeliveries, { params: { id }, query: { status, cursor: pageParam } }, { signal }),
    ...byCursor,
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  })
  const deliveries = pages.data?.pages.flatMap((page) => page.deliveries) ?? []
  return { ...pages, deliveries, ...standingOf(pages, deliveries.length) }
}

const shown: readonly { value: DeliveryStatus | ''; label: string }[] = [
  { value: '', label: 'All deliveries' },
  ...deliveryStatuses.map((value) => ({ value, label: states[value].label })),
]

/** The log of a webhook. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [status, setStatus] = useState<DeliveryStatus>()
  const list = useDeliveries(webhook.id, status)
  const failure = list.error === null ? null : messageOf(list.error)
  const replaying = useMutation({
    mutationFn: (id: string) =>
      readAnewAfter(
        () => call(replayDelivery, { params: { id } }),
        () => readAnew(listDeliveries.path),
      ),
  })
  return (
    <Dialog title="Deliveries" onClose={onClose}>
      <p className="mb-2 text-sm wrap-anywhere text-muted">{webhook.url}</p>
      <SelectField
        label="Show"
        options={shown}
        value={status ?? ''}
        onChange={({ target }) => setStatus(deliveryStatuses.find((value) => value === target.value))}
      />
      <ListFailure list={list} failure={failure} />
      {replaying.error !== null && <Fault text={messageOf(replaying.error)} />}
      {list.isLoading && failure === null && <LoadingRows label="Loading deliveries..." rows={3} />}
      {list.isNone && status === undefined && (
        <EmptyState title="Nothing was sent yet">
          Send a test, or wait for what was chosen to happen.
        </EmptyState>
      )}
      {list.isNone && status !== undefined && (
        <EmptyState title="None of these">Other deliveries are under All deliveries.</EmptyState>
      )}
      <ul aria-label="Deliveries">
        {list.deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            busy={replaying.isPending && replaying.variables === delivery.id}
            onReplay={() => replaying.mutate(delivery.id)}
          />
        ))}
      </ul>
      <ListEnd key={status} list={list} failure={failure} more="Older deliveries" />
    </Dialog>
  )
}
