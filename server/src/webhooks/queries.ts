import { hasApiAccess } from '@inventory-manager/contract/api-keys/rules'
import { planKeys } from '@inventory-manager/contract/plans'
import type { WebhookEvent } from '@inventory-manager/contract/webhooks/endpoints'
import { daysSent } from '@inventory-manager/contract/webhooks/rules'
import { sql } from 'kysely'
import { listCompaniesBy, type Database, type Tx } from '../platform/db/database.ts'
import { lockCompany } from '../platform/db/lock-company.ts'
import { AppError } from '../platform/http/app-error.ts'

const plansWithWebhooks = planKeys.filter((plan) => hasApiAccess(plan))

/** How long a delivery that is being sent belongs to its node: well above what sending may take. */
const leaseSeconds = 60

/** Every webhook of the company with how many deliveries wait, oldest first. */
export async function listWebhooks(tx: Tx) {
  return await tx.db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'failing_since', 'disabled_at', 'created_by', 'created_at'])
    .select((eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select((inner) => inner.cast<number>(inner.fn.countAll(), 'integer').as('waiting'))
        .where('webhook_deliveries.tenant_id', '=', tx.tenantId)
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .where('webhook_deliveries.status', '=', 'waiting')
        .as('waiting'),
    )
    .where('tenant_id', '=', tx.tenantId)
    .orderBy('id')
    .execute()
}

/** How many webhooks the company has, its row locked so that two additions cannot pass the limit together. */
export async function lockAndCountWebhooks(tx: Tx): Promise<number> {
  await lockCompany(tx)
  const { webhooks } = await tx.db
    .selectFrom('webhooks')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('webhooks'))
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return webhooks
}

/** How many tests of a webhook wait, the company's row locked so that two of them cannot pass the limit together. */
export async function lockAndCountTests(tx: Tx, webhookId: string): Promise<number> {
  await lockCompany(tx)
  const { tests } = await tx.db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('tests'))
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', webhookId)
    .where('event', '=', 'test')
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return tests
}

