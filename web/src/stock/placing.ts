import type { LocationCode } from '@inventory-manager/contract/locations'
import { setUnitCosts, type CostRow } from '@inventory-manager/contract/stock/cost-endpoints'
import { keepComponents, type KeptRefusal } from '@inventory-manager/contract/stock/kept-endpoints'
import { placeComponents, type PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { ApiError } from '../api/api-error.ts'
import { call, type CallOptions } from '../api/client.ts'
import { placeName } from '../session/place-names.ts'

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

/** Why something was not done with some barcodes. */
type Refused = ReadonlyMap<string, string>

type Setting<S> = {
  /** One of the plan. */
  location: LocationCode
  options: CallOptions
  /** Sets what rows say, and gives the barcodes of which it was not, with the reason. */
  set: (rows: (S & { barcode: string })[]) => Promise<Refused>
}

/** Sets what is said of several components in their order, and gives those of which it was not, with the reason. */
async function setSeveral<S, W extends Wanted<S>>(
  wanted: readonly W[],
  { location, options, set }: Setting<S>,
): Promise<Map<W, string>> {
  const codes = wanted.flatMap((each) => each.codes)
  const unknown =
    codes.length > wanted.length ? await listUnknown(location, codes, options) : new Set<string>()
  const rows = wanted.map((each) => {
    const barcode = each.codes.find((code) => !unknown.has(code)) ?? each.codes.at(-1) ?? ''
    return { barcode, ...each.said }
  })
  const refused = await set(rows)
  const left = new Map<W, string>()
  for (const [index, each] of wanted.entries()) {
    const reason = refused.get(rows[index]?.barcode ?? '')
    if (reason !== undefined) left.set(each, reason)
  }
  return left
}

const missingOf = (barcodes: Iterable<string>): Refused =>
  new Map([...barcodes].map((barcode) => [barcode, noneInUse]))

/** As setSeveral, of bins and minimums at a location. */
export async function placeSeveral<W extends Wanted<Omit<PlacementRow, 'barcode'>>>(
  location: LocationCode,
  wanted: readonly W[],
  options: CallOptions,
): Promise<Map<W, string>> {
  return await setSeveral<Omit<PlacementRow, 'barcode'>, W>(wanted, {
    location,
    options,
    set: async (rows) => missingOf(await place(location, rows, options)),
  })
}

/** As setSeveral, of unit costs; the location only serves to ask at. */
export async function costSeveral<W extends Wanted<Omit<CostRow, 'barcode'>>>(
  location: LocationCode,
  wanted: readonly W[],
  options: CallOptions,
): Promise<Map<W, string>> {
  return await setSeveral<Omit<CostRow, 'barcode'>, W>(wanted, {
    location,
    options,
    set: async (components) =>
      missingOf((await call(setUnitCosts, { body: { components } }, options)).not_found),
  })
}

/** Why a location cannot leave a component out. */
const keptReasons: Record<KeptRefusal, string> = {
  stock: 'There is stock of it there.',
  on_its_way: 'Some of it is on its way there.',
  difference: 'A difference waits there for a decision.',
  weekly: 'It is on a weekly list there.',
}

/** Whether a location keeps components, or leaves them out of its counts. */
type Keeping = { location: LocationCode; kept: boolean }

async function keep(keeping: Keeping & { barcodes: string[] }, options: CallOptions): Promise<Refused> {
  const { not_found: missing, refused } = await call(keepComponents, { body: keeping }, options)
  const reasons = refused.map(({ barcode, reason }) => [barcode, keptReasons[reason]] as const)
  return new Map([...missingOf(missing), ...reasons])
}

/** Says it of one component. Of several the server names those that it refuses: of one it is a refusal. */
export async function keepComponent(keeping: Keeping, barcode: string): Promise<void> {
  const reason = (await keep({ ...keeping, barcodes: [barcode] }, {})).get(barcode)
  if (reason === undefined) return
  throw new ApiError(`${placeName(keeping.location)}: ${reason}`, {
    kind: 'reply',
    status: 409,
    code: 'component_in_use',
  })
}

/** As setSeveral, of whether a location keeps them. */
export async function keepSeveral<W extends Wanted<object>>(
  { location, kept }: Keeping,
  wanted: readonly W[],
  options: CallOptions,
): Promise<Map<W, string>> {
  return await setSeveral<object, W>(wanted, {
    location,
    options,
    set: async (rows) => {
      const barcodes = rows.map(({ barcode }) => barcode)
      return await keep({ location, kept, barcodes }, options)
    },
  })
}
