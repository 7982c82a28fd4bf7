import { useSyncExternalStore } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { createValue } from '../lib/value.ts'

/** Changes with each text that is kept: all that follows one reads it anew. */
const changes = createValue(0)

/** Under what a text of a location is kept on this device for whoever is signed in. */
export function ownTextKey(name: 'by_bin' | 'my_bins' | 'all_bins' | 'spot_skus', location: string): string {
  return ownKey(`${name}_${location}`, readOwner())
}

/** Keeps a text on this device; nothing in its place where it is empty, or the device has no room for it. */
export function keepOwnText(key: string, text: string): void {
  if ((localStorage.getItem(key) ?? '') === text) return
  localStorage.removeItem(key)
  try {
    if (text !== '') localStorage.setItem(key, text)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  changes.set(changes.get() + 1)
}

/** The text that is kept, '' for none, whether there is a network or not. */
export function useOwnText(key: string): string {
  return useSyncExternalStore(changes.subscribe, () => localStorage.getItem(key) ?? '')
}
