import { endpoint } from '../endpoint.ts'
import { barcode, cursor, pageSize } from '../values.ts'
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
    'Whoever goes on from the `cursor` of the last reply gets every movement once. Each comes ten seconds after it was made, or later: while something that may still make an earlier one is under way, such as a long import, what was made meanwhile waits for it. After a backup was restored, load stock anew: what was told since is gone.',
  query: z.object({
    barcode: z.optional(barcode).check(z.describe('Any barcode of a component: its movements alone.')),
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
    }),
  },
  errors: ['not_found'],
})
