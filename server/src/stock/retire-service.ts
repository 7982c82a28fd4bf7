import { locationCodes } from '@inventory-manager/contract/locations'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import { placeName } from '@inventory-manager/contract/stock/places'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { recordComponentChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { getComponent } from './component-queries.ts'
import { completeCycles, takeOutOfCycles } from './cycle-completion.ts'
import { settleCodesOf } from './known-codes.ts'
import { listStocked, reinstate, retire, type Obstacle } from './retire-queries.ts'

const obstacles: Record<Exclude<Obstacle, 'retired' | 'stock'>, string> = {
  on_its_way: 'Some of it is on its way. Receive it, or cancel that transfer, first.',
  difference: 'A count of it waits: decide on its difference first.',
}

/** What to do about stock first: no correction and no count reaches quarantine, or a location outside the plan. */
function stockSentence(actor: Actor, stocked: readonly string[]): string {
  const offered = new Set<string>(planLocationCodes(actor.plan))
  if (stocked.some((place) => offered.has(place))) {
    return 'There is still stock of it. Correct it to 0 first, or count 0 and accept the difference.'
  }
  const closed = stocked.filter((place) => place !== 'QUARANTINE')
  if (closed.length === 0) {
    return 'There is still stock of it in Quarantine. Move it to a location, and correct it to 0 there, first.'
  }
  return `There is still stock of it at ${closed.map((place) => placeName(place, actor.locationNames)).join(' and ')}, which your plan does not include.`
}

/** A component by its own barcode; throws 'not_found' and 'other_barcode'. A list of what a supplier has ended is no list of SKUs. */
async function getByOwnBarcode(tx: Tx, code: string) {
  const component = await getComponent(tx, code)
  if (lookupCodes(code).includes(component.barcode)) return component
  throw new AppError('other_barcode', {
    sentence: `This is another barcode of ${component.barcode}. Give that one.`,
  })
}

/** Takes a component out of all lists, where it is in them. Throws 'not_found', 'other_barcode' and 'component_in_use'. */
export async function takeOutOfUse(tx: Tx, actor: Actor, code: string): Promise<void> {
  const { id, barcode } = await getByOwnBarcode(tx, code)
  const obstacle = await retire(tx, actor, id)
  if (obstacle === 'retired') return
  if (obstacle === 'stock') {
    const sentence = stockSentence(actor, await listStocked(tx, id))
    throw new AppError('component_in_use', { sentence })
  }
  if (obstacle !== null) throw new AppError('component_in_use', { sentence: obstacles[obstacle] })
  await recordComponentChange(tx, actor, { event: 'component_retired', sku: barcode })
  await takeOutOfCycles(tx, actor, { skus: [barcode], locations: locationCodes })
  await completeCycles(tx, actor)
}

/** Brings a retired component back into the lists; one that is in them stays as it is. Throws 'not_found' and 'other_barcode'. */
export async function bringBack(tx: Tx, actor: Actor, code: string): Promise<void> {
  const { id, barcode } = await getByOwnBarcode(tx, code)
  if (!(await reinstate(tx, id))) return
  await settleCodesOf(tx, actor, id)
  await recordComponentChange(tx, actor, { event: 'component_reinstated', sku: barcode })
}
