import { endpoint } from '../endpoint.ts'
import { barcode } from '../values.ts'
import { z } from '../zod.ts'

export const retireComponent = endpoint({
  method: 'POST',
  path: '/api/components/retire',
  access: 'admin',
  effect: 'write',
  summary: 'Retire a component: it leaves all lists and is counted no more; its history stays',
  description:
    'Refused while it has stock anywhere, some of it is on its way, or a difference waits for a decision.',
  body: z.object({ barcode }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'component_in_use', 'trial_expired'],
})

export const reinstateComponent = endpoint({
  method: 'POST',
  path: '/api/components/reinstate',
  access: 'admin',
  effect: 'write',
  summary: 'Bring a retired component back into the lists',
  description: "An administrator's import of its barcode does the same.",
  body: z.object({ barcode }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'trial_expired'],
})
