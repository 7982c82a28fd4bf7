import type { LocationCode } from '@inventory-manager/contract/locations'
import type { KeptRefusal } from '@inventory-manager/contract/stock/kept-endpoints'
import { mostSkusNamed, recordComponentChanges, recordConfigurationChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { findComponentIds } from './component-queries.ts'
import { completeCycles, takeOutOfCycles } from './cycle-completion.ts'
import { listBarcodes } from './high-volume-queries.ts'
import { keepAt, leaveOut, listEmpty, listNotKept } from './kept-queries.ts'
import { lockComponents } from './lock-components.ts'

type Keeping = { location: LocationCode; kept: boolean; barcodes?: readonly string[] | undefined }

const events = {
  kept: { each: 'component_kept', many: 'components_kept' },
  notKept: { each: 'component_not_kept', many: 'components_not_kept' },
} as const

async function recordKept(tx: Tx, actor: Actor, { location, kept, skus }: Keeping & { skus: string[] }) {
  const { each, many } = kept ? events.kept : events.notKept
  if (skus.length > mostSkusNamed) {
    const change = { old_value: null, new_value: { location, changed: skus.length } }
    await recordConfigurationChange(tx, actor, { event: many, source: 'screen', ...change })
    return
  }
  const entries = skus.map((sku) => ({ sku, location, facts: {} }))
  await recordComponentChanges(tx, actor, { event: each, source: 'screen', entries })
}

/** Has a location keep what it may have left out, as something waits of it there, and records it. Nothing may be locked after it. */
export async function keepAgain(
  tx: Tx,
  actor: Actor,
  { location, ids }: { location: LocationCode; ids: readonly string[] },
): Promise<void> {
  const kept = await keepAt(tx, location, ids)
  if (kept.length === 0) return
  await recordKept(tx, actor, { location, kept: true, skus: await listBarcodes(tx, kept) })
}

/** What a request is about: the ids of components by the codes that named them, or, where none did, all of a kind. */
type Meant = { ids: string[]; named: ReadonlyMap<string, string> }

async function findMeant(tx: Tx, { location, kept, barcodes }: Keeping): Promise<Meant> {
  if (barcodes === undefined) {
    return { ids: await (kept ? listNotKept(tx, location) : listEmpty(tx, location)), named: new Map() }
  }
  const named = await findComponentIds(tx, barcodes)
  return { ids: [...new Set(named.values())], named }
}

type Refused = { id: string; barcode: string; reason: KeptRefusal }
type Done = { changed: string[]; inUse: ReadonlySet<string>; refused: Refused[] }

async function keep(tx: Tx, location: LocationCode, ids: string[]): Promise<Done> {
  const inUse = await lockComponents(tx, ids)
  const kept = await keepAt(tx, location, inUse)
  return { changed: await listBarcodes(tx, kept), inUse: new Set(inUse), refused: [] }
}

async function leave(
  tx: Tx,
  actor: Actor,
  { location, ids }: { location: LocationCode; ids: string[] },
): Promise<Done> {
  const outcomes = await leaveOut(tx, location, ids)
  const changed = outcomes.filter(({ outcome }) => outcome === 'left_out').map(({ barcode }) => barcode)
  if (changed.length > 0) {
    await takeOutOfCycles(tx, actor, { skus: changed, locations: [location] })
    await completeCycles(tx, actor)
  }
  return {
    changed,
    inUse: new Set(outcomes.filter(({ outcome }) => outcome !== 'retired').map(({ id }) => id)),
    refused: outcomes.flatMap(({ id, barcode, outcome }) =>
      outcome === 'left_out' || outcome === 'already' || outcome === 'retired'
        ? []
        : [{ id, barcode, reason: outcome }],
    ),
  }
}

/** What is refused, by each code that named it: a component may be named by several. */
function byCode(refused: readonly Refused[], named: Meant['named']) {
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]))
  return [...named].flatMap(([barcode, id]) => {
    const reason = reasons.get(id)
    return reason === undefined ? [] : [{ barcode, reason }]
  })
}

/**
 * Says which components a location keeps: of those that are named, and without any, of all that it leaves out or has nothing of. Says how
 * many changed, which codes mean none that is in use, and what may not be left out, by the code that named it.
 */
export async function keepComponents(tx: Tx, actor: Actor, keeping: Keeping) {
  const { location, kept, barcodes = [] } = keeping
  requireLocation(actor, location)
  const { ids, named } = await findMeant(tx, keeping)
  const { changed, inUse, refused } = kept
    ? await keep(tx, location, ids)
    : await leave(tx, actor, { location, ids })
  if (changed.length > 0) await recordKept(tx, actor, { ...keeping, skus: changed })
  return {
    changed: changed.length,
    notFound: [...new Set(barcodes)].filter((code) => !inUse.has(named.get(code) ?? '')),
    refused:
      named.size === 0 ? refused.map(({ barcode, reason }) => ({ barcode, reason })) : byCode(refused, named),
  }
}
