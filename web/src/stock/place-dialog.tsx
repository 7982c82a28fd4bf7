import type { LocationCode } from '@inventory-manager/contract/locations'
import type { StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import type { PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { useEffect, useRef, useState } from 'react'
import { useOnce } from '../api/once.ts'
import { placeName } from '../session/place-names.ts'
import { useFaults } from '../ui/use-faults.ts'
import type { DialogProps } from './edit-dialogs.tsx'
import { FormDialog } from './form-dialog.tsx'
import {
  PlacementFields,
  placementFaults,
  usePlacementEntry,
  type PlacementFaults,
  type TypedPlacement,
} from './placement-fields.tsx'
import { placeComponent } from './placing.ts'
import { LocationField } from './stock-fields.tsx'

/** What the fields begin with at a location. */
function placedIn(stock: readonly StockLine[], location: LocationCode): TypedPlacement {
  const line = stock.find((candidate) => candidate.location === location)
  return { bin: line?.bin ?? '', minimum: line?.minimum?.toString() ?? '' }
}

/** What differs from what was there: what is not sent stays, also where somebody else has changed it meanwhile. */
function changedOf({ bin, minimum }: TypedPlacement, before: TypedPlacement): Omit<PlacementRow, 'barcode'> {
  return {
    ...(bin.trim() === before.bin ? {} : { bin }),
    ...(minimum === before.minimum ? {} : { minimum: minimum === '' ? null : Number(minimum) }),
  }
}

type PlaceProps = DialogProps & {
  aliases: readonly string[]
  here: LocationCode
  stock: readonly StockLine[]
}

/** Says in which bin a component lies at a location, and from which stock on there is enough of it; emptied, nothing is said. */
export function PlaceDialog({ aliases, here, stock, ...props }: PlaceProps) {
  const [location, setLocation] = useState(here)
  const [before, setBefore] = useState(() => placedIn(stock, here))
  const entry = usePlacementEntry([props.barcode, ...aliases], before)
  const changed = changedOf(entry.typed, before)
  const isChanged = Object.keys(changed).length > 0
  const { faults, accept, forget } = useFaults<keyof PlacementFaults>()
  const once = useOnce()
  const binField = useRef<HTMLInputElement>(null)
  useEffect(() => binField.current?.focus(), [])

  function choose(chosen: LocationCode): void {
    const placed = placedIn(stock, chosen)
    setLocation(chosen)
    setBefore(placed)
    entry.type(placed)
    forget(placed)
  }

  async function save(form: HTMLFormElement): Promise<string | null> {
    if (!accept(placementFaults(entry.typed), form)) return null
    entry.ask(before)
    if (!isChanged) return `Bin and minimum at ${placeName(location)} stay as they are.`
    const row = { barcode: props.barcode, ...changed }
    await once({ location, ...row }, (idempotencyKey) => placeComponent(location, row, { idempotencyKey }))
    return `Bin and minimum at ${placeName(location)} saved.`
  }

  return (
    <FormDialog
      title={`Bins and minimums of ${props.barcode}`}
      submit="Save"
      onClose={props.onClose}
      onSaved={props.onSaved}
      save={save}
    >
      <LocationField
        value={location}
        stock={new Map(stock.map((line) => [line.location, line.quantity]))}
        // What was typed here is not lost, nor taken for another place.
        hint="Save before you choose another."
        disabled={isChanged}
        onChange={choose}
      />
      <PlacementFields
        entry={entry}
        labels={{ bin: 'Bin', minimum: 'Minimum' }}
        faults={faults}
        forget={forget}
        binField={binField}
      />
    </FormDialog>
  )
}
