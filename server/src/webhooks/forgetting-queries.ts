import { daysLogged, daysSent } from '@inventory-manager/contract/webhooks/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/**
 * Gives up what waited while nothing was sent, because the webhook was off or the plan had none, and happened too long
 * ago. Only that is overdue by a day: what is tried again, or once more because somebody wants it, goes on.
 */
async function giveUpOldDeliveries(tx: Tx, atOnce: number): Promise<void> {
  // All of them at this look: what is left waiting would be sent.
  while ((await giveUpSome(tx, atOnce)) === atOnce);
}

async function giveUpSome(tx: Tx, atOnce: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries
    set status = 'failed', problem = 'It could not be sent within three days and was given up.'
    where tenant_id = ${tx.tenantId}::uuid and id = any (array(
      select delivery.id from webhooks
      join webhook_deliveries delivery
        on delivery.tenant_id = webhooks.tenant_id and delivery.webhook_id = webhooks.id
      where webhooks.tenant_id = ${tx.tenantId}::uuid and delivery.tenant_id = ${tx.tenantId}::uuid
        and delivery.status = 'waiting' and delivery.next_at < statement_timestamp() - interval '1 day'
        and delivery.entry_id < id_at(statement_timestamp() - make_interval(days => ${daysSent}::integer))
      limit ${atOnce}
      for update of delivery skip locked
    ))
  `.execute(tx.db)
  return Number(numAffectedRows)
}

/** Takes the oldest of the old finished deliveries out of the log, and says whether there may be more; the next look goes on. */
async function forgetOldDeliveries(tx: Tx, atOnce: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries
    where tenant_id = ${tx.tenantId}::uuid and id = any (array(
      select id from webhook_deliveries
      where tenant_id = ${tx.tenantId}::uuid and status <> 'waiting'
        and id < id_at(statement_timestamp() - make_interval(days => ${daysLogged}::integer))
      order by id
      limit ${atOnce}
    ))
  `.execute(tx.db)
  return Number(numAffectedRows) === atOnce
}

/**
 * Gives up and forgets old deliveries, so many with a statement, also where nothing is sent, because every webhook is off or the
 * plan has none; says whether there may be more to forget.
 */
export async function forgetDeliveries(tx: Tx, atOnce: number): Promise<boolean> {
  await giveUpOldDeliveries(tx, atOnce)
  return await forgetOldDeliveries(tx, atOnce)
}
