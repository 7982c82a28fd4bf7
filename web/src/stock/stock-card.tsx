import type { PlanKey } from '@inventory-manager/contract/plans'
import type { StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import { placeName } from '@inventory-manager/contract/stock/places'
import { MapPin } from 'lucide-react'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { isLowIn } from './placements.ts'

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

const isPlaced = ({ bin, minimum }: StockLine) => bin !== '' || minimum !== null

type StockCardProps = {
  stock: readonly StockLine[]
  isRetired: boolean
  /** Asks for bins and minimums, which administrators give to what is in use. */
  onPlace: () => void
}

/** How much there is of it, beside it the way to bins and minimums for who may set them. */
function Aside({ inAll, isRetired, onPlace }: Omit<StockCardProps, 'stock'> & { inAll: string }) {
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

/** Where a component lies: the places that have or expect some, were counted, have a bin or a minimum, or are here. */
export function StockCard({ stock, isRetired, onPlace }: StockCardProps) {
  const { user, location } = useLocatedSession()
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
  const columns = hasPlacements
    ? [locationColumn, binColumn, held, minimumColumn, ...otherColumns]
    : [locationColumn, held, ...otherColumns]
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
        cards={hasPlacements ? 'tablet' : 'handheld'}
      />
    </Card>
  )
}
