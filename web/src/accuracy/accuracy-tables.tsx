import type {
  AccuracyCause,
  AccuracyFigures,
  DifferingSku,
  getAccuracy,
} from '@inventory-manager/contract/accuracy/endpoints'
import { causeWord } from '@inventory-manager/contract/accuracy/messages'
import { accuracyWithinTolerance, recordAccuracy } from '@inventory-manager/contract/accuracy/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { money } from '@inventory-manager/contract/money'
import { Link } from 'wouter'
import { formatMonth } from '../lib/dates.ts'
import { formatNumber, formatPercent } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { PlaceCell } from '../session/place-cell.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'

export type Accuracy = EndpointReply<typeof getAccuracy>

type Pieces = Pick<AccuracyFigures, 'missing' | 'surplus' | 'missing_value' | 'surplus_value'>

const pieces: readonly Column<Pieces>[] = [
  { head: 'Pieces missing', numeric: true, cell: ({ missing }) => formatNumber(missing) },
  { head: 'Pieces surplus', numeric: true, cell: ({ surplus }) => formatNumber(surplus) },
]

/** What differs, in money too where a currency is given. */
function differing(currency: string | null): readonly Column<Pieces>[] {
  if (currency === null) return pieces
  return [
    ...pieces,
    { head: 'Value missing', numeric: true, cell: (row) => money(row.missing_value, currency) },
    { head: 'Value surplus', numeric: true, cell: (row) => money(row.surplus_value, currency) },
  ]
}

const lineCount: Column<{ lines: number }> = {
  head: 'Lines',
  numeric: true,
  cell: ({ lines }) => formatNumber(lines),
}

const figures = (currency: string | null): readonly Column<AccuracyFigures>[] => [
  lineCount,
  { head: 'Matched', numeric: true, cell: ({ matched }) => formatNumber(matched) },
  { head: 'Within tolerance', numeric: true, cell: ({ tolerated }) => formatNumber(tolerated) },
  { head: 'Differ', numeric: true, cell: (row) => formatNumber(row.differing) },
  ...differing(currency),
  { head: 'Accuracy', numeric: true, cell: (row) => <strong>{formatPercent(recordAccuracy(row))}</strong> },
  { head: 'With tolerance', numeric: true, cell: (row) => formatPercent(accuracyWithinTolerance(row)) },
]

/** Of a location, or of all where it is null. */
type PlaceRow = AccuracyFigures & { month: string; location: string | null }

const places: readonly Column<PlaceRow>[] = [
  { head: 'Month', cell: ({ month }) => <span className="whitespace-nowrap">{formatMonth(month)}</span> },
  {
    head: 'Location',
    cell: ({ location }) =>
      location === null ? <strong>All locations</strong> : <PlaceCell place={location} />,
  },
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
  /** Of the values that are shown; null for none. */
  currency: string | null
}

/** The same numbers as the chart, and for each location. */
export function LocationTable(props: LocationTableProps) {
  return (
    <div className="overflow-x-auto [--table-top:0px]">
      <DataTable
        label="Accuracy by month and location"
        columns={[...places, ...figures(props.currency)]}
        rows={withMonths(props)}
        cards="tablet"
        dense={props.currency !== null}
        keyOf={({ month, location }) => `${month} ${location}`}
      />
    </div>
  )
}

const cause: Column<AccuracyCause> = {
  head: 'Cause',
  cell: (row) => <span className="break-words">{causeWord(row)}</span>,
}

type CauseTableProps = { rows: readonly AccuracyCause[]; currency: string | null }

export function CauseTable({ rows, currency }: CauseTableProps) {
  return (
    <DataTable
      label="Differences by cause"
      columns={[cause, lineCount, ...differing(currency)]}
      rows={rows}
      cards="tablet"
      keyOf={({ status, reason }) => `${status} ${reason}`}
    />
  )
}

function Sku({ sku, description }: { sku: string; description: string }) {
  return (
    // Wide enough for a common barcode in one piece.
    <span className="min-w-0 lg:block lg:min-w-40">
      <Link href={componentPath(sku)} className="font-mono wrap-anywhere text-accent-text underline">
        {sku}
      </Link>
      <span className="block text-sm wrap-anywhere text-muted">{description}</span>
    </span>
  )
}

const sku: Column<DifferingSku> = {
  head: 'SKU',
  cell: (row) => <Sku sku={row.sku} description={row.description} />,
}

type SkuTableProps = { rows: readonly DifferingSku[]; currency: string | null }

export function SkuTable({ rows, currency }: SkuTableProps) {
  return (
    <DataTable
      label="Differences by SKU"
      columns={[sku, lineCount, ...differing(currency)]}
      rows={rows}
      cards="tablet"
      keyOf={(row) => row.sku}
    />
  )
}
