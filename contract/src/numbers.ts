// In a browser as the screens around it write numbers, by its locale; a server's own locale is nobody's.
const whole = new Intl.NumberFormat('document' in globalThis ? undefined : 'en-US')

/** A whole number in a sentence, with thousands separators. */
export function wholeNumber(value: number | bigint): string {
  return whole.format(value)
}

/** So many of a thing: '1 scan', '1,200 scans'; `several` where it is more than an s behind the one. */
export function howMany(number: number, one: string, several = `${one}s`): string {
  return `${wholeNumber(number)} ${number === 1 ? one : several}`
}
