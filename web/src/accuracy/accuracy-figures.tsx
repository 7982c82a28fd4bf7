import {
  accuracyMessages,
  firstCountsInWords,
  withoutCost,
} from '@inventory-manager/contract/accuracy/messages'
import {
  accuracyWithinTolerance,
  mostNamed,
  recordAccuracy,
  type SkuOrder,
} from '@inventory-manager/contract/accuracy/rules'
import { money } from '@inventory-manager/contract/money'
import { howMany } from '@inventory-manager/contract/numbers'
import type { ReactNode } from 'react'
import { formatMonth } from '../lib/dates.ts'
import { formatNumber, formatPercent } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { AccuracyChart } from './accuracy-chart.tsx'
import { CauseTable, LocationTable, SkuTable, type Accuracy } from './accuracy-tables.tsx'

function Tile({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-card border border-line bg-surface p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={classNames('font-semibold wrap-anywhere tabular-nums', strong ? 'text-xl' : 'text-lg')}>
        {value}
      </dd>
    </div>
  )
}

function Tiles({ total, currency }: { total: Accuracy['total']; currency: string | null }) {
  return (
    <dl
      className={classNames(
        'grid grid-cols-2 gap-3',
        currency === null ? 'lg:grid-cols-4' : 'lg:grid-cols-3',
      )}
    >
      <Tile label="Inventory record accuracy" value={formatPercent(recordAccuracy(total))} strong />
      <Tile label="With those within tolerance" value={formatPercent(accuracyWithinTolerance(total))} />
      <Tile label="Lines counted" value={formatNumber(total.lines)} />
      <Tile label="Lines that did not match" value={formatNumber(total.lines - total.matched)} />
      {currency !== null && <Tile label="Value missing" value={money(total.missing_value, currency)} />}
      {currency !== null && <Tile label="Value surplus" value={money(total.surplus_value, currency)} />}
    </dl>
  )
}

type PartProps = { title: string; aside?: ReactNode; empty: boolean; children: ReactNode }

function Part({ title, aside, empty, children }: PartProps) {
  return (
    <Card title={title} aside={aside} flush>
      {empty ? <EmptyState title="No differences" /> : children}
    </Card>
  )
}

/** How many lines that did not match have none of the causes that are named. */
function OtherCauses({ data: { causes, total } }: { data: Accuracy }) {
  const named = causes.reduce((sum, { lines }) => sum + lines, 0)
  const others = total.lines - total.matched - named
  if (causes.length < mostNamed || others <= 0) return null
  return (
    <p className="border-t border-line px-4 py-3 text-sm text-muted">
      The {mostNamed} most frequent causes. {howMany(others, 'line has', 'lines have')} others.
    </p>
  )
}

/** What the reply says, and of what it is. */
export type Shown = Accuracy & { isOfAll: boolean; skusBy: SkuOrder }

/** In which money the figures are; null where they come to none. */
function currencyOf({ total, currency }: Accuracy): string | null {
  return total.missing_value + total.surplus_value > 0 ? currency : null
}

const skuTitles: Record<SkuOrder, string> = {
  lines: 'SKUs that differ most often',
  value: 'SKUs with the largest value difference',
}

const skuOrderWords = [
  { order: 'lines', word: 'By lines' },
  { order: 'value', word: 'By value' },
] as const

type SkuOrderProps = { by: SkuOrder; onChange: (order: SkuOrder) => void }

/** Which SKUs are named. */
function SkuOrderChoice({ by, onChange }: SkuOrderProps) {
  return (
    <div role="group" aria-label="SKUs that differ most" className="flex gap-2 print:hidden">
      {skuOrderWords.map(({ order, word }) => (
        <Button
          key={order}
          look={order === by ? 'primary' : 'secondary'}
          aria-pressed={order === by}
          onClick={() => onChange(order)}
        >
          {word}
        </Button>
      ))}
    </div>
  )
}

/** How many of the lines that differ are in no value. */
function WithoutCost({ data: { total, without_cost: without } }: { data: Accuracy }) {
  if (without === 0) return null
  return <p className="text-sm text-muted">{withoutCost(without, total.lines - total.matched)}.</p>
}

/** How many counts are in no figure, because nothing was known before them. */
function FirstCounts({ data: { first_counts: first = 0 } }: { data: Accuracy }) {
  if (first === 0) return null
  return <p className="text-sm text-muted">{firstCountsInWords(first)}</p>
}

function NoLines({ data: { first_counts: first = 0 } }: { data: Accuracy }) {
  return (
    <Card>
      {first === 0 ? (
        <EmptyState title="Nothing was counted in this time">
          Accuracy appears here with the first count. Choose other months or locations to look further.
        </EmptyState>
      ) : (
        <EmptyState title="Only first counts in this time">{firstCountsInWords(first)}</EmptyState>
      )}
    </Card>
  )
}

type FiguresProps = { data: Shown; skusBy: SkuOrder; onSkusBy: (order: SkuOrder) => void }

/** What was counted, as a chart and as the same numbers in tables. */
export function Figures({ data, skusBy, onSkusBy }: FiguresProps) {
  if (data.total.lines === 0) return <NoLines data={data} />
  const span =
    data.from === data.until
      ? formatMonth(data.until)
      : `${formatMonth(data.from)} to ${formatMonth(data.until)}`
  const currency = currencyOf(data)
  const choice = <SkuOrderChoice by={skusBy} onChange={onSkusBy} />
  return (
    <>
      <Tiles total={data.total} currency={currency} />
      {currency !== null && <WithoutCost data={data} />}
      <FirstCounts data={data} />
      <Card title={`Accuracy by month, ${span}`}>
        <AccuracyChart months={data.months} />
      </Card>
      <div className={classNames('grid items-start gap-4 lg:gap-6', currency === null && 'lg:grid-cols-2')}>
        <Part title="Differences by cause" empty={data.causes.length === 0}>
          <CauseTable rows={data.causes} currency={currency} />
          <OtherCauses data={data} />
        </Part>
        <Part
          title={skuTitles[data.skusBy]}
          aside={currency === null && skusBy === 'lines' ? undefined : choice}
          empty={data.skus.length === 0}
        >
          <SkuTable rows={data.skus} currency={currency} />
        </Part>
      </div>
      <Card title="By month and location" flush>
        <LocationTable rows={data.locations} months={data.isOfAll ? data.months : []} currency={currency} />
      </Card>
    </>
  )
}

/** What the figures mean. */
export function About({ data }: { data: Accuracy | undefined }) {
  const currency = data === undefined ? null : currencyOf(data)
  return (
    <p className="max-w-prose text-sm text-muted">
      {accuracyMessages.about}
      {currency !== null && ` ${accuracyMessages.aboutValues}`}
    </p>
  )
}
