const whole = new Intl.NumberFormat()

/** A whole number with the locale's thousands separators. */
export function formatNumber(value: number): string {
  return whole.format(value)
}

const share = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Percent with one decimal; a dash where there is none. */
export function formatPercent(value: number | null): string {
  return value === null ? '–' : share.format(value)
}
