import { unitCost } from '@inventory-manager/contract/money'
import { setUnitCosts } from '@inventory-manager/contract/stock/cost-endpoints'
import { ApiError } from '../api/api-error.ts'
import { call, type CallOptions } from '../api/client.ts'
import { noneInUse } from './placing.ts'

const typed = /^(?:\d+[.,]?\d*|[.,]\d+)$/

/** What was typed as the cost of one piece, with a point or a comma; null for nothing, NaN for what is no number. */
export function typedUnitCost(text: string): number | null {
  if (text === '') return null
  return typed.test(text) ? Number(text.replace(',', '.')) : NaN
}

/** What is wrong with the cost of one piece as it was typed, as the server says it; null where nothing is. */
export function unitCostFault(text: string): string | null {
  const { error } = unitCost.nullable().safeParse(typedUnitCost(text))
  return error === undefined ? null : `Unit cost ${error.issues[0]?.message ?? 'must be a number.'}`
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
