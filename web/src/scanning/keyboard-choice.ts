import { useSyncExternalStore } from 'react'
import { createValue } from '../lib/value.ts'

const key = 'count_keyboard_away'
const away = createValue(localStorage.getItem(key) === 'on')

/** Whether this device, which has a scanner, shows no keyboard over the count for the field of the barcode. */
export function useKeyboardAway(): boolean {
  return useSyncExternalStore(away.subscribe, away.get)
}

export function keepKeyboardAway(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off')
  away.set(on)
}
