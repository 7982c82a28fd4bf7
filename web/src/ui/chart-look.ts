import { formatNumber } from '../lib/numbers.ts'

/** Numbers of an axis, short from here on, so that they stay within it and clear of its title. */
const shortFrom = 100_000
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 })

/** A number of an axis that is 72 pixels wide. */
export function formatTick(value: number): string {
  return value < shortFrom ? formatNumber(value) : short.format(value)
}

/** How every chart draws its axes. */
export const chartAxis = {
  stroke: 'var(--color-line-strong)',
  tickLine: false,
  tick: { fill: 'var(--color-muted)', fontSize: 12 },
}

/** How every chart shows what a point stands for. */
export const chartTooltip = {
  contentStyle: {
    background: 'var(--color-surface)',
    border: '1px solid var(--color-line)',
    borderRadius: 8,
    color: 'var(--color-text)',
  },
  itemStyle: { color: 'var(--color-text)' },
}
