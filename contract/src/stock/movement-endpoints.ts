import { endpoint } from '../endpoint.ts'
import { barcode, clientInstant, cursor, pageSize } from '../values.ts'
import { z } from '../zod.ts'
import { movement } from './component-endpoints.ts'

const companyMovement = z.object({
  ...movement.shape,
  barcode: z.string().check(z.describe('The own barcode of the component.')),
})

export const listMovements = endpoint({
  method: 'GET',
  path: '/api/movements',
  access: 'member',
  effect: 'read',
  summary: 'List the movements of the company, oldest first, for programs that read on',
  description:
    'Whoever goes on from the `cursor` of the last reply gets every movement once. Each comes ten seconds after it was made, or later: while something that may still make an earlier one is under way, such as a long import, what was made meanwhile waits for it. After a backup was restored, what was told since it was made is gone: `cursor_gone` says so once. To begin with what there is, load stock and then read on `from` a moment before: `quantity_after` is right also where the stock that was loaded has the movement.',
  query: z.object({
    barcode: z.optional(barcode).check(z.describe('Any barcode of a component: its movements alone.')),
    from: z
      .optional(clientInstant)
      .check(z.describe('Where to begin without a cursor: with what was made from this moment on.')),
    limit: pageSize({ initial: 200, max: 1000 }),
    cursor: z.optional(cursor),
  }),
  reply: {
    status: 200,
    json: z.object({
      movements: z.array(companyMovement),
      cursor: z
        .nullable(z.string())
        .check(z.describe('Where to go on, now or later; null while there is no movement at all.')),
      more: z.boolean().check(z.describe('Whether there are more at once.')),
      // A node of the version before does not say it.
      cursor_gone: z
        .optional(z.boolean())
        .check(
          z.describe(
            'True where the movement of the given cursor is there no longer, as after a backup was restored: load stock anew, and go on from the cursor of this reply. Else left out.',
          ),
        ),
    }),
  },
  errors: ['not_found'],
})
