import type { HighVolumeSuggestion } from '@inventory-manager/contract/stock/suggestion-endpoints'

/** A SKU that was suggested, and whether it still is. */
export type ShownSuggestion = HighVolumeSuggestion & { isSuggested: boolean }

/** What is suggested by now, below what is shown: all of that stays where it is, so that the next one does not slide under the finger. */
export function keepPlaces(
  shown: readonly ShownSuggestion[],
  suggested: readonly HighVolumeSuggestion[],
): ShownSuggestion[] {
  const left = new Map(suggested.map((item) => [item.barcode, item]))
  const kept = shown.map((item) => {
    const still = left.get(item.barcode)
    left.delete(item.barcode)
    return { ...(still ?? item), isSuggested: still !== undefined }
  })
  return [...kept, ...[...left.values()].map((item) => ({ ...item, isSuggested: true }))]
}