export async function createWebhook(
  tx: Tx,
  webhook: { url: string; events: WebhookEvent[]; secret: string; createdBy: string; position: number },
): Promise<{ id: string }> {
  return await tx.db
    .insertInto('webhooks')
    .values({
      tenant_id: tx.tenantId,
      url: webhook.url,
      events: webhook.events,
      secret: webhook.secret,
      position: webhook.position,
      created_by: webhook.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

type Sought = { lock?: 'to keep' | 'to remove' }

/**
 * A webhook of the company; throws 'not_found'. Locked to keep it, nobody removes it while deliveries are added;
 * to remove it, those that are being added are waited for, and no more are.
 */
export async function getWebhook(tx: Tx, id: string, { lock }: Sought = {}) {
  const webhook = await tx.db
    .selectFrom('webhooks')
    .select(['id', 'url', 'disabled_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .$if(lock === 'to keep', (query) => query.forKeyShare())
    .$if(lock === 'to remove', (query) => query.forUpdate())
    .executeTakeFirst()
  if (webhook === undefined) throw new AppError('not_found')
  return webhook
}

/** Removes a webhook that is locked for it, with its deliveries. */
export async function removeWebhook(tx: Tx, id: string): Promise<void> {
  await tx.db
    .deleteFrom('webhook_deliveries')
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', id)
    .execute()
  await tx.db.deleteFrom('webhooks').where('tenant_id', '=', tx.tenantId).where('id', '=', id).execute()
}

/** Lets a webhook be sent to again, at once what waits for it. */
export async function clearFailure(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ failing_since: null, disabled_at: null })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
  // What is due within the lease may be on its way, and comes soon anyway.
  await tx.db
    .updateTable('webhook_deliveries')
    .set({ next_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', id)
    .where('status', '=', 'waiting')
    .where('next_at', '>', sql<Date>`statement_timestamp() + make_interval(secs => ${leaseSeconds})`)
    .execute()
}

/** Puts what was given up into the queue again, as far as it is not too long ago. */
export async function queueGivenUp(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', attempts: 0, next_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', id)
    .where('status', '=', 'failed')
    .where(
      'entry_id',
      '>=',
      sql<string>`id_at(statement_timestamp() - make_interval(days => ${daysSent}::integer))`,
    )
    .execute()
}

export type NewDelivery = {
  webhookId: string
  entryId: string | null
  event: WebhookEvent | 'test'
  body: string
}

/** Puts deliveries into the queue; those that are there already are left as they are. */
export async function createDeliveries(tx: Tx, deliveries: NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  const each = <T>(value: (delivery: NewDelivery) => T) => deliveries.map(value)
  await sql`
    insert into webhook_deliveries (tenant_id, webhook_id, entry_id, event, body)
    select ${tx.tenantId}::uuid, webhook_id, entry_id, event, body
    from unnest(
      ${each(({ webhookId }) => webhookId)}::uuid[], ${each(({ entryId }) => entryId)}::uuid[],
      ${each(({ event }) => event)}::text[], ${each(({ body }) => body)}::text[]
    ) as delivery (webhook_id, entry_id, event, body)
    on conflict do nothing
  `.execute(tx.db)
}

/** The webhook a delivery is for; throws 'not_found'. */
export async function getWebhookOf(tx: Tx, deliveryId: string) {
  const delivery = await tx.db
    .selectFrom('webhook_deliveries')
    .select('webhook_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  if (delivery === undefined) throw new AppError('not_found')
  return await getWebhook(tx, delivery.webhook_id)
}

/**
 * Puts a delivery back at the front of the queue with all its attempts; one that is being sent stays as it is: whoever claims
 * one puts its next attempt a lease after this one, and whoever settles it somewhere else.
 */
export async function requeue(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', attempts: 0, next_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where(
      sql<boolean>`not (
        status = 'waiting' and tried_at is not null
        and next_at - tried_at = make_interval(secs => ${leaseSeconds}) and next_at > statement_timestamp()
      )`,
    )
    .execute()
}

/** Webhooks that are on, for their deliveries to be made; those another node is at are left out. */
export async function lockWebhooksBehind(tx: Tx, head: number) {
  const rows = await tx.db
    .selectFrom('webhooks')
    .select(['id', 'events', 'position'])
    .where('tenant_id', '=', tx.tenantId)
    .where('disabled_at', 'is', null)
    .where('position', '<', sql<string>`${head}::bigint`)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function movePosition(tx: Tx, id: string, position: number): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ position: sql<string>`${position}::bigint` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}

/** The webhooks that have deliveries due. */
export async function listDueWebhooks(tx: Tx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('webhooks')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('disabled_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.tenant_id', '=', 'webhooks.tenant_id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .where('status', '=', 'waiting')
          .where('next_at', '<=', sql<Date>`statement_timestamp()`),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

export type Claimed = { id: string; body: string; attempts: number; url: string; secret: string }

/** Takes due deliveries of a webhook that the plan has for this node, each for the lease; two nodes never get the same one. */
export async function claimDeliveries(tx: Tx, webhookId: string, limit: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update webhook_deliveries delivery
    set attempts = delivery.attempts + 1, tried_at = statement_timestamp(),
      next_at = statement_timestamp() + make_interval(secs => ${leaseSeconds})
    from webhooks
    join companies on companies.tenant_id = webhooks.tenant_id
    where delivery.tenant_id = ${tx.tenantId}::uuid and webhooks.tenant_id = delivery.tenant_id
      and webhooks.id = delivery.webhook_id and webhooks.disabled_at is null
      -- As an array it is looked for once: joined, it would begin again for each row, and pass over those it has locked.
      and companies.plan = any (${plansWithWebhooks}::text[]) and delivery.id = any (array(
        select id from webhook_deliveries
        where tenant_id = ${tx.tenantId}::uuid and webhook_id = ${webhookId}::uuid and status = 'waiting'
          and next_at <= statement_timestamp()
        order by next_at, id
        limit ${limit}
        for update skip locked
      ))
    returning delivery.id, delivery.body, delivery.attempts, webhooks.url, webhooks.secret
  `.execute(tx.db)
  return rows
}

type Settled = {
  status: 'delivered' | 'waiting' | 'failed'
  /** Seconds until the next attempt, while it waits. */
  delay: number
  replyStatus: number | null
  problem: string | null
}

/** Writes down what came of an attempt; null where the delivery was taken over or put back since. */
export async function settleDelivery(
  tx: Tx,
  { id, attempts }: Pick<Claimed, 'id' | 'attempts'>,
  { status, delay, replyStatus, problem }: Settled,
): Promise<{ webhookId: string } | null> {
  const row = await tx.db
    .updateTable('webhook_deliveries')
    .set({
      status,
      reply_status: replyStatus,
      problem,
      next_at: sql<Date>`statement_timestamp() + make_interval(secs => ${delay})`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'waiting')
    .returning('webhook_id')
    .executeTakeFirst()
  return row === undefined ? null : { webhookId: row.webhook_id }
}

/**
 * Notes that a webhook fails, and since when: anew after a day in which nothing was tried, which the waits between attempts never
 * are. Switches it off after the given days and then gives its address.
 */
export async function noteFailure(tx: Tx, id: string, days: number): Promise<string | null> {
  const working = tx.db
    .updateTable('webhooks')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
  await working
    .set({ failing_since: null })
    .where('failed_at', '<', sql<Date>`statement_timestamp() - interval '1 day'`)
    .execute()
  // `least` passes over what is not set.
  await working
    .set({
      failing_since: sql<Date>`least(failing_since, statement_timestamp())`,
      failed_at: sql<Date>`statement_timestamp()`,
    })
    .execute()
  const row = await working
    .set({ disabled_at: sql<Date>`statement_timestamp()` })
    .where('failing_since', '<', sql<Date>`statement_timestamp() - make_interval(days => ${days}::integer)`)
    .returning('url')
    .executeTakeFirst()
  return row?.url ?? null
}

export async function noteSuccess(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** The companies with webhooks that are behind, or deliveries that are due; none while another node asks the same. */
export async function listCompaniesToTell(database: Database): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_to_tell(${plansWithWebhooks}) as id`)
}

/** Those among some companies. */
export async function listToTellAmong(database: Database, tenantIds: readonly string[]): Promise<string[]> {
  if (tenantIds.length === 0) return []
  return await listCompaniesBy(
    database,
    sql`select companies_to_tell(${plansWithWebhooks}::text[], ${tenantIds}::uuid[]) as id`,
  )
}
