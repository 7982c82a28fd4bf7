import { useEffect, useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { keepInTab } from '../lib/tab.ts'

/**
 * Whether each scan counts one piece: of one count on this device, also after a reload and where it goes on as another session, and
 * of no other count.
 */
export function useCountsPieces(session: string): [boolean, (on: boolean) => void] {
  const [owner] = useState(readOwner)
  const key = ownKey(`counts_pieces_${session}`, owner)
  const [isOn, setOn] = useState(() => sessionStorage.getItem(key) === 'on')
  useEffect(() => keepInTab(key, isOn ? 'on' : 'off'), [key, isOn])
  return [isOn, setOn]
}
