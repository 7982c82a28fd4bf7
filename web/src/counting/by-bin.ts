import { useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { useLocatedSession } from '../session/session.ts'

/** Whether a person wants the lists of a location from bin to bin, on this device. */
export function useByBin(): [boolean, (isWanted: boolean) => void] {
  const { location } = useLocatedSession()
  const [key] = useState(() => ownKey(`by_bin_${location}`, readOwner()))
  const [isByBin, setByBin] = useState(() => localStorage.getItem(key) === 'on')
  return [
    isByBin,
    (isWanted) => {
      setByBin(isWanted)
      if (isWanted) localStorage.setItem(key, 'on')
      else localStorage.removeItem(key)
    },
  ]
}
