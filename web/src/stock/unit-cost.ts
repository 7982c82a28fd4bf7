import { readUnitCost } from '@inventory-manager/contract/amounts'
import { maxUnitCost } from '@inventory-manager/contract/money'
import { setUnitCosts } from '@inventory-manager/contract/stock/cost-endpoints'
import { ApiError } from '../api/api-error.ts'
import { call, type CallOptions } from '../api/client.ts'
import { formatAmount, ownDecimalSign } from '../lib/numbers.ts'
import { noneInUse } from './placing.ts'

/** What was typed as the cost of one piece; null for nothing, and with a fault. */
type TypedCost = { cost: number | null; fault: null } | { cost: null; fault: string }

/** Reads the cost of one piece as it was typed: as in files, and 1.234 as it is written where this browser is used. */
export function readTypedCost(text: string): TypedCost {
  if (text === '') return { cost: null, fault: null }
  const read = readUnitCost(text, ownDecimalSign)
  if (typeof read === 'number') return { cost: read, fault: null }
  const taken = `an amount from 0 to ${formatAmount(maxUnitCost)}, such as ${formatAmount(1234.5)}`
  const fault =
    read === 'too_small'
      ? `Unit cost must be 0, or ${formatAmount(0.0001)} and more.`
      : `Unit cost must be ${taken}.`
  return { cost: null, fault }
}

/** A unit cost as it is typed, so that it is read as itself. */
export function unitCostText(cost: number | null): string {
  return cost === null ? '' : String(cost).replace('.', ownDecimalSign)
}

/** What pieces are worth, without what multiplying such fractions adds: a unit cost has four decimals at most. */
export function worthOf(quantity: number, cost: number): number {
  return (quantity * Math.round(cost * 10_000)) / 10_000
}

/** Sets what one piece of a component costs. Of several the server only names those that nothing in use is known by: of one it is a refusal. */
export async function saveUnitCost(
  barcode: string,
  cost: number | null,
  options: CallOptions,
): Promise<void> {
  const body = { components: [{ barcode, unit_cost: cost }] }
  const { not_found: missing } = await call(setUnitCosts, { body }, options)
  if (missing.length > 0) throw new ApiError(noneInUse, { kind: 'reply', status: 404, code: 'not_found' })
}
