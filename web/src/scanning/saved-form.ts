import { ownKey, readOwner } from '../api/token.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'
import { emptyForm, leftOf, piecesIn, readScanForm, type Left, type ScanForm } from './scan-form.ts'

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
 * Leaves what was counted in the fields of a person's count to the one that begins in its place, where it can be put back: whoever
 * scanned it may not have looked at the screen since that was over.
 */
export function leaveFields({ from, to }: { from: string; to: string }, owner: string): void {
  const form = readSavedForm(formKey(from, owner))
  if (form === null || readSavedForm(formKey(to, owner)) !== null) return
  sessionStorage.removeItem(formKey(from, owner))
  const left = leftOf(form) ?? form.left
  if (left !== null) keepInTab(formKey(to, owner), JSON.stringify({ ...emptyForm, left }))
}

/** How many scanned pieces stand in the fields of a person's counts in this tab, and are entered nowhere. */
export function countPiecesLeft(owner: string): number {
  const end = ownKey('', owner)
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && key.endsWith(end))
  return keys.reduce((sum, key) => sum + piecesIn(readSavedForm(key)), 0)
}
