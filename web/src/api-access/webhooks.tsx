import { howMany } from '@inventory-manager/contract/numbers'
import {
  deleteWebhook,
  enableWebhook,
  listWebhooks,
  testWebhook,
  type Webhook,
} from '@inventory-manager/contract/webhooks/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/fault.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { useShown } from '../ui/use-shown.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { eventLabels } from './event-labels.ts'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'

function State({ enabled, failing_since: failing }: Webhook) {
  if (!enabled) return <Badge tone="bad">Switched off</Badge>
  return failing === null ? <Badge tone="good">On</Badge> : <Badge tone="warn">Failing</Badge>
}

function Notice({ enabled, failing_since: failing }: Webhook) {
  if (failing === null) return null
  const since = formatDateTime(failing)
  return (
    <Banner tone={enabled ? 'warn' : 'bad'}>
      {enabled
        ? `No delivery has arrived since ${since}. Each is tried again for about a day.`
        : `No delivery arrived since ${since}, so nothing is sent. Switch it on once the receiver works.`}
    </Banner>
  )
}

const readWebhooks = () => readAnew(listWebhooks.path)

type Act = 'test' | 'enable'
type UsesProps = {
  webhook: Webhook
  acting: { isPending: boolean; mutate: (act: Act) => void }
  onLog: () => void
}

/** What can be done with a webhook that the plan has. */
function Uses({ webhook, acting, onLog }: UsesProps) {
  return (
    <>
      <Button onClick={onLog}>Deliveries</Button>
      {webhook.enabled ? (
        <Button disabled={acting.isPending} onClick={() => acting.mutate('test')}>
          Send a test
        </Button>
      ) : (
        <Button look="primary" disabled={acting.isPending} onClick={() => acting.mutate('enable')}>
          Switch on
        </Button>
      )}
    </>
  )
}

type RowProps = { webhook: Webhook; inPlan: boolean; onOpen: (dialog: 'log' | 'remove') => void }

function WebhookRow({ webhook, inPlan, onOpen }: RowProps) {
  const params = { id: webhook.id }
  const acting = useMutation({
    mutationFn: (act: Act) =>
      readAnewAfter(() => call(act === 'test' ? testWebhook : enableWebhook, { params }), readWebhooks),
  })
  const sent = acting.isSuccess && acting.variables === 'test'
  return (
    <li aria-label={webhook.url} className="flex flex-col gap-3 border-t border-line p-4 first:border-t-0">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <span className="min-w-0 font-mono text-base wrap-anywhere lg:text-sm">{webhook.url}</span>
        {inPlan ? <State {...webhook} /> : <Badge>Not told</Badge>}
      </div>
      <p className="text-sm wrap-anywhere text-muted">
        {webhook.events.map((event) => eventLabels[event]).join(', ')}. Added by {webhook.created_by},{' '}
        {formatDateTime(webhook.created_at)}.{' '}
        {webhook.waiting > 0 && `${formatNumber(webhook.waiting)} waiting to be sent.`}
      </p>
      {inPlan && <Notice {...webhook} />}
      {acting.error !== null && <Fault text={messageOf(acting.error)} />}
      {sent && <Banner tone="info">The test is on its way: see the deliveries.</Banner>}
      <div className="flex flex-wrap gap-2">
        {inPlan && <Uses {...{ webhook, acting }} onLog={() => onOpen('log')} />}
        <Button onClick={() => onOpen('remove')}>Remove</Button>
      </div>
    </li>
  )
}

/** What of a log goes that was never sent; nothing where there is none. */
function waitingWords({ waiting }: Webhook): string {
  if (waiting === 0) return ''
  return `, with ${howMany(waiting, 'delivery that still waits', 'deliveries that still wait')}`
}

function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const isShown = useShown()
  const removing = useMutation({
    mutationFn: () => readAnewAfter(() => call(deleteWebhook, { params: { id: webhook.id } }), readWebhooks),
    onSuccess() {
      if (isShown()) onClose()
    },
  })
  return (
    <Dialog
      title="Remove the webhook"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={removing.isPending} onClick={() => removing.mutate()}>
            Remove
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {removing.error !== null && <Fault text={messageOf(removing.error)} />}
        <p className="wrap-anywhere">
          Nothing more is sent to {webhook.url}, and its log is gone{waitingWords(webhook)}.
        </p>
      </div>
    </Dialog>
  )
}

type Open = { dialog: 'new' } | { dialog: 'log' | 'remove'; webhook: Webhook } | null

/** `inPlan`: whether webhooks can be added and are told; else there is nothing to be done with them but to remove them. */
export function Webhooks({ webhooks, inPlan }: { webhooks: Webhook[]; inPlan: boolean }) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const list = useListFocus<HTMLUListElement>(open === null ? webhooks.length : null)
  return (
    <Card
      title="Webhooks"
      flush
      aside={
        inPlan && (
          <Button look="primary" onClick={() => setOpen({ dialog: 'new' })}>
            New webhook
          </Button>
        )
      }
    >
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet">
          A webhook tells another program what happens here: counts, discrepancies, changed components, low
          stock.
        </EmptyState>
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              inPlan={inPlan}
              onOpen={(dialog) => setOpen({ dialog, webhook })}
            />
          ))}
        </ul>
      )}
      {open?.dialog === 'new' && <NewWebhookDialog onClose={close} />}
      {open?.dialog === 'log' && <DeliveriesDialog webhook={open.webhook} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDialog webhook={open.webhook} onClose={close} />}
    </Card>
  )
}
