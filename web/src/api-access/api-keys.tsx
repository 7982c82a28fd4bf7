import { listApiKeys, revokeApiKey, type ApiKey } from '@inventory-manager/contract/api-keys/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/fault.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { useShown } from '../ui/use-shown.ts'
import { Who } from '../ui/who.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

function columnsOf(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    {
      head: 'Name',
      cell: (key) => (
        <span className="min-w-0 max-sm:text-right">
          <span className="block font-medium wrap-anywhere">{key.name}</span>
          <span className="block font-mono text-sm text-muted">{key.prefix}…</span>
        </span>
      ),
    },
    {
      head: 'Scopes',
      cell: (key) => (
        <span className="flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'plain'}>
              {scope}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      head: 'Made',
      cell: (key) => (
        <span className="tabular-nums max-sm:text-right">
          {formatDateTime(key.created_at)}
          <span className="block text-sm text-muted">
            by <Who name={key.created_by} />
          </span>
        </span>
      ),
    },
    {
      head: 'Last used',
      cell: (key) => (
        <span className="tabular-nums">
          {key.last_used_at === null ? 'Never' : formatDateTime(key.last_used_at)}
        </span>
      ),
    },
    {
      head: 'State',
      cell: (key) =>
        key.revoked_at === null ? (
          <Button aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        ) : (
          <Badge>Revoked</Badge>
        ),
    },
  ]
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const isShown = useShown()
  const revoking = useMutation({
    mutationFn: () =>
      readAnewAfter(
        () => call(revokeApiKey, { params: { id: apiKey.id } }),
        () => readAnew(listApiKeys.path),
      ),
    onSuccess() {
      if (isShown()) onClose()
    },
  })
  return (
    <Dialog
      title={`Revoke ${apiKey.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={revoking.isPending} onClick={() => revoking.mutate()}>
            Revoke
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {revoking.error !== null && <Fault text={messageOf(revoking.error)} />}
        <p>The key stops at once, for good. What it did stays in the audit trail.</p>
      </div>
    </Dialog>
  )
}

/** `inPlan`: whether keys can be made and work; else there is nothing to be done with them but to revoke them. */
type ApiKeysProps = { keys: ApiKey[]; callsPerMinute: number; inPlan: boolean }
type Open = { dialog: 'new' } | { dialog: 'revoke'; key: ApiKey } | null

export function ApiKeys({ keys, callsPerMinute, inPlan }: ApiKeysProps) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const working = keys.filter((key) => key.revoked_at === null)
  const list = useListFocus<HTMLDivElement>(open === null ? working.length : null)
  return (
    <Card
      title="API keys"
      flush
      aside={
        inPlan && (
          <Button look="primary" onClick={() => setOpen({ dialog: 'new' })}>
            New key
          </Button>
        )
      }
    >
      {keys.length === 0 ? (
        <EmptyState title="No API keys yet">
          A key lets another program count, print labels or read figures, within its scopes, up to{' '}
          {formatNumber(callsPerMinute)} calls a minute.
        </EmptyState>
      ) : (
        <div ref={list} tabIndex={-1} role="group" aria-label="API keys">
          <DataTable
            label="API keys"
            columns={columnsOf((key) => setOpen({ dialog: 'revoke', key }))}
            rows={keys}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {open?.dialog === 'new' && <NewKeyDialog onClose={close} />}
      {open?.dialog === 'revoke' && <RevokeDialog apiKey={open.key} onClose={close} />}
    </Card>
  )
}
