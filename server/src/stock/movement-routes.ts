import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { listMovements as listEndpoint } from '@inventory-manager/contract/stock/movement-endpoints'
import { sightOf } from '../audit/sight.ts'
import type { Tx } from '../platform/db/database.ts'
import { firstIdAt } from '../platform/db/time-ids.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { getComponent } from './component-queries.ts'
import { presentMovement } from './movement-presenter.ts'
import { findSettledBefore, isMovement, listSettledMovements } from './movement-queries.ts'

type Asked = { tx: Tx; actor: Actor; query: EndpointInput<typeof listEndpoint>['query'] }

/** Where to go on from an empty page: where it began, or before that if the movement there is gone. */
async function placeAfterNone(
  tx: Tx,
  {
    componentId,
    cursor,
    isGone,
  }: { componentId: string | undefined; cursor: string | undefined; isGone: boolean },
): Promise<string | null> {
  if (cursor === undefined) return null
  return isGone ? await findSettledBefore(tx, { componentId, id: cursor }) : cursor
}

async function listFrom({ tx, actor, query: { barcode, from, limit, cursor } }: Asked) {
  const componentId = barcode === undefined ? undefined : (await getComponent(tx, barcode)).id
  const begin = from && firstIdAt(from.getTime())
  const rows = await listSettledMovements(tx, { componentId, limit, cursor, from: begin })
  const { page, next } = pageOf(rows, limit, 'id')
  const isGone = cursor !== undefined && !(await isMovement(tx, cursor))
  const sight = sightOf(actor)
  return {
    movements: page.map((row) => presentMovement(row, sight)),
    cursor: page.at(-1)?.id ?? (await placeAfterNone(tx, { componentId, cursor, isGone })),
    more: next !== null,
    ...(isGone ? { cursor_gone: true } : {}),
  }
}

/**
 * Not by a replica, which does not know what is under way. Nor in a transaction that sees one moment, as reads are: that of who asks,
 * which is before the horizon of what is listed.
 */
export function movementRoutes(bind: Binder): void {
  bind.ownTransaction(listEndpoint, listFrom, ({ begun }) => Promise.resolve(begun))
}
