import { addBarcode, removeBarcode } from '@inventory-manager/contract/stock/alias-endpoints'
import type { Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Actor } from '../platform/http/identity.ts'
import { giveBarcode, takeBarcode } from './alias-service.ts'

/** Told in the same transaction that a code belongs to a component from now on. */
export type OnCodeKnown = (tx: Tx, actor: Actor, code: string) => Promise<void>

export function aliasRoutes(bind: Binder, onCodeKnown: OnCodeKnown): void {
  bind.member(addBarcode, async ({ tx, actor, body }) => {
    const { aliases, isNew } = await giveBarcode(tx, actor, body)
    if (isNew) await onCodeKnown(tx, actor, body.alias)
    return { success: true, aliases }
  })

  bind.member(removeBarcode, async ({ tx, actor, body }) => ({
    success: true,
    aliases: await takeBarcode(tx, actor, body),
  }))
}
