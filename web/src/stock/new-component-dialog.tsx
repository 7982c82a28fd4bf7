import { getLocation } from '@inventory-manager/contract/locations'
import { unitMoney } from '@inventory-manager/contract/money'
import { maxDescriptionLength } from '@inventory-manager/contract/values'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useLocation } from 'wouter'
import { formatAmount, formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { readCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { readScannerSettings } from '../scanning/settings.ts'
import { useCompanyCurrency } from '../session/company-settings.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useShown } from '../ui/use-shown.ts'
import { barcodeFault } from './barcode-fault.ts'
import type { Begun } from './begun-component.ts'
import { nothingSaid, useCreating, useSavingRest, type Rest } from './creating.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import { goOnAtEnter } from './enter-key.ts'
import { FormDialog } from './form-dialog.tsx'
import { PlacementFields, placementFaults, usePlacementEntry } from './placement-fields.tsx'
import { UnitCostField } from './stock-fields.tsx'
import { readTypedCost } from './unit-cost.ts'
import { optionalNumberFault } from './whole-number.ts'

type Faults = { barcode?: string; quantity?: string }
type RestFaults = { bin?: string; minimum?: string; unit_cost?: string }

function faultsOf({ barcode, quantity }: { barcode: string; quantity: string }): Faults {
  const faults: Faults = {}
  const ofBarcode = barcodeFault(barcode)
  if (ofBarcode !== null) faults.barcode = ofBarcode
  const ofQuantity = optionalNumberFault(quantity)
  if (ofQuantity !== null) faults.quantity = ofQuantity
  return faults
}

function restFaults({ placement, cost }: Rest): RestFaults {
  const { fault: ofCost } = readTypedCost(cost)
  return { ...placementFaults(placement), ...(ofCost === null ? {} : { unit_cost: ofCost }) }
}

/** What is typed of a component beside what it is. */
function useRestEntry(barcode: string) {
  const placement = usePlacementEntry([barcode], nothingSaid)
  const [cost, setCost] = useState('')
  const doubt = useDoubtfulQuantity(barcode, 'unit cost')
  return {
    placement,
    typed: { placement: placement.typed, cost },
    followCost: doubt.follow,
    typeCost(typed: string): void {
      doubt.forget()
      setCost(typed)
    },
    /** Throws what is to be asked of it. */
    ask(): void {
      placement.ask(nothingSaid)
      const { cost: read } = readTypedCost(cost)
      if (read !== null) doubt.ask(cost, { number: read, shown: formatAmount(read) })
    },
  }
}

type RestFieldsProps = {
  entry: ReturnType<typeof useRestEntry>
  place: string
  faults: RestFaults
  forget: (changed: object) => void
  fold: RefObject<HTMLDetailsElement | null>
}

/** Shows the first of the fields that were unfolded, unless somebody is in one of them already. */
function showFirst({ open }: HTMLDetailsElement, fields: HTMLElement | null): void {
  if (!open || fields?.contains(document.activeElement) === true) return
  fields?.querySelector('input')?.parentElement?.scrollIntoView({ block: 'nearest' })
}

/** An amount as it is understood, without its currency as long as nobody knows that. */
function pieceOf(cost: number, currency: string | null): string {
  return currency === null ? formatAmount(cost) : unitMoney(cost, currency)
}

/** Folded away, because most components begin without it. */
function RestFields({ entry, place, faults, forget, fold }: RestFieldsProps) {
  const currency = useCompanyCurrency()
  const { cost } = readTypedCost(entry.typed.cost)
  const fields = useRef<HTMLDivElement>(null)
  return (
    <details ref={fold} onToggle={({ currentTarget }) => showFirst(currentTarget, fields.current)}>
      <summary className="min-h-12 cursor-pointer content-center text-sm font-medium lg:min-h-9">
        More: bin, minimum, unit cost
      </summary>
      <div ref={fields} className="flex flex-col gap-4 pt-2">
        <PlacementFields
          entry={entry.placement}
          labels={{ bin: `Bin at ${place}`, minimum: `Minimum at ${place}` }}
          faults={faults}
          forget={forget}
        />
        <UnitCostField
          value={entry.typed.cost}
          currency={currency}
          outcome={cost === null ? '' : `${pieceOf(cost, currency)} a piece`}
          error={faults.unit_cost}
          onKeyDown={entry.followCost}
          onChange={(typed) => {
            entry.typeCost(typed)
            forget({ unit_cost: typed })
          }}
        />
      </div>
    </details>
  )
}

type Own = Begun & { quantity: string }

type OwnFieldsProps = {
  own: Own
  type: (part: Partial<Own>) => void
  place: string
  faults: Faults
  followQuantity: (event: KeyboardEvent) => void
  disabled: boolean
}

/** What a component is, and how much of it is here. */
function OwnFields({ own, type, place, faults, followQuantity, disabled }: OwnFieldsProps) {
  const [isGiven] = useState(own.barcode !== '')
  const barcodeField = useRef<HTMLInputElement>(null)
  const descriptionField = useRef<HTMLInputElement>(null)
  useEffect(() => (isGiven ? descriptionField : barcodeField).current?.focus(), [isGiven])
  return (
    <>
      <TextField
        ref={barcodeField}
        label="Barcode"
        name="barcode"
        hint="Scan or type it."
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        disabled={disabled}
        value={own.barcode}
        error={faults.barcode}
        onKeyDown={(event) => goOnAtEnter(event, descriptionField.current)}
        onChange={(event) => type({ barcode: event.target.value })}
      />
      <TextField
        ref={descriptionField}
        label="Description"
        name="description"
        hint="Optional."
        autoComplete="off"
        maxLength={maxDescriptionLength}
        disabled={disabled}
        value={own.description}
        onChange={(event) => type({ description: event.target.value })}
      />
      <TextField
        label={`Stock at ${place}`}
        name="quantity"
        hint="Optional: what is there now."
        inputMode="numeric"
        autoComplete="off"
        disabled={disabled}
        value={own.quantity}
        error={faults.quantity}
        onKeyDown={followQuantity}
        onChange={(event) => type({ quantity: event.target.value.trim() })}
      />
    </>
  )
}

type MadeProps = { barcode: string; quantity: string; place: string; left: string[] }

/** What is there of a component, and what of the rest could not be saved. */
function Made({ barcode, quantity, place, left }: MadeProps) {
  const held = quantity === '' ? '' : `, with ${formatNumber(Number(quantity))} at ${place}`
  return (
    <Banner tone="warn">
      {barcode} was created{held}.{left.length > 0 && ` Still to be saved: ${left.join(', ')}.`}
    </Banner>
  )
}

/** Leads to a component, once however often it is asked to. */
function useLeading(): (barcode: string) => void {
  const [, navigate] = useLocation()
  const isLed = useRef(false)
  return (barcode) => {
    if (isLed.current) return
    isLed.current = true
    navigate(componentPath(barcode))
  }
}

/** Makes one component, with the stock that is here, its bin and minimum here and its unit cost where somebody gives them, and shows it. */
export function NewComponentDialog({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const { location } = useLocatedSession()
  const { quantityField } = getLocation(location)
  const [own, setOwn] = useState<Own>({ ...begun, quantity: '' })
  const rest = useRestEntry(own.barcode)
  /** Where the rest could not be saved. */
  const [made, setMade] = useState<string | null>(null)
  const { faults, accept, forget } = useFaults<keyof Faults | keyof RestFaults>()
  const doubt = useDoubtfulQuantity(own.barcode)
  const create = useCreating()
  const saving = useSavingRest(location)
  const company = useScannersOfCompany()
  const lead = useLeading()
  const isShown = useShown()
  const fold = useRef<HTMLDetailsElement>(null)

  /** Whether it is a component now; why not stands beside its barcode. */
  async function make(code: string, form: HTMLFormElement): Promise<boolean> {
    const { description, quantity } = own
    const stock = quantity === '' ? {} : { [quantityField]: Number(quantity) }
    const words = description.trim()
    const fault = await create({ barcode: code, ...(words === '' ? {} : { description: words }), ...stock })
    return accept(fault === null ? {} : { barcode: fault }, form)
  }

  async function save(form: HTMLFormElement): Promise<string | null> {
    // As a count reads a code that it does not know.
    const code = made ?? readCode(own.barcode, readScannerSettings(company), () => false).code
    const ofRest = restFaults(rest.typed)
    // What is wrong is seen, and its field can be gone to.
    if (fold.current !== null && Object.keys(ofRest).length > 0) fold.current.open = true
    if (!accept({ ...faultsOf({ ...own, barcode: code }), ...ofRest }, form)) return null
    if (made === null && own.quantity !== '') doubt.ask(own.quantity)
    rest.ask()
    if (made === null && !(await make(code, form))) return null
    try {
      await saving.save(code, rest.typed)
    } catch (error) {
      setMade(code)
      throw error
    }
    return code
  }

  return (
    <FormDialog
      title="New component"
      submit={made === null ? 'Create' : 'Save the rest'}
      leave={made === null ? 'Cancel' : 'Close'}
      onClose={() => {
        onClose()
        if (made !== null) lead(made)
      }}
      onSaved={(created) => {
        // Who has cancelled is somewhere else, with what they type next.
        if (isShown()) lead(created)
      }}
      save={save}
    >
      {made !== null && (
        <Made
          barcode={made}
          quantity={own.quantity}
          place={placeName(location)}
          left={saving.left(rest.typed)}
        />
      )}
      <OwnFields
        own={own}
        type={(part) => {
          if (part.quantity !== undefined) doubt.forget()
          setOwn({ ...own, ...part })
          forget(part)
        }}
        place={placeName(location)}
        faults={faults}
        followQuantity={doubt.follow}
        disabled={made !== null}
      />
      <RestFields entry={rest} place={placeName(location)} faults={faults} forget={forget} fold={fold} />
    </FormDialog>
  )
}
