import { endpoint } from '../endpoint.ts'
import { z } from '../zod.ts'
import { differenceId, discrepancyStatuses } from './endpoints.ts'

export const reopenDiscrepancy = endpoint({
  method: 'POST',
  path: '/api/discrepancies/reopen',
  access: 'admin',
  effect: 'write',
  summary: 'Reopen a difference that was dismissed by mistake',
  description:
    'It waits again as it did before it was dismissed. One that was accepted is corrected by a count or by setting the stock, and one whose place was counted or corrected since stays as it is.',
  body: z.object({ id: differenceId }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      status: z.enum(discrepancyStatuses).meta({ description: 'How it stands now: as before.' }),
    }),
  },
  errors: ['not_found', 'cannot_reopen', 'component_retired', 'trial_expired'],
})
