import { money, unitMoney } from '@inventory-manager/contract/money'
import type { PlanKey } from '@inventory-manager/contract/plans'
import type { StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import { placeName } from '@inventory-manager/contract/stock/places'
import { MapPin, Pencil } from 'lucide-react'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { useCompanyCurrency } from './currency.ts'
import { isLowIn } from './placements.ts'
import { worthOf } from './unit-cost.ts'

function lastCount(line: StockLine): string {
  if (line.counted_at === null) return line.location === 'QUARANTINE' ? 'Not counted here' : 'Not counted'
  return `${formatMoment(line.counted_at)}, ${line.counted_source ?? ''}`
}

const none = <span className="text-muted">–</span>

const locationColumn: Column<StockLine> = {
  head: 'Location',
  cell: ({ location }) => placeName(location),
}

const stockColumn: Column<StockLine> = {
  head: 'Stock',
  numeric: true,
  cell: ({ quantity }) => <span className="font-medium">{formatNumber(quantity)}</span>,
}

/** As the stock of what is in use, in a plan. */
const watchedStockColumn = (plan: PlanKey): Column<StockLine> => ({
  ...stockColumn,
  cell: (line) => (
    <span className="font-medium whitespace-nowrap">
      {isLowIn(plan, line) && <Badge tone="warn">Low</Badge>} {formatNumber(line.quantity)}
    </span>
  ),
})

const binColumn: Column<StockLine> = {
  head: 'Bin',
  cell: ({ bin }) => (bin === '' ? none : <span className="wrap-anywhere">{bin}</span>),
}

const minimumColumn: Column<StockLine> = {
  head: 'Minimum',
  numeric: true,
  cell: ({ minimum }) => (minimum === null ? none : formatNumber(minimum)),
}

const otherColumns: readonly Column<StockLine>[] = [
  {
    head: 'On its way here',
    numeric: true,
    cell: ({ arriving }) => (arriving === 0 ? none : <Badge tone="info">{formatNumber(arriving)}</Badge>),
  },
  { head: 'Last count', cell: (line) => <span className="text-muted">{lastCount(line)}</span> },
]

/** What the stock of each place is worth. */
const valueColumn = ({ unitCost, currency }: { unitCost: number; currency: string }): Column<StockLine> => ({
  head: 'Value',
  numeric: true,
  cell: ({ quantity }) => (quantity === 0 ? none : money(worthOf(quantity, unitCost), currency)),
})

const isPlaced = ({ bin, minimum }: StockLine) => bin !== '' || minimum !== null

type StockCardProps = {
  stock: readonly StockLine[]
  isRetired: boolean
  /** What one piece costs, null where that is not said; left out for who is not told. */
  unitCost: number | null | undefined
  /** Asks for bins and minimums, which administrators give to what is in use. */
  onPlace: () => void
  /** Asks for what one piece costs. */
  onCost: () => void
}

/** How much there is of it, beside it the way to bins and minimums for who may set them. */
function Aside({
  inAll,
  isRetired,
  onPlace,
}: Pick<StockCardProps, 'isRetired' | 'onPlace'> & { inAll: string }) {
  const { user } = useLocatedSession()
  if (user.role !== 'admin' || isRetired) return inAll
  return (
    <span className="flex items-center justify-between gap-x-4 max-sm:w-full">
      {inAll}
      <Button onClick={onPlace}>
        <MapPin aria-hidden className="size-4 max-sm:hidden" />
        Bins and minimums
      </Button>
    </span>
  )
}

type WorthProps = Pick<StockCardProps, 'isRetired' | 'onCost'> & {
  unitCost: number | null
  currency: string
  total: number
}

/** What one piece costs and all of them are worth, and the way to say it. */
function Worth({ unitCost, currency, total, isRetired, onCost }: WorthProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3">
      {unitCost === null ? (
        <p className="text-muted">No unit cost yet.</p>
      ) : (
        <p className="tabular-nums wrap-anywhere">
          One piece costs {unitMoney(unitCost, currency)}. The stock is worth{' '}
          <span className="font-medium">{money(worthOf(total, unitCost), currency)}</span>.
        </p>
      )}
      {!isRetired && (
        <Button onClick={onCost}>
          <Pencil aria-hidden className="size-4 max-sm:hidden" />
          Unit cost
        </Button>
      )}
    </div>
  )
}

/** Where a component lies: the places that have or expect some, were counted, have a bin or a minimum, or are here. */
export function StockCard({ stock, isRetired, unitCost, onPlace, onCost }: StockCardProps) {
  const { user, location } = useLocatedSession()
  const currency = useCompanyCurrency()
  const shown = stock.filter(
    (line) =>
      line.quantity > 0 ||
      line.arriving > 0 ||
      line.counted_at !== null ||
      line.location === location ||
      isPlaced(line),
  )
  const total = stock.reduce((sum, { quantity }) => sum + quantity, 0)
  const hasPlacements = shown.some(isPlaced)
  const held = isRetired ? stockColumn : watchedStockColumn(user.plan)
  const worth = unitCost != null && currency !== null ? [valueColumn({ unitCost, currency })] : []
  const columns = hasPlacements
    ? [locationColumn, binColumn, held, minimumColumn, ...worth, ...otherColumns]
    : [locationColumn, held, ...worth, ...otherColumns]
  return (
    <Card
      title="Stock"
      aside={<Aside inAll={`${formatNumber(total)} in all`} isRetired={isRetired} onPlace={onPlace} />}
      flush
    >
      <DataTable
        label="Stock"
        columns={columns}
        rows={shown}
        keyOf={(line) => line.location}
        cards={columns.length > 4 ? 'tablet' : 'handheld'}
      />
      {unitCost !== undefined && currency !== null && (
        <Worth unitCost={unitCost} currency={currency} total={total} isRetired={isRetired} onCost={onCost} />
      )}
    </Card>
  )
}
