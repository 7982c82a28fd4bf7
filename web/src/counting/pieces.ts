import { useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'

/** Whether each scan counts one piece: of one count on this device, also after a reload, and of no other. */
export function useCountsPieces(session: string): [boolean, (on: boolean) => void] {
  const [key] = useState(() => ownKey(`counts_pieces_${session}`, readOwner()))
  const [isOn, setOn] = useState(() => sessionStorage.getItem(key) === 'on')
  return [
    isOn,
    (on) => {
      sessionStorage.setItem(key, on ? 'on' : 'off')
      setOn(on)
    },
  ]
}
