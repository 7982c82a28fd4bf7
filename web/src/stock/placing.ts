import type { LocationCode } from '@inventory-manager/contract/locations'
import { setUnitCosts, type CostRow } from '@inventory-manager/contract/stock/cost-endpoints'
import { placeComponents, type PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { ApiError } from '../api/api-error.ts'
import { call, type CallOptions } from '../api/client.ts'

export const noneInUse = 'There is no component in use with this barcode.'

/** Places components, and gives the barcodes that mean none in use. */
async function place(location: LocationCode, components: PlacementRow[], options: CallOptions) {
  const { not_found: missing } = await call(placeComponents, { body: { location, components } }, options)
  return new Set(missing)
}

/** Places one component. Of several the server only names those that nothing in use is known by: of one it is a refusal. */
export async function placeComponent(
  location: LocationCode,
  row: PlacementRow,
  options: CallOptions,
): Promise<void> {
  const missing = await place(location, [row], options)
  if (missing.size > 0) throw new ApiError(noneInUse, { kind: 'reply', status: 404, code: 'not_found' })
}

/** Gives those of some barcodes that mean no component in use: a row that says nothing of its component changes nothing. */
async function listUnknown(location: LocationCode, codes: readonly string[], options: CallOptions) {
  return await place(
    location,
    codes.map((barcode) => ({ barcode })),
    options,
  )
}

/** What is said of a component that one of some codes means, the first that does. */
export type Wanted<S> = { codes: readonly string[]; said: S }

type Setting<S> = {
  /** One of the plan. */
  location: LocationCode
  options: CallOptions
  /** Sets what rows say, and gives the barcodes that mean no component in use. */
  set: (rows: (S & { barcode: string })[]) => Promise<ReadonlySet<string>>
}

/** Sets what is said of several components in their order, and gives those that nothing in use is known by. */
async function setSeveral<S, W extends Wanted<S>>(
  wanted: readonly W[],
  { location, options, set }: Setting<S>,
): Promise<W[]> {
  const codes = wanted.flatMap((each) => each.codes)
  const unknown =
    codes.length > wanted.length ? await listUnknown(location, codes, options) : new Set<string>()
  const rows = wanted.map((each) => {
    const barcode = each.codes.find((code) => !unknown.has(code)) ?? each.codes.at(-1) ?? ''
    return { barcode, ...each.said }
  })
  const missing = await set(rows)
  return wanted.filter((_, index) => missing.has(rows[index]?.barcode ?? ''))
}

/** As setSeveral, of bins and minimums at a location. */
export async function placeSeveral<W extends Wanted<Omit<PlacementRow, 'barcode'>>>(
  location: LocationCode,
  wanted: readonly W[],
  options: CallOptions,
): Promise<W[]> {
  return await setSeveral<Omit<PlacementRow, 'barcode'>, W>(wanted, {
    location,
    options,
    set: (rows) => place(location, rows, options),
  })
}

/** As setSeveral, of unit costs; the location only serves to ask at. */
export async function costSeveral<W extends Wanted<Omit<CostRow, 'barcode'>>>(
  location: LocationCode,
  wanted: readonly W[],
  options: CallOptions,
): Promise<W[]> {
  return await setSeveral<Omit<CostRow, 'barcode'>, W>(wanted, {
    location,
    options,
    set: async (components) =>
      new Set((await call(setUnitCosts, { body: { components } }, options)).not_found),
  })
}
