/** The days high-volume SKUs are counted on (specification 9, 'Weekly days Monday to Friday'). */
export const weekDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

export type WeekDay = (typeof weekDays)[number]

/**
 * The codes to look a scanned code up by, in order: exactly, then 12 or 13 digits with a leading 0 taken off
 * or put on, since decoders return UPC-A both ways.
 */
export function lookupCodes(scanned: string): string[] {
  const code = scanned.trim()
  if (/^0\d{12}$/.test(code)) return [code, code.slice(1)]
  if (/^\d{12}$/.test(code)) return [code, `0${code}`]
  return [code]
}
