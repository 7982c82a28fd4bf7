import type { LedgerStep } from '@inventory-manager/contract/stock/component-endpoints'
import { places, type Place } from '@inventory-manager/contract/stock/places'
import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatDate, formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { chartAxis, formatTick, chartTooltip } from '../ui/chart-look.ts'

/** A colour and a dash for each place: colour is never the only sign. */
const strokes: Record<Place, { stroke: string; strokeDasharray?: string }> = {
  PRIMARY: { stroke: 'var(--color-accent)' },
  SECONDARY: { stroke: 'var(--color-good)', strokeDasharray: '8 3' },
  FULFILLMENT: { stroke: 'var(--color-warn)', strokeDasharray: '2 3' },
  DISTRIBUTION: { stroke: 'var(--color-enterprise)', strokeDasharray: '8 3 2 3' },
  QUARANTINE: { stroke: 'var(--color-bad)', strokeDasharray: '4 4' },
}

type Point = { at: number } & Record<string, number>

/**
 * A point for each moment of a step with the quantity of every place by then, and one for now: stock stays until it moves. One,
 * because the axis writes its dates over each other where two points are at one place.
 */
function pointsOf(steps: LedgerStep[]): Point[] {
  const points = new Map<number, Point>()
  let held: Record<string, number> = {}
  for (const { location, quantity, timestamp } of steps) {
    held = { ...held, [location]: quantity }
    const at = new Date(timestamp).getTime()
    points.set(at, { ...held, at })
  }
  return [...points.values(), { ...held, at: Date.now() }]
}

/** The line beside a name has its colour; that of the words must be read on any background. */
const legendText = (name: string) => <span className="wrap-anywhere text-text">{name}</span>

/** How the stock of each place went, as a line of steps. */
export function LedgerChart({ steps }: { steps: LedgerStep[] }) {
  const shown = places.filter((place) => steps.some(({ location }) => location === place))
  return (
    <ResponsiveContainer width="100%" height={260}>
      <LineChart
        accessibilityLayer={false}
        data={pointsOf(steps)}
        margin={{ top: 16, right: 44, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={['dataMin', 'dataMax']}
          minTickGap={48}
          tickFormatter={(at: number) => formatDate(new Date(at).toISOString())}
          {...chartAxis}
        />
        <YAxis allowDecimals={false} width={72} tickFormatter={formatTick} {...chartAxis} />
        <Tooltip
          labelFormatter={(at) => (typeof at === 'number' ? formatDateTime(new Date(at).toISOString()) : '')}
          formatter={(value) => (typeof value === 'number' ? formatNumber(value) : value)}
          {...chartTooltip}
        />
        <Legend formatter={legendText} />
        {shown.map((place) => (
          <Line
            key={place}
            type="stepAfter"
            name={placeName(place)}
            dataKey={place}
            strokeWidth={2}
            dot={false}
            isAnimationActive={false}
            {...strokes[place]}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  )
}
