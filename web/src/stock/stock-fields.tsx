import { findLocation, locations, type LocationCode } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import type { ComponentProps } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { CostsCurrency } from '../session/costs-currency.tsx'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { SelectField } from '../ui/field.tsx'
import { SentencesField } from '../ui/sentences-field.tsx'
import { UnitField } from '../ui/unit-field.tsx'

type LocationFieldProps = {
  value: LocationCode
  stock: ReadonlyMap<string, number>
  hint?: string
  disabled?: boolean
  onChange: (location: LocationCode) => void
}

/** Where stock is changed: the locations of the plan, with what is there now. */
export function LocationField({ value, stock, onChange, ...field }: LocationFieldProps) {
  const { user } = useLocatedSession()
  const open = locations.filter(({ code }) => planOffers(user.plan, code))
  return (
    <SelectField
      {...field}
      label="Location"
      options={open.map(({ code }) => ({
        value: code,
        label: `${placeName(code)} (${formatNumber(stock.get(code) ?? 0)})`,
      }))}
      value={value}
      onChange={(event) => onChange(findLocation(event.target.value)?.code ?? value)}
    />
  )
}

/** Why stock changes, in one's own words. */
export function NoteField(
  props: Pick<ComponentProps<typeof SentencesField>, 'hint' | 'value' | 'error' | 'onChange'>,
) {
  return <SentencesField {...props} label="Note" name="note" maxLength={500} />
}

type UnitCostFieldProps = Pick<
  ComponentProps<typeof UnitField>,
  'ref' | 'value' | 'outcome' | 'error' | 'onKeyDown'
> & {
  /** Null as long as nobody knows it. */
  currency: string | null
  onChange: (cost: string) => void
}

/** What one piece costs, in the currency of the company. */
export function UnitCostField({ currency, onChange, ...field }: UnitCostFieldProps) {
  return (
    <>
      <UnitField
        {...field}
        label="Unit cost"
        name="unit_cost"
        hint="Optional: what one piece costs, with up to four decimals."
        unit={currency ?? ''}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <CostsCurrency />
    </>
  )
}
