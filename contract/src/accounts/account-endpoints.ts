import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../id-params.ts'
import { instant, text } from '../values.ts'
import { registrationMessages } from './messages.ts'

const ownSession = z.object({
  id: z.string(),
  device: z.string().check(z.describe("Browser and system, as far as the device says: 'Chrome on Android'.")),
  created_at: instant,
  last_used_at: instant,
  current: z.boolean(),
})

export type OwnSession = z.output<typeof ownSession>

export const listOwnSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  access: 'member',
  effect: 'read',
  summary: 'List the own running sessions',
  reply: { status: 200, json: z.object({ sessions: z.array(ownSession) }) },
  errors: [],
})

export const changeName = endpoint({
  method: 'POST',
  path: '/api/account/name',
  access: 'member',
  effect: 'write',
  summary: 'Change the own name',
  body: z.object({ name: text(200).check(z.trim(), z.minLength(1, registrationMessages.nameRequired)) }),
  reply: { status: 200, json: z.object({ success: z.literal(true), name: z.string() }) },
  errors: ['name_taken'],
})

export const endOwnSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  access: 'member',
  effect: 'write',
  summary: 'End one of the own sessions',
  params: idParams,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found'],
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end-others',
  access: 'member',
  effect: 'write',
  summary: 'End all own sessions but this one',
  reply: { status: 200, json: z.object({ success: z.literal(true), ended: z.int() }) },
  errors: [],
})

export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/api/account/send-confirmation',
  access: 'member',
  effect: 'write',
  keyless: true,
  summary: 'Mail a link by which the own address is confirmed',
  reply: {
    status: 200,
    json: z.object({ success: z.literal(true), mailed: z.enum(['sent', 'failed']) }),
  },
  errors: ['no_mail', 'address_confirmed'],
})
