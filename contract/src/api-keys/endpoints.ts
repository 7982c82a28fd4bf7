import { endpoint } from '../endpoint.ts'
import { idParams } from '../id-params.ts'
import { scopes } from '../scopes.ts'
import { instant, text } from '../values.ts'
import { z } from '../zod.ts'

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z
    .string()
    .check(z.describe("The public beginning of the key, by which it is recognised: 'im_0123456789ab'.")),
  scopes: z.array(z.enum(scopes)),
  created_by: z.string(),
  created_at: instant,
  last_used_at: z.nullable(instant).check(z.describe('To the minute; null while it was never used.')),
  revoked_at: z.nullable(instant),
})

export type ApiKey = z.output<typeof apiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/api-keys',
  access: 'admin',
  effect: 'read',
  summary: 'List the API keys, newest first, revoked ones included',
  reply: { status: 200, json: z.object({ keys: z.array(apiKey), calls_per_minute: z.int() }) },
  errors: [],
})

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/api-keys',
  access: 'admin',
  effect: 'write',
  summary: 'Make an API key, which is shown once',
  description: 'No other reply holds the whole key: the database has a hash of it.',
  body: z.object({
    name: text(100).check(z.trim(), z.minLength(1, 'Give the key a name.')),
    scopes: z.pipe(
      z.array(z.enum(scopes)).check(z.minLength(1, 'Choose at least one scope.'), z.maxLength(scopes.length)),
      z.transform((chosen) => scopes.filter((scope) => chosen.includes(scope))),
    ),
  }),
  reply: { status: 201, json: z.object({ success: z.literal(true), id: z.string(), key: z.string() }) },
  errors: ['plan_required', 'too_many_keys', 'shown_once'],
})

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  access: 'admin',
  effect: 'write',
  summary: 'Revoke an API key at once, for good',
  params: idParams,
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found'],
})
