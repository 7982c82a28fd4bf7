import { isDeepStrictEqual } from 'node:util'
import { mostSkusNamed, recordImportedValues } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { namesPlacements } from './placement-queries.ts'
import type { ImportRow } from './queries.ts'
import { listDescribed, listPlaced, type Said } from './said-queries.ts'

type OfImport = Pick<ImportRow, 'id' | 'name' | 'fields'>

/** What an import said of components that were there: one more of each than are named, where there are more. */
async function readSaid(tx: Tx, { id, fields }: OfImport) {
  const asked = { id, limit: mostSkusNamed + 1 }
  return {
    described: fields.includes('description') ? await listDescribed(tx, asked) : [],
    placed: namesPlacements(fields) ? await listPlaced(tx, asked) : [],
  }
}

const placeOf = ({ sku, location }: Pick<Said<unknown>, 'sku' | 'location'>) =>
  location === undefined ? { sku } : { sku, location }

const taken = <Value>(said: Said<Value>[]) =>
  said.map((each) => ({ ...placeOf(each), before: each.before, after: each.made }))

/** Records each description, bin and minimum that an import changed, unless they are more than are named. */
export async function recordSaid(tx: Tx, actor: Actor, done: OfImport): Promise<void> {
  const { described, placed } = await readSaid(tx, done)
  const facts = { import_id: done.id, file: done.name }
  await recordImportedValues(tx, actor, { event: 'description_changed', changes: taken(described), facts })
  await recordImportedValues(tx, actor, { event: 'placement_changed', changes: taken(placed), facts })
}

/** What the same components were said to be earlier and are later, where that is another. */
function putBack<Value>(earlier: Said<Value>[], later: Said<Value>[]) {
  if (earlier.length > mostSkusNamed) return []
  const was = new Map(earlier.map((each) => [JSON.stringify(placeOf(each)), each.now]))
  return later.flatMap((each) => {
    const before = was.get(JSON.stringify(placeOf(each)))
    const isSame = before === undefined || isDeepStrictEqual(before, each.now)
    return isSame ? [] : [{ ...placeOf(each), before, after: each.now }]
  })
}

/** Records, of an undo, what it put back of that: compares with what was said as this is called. */
export async function followUndo(tx: Tx, actor: Actor, done: OfImport): Promise<() => Promise<void>> {
  const earlier = await readSaid(tx, done)
  const facts = { import_id: done.id, file: done.name }
  return async () => {
    const later = await readSaid(tx, done)
    const described = putBack(earlier.described, later.described)
    await recordImportedValues(tx, actor, { event: 'description_changed', changes: described, facts })
    const placed = putBack(earlier.placed, later.placed)
    await recordImportedValues(tx, actor, { event: 'placement_changed', changes: placed, facts })
  }
}
