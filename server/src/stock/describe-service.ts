import { recordComponentChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { getComponent, lockDescription, setDescription } from './component-queries.ts'

/** Gives a component another description; the same one changes nothing. */
export async function describe(
  tx: Tx,
  actor: Actor,
  { barcode: code, description }: { barcode: string; description: string },
): Promise<void> {
  const { id, barcode } = await getComponent(tx, code)
  const before = await lockDescription(tx, id)
  if (before === description) return
  await setDescription(tx, id, description)
  const facts = { old_value: before, new_value: description }
  await recordComponentChange(tx, actor, { event: 'description_changed', sku: barcode, facts })
}
