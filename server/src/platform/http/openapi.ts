import { eventTypes } from '@inventory-manager/contract/events/endpoints'
import { scopeOf } from '@inventory-manager/contract/scope-of'
import { scopeMeanings, scopes, type Scope } from '@inventory-manager/contract/scopes'
import {
  errorReply,
  mebibyte,
  takesIdempotencyKey,
  type Endpoint,
} from '@inventory-manager/contract/endpoint'
import { commonErrors, errorTable, type ErrorCode } from '@inventory-manager/contract/errors'
import {
  webhookBody,
  webhookEventMeanings,
  webhookEvents,
} from '@inventory-manager/contract/webhooks/endpoints'
import { z } from '@inventory-manager/contract/zod'
import { setImmediate } from 'node:timers/promises'

type Json = Record<string, unknown>

type Part = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]

/** What validators of other programs must not be told: who is answered more than this document names may not refuse it. */
function leaveRoom({ jsonSchema }: Part): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/** They divide inexactly and would refuse fractions that are taken: words say how many decimals there may be. */
function leaveFractions({ jsonSchema }: Part): void {
  if ((jsonSchema.multipleOf ?? 1) < 1) delete jsonSchema.multipleOf
}

/** The JSON Schema (2020-12, as OpenAPI 3.1 takes it) of what is sent, or of what is answered. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const override = io === 'output' ? leaveRoom : leaveFractions
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  return rest
}

function parametersOf(schema: z.ZodMiniObject, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request answers as before and changes nothing a second time.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: String.raw`^[\x21-\x7e]*$` },
}

const sentAt: Json = {
  name: 'Sent-At',
  in: 'header',
  required: false,
  description:
    'What the clock of the caller shows as it sends. Where that is off by more than a minute, the time in the body is moved by as much.',
  schema: { type: 'string', format: 'date-time' },
}

const lastEventId: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` that came last on an earlier stream: this one goes on after it.',
  schema: { type: 'string' },
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier reply: while nothing has changed, the answer is 304 without a body.',
  schema: { type: 'string' },
}

const entityTag = {
  ETag: { description: 'What `If-None-Match` takes next time.', schema: { type: 'string' } },
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
}

/** What a stream of events consists of, in words. */
export const streamMeaning = [
  'Server-sent events as they happen, in the order of the commits, each with an `id`.',
  `\`event\` is one of ${eventTypes.map((type) => `\`${type}\``).join(', ')}, with \`data\` as the schema says,`,
  'or `reload`, with empty `data`: too much was missed, so load anew what you keep.',
].join(' ')

function successOf({ reply }: Endpoint): Json {
  if ('events' in reply) {
    const content = { 'text/event-stream': { schema: schemaOf(reply.events, 'output') } }
    return { description: streamMeaning, content }
  }
  if ('image' in reply) {
    const schema = { type: 'string', contentMediaType: 'image/*' }
    return { description: 'The picture', content: { 'image/*': { schema } } }
  }
  if ('pdf' in reply) {
    const kinds = ['application/pdf', ...(reply.zpl === true ? ['application/zpl'] : [])]
    const content = Object.fromEntries(
      kinds.map((kind) => [kind, { schema: { type: 'string', contentMediaType: kind } }]),
    )
    return { description: 'The file', content }
  }
  if ('files' in reply) {
    const content = reply.files.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }])
    return { description: 'The file', content: Object.fromEntries(content) }
  }
  return { description: 'Done', content: { 'application/json': { schema: schemaOf(reply.json, 'output') } } }
}

/** What an API key may be answered besides. */
function keyErrors(endpoint: Endpoint): ErrorCode[] {
  const scope = scopeOf(endpoint)
  if (scope === null) return []
  return scope === 'people' ? ['people_only'] : ['scope_missing', 'plan_required']
}

function repliesOf(endpoint: Endpoint): Json {
  const { status } = endpoint.reply
  const failures = failuresOf(endpoint)
  if (endpoint.revalidates !== true) return { [status]: successOf(endpoint), ...failures }
  return {
    [status]: { ...successOf(endpoint), headers: entityTag },
    304: { description: 'Unchanged since the reply of that `ETag`', headers: entityTag },
    ...failures,
  }
}

/** Statuses that say when to try again. */
const waits = new Set<number>([429, 503])

