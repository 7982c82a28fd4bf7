import { money, unitMoney } from '@inventory-manager/contract/money'
import { planLocations, type PlanKey } from '@inventory-manager/contract/plans'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import type { componentDetail, StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import MapPin from 'lucide-react/icons/map-pin'
import Pencil from 'lucide-react/icons/pencil'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { PlaceCell } from '../session/place-cell.tsx'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { isLowIn } from './placements.ts'
import { worthOf } from './unit-cost.ts'

function lastCount(line: StockLine): string {
  if (line.kept === false) return 'Not counted here'
  if (line.counted_at === null) return line.location === 'QUARANTINE' ? 'Not counted here' : 'Not counted'
  return `${formatMoment(line.counted_at)}, ${line.counted_source ?? ''}`
}

/** What is as long as usual stays whole beside long names of locations. */
const whole = 'wrap-anywhere lg:inline-block lg:min-w-24'

const none = <span className="text-muted">–</span>

const locationColumn: Column<StockLine> = {
  head: 'Location',
  cell: ({ location, kept }) => (
    <>
      <PlaceCell place={location} /> {kept === false && <Badge>Not kept</Badge>}
    </>
  ),
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
  cell: ({ bin }) => (bin === '' ? none : <span className={whole}>{bin}</span>),
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

/** What the stock of each place is worth, where that is told. */
function valueColumns(cost: StockCardProps['cost']): Column<StockLine>[] {
  if (cost === undefined || cost.unit_cost === null) return []
  const { unit_cost: unitCost, currency } = cost
  const cell = ({ quantity }: StockLine) =>
    quantity === 0 ? none : <span className={whole}>{money(worthOf(quantity, unitCost), currency)}</span>
  return [{ head: 'Value', numeric: true, cell }]
}

const isPlaced = ({ bin, minimum }: StockLine) => bin !== '' || minimum !== null

type StockCardProps = {
  stock: readonly StockLine[]
  isRetired: boolean
  /** What one piece costs, null where that is not said, and in which currency; left out for who is not told. */
  cost: EndpointReply<typeof componentDetail>['administration']
  /** Asks for bins and minimums, which administrators give to what is in use. */
  onPlace: () => void
  /** Asks where it is kept. */
  onKeep: () => void
  /** Asks for what one piece costs. */
  onCost: () => void
}

/** How much there is of it, beside it the way to bins and minimums for who may set them. */
function Aside({
  inAll,
  isRetired,
  onPlace,
  onKeep,
}: Pick<StockCardProps, 'isRetired' | 'onPlace' | 'onKeep'> & { inAll: string }) {
  const { user } = useLocatedSession()
  if (user.role !== 'admin' || isRetired) return inAll
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-sm:w-full">
      <span className="max-sm:basis-full">{inAll}</span>
      {planLocations(user.plan).length > 1 && <Button onClick={onKeep}>Where it is kept</Button>}
      <Button onClick={onPlace}>
        <MapPin aria-hidden className="size-4 max-sm:hidden" />
        Bins and minimums
      </Button>
    </span>
  )
}

type WorthProps = Pick<StockCardProps, 'isRetired' | 'onCost' | 'stock'> & {
  cost: NonNullable<StockCardProps['cost']>
}

const totalOf = (stock: readonly StockLine[]) => stock.reduce((sum, { quantity }) => sum + quantity, 0)

/** What one piece costs and all of them are worth, and the way to say it. */
function Worth({ cost, stock, isRetired, onCost }: WorthProps) {
  const { unit_cost: unitCost, currency } = cost
  const arriving = stock.reduce((sum, line) => sum + line.arriving, 0)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3">
      {unitCost === null ? (
        <p className="text-muted">No unit cost yet.</p>
      ) : (
        <p className="tabular-nums wrap-anywhere">
          One piece costs {unitMoney(unitCost, currency)}. The stock is worth{' '}
          <span className="font-medium">{money(worthOf(totalOf(stock), unitCost), currency)}</span>
          {arriving > 0 && `, without ${formatNumber(arriving)} on the way`}.
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
export function StockCard({ stock, isRetired, cost, onPlace, onKeep, onCost }: StockCardProps) {
  const { user, location } = useLocatedSession()
  const shown = stock.filter(
    (line) =>
      line.quantity > 0 ||
      line.arriving > 0 ||
      line.counted_at !== null ||
      line.location === location ||
      line.kept === false ||
      isPlaced(line),
  )
  const hasPlacements = shown.some(isPlaced)
  const held = isRetired ? stockColumn : watchedStockColumn(user.plan)
  const worth = valueColumns(cost)
  const columns = hasPlacements
    ? [locationColumn, binColumn, held, minimumColumn, ...worth, ...otherColumns]
    : [locationColumn, held, ...worth, ...otherColumns]
  return (
    <Card
      title="Stock"
      aside={<Aside inAll={`${formatNumber(totalOf(stock))} in all`} {...{ isRetired, onPlace, onKeep }} />}
      flush
    >
      <DataTable
        label="Stock"
        columns={columns}
        rows={shown}
        keyOf={(line) => line.location}
        cards={columns.length > 4 ? 'tablet' : 'handheld'}
      />
      {cost !== undefined && <Worth cost={cost} stock={stock} isRetired={isRetired} onCost={onCost} />}
    </Card>
  )
}
