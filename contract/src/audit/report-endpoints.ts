import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { code, place, quantity, smallMap, text } from '../values.ts'

/** What one person may report in a minute: more than anybody can do on a screen. */
export const reportsPerMinute = 120

export const logAudit = endpoint({
  method: 'POST',
  path: '/api/audit/log',
  access: 'member',
  effect: 'write',
  scope: 'people',
  summary: 'Report an event that only the client knows',
  description:
    "For what only the client knows. Actor, company and time are the server's; what a body says of them is ignored.",
  body: z.object({
    sku: code(100).check(
      z.describe('A SKU, with the prefix of a kind before it where the entry is of that kind.'),
    ),
    quantity: z.nullish(quantity),
    location: z.nullish(place),
    source: z.nullish(text(100)),
    user_type: z.nullish(text(100)),
    user_name: z.nullish(text(200)),
    metadata: z.nullish(smallMap),
  }),
  reply: { status: 201, json: z.object({ success: z.literal(true), id: z.string() }) },
  errors: [],
})
