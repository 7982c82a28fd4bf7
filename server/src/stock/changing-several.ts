import { mostSkusNamed, recordComponentChanges, recordConfigurationChange } from '../audit/configuration.ts'
import type { AuditEvent } from '../audit/events.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { findComponentIds } from './component-queries.ts'
import { lockComponents } from './lock-components.ts'

/** What is said of a component, by which it is told apart. */
type Held = { componentId: string; barcode: string }

type Change<H> = { before: H; after: H }

type Changing<Row, H> = {
  /** How components that are locked are now, by their ids. */
  now: (ids: readonly string[]) => Promise<ReadonlyMap<string, H>>
  /** What a row makes of one. */
  changedBy: (row: Row, held: H) => H
  isSame: (before: H, after: H) => boolean
  save: (after: H[]) => Promise<void>
}

/** What was changed of which components, and the codes that mean none that is in use. */
type Changed<H> = { changes: Change<H>[]; notFound: string[] }

/** Changes what is said of components, which are locked for it, row by row, so that of a component the last one holds. */
export async function changeSeveral<Row extends { barcode: string }, H extends Held>(
  tx: Tx,
  rows: readonly Row[],
  { now, changedBy, isSame, save }: Changing<Row, H>,
): Promise<Changed<H>> {
  const meant = await findComponentIds(
    tx,
    rows.map(({ barcode }) => barcode),
  )
  const before = await now(await lockComponents(tx, [...new Set(meant.values())]))
  const after = new Map(before)
  const notFound = new Set<string>()
  for (const row of rows) {
    const held = after.get(meant.get(row.barcode) ?? '')
    if (held === undefined) notFound.add(row.barcode)
    else after.set(held.componentId, changedBy(row, held))
  }
  const changes = [...before].flatMap(([id, was]) => {
    const is = after.get(id) ?? was
    return isSame(was, is) ? [] : [{ before: was, after: is }]
  })
  if (changes.length > 0) await save(changes.map(({ after }) => after))
  return { changes, notFound: [...notFound] }
}

type Telling<H> = {
  changes: Change<H>[]
  /** The event of each, and that of many at once, of which only the number stands in the trail. */
  events: { each: AuditEvent; many: AuditEvent }
  valueOf: (held: H) => unknown
  location?: string
}

/** Records what changeSeveral changed. */
export async function recordSeveral<H extends Held>(
  tx: Tx,
  actor: Actor,
  { changes, events, valueOf, ...where }: Telling<H>,
): Promise<void> {
  if (changes.length > mostSkusNamed) {
    await recordConfigurationChange(tx, actor, {
      event: events.many,
      source: 'screen',
      old_value: null,
      new_value: { ...where, changed: changes.length },
    })
    return
  }
  if (changes.length === 0) return
  const entries = changes.map(({ before, after }) => ({
    sku: after.barcode,
    ...where,
    facts: { old_value: valueOf(before), new_value: valueOf(after) },
  }))
  await recordComponentChanges(tx, actor, { event: events.each, source: 'screen', entries })
}
