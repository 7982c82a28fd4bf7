import { endpoint } from '../endpoint.ts'
import { idParams } from '../id-params.ts'
import { cursor, instant, text } from '../values.ts'
import { z } from '../zod.ts'
import { webhookUrl } from './rules.ts'

export const webhookEvents = [
  'count.recorded',
  'count.undone',
  'discrepancy.opened',
  'discrepancy.decided',
  'component.changed',
  'stock.low',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

/** What a receiver is told each for, as the documentation says it. */
export const webhookEventMeanings: Record<WebhookEvent, string> = {
  'count.recorded': 'A count was recorded, with or without a difference',
  'count.undone': 'A count that was recorded was taken back, as if it had not been',
  'discrepancy.opened':
    'A difference waits for a decision: a count was recorded with it, or a dismissed one was reopened',
  'discrepancy.decided':
    'A difference was accepted, dismissed, matched by a later count or sent to be counted again',
  'component.changed':
    'A component, its stock, its other barcodes, its bins and minimums, its unit cost (without the amount), where it is kept or its weekly lists changed: set, corrected, moved, sent, received, moved by a difference that was accepted or reopened or a count taken back, retired, brought back, imported, or an import undone',
  'stock.low':
    'Stock of a component fell below its minimum at a location, or its minimum was raised above it: seen as a rule within a minute',
}

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  enabled: z.boolean(),
  failing_since: z
    .nullable(instant)
    .check(
      z.describe(
        'Since when no delivery has arrived, anew after a day in which none was tried; null while they do.',
      ),
    ),
  created_by: z.string(),
  created_at: instant,
  waiting: z.int(),
})

export type Webhook = z.output<typeof webhook>

/** What a receiver gets as the body of a delivery (Standard Webhooks 1.0). Never what was expected of a count. */
export const webhookBody = z.object({
  type: z.enum([...webhookEvents, 'test']),
  timestamp: instant.check(
    z.describe('When it came to the server, which for a late count is after its scan.'),
  ),
  data: z.object({
    id: z.nullable(z.string()).check(z.describe('The entry of the audit trail; null for a test.')),
    event: z
      .string()
      .check(
        z.describe(
          'What the entry tells. Of `component.changed`: `quantity_adjusted` (received, issued), `quantity_updated` (set), `transfer_sent`, `transfer_received`, `transfer_cancelled`, `transfer_written_off`, `stock_moved`, `components_imported`, `import_undone`, `description_changed`, `cost_changed`, `component_retired`, `component_reinstated`, `barcode_added`, `barcode_removed`, `placement_changed` and others.',
        ),
      ),
    sku: z.string(),
    quantity: z
      .nullable(z.int())
      .check(
        z.describe(
          'The amount that the event names, such as what was counted, moved or received: not the stock afterwards. Of `stock.low` it is the stock, or with `stocks_low` how often stock is below a minimum.',
        ),
      ),
    location: z.nullable(z.string()),
    user_name: z.string(),
    user_type: z.string(),
  }),
})

export type WebhookBody = z.output<typeof webhookBody>

const delivery = z.object({
  id: z.string().check(z.describe('Also the webhook-id header, the same for every attempt.')),
  event: z.enum([...webhookEvents, 'test']),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  created_at: instant,
  tried_at: z.nullable(instant),
  next_at: z.nullable(instant).check(z.describe('When it is tried next, while it waits.')),
  reply_status: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  body: z.string(),
})

export type Delivery = z.output<typeof delivery>

const done = z.object({ success: z.literal(true) })

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  access: 'admin',
  effect: 'read',
  summary: 'List the webhooks',
  reply: { status: 200, json: z.object({ webhooks: z.array(webhook) }) },
  errors: [],
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  access: 'admin',
  effect: 'write',
  summary: 'Add a webhook; its signing secret is shown once',
  description: 'No other reply holds the secret.',
  body: z.object({
    url: z.pipe(text(2000).check(z.trim()), webhookUrl),
    events: z.pipe(
      z
        .array(z.enum(webhookEvents))
        .check(z.minLength(1, 'Choose at least one event.'), z.maxLength(webhookEvents.length)),
      z.transform((chosen) => webhookEvents.filter((event) => chosen.includes(event))),
    ),
  }),
  reply: { status: 201, json: z.object({ success: z.literal(true), id: z.string(), secret: z.string() }) },
  errors: ['plan_required', 'too_many_webhooks', 'shown_once'],
})

export const enableWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/{id}/enable',
  access: 'admin',
  effect: 'write',
  summary: 'Send again to a webhook that was switched off',
  description:
    'What happened in the last three days is sent, also what had been given up; what is older is in the audit trail.',
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found', 'plan_required'],
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  access: 'admin',
  effect: 'write',
  summary: 'Send a delivery of the type test',
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found', 'plan_required', 'too_many_tests', 'webhook_off'],
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'Remove a webhook with its log',
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found'],
})

/** How many deliveries a page of the log has. */
export const deliveryLogSize = 100

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  access: 'admin',
  effect: 'read',
  summary: 'List the deliveries of a webhook, newest first, 100 at a time',
  description: 'Of the last thirty days, and what still waits.',
  params: idParams,
  query: z.object({ status: z.optional(z.enum(deliveryStatuses)), cursor: z.optional(cursor) }),
  reply: {
    status: 200,
    json: z.object({
      deliveries: z.array(delivery),
      // A node of the version before has the newest ones alone.
      next_cursor: z.nullish(z.string()),
    }),
  },
  errors: ['not_found', 'plan_required'],
})

export const replayDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/deliveries/{id}/replay',
  access: 'admin',
  effect: 'write',
  summary: 'Send a delivery once more, with the same id and body',
  params: idParams,
  reply: { status: 200, json: done },
  errors: ['not_found', 'plan_required', 'webhook_off'],
})
