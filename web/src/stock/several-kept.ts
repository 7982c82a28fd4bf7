import { useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { createOnce } from '../api/once.ts'
import { keepInTab } from '../lib/tab.ts'
import { createReceiptKeys } from './several-keys.ts'
import { changes, retire, type Change } from './several-changes.ts'

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
      receipts: ownKey('several_keys', owner),
    }
  })
  const [change, setChange] = useState<Change>(
    () => changes.find(({ value }) => value === sessionStorage.getItem(keys.change)) ?? retire,
  )
  const [text, setText] = useState(() => sessionStorage.getItem(keys.text) ?? '')
  const [place, setPlace] = useState(() => sessionStorage.getItem(keys.place))
  const [receiptKeys] = useState(() => createReceiptKeys(keys.receipts))
  const [once] = useState(() => createOnce(receiptKeys))

  function keep(lines: string): void {
    if (lines === '') sessionStorage.removeItem(keys.text)
    else keepInTab(keys.text, lines)
  }

  function forgetPlace(): void {
    sessionStorage.removeItem(keys.place)
    setPlace(null)
  }

  return {
    change,
    text,
    once,
    /** Where the work on the list was begun, if that matters; null where it was not. */
    place,
    unanswered: receiptKeys.unanswered,
    /** Begins with a list at a place. */
    begin: (location: string) => {
      keepInTab(keys.place, location)
      setPlace(location)
    },
    /** Of a delivery, what is in it no more was decided about: given again it is something else. */
    beginReceipts: receiptKeys.forgetOthers,
    setChange: (chosen: Change) => {
      keepInTab(keys.change, chosen.value)
      setChange(chosen)
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
