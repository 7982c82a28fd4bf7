// In a browser as the screens around it write numbers, by its locale; a server's own locale is nobody's.
const whole = new Intl.NumberFormat('document' in globalThis ? undefined : 'en-US')

/** A whole number in a sentence, with thousands separators. */
export function wholeNumber(value: number | bigint): string {
  return whole.format(value)
}
