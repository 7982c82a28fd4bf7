import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { formatNumber } from '../lib/numbers.ts'

const axis = { stroke: 'var(--color-line-strong)', tick: { fill: 'var(--color-muted)', fontSize: 12 } }

const tooltip = {
  contentStyle: {
    background: 'var(--color-surface)',
    border: '1px solid var(--color-line)',
    borderRadius: 8,
    color: 'var(--color-text)',
  },
  itemStyle: { color: 'var(--color-text)' },
}

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** A calendar day such as '2026-11-21' in the browser's locale. */
function formatDay(text: string): string {
  return day.format(new Date(`${text}T00:00:00Z`))
}

type ProgressPoint = { day: string; scans: number; cumulative: number }

/** Items scanned in total, day by day. */
export function ProgressChart({ points }: { points: ProgressPoint[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={points} margin={{ top: 16, right: 24, bottom: 24, left: 8 }}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={24} {...axis} />
        <YAxis allowDecimals={false} width={64} tickFormatter={formatNumber} {...axis} />
        <Tooltip
          labelFormatter={(label) => (typeof label === 'string' ? formatDay(label) : '')}
          {...tooltip}
        />
        <Line
          name="Items scanned in total"
          dataKey="cumulative"
          stroke="var(--color-accent)"
          strokeWidth={2.5}
          dot={points.length < 40}
          isAnimationActive={false}
        />
      </LineChart>
    </ResponsiveContainer>
  )
}

type SkuPoint = { sku: string; description: string; scans: number }

/** The most scanned SKUs, most first. */
export function TopSkusChart({ points }: { points: SkuPoint[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={points} layout="vertical" margin={{ top: 8, right: 56, bottom: 24, left: 8 }}>
        <CartesianGrid horizontal={false} stroke="var(--color-line)" />
        <XAxis type="number" allowDecimals={false} tickFormatter={formatNumber} {...axis} />
        <YAxis type="category" dataKey="sku" width={120} {...axis} />
        <Tooltip cursor={{ fill: 'var(--color-sunken)' }} {...tooltip} />
        <Bar
          name="Scans"
          dataKey="scans"
          fill="var(--color-accent)"
          radius={[0, 4, 4, 0]}
          isAnimationActive={false}
        >
          <LabelList dataKey="scans" position="right" fill="var(--color-text)" fontSize={12} />
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  )
}
