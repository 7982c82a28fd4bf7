import { countEntryNames } from '@inventory-manager/contract/counting/entries'
import { symbologies } from '@inventory-manager/contract/labels/symbologies'
import { signed } from '@inventory-manager/contract/signed'
import type {
  ComponentCount,
  LabelPrint,
  Movement,
} from '@inventory-manager/contract/stock/component-endpoints'
import { causeName } from '@inventory-manager/contract/stock/movement-causes'
import type { ComponentProps, ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { PlaceCell } from '../session/place-cell.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { Who } from '../ui/who.tsx'
import { useCounts, useLabelPrints, useMovements } from './queries.ts'

function When({ at }: { at: string }) {
  return (
    <time dateTime={at} className="tabular-nums">
      {formatDateTime(at)}
    </time>
  )
}

const movementColumns: readonly Column<Movement>[] = [
  { head: 'Time', cell: ({ timestamp }) => <When at={timestamp} /> },
  { head: 'Location', cell: ({ location }) => <PlaceCell place={location} /> },
  {
    head: 'Change',
    numeric: true,
    cell: ({ delta }) =>
      delta === null ? (
        <span className="text-muted">Not shown</span>
      ) : (
        <span className={delta < 0 ? 'text-bad-text' : 'text-good-text'}>{signed(delta)}</span>
      ),
  },
  { head: 'Stock after', numeric: true, cell: ({ quantity_after: after }) => formatNumber(after) },
  {
    head: 'Cause',
    cell: ({ cause, note }) => (
      <span className="max-sm:text-right">
        {causeName(cause)}
        {note !== '' && <span className="block text-sm wrap-anywhere text-muted">{note}</span>}
      </span>
    ),
  },
  { head: 'User', cell: ({ user_name: name }) => <Who name={name} /> },
]

const countColumns: readonly Column<ComponentCount>[] = [
  { head: 'Time', cell: ({ timestamp }) => <When at={timestamp} /> },
  { head: 'Location', cell: ({ location }) => <PlaceCell place={location} /> },
  { head: 'Counted', numeric: true, cell: ({ quantity }) => formatNumber(quantity) },
  {
    head: 'Kind',
    cell: ({ count_type: kind, entry, taken_back: back, note }) => (
      <span className="max-sm:text-right">
        {`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`}
        {entry !== 'counted' && <span className="block text-sm text-muted">{countEntryNames[entry]}</span>}
        {back != null && <span className="block text-sm text-muted">Taken back {formatDateTime(back)}</span>}
        {note != null && <span className="block text-sm wrap-anywhere text-muted">{note}</span>}
      </span>
    ),
  },
  { head: 'User', cell: ({ user_name: name }) => <Who name={name} /> },
]

/** What labels were: '4 x 1.5 in, Code 128, PDF'. */
function labelKind({ size, symbology, format }: LabelPrint): string {
  const drawnAs = Object.values(symbologies).find(({ key }) => key === symbology)?.name ?? symbology
  return `${size.replace('x', ' x ')} in, ${drawnAs}, ${format.toUpperCase()}`
}

const labelColumns: readonly Column<LabelPrint>[] = [
  { head: 'Time', cell: ({ timestamp }) => <When at={timestamp} /> },
  { head: 'Labels', numeric: true, cell: ({ copies }) => formatNumber(copies) },
  { head: 'Kind', cell: (print) => <span className="max-sm:text-right">{labelKind(print)}</span> },
  {
    head: 'Description',
    cell: ({ description }) =>
      description === '' ? (
        <span className="text-muted">None</span>
      ) : (
        <span className="min-w-0 wrap-anywhere max-sm:text-right">{description}</span>
      ),
  },
  { head: 'User', cell: ({ user_name: name }) => <Who name={name} /> },
]

type FrameProps = {
  title: string
  list: ComponentProps<typeof ListEnd>['list']
  error: Error | null
  children: ReactNode
}

function Frame({ title, list, error, children }: FrameProps) {
  const failure = error === null ? null : messageOf(error)
  return (
    <Card title={title} flush>
      <div className="p-4 empty:hidden">
        <ListFailure list={list} failure={failure} />
      </div>
      {children}
      <ListEnd list={list} failure={failure} more="Show older" />
    </Card>
  )
}

/** The ledger of a component, newest first, page by page. */
export function MovementList({ barcode }: { barcode: string }) {
  const paged = useMovements(barcode)
  const rows = paged.data?.pages.flatMap(({ movements }) => movements)
  return (
    <Frame title="Movements" list={paged} error={paged.error}>
      {rows === undefined && paged.error === null && <LoadingRows label="Loading movements..." rows={3} />}
      {rows?.length === 0 && <EmptyState title="No movements yet" />}
      {rows !== undefined && rows.length > 0 && (
        <DataTable label="Movements" columns={movementColumns} rows={rows} keyOf={({ id }) => id} />
      )}
    </Frame>
  )
}

/** The counts of a component, newest first, page by page. */
export function CountList({ barcode }: { barcode: string }) {
  const paged = useCounts(barcode)
  const rows = paged.data?.pages.flatMap(({ counts }) => counts)
  return (
    <Frame title="Counts" list={paged} error={paged.error}>
      {rows === undefined && paged.error === null && <LoadingRows label="Loading counts..." rows={3} />}
      {rows?.length === 0 && <EmptyState title="Not counted yet" />}
      {rows !== undefined && rows.length > 0 && (
        <DataTable label="Counts" columns={countColumns} rows={rows} keyOf={({ id }) => id} />
      )}
    </Frame>
  )
}

type LabelListProps = { barcode: string; everPrinted: boolean }

/** The labels printed of a component, newest first, page by page. */
export function LabelList({ barcode, everPrinted }: LabelListProps) {
  const paged = useLabelPrints(barcode)
  const rows = paged.data?.pages.flatMap(({ labels }) => labels)
  return (
    <Frame title="Labels printed" list={paged} error={paged.error}>
      {rows === undefined && paged.error === null && <LoadingRows label="Loading labels..." rows={3} />}
      {rows?.length === 0 && (
        <EmptyState
          title={everPrinted ? 'Its labels were printed before this list began' : 'No label was printed yet'}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <DataTable label="Labels printed" columns={labelColumns} rows={rows} keyOf={({ id }) => id} />
      )}
    </Frame>
  )
}
