import { useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { createOnce } from '../api/once.ts'
import { keepInTab } from '../lib/tab.ts'
import { createBookingKeys } from './several-keys.ts'

/**
 * What is to be done with a list of barcodes, and the list. Both stay in the tab until all of it is done, whatever is opened
 * meanwhile: what is left of a list whose work was broken off is told nowhere else.
 */
export function useKeptList() {
  const [keys] = useState(() => {
    const owner = readOwner()
    return {
      change: ownKey('several_change', owner),
      text: ownKey('several_barcodes', owner),
      place: ownKey('several_place', owner),
      bookings: ownKey('several_keys', owner),
    }
  })
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(keys.change))
  const [text, setText] = useState(() => sessionStorage.getItem(keys.text) ?? '')
  const [place, setPlace] = useState(() => sessionStorage.getItem(keys.place))
  const [bookingKeys] = useState(() => createBookingKeys(keys.bookings))
  const [once] = useState(() => createOnce(bookingKeys))

  function keep(lines: string): void {
    if (lines === '') sessionStorage.removeItem(keys.text)
    else keepInTab(keys.text, lines)
  }

  function forgetPlace(): void {
    sessionStorage.removeItem(keys.place)
    setPlace(null)
  }

  return {
    /** What was chosen to be done; null where nothing was. */
    chosen,
    text,
    once,
    /** Where the work on the list was begun, if that matters; null where it was not. */
    place,
    unanswered: bookingKeys.unanswered,
    /** Begins with a list at a place. */
    begin: (location: string) => {
      keepInTab(keys.place, location)
      setPlace(location)
    },
    /** Of a delivery, what is in it no more was decided about: given again it is something else. */
    beginBookings: bookingKeys.forgetOthers,
    choose: (value: string) => {
      keepInTab(keys.change, value)
      setChosen(value)
      // What was begun there was something else.
      forgetPlace()
    },
    /** Keeps what is left of a list while it is worked through. */
    keepLeft: (lines: readonly string[]) => keep(lines.join('\n')),
    /** Keeps the list also where the screen is gone by the time its work has ended. */
    setText: (lines: string) => {
      if (lines === '') forgetPlace()
      keep(lines)
      setText(lines)
    },
  }
}
