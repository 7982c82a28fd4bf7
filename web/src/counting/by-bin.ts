import { useState, useSyncExternalStore } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { createValue } from '../lib/value.ts'
import { useLocatedSession } from '../session/session.ts'

/** Changes with each choice: all lists of a screen follow it. */
const choices = createValue(0)

/** Whether a person wants the lists of a location from bin to bin, on this device. */
export function useByBin(): [boolean, (isWanted: boolean) => void] {
  const { location } = useLocatedSession()
  const [key] = useState(() => ownKey(`by_bin_${location}`, readOwner()))
  return [
    useSyncExternalStore(choices.subscribe, () => localStorage.getItem(key) === 'on'),
    (isWanted) => {
      if (isWanted) localStorage.setItem(key, 'on')
      else localStorage.removeItem(key)
      choices.set(choices.get() + 1)
    },
  ]
}
