import { findLocation } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import type { UnknownCode } from '@inventory-manager/contract/unknown-codes/endpoints'
import { unknownCodeMessages } from '@inventory-manager/contract/unknown-codes/messages'
import { useState } from 'react'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { TextField } from '../ui/field.tsx'
import type { TypedStock } from './queries.ts'

/** What is typed as the stock at each location where a code was counted, which is what was counted there until somebody changes it. */
export function useStockAt(counted: UnknownCode['counted'] = []) {
  const { user } = useLocatedSession()
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const places = counted.flatMap((at): TypedStock[] => {
    const location = findLocation(at.location)?.code
    if (location === undefined || !planOffers(user.plan, location)) return []
    return [{ location, typed: typed.get(location) ?? String(at.quantity) }]
  })
  const type = ({ location, typed: text }: TypedStock) => setTyped(new Map([...typed, [location, text]]))
  return { places, type }
}

type StockFieldsProps = { places: readonly TypedStock[]; onType: (stock: TypedStock) => void }

/** Asks how many pieces of a new component there are, where it was counted. */
export function StockFields({ places, onType }: StockFieldsProps) {
  return places.map(({ location, typed }) => (
    <TextField
      key={location}
      label={unknownCodeMessages.stockAt(placeName(location))}
      hint={unknownCodeMessages.stockHint}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => onType({ location, typed: event.target.value })}
    />
  ))
}
