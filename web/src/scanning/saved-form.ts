import { ownKey, readOwner } from '../api/token.ts'
import { parseJson } from '../lib/json.ts'
import { piecesIn, readScanForm, type Left, type ScanForm } from './scan-form.ts'

const prefix = 'scan_form_'

/** Under what name a tab keeps the fields of a person's count. */
export function formKey(session: string, owner: string): string {
  return ownKey(prefix + session, owner)
}

/** The fields of a count as an earlier page of the tab has left them, or null. */
export function readSavedForm(key: string): ScanForm | null {
  return readScanForm(parseJson(sessionStorage.getItem(key) ?? ''))
}

/** The codes that were scanned into the fields of this person's count, and are not entered. */
export function codesInFields(session: string): string[] {
  const form = readSavedForm(formKey(session, readOwner()))
  if (form === null) return []
  const { taken, barcode, tally, waiting } = form
  return [...(taken ? [barcode.trim()] : []), ...(tally === null ? [] : [tally.code]), ...waiting]
}

/** Whether something scanned stands in the fields of this person's count, and is not entered. */
export function isAnyInFields(session: string): boolean {
  const form = readSavedForm(formKey(session, readOwner()))
  return codesInFields(session).length > 0 || (form?.asking ?? null) !== null
}

/** The item that this person has left for the next one, and that can be put back. */
export function leftInFields(session: string): Left | null {
  return readSavedForm(formKey(session, readOwner()))?.left ?? null
}

/** Whether scanned pieces stand in the fields of this person's count, which nobody leaves by going on. */
export function arePiecesInFields(session: string): boolean {
  return piecesIn(readSavedForm(formKey(session, readOwner()))) > 0
}

/**
 * How many scanned pieces stand in the fields of a person's counts in this tab, and are entered nowhere; those of counts that are
 * over are in no fields any more.
 */
export function countPiecesLeft(owner: string, isOver: (session: string) => boolean): number {
  const end = ownKey('', owner)
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && key.endsWith(end))
  const present = keys.filter((key) => !isOver(key.slice(prefix.length, -end.length)))
  return present.reduce((sum, key) => sum + piecesIn(readSavedForm(key)), 0)
}
