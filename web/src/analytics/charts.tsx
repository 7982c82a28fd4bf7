import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  Text,
  Tooltip,
  XAxis,
  YAxis,
  type YAxisTickContentProps,
} from 'recharts'
import { formatDate } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { chartAxis, formatTick, chartTooltip } from '../ui/chart-look.ts'
import { dayFormatOf, everyDay, type ProgressPoint } from './days.ts'

function axisTitle(value: string) {
  return { value, position: 'insideBottom' as const, offset: -16, fill: 'var(--color-muted)', fontSize: 12 }
}

const fewPoints = 40

/** Items scanned in total, day by day. */
export function ProgressChart({ points, today }: { points: ProgressPoint[]; today: string }) {
  const days = everyDay(points, today)
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart accessibilityLayer={false} data={days} margin={{ top: 24, right: 24, bottom: 28, left: 8 }}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="day"
          tickFormatter={dayFormatOf(days)}
          minTickGap={24}
          label={axisTitle('Day')}
          {...chartAxis}
        />
        <YAxis
          allowDecimals={false}
          width={72}
          tickFormatter={formatTick}
          label={{ ...axisTitle('Items scanned in total'), angle: -90, position: 'insideLeft', offset: 8 }}
          {...chartAxis}
        />
        <Tooltip
          labelFormatter={(label) => (typeof label === 'string' ? formatDate(`${label}T00:00`) : '')}
          formatter={(value) => (typeof value === 'number' ? formatNumber(value) : value)}
          {...chartTooltip}
        />
        <Area
          name="Items scanned in total"
          dataKey="cumulative"
          stroke="var(--color-accent)"
          strokeWidth={2.5}
          fill="var(--color-accent)"
          fillOpacity={0.12}
          dot={days.length < fewPoints && { r: 4, fill: 'var(--color-accent)', fillOpacity: 1 }}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  )
}

/** In pixels; what is left of it beside the axis is the text's. */
const skuWidth = 136
const besideSku = 12
const mostSkuLines = 3

/** A SKU beside its bar, in as many lines as it needs: cut at its beginning it would be another one. */
function SkuTick({ payload, x, y, textAnchor, verticalAnchor }: YAxisTickContentProps) {
  const { fill, fontSize } = chartAxis.tick
  return (
    <Text
      {...{ x, y, textAnchor, verticalAnchor, fill }}
      style={{ fontSize: `${fontSize}px` }}
      width={skuWidth - besideSku}
      breakAll
      maxLines={mostSkuLines}
    >
      {String(payload.value)}
    </Text>
  )
}

type SkuPoint = { sku: string; description: string; scans: number }

/** The most scanned SKUs, most first. */
export function TopSkusChart({ points }: { points: SkuPoint[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        accessibilityLayer={false}
        data={points}
        layout="vertical"
        margin={{ top: 8, right: 56, bottom: 28, left: 8 }}
      >
        <CartesianGrid horizontal={false} stroke="var(--color-line)" />
        <XAxis
          type="number"
          allowDecimals={false}
          tickFormatter={formatTick}
          label={axisTitle('Scans')}
          {...chartAxis}
        />
        <YAxis type="category" dataKey="sku" width={skuWidth} interval={0} {...chartAxis} tick={SkuTick} />
        <Tooltip
          cursor={{ fill: 'var(--color-sunken)' }}
          formatter={(value) => (typeof value === 'number' ? formatNumber(value) : value)}
          {...chartTooltip}
        />
        <Bar
          name="Scans"
          dataKey="scans"
          fill="var(--color-accent)"
          radius={[0, 4, 4, 0]}
          maxBarSize={40}
          isAnimationActive={false}
        >
          <LabelList
            dataKey="scans"
            position="right"
            formatter={(value) => (typeof value === 'number' ? formatNumber(value) : value)}
            fill="var(--color-text)"
            fontSize={12}
          />
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  )
}
