const whole = new Intl.NumberFormat()

/** A whole number with the locale's thousands separators. */
export function formatNumber(value: number): string {
  return whole.format(value)
}
