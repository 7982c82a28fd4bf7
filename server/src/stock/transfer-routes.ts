import {
  cancelTransfer,
  listTransfers as listEndpoint,
  receiveTransfer,
  receiveTransfers,
  sendTransfer,
  writeOffTransfer,
} from '@inventory-manager/contract/stock/transfer-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { pageOf } from '../platform/http/page.ts'
import { listTransfers } from './transfer-queries.ts'
import { cancel, presentTransfer, receive, receiveAll, send, writeOff } from './transfer-service.ts'

export function transferRoutes(bind: Binder): void {
  bind.member(sendTransfer, async ({ tx, actor, body }) => ({
    success: true,
    transfer: await send(tx, actor, body),
  }))

  bind.member(receiveTransfer, async ({ tx, actor, params, body }) => ({
    success: true,
    transfer: await receive(tx, actor, { id: params.id, ...body }),
  }))

  bind.member(receiveTransfers, async ({ tx, actor, body }) => ({
    success: true,
    ...(await receiveAll(tx, actor, body)),
  }))

  bind.member(cancelTransfer, async ({ tx, actor, params }) => ({
    success: true,
    transfer: await cancel(tx, actor, params.id),
  }))

  bind.member(writeOffTransfer, async ({ tx, actor, params, body }) => ({
    success: true,
    transfer: await writeOff(tx, actor, { id: params.id, reason: body.reason }),
  }))

  bind.reader(listEndpoint, async ({ tx, query }) => {
    const { page, next } = pageOf(await listTransfers(tx, query), query.limit, 'id')
    return {
      transfers: page.map(presentTransfer),
      next_cursor: next,
    }
  })
}
