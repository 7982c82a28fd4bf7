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
}

/** The same where the words have not the colour of what they stand for. */
export const plainTooltip = { ...chartTooltip, itemStyle: { color: 'var(--color-text)' } }
