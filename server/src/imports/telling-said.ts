import { isDeepStrictEqual } from 'node:util'
import { mostSkusNamed, recordComponentChanges, recordImportedValues } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { listAdded, namesOthers } from './alias-queries.ts'
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
    others: namesOthers(fields) ? await listAdded(tx, asked) : [],
  }
}

const placeOf = ({ sku, location }: Pick<Said<unknown>, 'sku' | 'location'>) =>
  location === undefined ? { sku } : { sku, location }

const taken = <Value>(said: Said<Value>[]) =>
  said.map((each) => ({ ...placeOf(each), before: each.before, after: each.made }))

type Others = Awaited<ReturnType<typeof listAdded>>

/** Records each other barcode that an import gave or its undo took away, unless they are more than are named. */
async function recordOthers(
  tx: Tx,
  actor: Actor,
  { event, others, of }: { event: 'barcode_added' | 'barcode_removed'; others: Others; of: OfImport },
): Promise<void> {
  if (others.length === 0 || others.length > mostSkusNamed) return
  const entries = others.map(({ sku, barcode, pieces }) => ({
    sku,
    facts: { barcode, ...(pieces === 1 ? {} : { pieces }), import_id: of.id, file: of.name },
  }))
  await recordComponentChanges(tx, actor, { event, source: 'import', entries })
}

/** Records each description, bin and minimum that an import changed, and each other barcode it gave, unless they are more than are named. */
export async function recordSaid(tx: Tx, actor: Actor, done: OfImport): Promise<void> {
  const { described, placed, others } = await readSaid(tx, done)
  const facts = { import_id: done.id, file: done.name }
  await recordImportedValues(tx, actor, { event: 'description_changed', changes: taken(described), facts })
  await recordImportedValues(tx, actor, { event: 'placement_changed', changes: taken(placed), facts })
  await recordOthers(tx, actor, { event: 'barcode_added', others, of: done })
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

/** Which of the other barcodes that there were earlier are not there later. */
function gone(earlier: Others, later: Others): Others {
  if (earlier.length > mostSkusNamed) return []
  const left = new Set(later.map(({ barcode }) => barcode))
  return earlier.filter(({ barcode }) => !left.has(barcode))
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
    const others = gone(earlier.others, later.others)
    await recordOthers(tx, actor, { event: 'barcode_removed', others, of: done })
  }
}
