import type { LocationCode } from '@inventory-manager/contract/locations'
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

/** What is said of a component that one of some codes means, the first that does. */
export type Wanted = { codes: readonly string[]; said: Omit<PlacementRow, 'barcode'> }

/** Places several components in their order, and gives those that nothing in use is known by. */
export async function placeSeveral<W extends Wanted>(
  location: LocationCode,
  wanted: readonly W[],
  options: CallOptions,
): Promise<W[]> {
  const codes = wanted.flatMap((each) => each.codes)
  // A row that says nothing of its component changes nothing: it only asks whether there is one.
  const asked = codes.map((barcode) => ({ barcode }))
  const unknown = codes.length > wanted.length ? await place(location, asked, options) : new Set<string>()
  const rows = wanted.map((each) => {
    const barcode = each.codes.find((code) => !unknown.has(code)) ?? each.codes.at(-1) ?? ''
    return { barcode, ...each.said }
  })
  const missing = await place(location, rows, options)
  return wanted.filter((_, index) => missing.has(rows[index]?.barcode ?? ''))
}
