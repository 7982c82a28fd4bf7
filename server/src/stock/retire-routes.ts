import { reinstateComponent, retireComponent } from '@inventory-manager/contract/stock/retire-endpoints'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Actor } from '../platform/http/identity.ts'
import { getComponent } from './component-queries.ts'
import { settleKnownCodes } from './known-codes.ts'
import { reinstate, retire, type Obstacle } from './retire-queries.ts'

const obstacles: Record<Exclude<Obstacle, 'retired'>, string> = {
  stock: 'There is still stock of it. Correct it to 0 first, or count 0 and accept the difference.',
  on_its_way: 'Some of it is on its way. Receive it, or cancel that transfer, first.',
  difference: 'A count of it waits: decide on its difference first.',
}

async function recordChange(tx: Tx, actor: Actor, change: { event: string; sku: string }): Promise<void> {
  await recordAudit(tx, actor, { kind: 'configuration', source: 'screen', ...change })
}

/** Components leave the lists and come back. Done before is done: nothing is written again. */
export function retireRoutes(bind: Binder): void {
  bind.member(retireComponent, async ({ tx, actor, body }) => {
    const { id, barcode } = await getComponent(tx, [body.barcode])
    const obstacle = await retire(tx, actor, id)
    if (obstacle !== null && obstacle !== 'retired') {
      throw new AppError('component_in_use', { sentence: obstacles[obstacle] })
    }
    if (obstacle === null) await recordChange(tx, actor, { event: 'component_retired', sku: barcode })
    return { success: true }
  })

  bind.member(reinstateComponent, async ({ tx, actor, body }) => {
    const { id, barcode } = await getComponent(tx, [body.barcode])
    if (await reinstate(tx, id)) {
      await settleKnownCodes(tx, actor)
      await recordChange(tx, actor, { event: 'component_reinstated', sku: barcode })
    }
    return { success: true }
  })
}
