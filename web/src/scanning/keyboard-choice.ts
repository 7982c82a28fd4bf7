import { useSyncExternalStore } from 'react'

const key = 'count_keyboard_away'
const watchers = new Set<() => void>()

const isAway = () => localStorage.getItem(key) === 'on'

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Whether this device, which has a scanner, shows no keyboard over the count for the field of the barcode. */
export function useKeyboardAway(): boolean {
  return useSyncExternalStore(watch, isAway)
}

export function keepKeyboardAway(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off')
  for (const watcher of watchers) watcher()
}
