import { howMany } from '@inventory-manager/contract/numbers'
import {
  listDeliveries,
  replayDelivery,
  type Delivery,
  type DeliveryStatus,
  type Webhook,
} from '@inventory-manager/contract/webhooks/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatDateTime } from '../lib/dates.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/fault.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadingRows } from '../ui/loading.tsx'
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

/** The log of a webhook, kept current while it is open. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: [listDeliveries.path, webhook.id],
    queryFn: ({ signal }) => call(listDeliveries, { params: { id: webhook.id } }, { signal }),
    refetchInterval: refreshMs,
  })
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
      {error !== null && <LoadFailure text={messageOf(error)} onRetry={refetch} />}
      {replaying.error !== null && <Fault text={messageOf(replaying.error)} />}
      {data === undefined && error === null && <LoadingRows label="Loading deliveries..." rows={3} />}
      {data?.deliveries.length === 0 && (
        <EmptyState title="Nothing was sent yet">
          Send a test, or wait for what was chosen to happen.
        </EmptyState>
      )}
      <ul aria-label="Deliveries">
        {(data?.deliveries ?? []).map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            busy={replaying.isPending && replaying.variables === delivery.id}
            onReplay={() => replaying.mutate(delivery.id)}
          />
        ))}
      </ul>
    </Dialog>
  )
}
