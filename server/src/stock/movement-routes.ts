import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import type { Movement } from '@inventory-manager/contract/stock/component-endpoints'
import { listMovements as listEndpoint } from '@inventory-manager/contract/stock/movement-endpoints'
import { sightOf, seesVerdicts, type Sight } from '../audit/sight.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { getComponent } from './component-queries.ts'
import { listSettledMovements } from './movement-queries.ts'

type Row = Omit<Movement, 'timestamp' | 'delta'> & { delta: number; created_at: Date }

/** That a count was accepted is a verdict on it, and so is by how much. */
export function presentMovement<R extends Row>({ created_at: at, ...row }: R, sight: Sight) {
  const isHidden = row.cause === 'discrepancy' && !seesVerdicts(sight)
  return {
    ...row,
    ...(isHidden ? { cause: 'hidden', note: '', delta: null } : {}),
    timestamp: at.toISOString(),
  }
}

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
