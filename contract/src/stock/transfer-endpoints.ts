import { endpoint } from '../endpoint.ts'
import { barcode, cursor, instant, location, pageSize, place, quantity, text } from '../values.ts'
import { z } from '../zod.ts'

export const transfer = z.object({
  id: z.string(),
  barcode: z.string(),
  description: z.string(),
  from: z.string(),
  to: z.string(),
  quantity: z.int().check(z.describe('What was sent.')),
  received_quantity: z.int().check(z.describe('What of it has arrived.')),
  status: z.enum(['in_transit', 'received', 'cancelled', 'written_off']),
  note: z.string(),
  user_name: z.string(),
  timestamp: instant,
  closed_by: z.nullable(z.string()),
  closed_at: z.nullable(instant),
})

const transferId = z.uuid('must be the id of a transfer.')

export type Transfer = z.output<typeof transfer>
export type TransferStatus = Transfer['status']
export type TransferState = 'under_way' | 'ended'

const transferReply = {
  status: 200,
  json: z.object({ success: z.literal(true), transfer }),
} as const

export const sendTransfer = endpoint({
  method: 'POST',
  path: '/api/transfers',
  access: 'admin',
  effect: 'write',
  summary: 'Move stock to another location, in transit until it is received there; quarantine is at once',
  body: z.object({
    barcode,
    from: place,
    to: place,
    quantity: quantity.check(z.minimum(1, 'must be at least 1.')),
    note: z._default(text(500).check(z.trim()), ''),
  }),
  reply: transferReply,
  errors: [
    'not_found',
    'same_location',
    'not_enough_stock',
    'stock_limit',
    'location_not_in_plan',
    'trial_expired',
  ],
})

export const receiveTransfer = endpoint({
  method: 'POST',
  path: '/api/transfers/{id}/receive',
  access: 'member',
  effect: 'write',
  summary: 'Receive stock at the location it was sent to: so much of it, or all that is left',
  params: z.object({ id: transferId }),
  body: z.object({ location, quantity: z.optional(quantity.check(z.minimum(1, 'must be at least 1.'))) }),
  reply: transferReply,
  errors: [
    'not_found',
    'not_in_transit',
    'other_location',
    'more_than_sent',
    'stock_limit',
    'location_not_in_plan',
    'trial_expired',
  ],
})

/** How many one call receives. */
export const mostReceived = 500

export const receiveTransfers = endpoint({
  method: 'POST',
  path: '/api/transfers/receive-all',
  access: 'member',
  effect: 'write',
  summary: 'Receive several transfers at the location they were sent to, each with all that is left of it',
  description:
    'All that are named are received, or none; those that were received, cancelled or written off meanwhile are left out and counted.',
  body: z.object({
    location,
    ids: z
      .array(transferId)
      .check(z.minLength(1, 'Choose at least one transfer.'), z.maxLength(mostReceived)),
  }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      received: z.int(),
      pieces: z.number(),
      ended_before: z.int().check(z.describe('How many were no longer on their way.')),
    }),
  },
  errors: ['not_found', 'other_location', 'stock_limit', 'location_not_in_plan', 'trial_expired'],
})

export const cancelTransfer = endpoint({
  method: 'POST',
  path: '/api/transfers/{id}/cancel',
  access: 'admin',
  effect: 'write',
  summary: 'Give what is still on its way back to where it came from',
  params: z.object({ id: transferId }),
  reply: transferReply,
  errors: ['not_found', 'not_in_transit', 'stock_limit', 'location_not_in_plan', 'trial_expired'],
})

export const writeOffTransfer = endpoint({
  method: 'POST',
  path: '/api/transfers/{id}/write-off',
  access: 'admin',
  effect: 'write',
  summary: 'Write off what is still on its way and will not arrive',
  params: z.object({ id: transferId }),
  body: z.object({ reason: z._default(text(500).check(z.trim()), '') }),
  reply: transferReply,
  errors: ['not_found', 'not_in_transit', 'trial_expired'],
})

export const listTransfers = endpoint({
  method: 'GET',
  path: '/api/transfers',
  access: 'member',
  effect: 'read',
  summary: 'List what is on its way, or what was, newest first',
  query: z.object({
    state: z
      ._default(z.enum(['under_way', 'ended']), 'under_way')
      .check(
        z.describe("'ended' are those that were received, cancelled or written off, by when they were sent."),
      ),
    to: z.optional(location),
    limit: pageSize({ initial: 100, max: 500 }),
    cursor: z.optional(cursor),
  }),
  reply: {
    status: 200,
    json: z.object({ transfers: z.array(transfer), next_cursor: z.nullable(z.string()) }),
  },
  errors: [],
})
