import { money, unitMoney } from '@inventory-manager/contract/money'
import { useEffect, useRef, useState } from 'react'
import { useOnce } from '../api/once.ts'
import { formatAmount, formatNumber } from '../lib/numbers.ts'
import { useFaults } from '../ui/use-faults.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import { FormDialog } from './form-dialog.tsx'
import { UnitCostField } from './stock-fields.tsx'
import { readTypedCost, saveUnitCost, unitCostText, worthOf } from './unit-cost.ts'

/** What was done; `removed`: the cost that is said no more. */
export type SavedCost = { words: string; removed: number | null }

type CostProps = {
  barcode: string
  /** As it is now, also where somebody else set it while the dialog is open. */
  unitCost: number | null
  currency: string
  total: number
  onClose: () => void
  onSaved: (saved: SavedCost) => void
}

/** How what was typed is understood. */
function outcomeOf(text: string, { currency, total }: Pick<CostProps, 'currency' | 'total'>): string {
  const { cost } = readTypedCost(text)
  if (cost === null) return ''
  return `${formatNumber(total)} in stock at ${unitMoney(cost, currency)}: ${money(worthOf(total, cost), currency)}`
}

/** Tells what others have made of the cost while it is typed. */
function useMeanwhile({ unitCost, currency }: Pick<CostProps, 'unitCost' | 'currency'>) {
  const [before] = useState(unitCost)
  const told = useRef(unitCost)
  /** What was sent: its answer may have been lost. */
  const sent = useRef<{ cost: number | null } | null>(null)
  const words =
    unitCost === null
      ? 'The unit cost was removed meanwhile.'
      : `It was set to ${unitMoney(unitCost, currency)} meanwhile.`
  return {
    /** Why nothing is to be saved; null where something is. */
    settled(cost: number | null): string | null {
      if (sent.current?.cost === cost || (cost !== before && cost !== unitCost)) return null
      return unitCost === before ? 'The unit cost stays as it is.' : words
    },
    /** Throws once what would be overwritten. */
    ask(cost: number | null): void {
      const isKnown = unitCost === told.current || unitCost === sent.current?.cost
      told.current = unitCost
      if (isKnown) return
      const wanted = cost === null ? 'removed' : unitMoney(cost, currency)
      throw new Error(`${words} If it is to be ${wanted}, press the button once more.`)
    },
    send(cost: number | null): void {
      sent.current = { cost }
    },
  }
}

/** Says what one piece of a component costs; emptied, nothing is said any more. */
export function CostDialog({ unitCost, currency, total, ...props }: CostProps) {
  const [cost, setCost] = useState(() => unitCostText(unitCost))
  const { faults, accept, forget } = useFaults<'unit_cost'>()
  const once = useOnce()
  const doubt = useDoubtfulQuantity(props.barcode, 'unit cost')
  const meanwhile = useMeanwhile({ unitCost, currency })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])

  async function save(form: HTMLFormElement): Promise<SavedCost | null> {
    const { cost: read, fault } = readTypedCost(cost)
    if (!accept(fault === null ? {} : { unit_cost: fault }, form)) return null
    const settled = meanwhile.settled(read)
    if (settled !== null) return { words: settled, removed: null }
    meanwhile.ask(read)
    if (read !== null) doubt.ask(cost, { number: read, shown: formatAmount(read) })
    meanwhile.send(read)
    await once(read, (idempotencyKey) => saveUnitCost(props.barcode, read, { idempotencyKey }))
    if (read !== null) return { words: `One piece costs ${unitMoney(read, currency)} now.`, removed: null }
    const was = unitCost === null ? '' : ` It was ${unitMoney(unitCost, currency)}.`
    return { words: `Unit cost removed.${was}`, removed: unitCost }
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
