import {
  cancelImport,
  undoImport,
  type ImportRecord,
  type ImportState,
} from '@inventory-manager/contract/imports/endpoints'
import { howMany } from '@inventory-manager/contract/numbers'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { queryClient } from '../api/query-client.ts'
import { readAnewAfter } from '../api/read-anew.ts'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/fault.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { useShown } from '../ui/use-shown.ts'
import { Who } from '../ui/who.tsx'
import { refreshImports, useImports } from './queries.ts'
import type { Step } from './use-import.ts'

const states: Record<ImportState, { label: string; tone: BadgeTone }> = {
  staged: { label: 'Open', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  undone: { label: 'Undone', tone: 'warn' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
  expired: { label: 'Expired', tone: 'plain' },
}

/** What an import came to, in words. */
export function outcomeOf(record: ImportRecord): string {
  if (record.status !== 'done' && record.status !== 'undone') {
    const rows = howMany(record.staged_rows, 'row')
    return record.status === 'staged' && record.awaits_end ? `${rows}, not read to the end` : rows
  }
  const broughtBack = record.reinstated > 0 ? `, ${formatNumber(record.reinstated)} of them brought back` : ''
  const parts = [
    `${formatNumber(record.created)} new`,
    `${formatNumber(record.updated)} changed${broughtBack}`,
    `${formatNumber(record.unchanged)} unchanged`,
  ]
  if (record.left_out > 0) parts.push(`${formatNumber(record.left_out)} left out`)
  return parts.join(', ')
}

/** What comes of the components that an import made or brought back when it is undone; nothing where there are none. */
function prospectOf({ created, reinstated }: ImportRecord): string {
  const brought = created + reinstated
  if (brought === 0) return ''
  return brought === 1
    ? 'The component that it brought is retired, unless it came into use since.'
    : `The ${formatNumber(brought)} components it added are retired, except those used since.`
}

/** What came of the components that an undone import had made or brought back; nothing where there were none. */
function remainderOf({ created, reinstated, retired }: ImportRecord): string {
  const stay = created + reinstated - retired
  const parts: string[] = []
  if (retired > 0) parts.push(`${howMany(retired, 'component is', 'components are')} retired.`)
  if (stay > 0) parts.push(`${howMany(stay, 'component stays', 'components stay')}.`)
  return parts.join(' ')
}

type UndoDialogProps = { record: ImportRecord; onClose: () => void; onUndone: () => void }

function UndoDialog({ record, onClose, onUndone }: UndoDialogProps) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const once = useOnce()
  const isShown = useShown()

  async function undo(): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      const input = { params: { id: record.id } }
      await once(input, (idempotencyKey) => call(undoImport, input, { idempotencyKey }))
      await queryClient.invalidateQueries()
      onUndone()
      if (isShown()) onClose()
    } catch (error) {
      setFault(messageOf(error))
      setBusy(false)
      // Where the answer was lost, the list says whether it is undone.
      refreshImports().catch(reportError)
    }
  }

  return (
    <Dialog
      title={`Undo ${record.name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" disabled={busy} onClick={() => void undo()}>
            {busy ? 'Undoing...' : 'Undo import'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {fault !== null && <Fault text={fault} />}
        <p>
          Stock goes back by movements that reverse those of the import. Descriptions, bins, minimums and unit
          costs are again what they were, except those changed since. Other barcodes that it gave are taken
          away, except those given anew. {prospectOf(record)}
        </p>
      </div>
    </Dialog>
  )
}

type RowProps = {
  record: ImportRecord
  /** What the screen is at. */
  step: Step
  onOpen: () => void
  onUndo: () => void
}

type OpenActionsProps = Omit<RowProps, 'onUndo'> & { isCancelling: boolean; onCancel: () => void }

/** What can be done with an import that nobody has decided about, once its file is read. */
function OpenActions({ record, step, isCancelling, onOpen, onCancel }: OpenActionsProps) {
  const { id, name } = record
  if (step.at === 'uploading' && step.id === id) return <p className="text-sm text-muted">Being read</p>
  const isShown = step.at === 'preview' && step.id === id
  // What is being read, or its columns chosen, would be lost.
  const isTaken = step.at === 'uploading' || step.at === 'mapping'
  return (
    <>
      {isShown && <p className="self-center text-sm text-muted">Shown above</p>}
      {!isShown && !record.awaits_end && (
        <Button aria-label={`Go on with ${name}`} disabled={isTaken} onClick={onOpen}>
          Go on
        </Button>
      )}
      <Button aria-label={`Cancel ${name}`} disabled={isCancelling} onClick={onCancel}>
        {isCancelling ? 'Cancelling...' : 'Cancel'}
      </Button>
    </>
  )
}

function HistoryRow({ record, step, onOpen, onUndo }: RowProps) {
  const { label, tone } = states[record.status]

  const cancelling = useMutation({
    mutationFn: () => readAnewAfter(() => call(cancelImport, { params: { id: record.id } }), refreshImports),
  })

  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 wrap-anywhere">{record.name}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {outcomeOf(record)}. <Who name={record.user_name} />,{' '}
          {formatMoment(record.finished_at ?? record.timestamp)}
          {record.undone_by !== null && `, undone by ${record.undone_by}. ${remainderOf(record)}`}
        </p>
      </div>
      <div className="flex gap-2">
        {record.status === 'done' && (
          <Button aria-label={`Undo ${record.name}`} onClick={onUndo}>
            Undo
          </Button>
        )}
        {record.status === 'staged' && (
          <OpenActions
            record={record}
            step={step}
            isCancelling={cancelling.isPending}
            onCancel={() => cancelling.mutate()}
            onOpen={onOpen}
          />
        )}
      </div>
      {cancelling.error !== null && record.status === 'staged' && (
        <div className="w-full">
          <Fault text={messageOf(cancelling.error)} />
        </div>
      )}
    </li>
  )
}

type ListProps = {
  records: readonly ImportRecord[]
  step: Step
  /** The import that is asked about. */
  undoing: ImportRecord | null
  onOpen: (id: string) => void
  onUndo: (record: ImportRecord) => void
}

function List({ records, step, undoing, onOpen, onUndo }: ListProps) {
  const pressable = records.filter(({ status }) => status === 'done' || status === 'staged').length
  const list = useListFocus<HTMLUListElement>(undoing === null ? pressable : null)
  return (
    <ul ref={list} tabIndex={-1} aria-label="Latest imports">
      {records.map((record) => (
        <HistoryRow
          key={record.id}
          record={record}
          step={step}
          onOpen={() => onOpen(record.id)}
          onUndo={() => onUndo(record)}
        />
      ))}
    </ul>
  )
}

type ImportHistoryProps = Pick<ListProps, 'step' | 'onOpen'>

/** Imports, the latest first; finished ones can be undone, open ones taken up again once their file is read. */
export function ImportHistory({ step, onOpen }: ImportHistoryProps) {
  const list = useImports()
  const records = list.data?.pages.flatMap(({ imports }) => imports)
  const failure = list.error === null ? null : messageOf(list.error)
  const [undoing, setUndoing] = useState<ImportRecord | null>(null)
  const [undone, setUndone] = useState<string | null>(null)

  function ask(record: ImportRecord): void {
    setUndone(null)
    setUndoing(record)
  }

  return (
    <Card title="Latest imports" flush>
      <ListFailure list={list} failure={failure} />
      {records === undefined && failure === null && <LoadingRows label="Loading imports..." rows={3} />}
      {records?.length === 0 && <EmptyState title="Nothing was imported here yet" />}
      <div className="p-4 empty:hidden">
        {undone !== null && <Banner tone="good">{undone} is undone.</Banner>}
      </div>
      <List records={records ?? []} step={step} undoing={undoing} onOpen={onOpen} onUndo={ask} />
      <ListEnd list={list} failure={failure} more="Show older" />
      {undoing !== null && (
        <UndoDialog
          record={undoing}
          onClose={() => setUndoing(null)}
          onUndone={() => setUndone(undoing.name)}
        />
      )}
    </Card>
  )
}
