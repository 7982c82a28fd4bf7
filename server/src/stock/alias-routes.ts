import { addBarcode, findPacks, removeBarcode } from '@inventory-manager/contract/stock/alias-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { listPacksAmong } from './alias-queries.ts'
import { giveBarcode, takeBarcode } from './alias-service.ts'

export function aliasRoutes(bind: Binder): void {
  bind.member(addBarcode, async ({ tx, actor, body }) => ({
    success: true,
    ...(await giveBarcode(tx, actor, body)),
  }))

  bind.member(removeBarcode, async ({ tx, actor, body }) => ({
    success: true,
    ...(await takeBarcode(tx, actor, body)),
  }))

  bind.member(findPacks, async ({ tx, body }) => ({ packs: await listPacksAmong(tx, body.barcodes) }))
}
