import type { CountEntry } from '@inventory-manager/contract/counting/entries'

/** What an entry of the history is. */
export function countEntryOf({
  undoes,
  sets_mark,
}: {
  undoes: string | null
  sets_mark: boolean
}): CountEntry {
  if (undoes !== null) return 'taken_back'
  return sets_mark ? 'counted' : 'reported'
}
