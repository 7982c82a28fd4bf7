import { groupSeparator, tradeItemIn } from './gs1.ts'
import type { ScannerSettings } from './settings.ts'
import { withoutIdentifier } from './symbology.ts'

const controlCharacters = /\p{Cc}/gu

function withoutControls(raw: string): string {
  return raw.replaceAll(controlCharacters, '').trim()
}

function withSeparators(raw: string): string {
  return raw.split(groupSeparator).map(withoutControls).join(groupSeparator)
}

/** A code as it is looked up: without control characters, outer spaces, and what the scanner adds around it. */
export function cleanCode(raw: string, settings: ScannerSettings): string {
  return withoutFrame(withoutControls(raw), settings)
}

function withoutFrame(text: string, { prefix, suffix }: ScannerSettings): string {
  let code = text
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

/** `isOfContents`: of what lies in a logistic unit, such as a pallet: a scan of it is no scan of one piece. */
export type ReadCode = { code: string; isDoubled: boolean; isOfContents: boolean }

/** A code as it stands there. */
export const asWritten = (code: string): ReadCode => ({ code, isDoubled: false, isOfContents: false })

/**
 * The code that was meant: with what looks like the scanner's own, or without what it says of the symbol, where only that is known, since typed codes have nothing around
 * them; of an element string the trade item number; once, where it arrived twice in one string and only the half is known.
 */
export function readCode(
  raw: string,
  settings: ScannerSettings,
  isKnownCode: (code: string) => boolean,
): ReadCode {
  const bare = withoutControls(raw)
  const whole = cleanCode(raw, settings)
  const named = [whole, bare].map(withoutIdentifier)
  const known = [whole, bare, ...named].find(isKnownCode)
  if (known !== undefined) return asWritten(known)
  const elements = withSeparators(raw)
  const carried = [withoutFrame(elements, settings), elements, withoutIdentifier(elements)]
  const item = carried.map((text) => tradeItemIn(text, isKnownCode)).find((found) => found !== null)
  if (item !== undefined) return { ...item, isDoubled: false }
  // A scanner puts its prefix and suffix around each of the two.
  const doubled = [bare, whole].map(halfOf)
  const [half] = doubled
    .flatMap((text) => (text === null ? [] : [text, withoutIdentifier(text)]))
    .map((text) => cleanCode(text, settings))
    .filter(isKnownCode)
  return half === undefined ? asWritten(whole) : { ...asWritten(half), isDoubled: true }
}
