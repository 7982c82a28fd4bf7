import { deliveryLogSize, type DeliveryStatus } from '@inventory-manager/contract/webhooks/endpoints'
import type { Tx } from '../platform/db/database.ts'

type Page = { status?: DeliveryStatus | undefined; cursor?: string | undefined }

/** A page of the deliveries of a webhook, newest first, one more where there are more. */
export async function listDeliveries(tx: Tx, webhookId: string, { status, cursor }: Page) {
  let query = tx.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(deliveryLogSize + 1)
  if (status !== undefined) query = query.where('status', '=', status)
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  return await query.execute()
}
