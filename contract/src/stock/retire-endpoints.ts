import { endpoint } from '../endpoint.ts'
import { barcode } from '../values.ts'
import { z } from '../zod.ts'

export const retireComponent = endpoint({
  method: 'POST',
  path: '/api/components/retire',
  access: 'admin',
  effect: 'write',
  summary: 'Retire a component: it leaves all lists and is no longer counted; its history stays',
  description:
    'By its own barcode only. Refused while it has stock anywhere, some of it is on its way, or a difference waits for a decision.',
  body: z.object({ barcode }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'other_barcode', 'component_in_use', 'trial_expired'],
})

export const reinstateComponent = endpoint({
  method: 'POST',
  path: '/api/components/reinstate',
  access: 'admin',
  effect: 'write',
  summary: 'Bring a retired component back into the lists',
  description: "By its own barcode only. An administrator's import of that does the same.",
  body: z.object({ barcode }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'other_barcode', 'trial_expired'],
})
