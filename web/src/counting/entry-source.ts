import type { HistoryEntry } from '@inventory-manager/contract/counting/history-endpoints'
import { countEntryNames } from '@inventory-manager/contract/counting/entries'

/** How an entry of the history came about, as people read it; '' where nothing is known of it. */
export function entrySource({ entry, source }: Pick<HistoryEntry, 'entry' | 'source'>): string {
  return entry === 'taken_back' ? countEntryNames.taken_back : source
}
