import { accuracyWithinTolerance, recordAccuracy } from '@inventory-manager/contract/accuracy/rules'
import type { AccuracyFigures } from '@inventory-manager/contract/accuracy/endpoints'
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatMonth } from '../lib/dates.ts'
import { formatPercent } from '../lib/numbers.ts'
import { chartAxis, chartTooltip } from '../ui/chart-look.ts'

const line = { strokeWidth: 2.5, isAnimationActive: false, connectNulls: false }

/** Six marks up to 100 %, from a full ten below the lowest month, so that a change near 100 % is seen. */
function marksFor(points: readonly Point[]): number[] {
  const values = points.flatMap(({ accuracy }) => accuracy ?? [])
  const lowest = Math.min(90, Math.floor(Math.min(100, ...values) / 10) * 10)
  return Array.from({ length: 6 }, (_, mark) => lowest + (mark * (100 - lowest)) / 5)
}

type Point = { month: string; accuracy: number | null; tolerated: number | null }

function Key({ label, dashed = false }: { label: string; dashed?: boolean }) {
  const look = dashed ? 'border-dashed border-good' : 'border-accent'
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className={`w-6 border-t-2 ${look}`} />
      {label}
    </span>
  )
}

/** Inventory record accuracy by month; a month without a count is a gap. */
export function AccuracyChart({ months }: { months: readonly (AccuracyFigures & { month: string })[] }) {
  const hasTolerated = months.some(({ tolerated }) => tolerated > 0)
  const points = months.map((figures): Point => ({
    month: figures.month,
    accuracy: recordAccuracy(figures),
    tolerated: hasTolerated ? accuracyWithinTolerance(figures) : null,
  }))
  const marks = marksFor(points)
  return (
    <div className="flex flex-col gap-3">
      {hasTolerated && (
        <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
          <Key label="Matched" />
          <Key label="Matched or within tolerance" dashed />
        </p>
      )}
      <div role="region" aria-label="Accuracy by month" tabIndex={0} className="h-72">
        <ResponsiveContainer width="100%" height="100%">
          <LineChart
            accessibilityLayer={false}
            data={points}
            margin={{ top: 12, right: 16, bottom: 4, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--color-line)" />
            <XAxis
              dataKey="month"
              tickFormatter={formatMonth}
              minTickGap={24}
              padding={{ left: 16, right: 16 }}
              {...chartAxis}
            />
            <YAxis
              domain={[marks[0] ?? 0, 100]}
              ticks={marks}
              interval={0}
              width={64}
              tickFormatter={(value: number) => `${value}%`}
              {...chartAxis}
            />
            <Tooltip
              labelFormatter={(label) => (typeof label === 'string' ? formatMonth(label) : '')}
              formatter={(value) => (typeof value === 'number' ? formatPercent(value) : value)}
              {...chartTooltip}
            />
            {hasTolerated && (
              <Line
                name="Matched or within tolerance"
                dataKey="tolerated"
                stroke="var(--color-good)"
                strokeDasharray="6 4"
                dot={{ r: 3, strokeDasharray: 'none' }}
                {...line}
              />
            )}
            <Line name="Matched" dataKey="accuracy" stroke="var(--color-accent)" dot={{ r: 4 }} {...line} />
          </LineChart>
        </ResponsiveContainer>
      </div>
    </div>
  )
}
