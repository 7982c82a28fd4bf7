import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { TextField } from '../ui/field.tsx'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import { goOnAtEnter } from './enter-key.ts'
import { binFault, useScannedBin } from './scanned-bin.ts'
import { optionalNumberFault } from './whole-number.ts'

/** A bin and a minimum as they stand in their fields. */
export type TypedPlacement = { bin: string; minimum: string }

export type PlacementFaults = { bin?: string; minimum?: string }

/** What is wrong with what was typed, by field. */
export function placementFaults({ bin, minimum }: TypedPlacement): PlacementFaults {
  const faults: PlacementFaults = {}
  const ofBin = binFault(bin.trim())
  if (ofBin !== null) faults.bin = ofBin
  const ofMinimum = optionalNumberFault(minimum)
  if (ofMinimum !== null) faults.minimum = ofMinimum
  return faults
}

type Entry = {
  typed: TypedPlacement
  type: (part: Partial<TypedPlacement>) => void
  /** Throws what is to be asked of what differs from what was there. */
  ask: (before: TypedPlacement) => void
  followBin: (event: KeyboardEvent<HTMLInputElement>) => string | null
  followMinimum: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** What is typed of where a component with some barcodes lies. */
export function usePlacementEntry(barcodes: readonly string[], first: TypedPlacement): Entry {
  const [typed, setTyped] = useState(first)
  const doubt = useDoubtfulQuantity(barcodes[0] ?? '', 'minimum')
  const scanned = useScannedBin(barcodes)
  return {
    typed,
    type(part) {
      if (part.minimum !== undefined) doubt.forget()
      setTyped((now) => ({ ...now, ...part }))
    },
    ask(before) {
      const { bin, minimum } = typed
      if (bin !== before.bin) scanned.ask(bin)
      if (minimum !== '' && minimum !== before.minimum) doubt.ask(minimum)
    },
    followBin: scanned.follow,
    followMinimum: doubt.follow,
  }
}

type FieldsProps = {
  entry: Entry
  labels: { bin: string; minimum: string }
  faults: PlacementFaults
  /** What was said of a field is not true of what stands there now. */
  forget: (changed: Partial<TypedPlacement>) => void
  binField?: RefObject<HTMLInputElement | null>
}

/** In which bin something lies, scanned or typed, and from which stock on there is enough of it. */
export function PlacementFields({ entry, labels, faults, forget, binField }: FieldsProps) {
  const minimumField = useRef<HTMLInputElement>(null)
  const change = (part: Partial<TypedPlacement>) => {
    entry.type(part)
    forget(part)
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        ref={binField}
        label={labels.bin}
        name="bin"
        hint="Optional: where it lies, such as A-03-2."
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="next"
        value={entry.typed.bin}
        error={faults.bin}
        // A scan takes the place of what was there.
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          const code = entry.followBin(event)
          if (code !== null) change({ bin: code })
          goOnAtEnter(event, minimumField.current)
        }}
        onChange={(event) => change({ bin: event.target.value })}
      />
      <TextField
        ref={minimumField}
        label={labels.minimum}
        name="minimum"
        hint="Optional: below this stock it is low there."
        inputMode="numeric"
        autoComplete="off"
        value={entry.typed.minimum}
        error={faults.minimum}
        onKeyDown={entry.followMinimum}
        onChange={(event) => change({ minimum: event.target.value.trim() })}
      />
    </div>
  )
}