/** Error replies by status, each with the codes it may carry. */
function failuresOf(endpoint: Endpoint): Json {
  const access: ErrorCode[] = endpoint.access === 'public' ? [] : ['unauthorized']
  const role: ErrorCode[] = endpoint.access === 'admin' ? ['forbidden'] : []
  const scope = keyErrors(endpoint)
  const key: ErrorCode[] = takesIdempotencyKey(endpoint) ? ['key_reused'] : []
  const plan: ErrorCode[] = endpoint.errors.includes('trial_expired') ? ['not_seated'] : []
  const codes = [
    ...new Set<ErrorCode>([
      ...commonErrors,
      ...access,
      ...role,
      ...scope,
      ...key,
      ...plan,
      ...endpoint.errors,
    ]),
  ]
  const statuses = new Set(codes.map((code) => errorTable[code].status))
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: codes
          .filter((code) => errorTable[code].status === status)
          .map((code) => `\`${code}\`: ${errorTable[code].sentence}`)
          .join('\n\n'),
        ...(waits.has(status) ? { headers: retryAfter } : {}),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

/** The areas of the interface, which are the first part of a path. */
const areas: Record<string, string> = {
  auth: 'Registration and sessions',
  team: 'Users, invitations and seats',
  account: 'The own account and its sessions',
  company: 'Plan, billing and settings of the company',
  dashboard: 'Plan, use and recent activity',
  components: 'Stock items, their stock and their counts',
  transfers: 'Stock on its way between locations',
  movements: 'Every change of stock, for programs that read on',
  imports: 'Components from files, staged, looked at, taken or undone',
  exports: 'Lists as files for spreadsheets, and the whole company as an archive',
  admin: 'Administrators’ maintenance',
  'count-history': 'Every count, append-only',
  'weekly-counts': 'Records of weekly counts',
  'cycle-counts': 'Records of monthly cycles',
  counting: 'Who counts at this moment, and how far',
  recounts: 'What was asked to be counted again',
  discrepancies: 'Differences between counts and stock',
  'unknown-codes': 'Scanned codes that belong to no component',
  accuracy: 'How far stock and counts agree, and count certificates',
  analytics: 'Figures for the charts',
  'generate-labels': 'Label files',
  labels: 'What labels show, pages for printers, and what was labelled',
  events: 'News as they happen',
  audit: 'The audit trail',
  'api-keys': 'Keys for other programs',
  webhooks: 'Deliveries to other programs',
  health: 'State of the server',
  'test-tenant-context': 'Diagnostics',
}

function tagOf({ path }: Endpoint): string {
  const area = path.split('/').find((part) => part in areas)
  if (area === undefined) throw new Error(`No area of the interface is named for ${path}.`)
  return area
}

/** Who may call: a person by session, and a key by the scope that stands as the requirement's role (OpenAPI 3.1). */
function securityOf(endpoint: Endpoint): Json[] {
  const scope = scopeOf(endpoint)
  if (scope === null) return []
  return scope === 'people' ? [{ session: [] }] : [{ session: [] }, { apiKey: [scope] }]
}

function descriptionOf(endpoint: Endpoint): string {
  const { description = '' } = endpoint
  const audience = audienceOf(endpoint, (scope) => `the scope \`${scope}\``)
  return [description, audience, bodyLimitOf(endpoint)].filter((part) => part !== '').join(' ')
}

/** How long the body may be of a call that takes more than others do, in a sentence. */
export function bodyLimitOf({ maxBodyBytes }: Endpoint): string {
  return maxBodyBytes === undefined ? '' : `Its body holds ${maxBodyBytes / mebibyte} MB at most.`
}

/** Who may call, in a sentence; a document names a scope in its own way. */
export function audienceOf(endpoint: Endpoint, named: (scope: Scope) => string): string {
  const scope = scopeOf(endpoint)
  if (scope === null) return 'For anybody.'
  const people = endpoint.access === 'admin' ? 'For administrators' : 'For signed-in users'
  return scope === 'people' ? `${people}, not for API keys.` : `${people} and API keys with ${named(scope)}.`
}

const keyMeaning = [
  'An API key (professional plan and up), sent as `Authorization: Bearer im_…`. Its scopes:',
  ...scopes.map((scope) => `- \`${scope}\`: ${scopeMeanings[scope]}.`),
].join('\n')

function headersOf(endpoint: Endpoint): Json[] {
  return [
    ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
    ...(endpoint.tellsTime === true ? [sentAt] : []),
    ...(endpoint.revalidates === true ? [ifNoneMatch] : []),
    ...('events' in endpoint.reply ? [lastEventId] : []),
  ]
}

function operationOf(name: string, endpoint: Endpoint): Json {
  const parameters = [
    ...(endpoint.params === undefined ? [] : parametersOf(endpoint.params, 'path')),
    ...(endpoint.query === undefined ? [] : parametersOf(endpoint.query, 'query')),
    ...headersOf(endpoint),
  ]
  const body = endpoint.body && {
    required: !endpoint.body.safeParse(undefined).success,
    content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
  }
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: repliesOf(endpoint),
  }
}

/** What each delivery of a webhook has (Standard Webhooks 1.0). */
const deliveryHeaders = {
  'webhook-id': 'The same for every attempt of a delivery.',
  'webhook-timestamp': 'Seconds since 1970: refuse what is more than five minutes off.',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64.',
}

function webhookOperation(type: string, meaning: string): Json {
  return {
    post: {
      operationId: type,
      tags: ['webhooks'],
      summary: meaning,
      security: [],
      parameters: Object.entries(deliveryHeaders).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(webhookBody, 'output') } },
      },
      responses: { '2XX': { description: 'It has arrived. Anything else is tried again.' } },
    },
  }
}

/** The OpenAPI 3.1 document of all calls, from the same declarations that bind them; others have their turn in between. */
export async function describeApi(endpoints: Record<string, Endpoint>, version: string): Promise<Json> {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operationOf(name, endpoint)
    await setImmediate()
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Inventory Manager',
      version,
      description: 'Count stock by scanning barcodes, print labels, read the audit trail.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(
      webhookEvents.map((type) => [type, webhookOperation(type, webhookEventMeanings[type])]),
    ),
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'What POST /api/auth/login answers, for twelve hours.',
        },
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'im_…', description: keyMeaning },
      },
      schemas: { Error: schemaOf(errorReply, 'output') },
    },
  }
}
