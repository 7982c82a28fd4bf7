import type { ScannerSettings } from './settings.ts'

const controlCharacters = /\p{Cc}/gu

/** A code as it is looked up: without control characters, outer spaces, and what the scanner adds around it. */
export function cleanCode(raw: string, { prefix, suffix }: ScannerSettings): string {
  let code = raw.replaceAll(controlCharacters, '').trim()
  if (prefix !== '' && code.length > prefix.length && code.startsWith(prefix)) {
    code = code.slice(prefix.length)
  }
  if (suffix !== '' && code.length > suffix.length && code.endsWith(suffix)) {
    code = code.slice(0, -suffix.length)
  }
  return code.trim()
}

/** 'ABC123' for 'ABC123ABC123', which a scanner without an end key types; null for what is no code twice. */
function halfOf(code: string): string | null {
  const half = code.slice(0, code.length / 2)
  return half !== '' && half + half === code ? half : null
}

export type ReadCode = { code: string; isDoubled: boolean }

/** The code that was meant: once, where it arrived twice in one string and only the half is known. */
export function readCode(
  raw: string,
  settings: ScannerSettings,
  isKnownCode: (code: string) => boolean,
): ReadCode {
  const whole = cleanCode(raw, settings)
  // A scanner puts its prefix and suffix around each of the two.
  const doubled = [raw.replaceAll(controlCharacters, '').trim(), whole].map(halfOf)
  const [half] = doubled
    .flatMap((text) => (text === null ? [] : [cleanCode(text, settings)]))
    .filter(isKnownCode)
  return half === undefined || isKnownCode(whole)
    ? { code: whole, isDoubled: false }
    : { code: half, isDoubled: true }
}
