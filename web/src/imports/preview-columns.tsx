import type { ImportRowKind, PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import { unitMoney } from '@inventory-manager/contract/money'
import { formatAmount, formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import type { Column } from '../ui/data-table.tsx'

type PlacementChangeProps = PreviewRow['placements'][number]

/** What becomes of the bin and of the minimum of a component at a location; what stays as it is is not said. */
function PlacementChange({ location, old_bin: oldBin, bin, ...amounts }: PlacementChangeProps) {
  const { old_minimum: old, minimum } = amounts
  return (
    <li>
      <span className="wrap-anywhere text-muted">{placeName(location)}</span>{' '}
      {bin !== oldBin && (
        <span className="break-words">
          bin {oldBin || 'none'} → <span className="font-medium">{bin}</span>
        </span>
      )}
      {bin !== oldBin && minimum !== old && ', '}
      {minimum !== null && minimum !== old && (
        <span className="whitespace-nowrap">
          minimum {old === null ? 'none' : formatNumber(old)} →{' '}
          <span className="font-medium">{formatNumber(minimum)}</span>
        </span>
      )}
    </li>
  )
}

type CostChangeProps = NonNullable<PreviewRow['cost']> & {
  /** In which costs are said; null while that is not known. */
  currency: string | null
}

/** What becomes of the unit cost of a component. */
function CostChange({ old_unit_cost: old, unit_cost: cost, currency }: CostChangeProps) {
  const amount = (value: number) => (currency === null ? formatAmount(value) : unitMoney(value, currency))
  return (
    <span className="max-sm:text-right">
      {old === null ? 'none' : amount(old)} → <span className="font-medium">{amount(cost)}</span>
    </span>
  )
}

const columnsIn = (currency: string | null): Column<PreviewRow>[] => [
  { head: 'Line', numeric: true, cell: ({ line }) => formatNumber(line) },
  { head: 'Barcode', cell: ({ barcode }) => <span className="font-mono wrap-anywhere">{barcode}</span> },
  {
    head: 'Description',
    cell: ({ description, old_description: old, kind, retired }) => (
      <span className="min-w-0 break-words">
        {description || old || ''}
        {retired && (
          <span className="block text-sm text-muted">
            {kind === 'changed' ? 'is retired, comes back' : 'is retired, stays so'}
          </span>
        )}
        {old !== null && old !== '' && description !== '' && old !== description && (
          <span className="block text-sm text-muted">until now: {old}</span>
        )}
      </span>
    ),
  },
  {
    head: 'Stock',
    numeric: true,
    cell: ({ stock }) => (
      <ul className="max-sm:text-right lg:text-right">
        {stock.map(({ location, old_quantity: old, quantity }) => (
          <li key={location}>
            <span className="wrap-anywhere text-muted">{placeName(location)}</span>{' '}
            <span className="whitespace-nowrap">
              {formatNumber(old)} → <span className="font-medium">{formatNumber(quantity)}</span>
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    head: 'Stock left as it is',
    numeric: true,
    cell: ({ kept_stock: kept = [] }) => (
      <ul className="max-sm:text-right lg:text-right">
        {kept.map(({ location, old_quantity: old, quantity }) => (
          <li key={location}>
            <span className="wrap-anywhere text-muted">{placeName(location)}</span>{' '}
            <span className="whitespace-nowrap">
              <span className="font-medium">{formatNumber(old)}</span>, in the file {formatNumber(quantity)}
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    head: 'Bin and minimum',
    cell: ({ placements }) => (
      <ul className="max-sm:text-right">
        {placements.map((change) => (
          <PlacementChange key={change.location} {...change} />
        ))}
      </ul>
    ),
  },
  {
    head: 'Unit cost',
    numeric: true,
    cell: ({ cost }) => cost !== null && <CostChange {...cost} currency={currency} />,
  },
  {
    head: 'Other barcodes',
    cell: ({ other_barcodes: others = [] }) => (
      <ul className="max-sm:text-right">
        {others.map(({ barcode, pieces }) => (
          <li key={barcode}>
            <span className="font-mono wrap-anywhere">{barcode}</span>
            {pieces > 1 && (
              <span className="whitespace-nowrap text-muted"> pack of {formatNumber(pieces)}</span>
            )}
          </li>
        ))}
      </ul>
    ),
  },
  {
    head: 'Reason',
    cell: ({ fault }) => (fault === null ? '' : <span className="text-bad-text">{fault}</span>),
  },
]

/**
 * Bad rows have a reason; new and changed ones say what becomes of the stock, and of bins, minimums, unit costs and other barcodes where
 * the file has such. Stock that is left as it is is said where the file has another.
 */
export function columnsFor(
  kind: ImportRowKind,
  rows: readonly PreviewRow[],
  currency: string | null,
): Column<PreviewRow>[] {
  const isTold: Readonly<Record<string, boolean>> = {
    Stock: kind === 'new' || kind === 'changed',
    'Stock left as it is': rows.some(({ kept_stock: kept = [] }) => kept.length > 0),
    'Bin and minimum': rows.some(({ placements }) => placements.length > 0),
    'Unit cost': rows.some(({ cost }) => cost !== null),
    'Other barcodes': rows.some(({ other_barcodes: others = [] }) => others.length > 0),
    Reason: kind === 'bad',
  }
  return columnsIn(currency).filter(({ head }) => isTold[head] ?? true)
}
