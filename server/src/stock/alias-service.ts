import { maxAliases } from '@inventory-manager/contract/stock/alias-endpoints'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { recordComponentChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { addAlias, listAliases, lockAliases, presentAliases, removeAlias } from './alias-queries.ts'
import { findComponent, getActiveComponent, getComponent } from './component-queries.ts'
import { settleCodesOf } from './known-codes.ts'

/** `barcode`: any barcode of the component. */
export type AliasChange = { barcode: string; alias: string }

/** With how many pieces it stands for, where that is said. */
export type NewAlias = AliasChange & { pieces?: number | undefined }

type Others = ReturnType<typeof presentAliases>

type Owner = { barcode: string; retired_at: Date | null }

const ofRetired = 'This barcode belongs to a component that is retired. Bring that back first.'

/** Names whose it is, unless that is what was asked: no error repeats what it was given. */
function taken(alias: string, owner: Owner | null): AppError {
  if (owner !== null && owner.retired_at !== null)
    return new AppError('barcode_taken', { sentence: ofRetired })
  if (owner === null || owner.barcode === alias) return new AppError('barcode_taken')
  return new AppError('barcode_taken', { sentence: `This barcode belongs to ${owner.barcode} already.` })
}

/** Throws 'barcode_taken' where a scan of a code means something already, were it no other barcode of this component. */
async function requireFree(tx: Tx, alias: string, componentId: string): Promise<void> {
  // Whom a scan of it means now. An own barcode comes before any alias, so that this would never be found.
  const codes = lookupCodes(alias)
  const owner = await findComponent(tx, codes)
  if (owner !== null && (owner.id !== componentId || codes.includes(owner.barcode))) throw taken(alias, owner)
}

function requireRoom(others: number): void {
  if (others >= maxAliases) throw new AppError('too_many_aliases')
}

/**
 * Gives a component another barcode, or one that it has another number of pieces where that is said. Throws 'component_retired', 'barcode_taken' and
 * 'too_many_aliases'.
 */
export async function giveBarcode(
  tx: Tx,
  actor: Actor,
  { barcode, alias, pieces: given }: NewAlias,
): Promise<Others> {
  const { id: componentId, barcode: sku } = await getActiveComponent(tx, barcode)
  await lockAliases(tx)
  const before = await listAliases(tx, componentId)
  const present = before.find((other) => other.barcode === alias)
  const pieces = given ?? present?.pieces ?? 1
  if (present?.pieces === pieces) return presentAliases(before)
  if (present === undefined) {
    await requireFree(tx, alias, componentId)
    requireRoom(before.length)
  } else {
    await removeAlias(tx, { componentId, alias })
  }
  // Somebody else gave it to another component meanwhile.
  const isAdded = await addAlias(tx, actor, { componentId, alias, pieces })
  if (!isAdded) throw taken(alias, await findComponent(tx, [alias]))
  await settleCodesOf(tx, actor, componentId)
  const facts = present === undefined && pieces === 1 ? { barcode: alias } : { barcode: alias, pieces }
  await recordComponentChange(tx, actor, { event: 'barcode_added', sku, facts })
  return presentAliases(await listAliases(tx, componentId))
}

/** Takes another barcode from a component; throws 'not_found' where it has no such one. */
export async function takeBarcode(tx: Tx, actor: Actor, { barcode, alias }: AliasChange): Promise<Others> {
  const component = await getComponent(tx, barcode)
  if (!(await removeAlias(tx, { componentId: component.id, alias }))) {
    throw new AppError('not_found', { sentence: 'This component has no such other barcode.' })
  }
  const facts = { barcode: alias }
  await recordComponentChange(tx, actor, { event: 'barcode_removed', sku: component.barcode, facts })
  return presentAliases(await listAliases(tx, component.id))
}
