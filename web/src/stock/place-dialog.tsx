import type { LocationCode } from '@inventory-manager/contract/locations'
import type { StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import type { PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { placeName } from '@inventory-manager/contract/stock/places'
import { useEffect, useRef, useState } from 'react'
import { useOnce } from '../api/once.ts'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import type { DialogProps } from './edit-dialogs.tsx'
import { goOnAtEnter } from './enter-key.ts'
import { FormDialog } from './form-dialog.tsx'
import { placeComponent } from './placing.ts'
import { binFault, useScannedBin } from './scanned-bin.ts'
import { LocationField } from './stock-fields.tsx'
import { optionalNumberFault } from './whole-number.ts'

/** What the fields begin with at a location. */
function placedIn(stock: readonly StockLine[], location: LocationCode) {
  const line = stock.find((candidate) => candidate.location === location)
  return { location, bin: line?.bin ?? '', minimum: line?.minimum?.toString() ?? '' }
}

type Entered = { bin: string; minimum: string }

/** What differs from what was there: what is not sent stays, also where somebody else has changed it meanwhile. */
function changedOf({ bin, minimum }: Entered, before: Entered): Omit<PlacementRow, 'barcode'> {
  return {
    ...(bin.trim() === before.bin ? {} : { bin }),
    ...(minimum === before.minimum ? {} : { minimum: minimum === '' ? null : Number(minimum) }),
  }
}

type Faults = { bin?: string; minimum?: string }

function faultsOf({ bin, minimum }: Entered): Faults {
  const faults: Faults = {}
  const ofBin = binFault(bin.trim())
  if (ofBin !== null) faults.bin = ofBin
  const ofMinimum = optionalNumberFault(minimum)
  if (ofMinimum !== null) faults.minimum = ofMinimum
  return faults
}

type PlaceProps = DialogProps & {
  aliases: readonly string[]
  here: LocationCode
  stock: readonly StockLine[]
}

/** Says in which bin a component lies at a location, and from which stock on there is enough of it; emptied, nothing is said. */
export function PlaceDialog({ aliases, here, stock, ...props }: PlaceProps) {
  const [before, setBefore] = useState(() => placedIn(stock, here))
  const [bin, setBin] = useState(before.bin)
  const [minimum, setMinimum] = useState(before.minimum)
  const isChanged = Object.keys(changedOf({ bin, minimum }, before)).length > 0
  const { faults, accept, forget } = useFaults<keyof Faults>()
  const once = useOnce()
  const doubt = useDoubtfulQuantity(props.barcode, 'minimum')
  const scanned = useScannedBin([props.barcode, ...aliases])
  const binField = useRef<HTMLInputElement>(null)
  const minimumField = useRef<HTMLInputElement>(null)
  useEffect(() => binField.current?.focus(), [])

  function changeBin(text: string): void {
    setBin(text)
    forget({ bin })
  }

  function changeMinimum(text: string): void {
    doubt.forget()
    setMinimum(text)
    forget({ minimum })
  }

  function choose(location: LocationCode): void {
    const placed = placedIn(stock, location)
    setBefore(placed)
    changeBin(placed.bin)
    changeMinimum(placed.minimum)
  }

  async function save(form: HTMLFormElement): Promise<string | null> {
    if (!accept(faultsOf({ bin, minimum }), form)) return null
    if (bin !== before.bin) scanned.ask(bin)
    if (minimum !== '' && minimum !== before.minimum) doubt.ask(minimum)
    const { location } = before
    if (!isChanged) return `Bin and minimum at ${placeName(location)} stay as they are.`
    const row = { barcode: props.barcode, ...changedOf({ bin, minimum }, before) }
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
        value={before.location}
        stock={new Map(stock.map((line) => [line.location, line.quantity]))}
        // What was typed here is not lost, nor taken for another place.
        hint="Save before you choose another."
        disabled={isChanged}
        onChange={choose}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          ref={binField}
          label="Bin"
          name="bin"
          hint="Optional: where it lies, such as A-03-2."
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          value={bin}
          error={faults.bin}
          // A scan takes the place of what was there.
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => {
            const code = scanned.follow(event)
            if (code !== null) changeBin(code)
            goOnAtEnter(event, minimumField.current)
          }}
          onChange={(event) => changeBin(event.target.value)}
        />
        <TextField
          ref={minimumField}
          label="Minimum"
          name="minimum"
          hint="Optional: below this stock it is low there."
          inputMode="numeric"
          autoComplete="off"
          value={minimum}
          error={faults.minimum}
          onKeyDown={doubt.follow}
          onChange={(event) => changeMinimum(event.target.value.trim())}
        />
      </div>
    </FormDialog>
  )
}
