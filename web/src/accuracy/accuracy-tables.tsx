import type {
  AccuracyCause,
  AccuracyFigures,
  getAccuracy,
} from '@inventory-manager/contract/accuracy/endpoints'
import { causeWord } from '@inventory-manager/contract/accuracy/messages'
import { accuracyWithinTolerance, recordAccuracy } from '@inventory-manager/contract/accuracy/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { placeName } from '@inventory-manager/contract/stock/places'
import { Link } from 'wouter'
import { formatMonth } from '../lib/dates.ts'
import { formatNumber, formatPercent } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'

export type Accuracy = EndpointReply<typeof getAccuracy>

type Pieces = Pick<AccuracyFigures, 'missing' | 'surplus'>

const pieces: readonly Column<Pieces>[] = [
  { head: 'Pieces missing', numeric: true, cell: ({ missing }) => formatNumber(missing) },
  { head: 'Pieces surplus', numeric: true, cell: ({ surplus }) => formatNumber(surplus) },
]

const lineCount: Column<{ lines: number }> = {
  head: 'Lines',
  numeric: true,
  cell: ({ lines }) => formatNumber(lines),
}

const figures: readonly Column<AccuracyFigures>[] = [
  lineCount,
  { head: 'Matched', numeric: true, cell: ({ matched }) => formatNumber(matched) },
  { head: 'Within tolerance', numeric: true, cell: ({ tolerated }) => formatNumber(tolerated) },
  { head: 'Differ', numeric: true, cell: ({ differing }) => formatNumber(differing) },
  ...pieces,
  { head: 'Accuracy', numeric: true, cell: (row) => <strong>{formatPercent(recordAccuracy(row))}</strong> },
  { head: 'With tolerance', numeric: true, cell: (row) => formatPercent(accuracyWithinTolerance(row)) },
]

/** Of a location, or of all where it is null. */
type PlaceRow = AccuracyFigures & { month: string; location: string | null }

const locationColumns: readonly Column<PlaceRow>[] = [
  { head: 'Month', cell: ({ month }) => <span className="whitespace-nowrap">{formatMonth(month)}</span> },
  {
    head: 'Location',
    cell: ({ location }) => (location === null ? <strong>All locations</strong> : placeName(location)),
  },
  ...figures,
]

/** Each month of the chart above its locations, newest first; those without a count are left out. */
function withMonths({ rows, months }: LocationTableProps): PlaceRow[] {
  const wholes = months.filter(({ lines }) => lines > 0).map((whole) => ({ ...whole, location: null }))
  if (wholes.length === 0) return rows
  return wholes.toReversed().flatMap((whole) => [whole, ...rows.filter(({ month }) => month === whole.month)])
}

type LocationTableProps = {
  rows: Accuracy['locations']
  /** Those of all locations together, oldest first; none where one is chosen. */
  months: Accuracy['months']
}

/** The same numbers as the chart, and for each location. */
export function LocationTable(props: LocationTableProps) {
  return (
    <div className="overflow-x-auto">
      <DataTable
        label="Accuracy by month and location"
        columns={locationColumns}
        rows={withMonths(props)}
        keyOf={({ month, location }) => `${month} ${location}`}
      />
    </div>
  )
}

const causeColumns: readonly Column<AccuracyCause>[] = [
  { head: 'Cause', cell: (row) => <span className="break-words">{causeWord(row)}</span> },
  lineCount,
  ...pieces,
]

export function CauseTable({ rows }: { rows: readonly AccuracyCause[] }) {
  return (
    <DataTable
      label="Differences by cause"
      columns={causeColumns}
      rows={rows}
      keyOf={({ status, reason }) => `${status} ${reason}`}
    />
  )
}

function Sku({ sku, description }: { sku: string; description: string }) {
  return (
    <span className="min-w-0">
      <Link href={componentPath(sku)} className="font-mono break-all text-accent-text underline">
        {sku}
      </Link>
      <span className="block text-sm wrap-anywhere text-muted">{description}</span>
    </span>
  )
}

const skuColumns: readonly Column<Accuracy['skus'][number]>[] = [
  { head: 'SKU', cell: (row) => <Sku sku={row.sku} description={row.description} /> },
  lineCount,
  ...pieces,
]

export function SkuTable({ rows }: { rows: Accuracy['skus'] }) {
  return <DataTable label="Differences by SKU" columns={skuColumns} rows={rows} keyOf={({ sku }) => sku} />
}
