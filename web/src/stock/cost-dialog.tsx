import { money, unitMoney } from '@inventory-manager/contract/money'
import { useEffect, useRef, useState } from 'react'
import { useOnce } from '../api/once.ts'
import { formatAmount, formatNumber } from '../lib/numbers.ts'
import { useFaults } from '../ui/use-faults.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import type { DialogProps } from './edit-dialogs.tsx'
import { FormDialog } from './form-dialog.tsx'
import { UnitCostField } from './stock-fields.tsx'
import { readTypedCost, saveUnitCost, unitCostText, worthOf } from './unit-cost.ts'

/** How what was typed is understood. */
function outcomeOf(text: string, { currency, total }: Pick<CostProps, 'currency' | 'total'>): string {
  const { cost } = readTypedCost(text)
  if (cost === null) return ''
  return `${formatNumber(total)} in stock at ${unitMoney(cost, currency)}: ${money(worthOf(total, cost), currency)}`
}

type CostProps = DialogProps & { unitCost: number | null; currency: string; total: number }

/** Says what one piece of a component costs; emptied, nothing is said any more. */
export function CostDialog({ unitCost, currency, total, ...props }: CostProps) {
  const [before] = useState(unitCost)
  const [cost, setCost] = useState(() => unitCostText(unitCost))
  const { faults, accept, forget } = useFaults<'unit_cost'>()
  const once = useOnce()
  const doubt = useDoubtfulQuantity(props.barcode, 'unit cost')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  async function save(form: HTMLFormElement): Promise<string | null> {
    const { cost: read, fault } = readTypedCost(cost)
    if (!accept(fault === null ? {} : { unit_cost: fault }, form)) return null
    if (read === before) return 'The unit cost stays as it is.'
    if (read !== null) doubt.ask(cost, { number: read, shown: formatAmount(read) })
    await once(read, (idempotencyKey) => saveUnitCost(props.barcode, read, { idempotencyKey }))
    return read === null
      ? 'No unit cost is said any more.'
      : `One piece costs ${unitMoney(read, currency)} now.`
  }

  return (
    <FormDialog
      title={`Unit cost of ${props.barcode}`}
      submit="Save"
      onClose={props.onClose}
      onSaved={props.onSaved}
      save={save}
    >
      <UnitCostField
        ref={field}
        value={cost}
        currency={currency}
        outcome={outcomeOf(cost, { currency, total })}
        error={faults.unit_cost}
        onKeyDown={doubt.follow}
        onChange={(typed) => {
          doubt.forget()
          setCost(typed)
          forget({ unit_cost: typed })
        }}
      />
    </FormDialog>
  )
}
