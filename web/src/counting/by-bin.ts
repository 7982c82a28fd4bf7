import { useState } from 'react'
import { useLocatedSession } from '../session/session.ts'
import { keepOwnText, ownTextKey, useOwnText } from './own-text.ts'

/** Whether a person wants the lists of a location from bin to bin, on this device. */
export function useByBin(): [boolean, (isWanted: boolean) => void] {
  const { location } = useLocatedSession()
  const [key] = useState(() => ownTextKey('by_bin', location))
  return [useOwnText(key) === 'on', (isWanted) => keepOwnText(key, isWanted ? 'on' : '')]
}
