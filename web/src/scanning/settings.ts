import { parseJson } from '../lib/json.ts'

/** What a scanner adds around each code. Empty: nothing. */
export type ScannerSettings = { prefix: string; suffix: string }

const key = 'scanner_settings'

export const plainScanner: ScannerSettings = { prefix: '', suffix: '' }

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null) return ''
  const text: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
  return typeof text === 'string' ? text : ''
}

/** This device's settings; a company's own stand in for what was never set here. */
export function readScannerSettings(company: ScannerSettings = plainScanner): ScannerSettings {
  const stored = localStorage.getItem(key)
  if (stored === null) return company
  const value = parseJson(stored)
  return { prefix: textOf(value, 'prefix'), suffix: textOf(value, 'suffix') }
}

export function isSameScanner(one: ScannerSettings, other: ScannerSettings): boolean {
  return one.prefix === other.prefix && one.suffix === other.suffix
}

/** Keeps this device's settings. What is the company's own is not kept, so that what it sets later holds here, too. */
export function saveScannerSettings(
  settings: ScannerSettings,
  company: ScannerSettings = plainScanner,
): void {
  if (isSameScanner(settings, company)) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(settings))
}
