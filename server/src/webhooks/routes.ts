import {
  createWebhook,
  deleteWebhook,
  deliveryLogSize,
  enableWebhook,
  listDeliveries as listDeliveriesEndpoint,
  listWebhooks as listWebhooksEndpoint,
  replayDelivery,
  testWebhook,
  type Delivery,
  type Webhook,
} from '@inventory-manager/contract/webhooks/endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { requireApiAccess } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { onceShown } from '../platform/http/shown-once.ts'
import { listDeliveries } from './log-queries.ts'
import { getWebhook, listWebhooks } from './queries.ts'
import { addWebhook, queueTest, refusePrivate, remove, replay, switchOn } from './service.ts'

function presentWebhook(row: Awaited<ReturnType<typeof listWebhooks>>[number]): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    enabled: row.disabled_at === null,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    waiting: row.waiting ?? 0,
  }
}

function presentDelivery(row: Awaited<ReturnType<typeof listDeliveries>>[number]): Delivery {
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    tried_at: row.tried_at?.toISOString() ?? null,
    next_at: row.status === 'waiting' ? row.next_at.toISOString() : null,
    reply_status: row.reply_status,
    problem: row.problem,
    body: row.body,
  }
}

export function webhookRoutes(bind: Binder, allowPrivate: boolean): void {
  // Whatever the plan, so that one can be removed before another plan has it told again.
  bind.member(listWebhooksEndpoint, async ({ tx }) => ({
    webhooks: (await listWebhooks(tx)).map(presentWebhook),
  }))

  bind.ownTransaction(
    createWebhook,
    ({ actor }) => Promise.resolve(requireApiAccess(actor)),
    async ({ body, key, enter }) => {
      await refusePrivate(body.url, allowPrivate)
      const operation = { key, call: createWebhook.path, body }
      const made = await enter((tx, actor) =>
        onceShown({ tx, actor }, operation, () => addWebhook(tx, actor, body)),
      )
      return { success: true, ...made }
    },
  )

  bind.member(enableWebhook, async ({ tx, actor, params }) => {
    await switchOn(tx, actor, params.id)
    return { success: true }
  })

  bind.member(testWebhook, async ({ tx, actor, params }) => {
    await queueTest(tx, actor, params.id)
    return { success: true }
  })

  bind.member(deleteWebhook, async ({ tx, actor, params }) => {
    await remove(tx, actor, params.id)
    return { success: true }
  })

  bind.member(listDeliveriesEndpoint, async ({ tx, actor, params, query }) => {
    requireApiAccess(actor)
    await getWebhook(tx, params.id)
    const { page, next } = pageOf(await listDeliveries(tx, params.id, query), deliveryLogSize, 'id')
    return { deliveries: page.map(presentDelivery), next_cursor: next }
  })

  bind.member(replayDelivery, async ({ tx, actor, params }) => {
    await replay(tx, actor, params.id)
    return { success: true }
  })
}
