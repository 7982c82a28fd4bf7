import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { listMovements as listEndpoint } from '@inventory-manager/contract/stock/movement-endpoints'
import { sightOf } from '../audit/sight.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { getComponent } from './component-queries.ts'
import { presentMovement } from './movement-presenter.ts'
import { listSettledMovements } from './movement-queries.ts'

type Asked = { tx: Tx; actor: Actor; query: EndpointInput<typeof listEndpoint>['query'] }

async function listFrom({ tx, actor, query: { barcode, limit, cursor } }: Asked) {
  const componentId = barcode === undefined ? undefined : (await getComponent(tx, barcode)).id
  const { page, next } = pageOf(await listSettledMovements(tx, { componentId, limit, cursor }), limit, 'id')
  const sight = sightOf(actor)
  return {
    movements: page.map((row) => presentMovement(row, sight)),
    cursor: page.at(-1)?.id ?? cursor ?? null,
    more: next !== null,
  }
}

/**
 * Not by a replica, which does not know what is under way. Nor in a transaction that sees one moment, as reads are: that of who asks,
 * which is before the horizon of what is listed.
 */
export function movementRoutes(bind: Binder): void {
  bind.ownTransaction(listEndpoint, listFrom, ({ begun }) => Promise.resolve(begun))
}
