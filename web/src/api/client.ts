import { z } from '@inventory-manager/contract/zod'
import {
  errorReply,
  type Endpoint,
  type EndpointCall,
  type EndpointReply,
} from '@inventory-manager/contract/endpoint'
import { eitherOf } from '../lib/signals.ts'
import { ApiError, isAbort } from './api-error.ts'
import { askingAnew, takeEarly } from './early-reply.ts'
import { ownerOf, readToken } from './token.ts'

export type CallOptions = {
  signal?: AbortSignal
  timeoutMs?: number
  idempotencyKey?: string
  /** Sent even when the page is closed meanwhile. */
  outlivesPage?: true
  /** Sends only while this `company/user` is the one signed in; otherwise fails as a network would. */
  owner?: string
  /** Sent in place of the stored token, which is gone. */
  token?: string
  /** The event a stream is to go on after. */
  lastEventId?: string
}

type Input = { params?: unknown; query?: unknown; body?: unknown }

let endSession: () => void = () => undefined

/** What to do when the server says that the session is over; set once by the session. */
export function onSessionOver(action: () => void): void {
  endSession = action
}

/** Specification 7. What the server's own sentences hold may be anything, a SKU called TOKEN-RING: they have a code. */
const ends = /unauthorized|token/i

function urlOf(endpoint: Endpoint, input: Input): string {
  const params = new Map(Object.entries(input.params ?? {}))
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params.get(name))),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  const asked = query.toString()
  return asked === '' ? path : `${path}?${asked}`
}

function headersOf(endpoint: Endpoint, token: string | null, options: CallOptions): Headers {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey)
  if (options.lastEventId !== undefined) headers.set('last-event-id', options.lastEventId)
  if (endpoint.tellsTime === true) headers.set('sent-at', new Date().toISOString())
  return headers
}

function signalOf({ signal, timeoutMs }: CallOptions): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : eitherOf(signal, timeout)
}

/** What a fetch that never got its answer means. */
export function failureOf(error: unknown): unknown {
  if (isAbort(error)) return error
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ApiError('The request timed out.', { kind: 'timeout', cause: error })
  return new ApiError('The server cannot be reached.', { kind: 'network', cause: error })
}

/** The token to send, which is the owner's where one is asked for. */
function tokenFor(endpoint: Endpoint, { owner, token: given }: CallOptions): string | null {
  const token = endpoint.access === 'public' ? null : (given ?? readToken())
  if (owner !== undefined && (token === null || ownerOf(token) !== owner)) {
    throw new ApiError('Nobody, or somebody else, is signed in.', { kind: 'network' })
  }
  return token
}

/** The answer to a call, whatever it is. Asks before anything else happens: the page may be closing. */
async function ask(
  endpoint: Endpoint,
  input: Input,
  { token, options }: { token: string | null; options: CallOptions },
): Promise<Response> {
  const signal = signalOf(options)
  const url = urlOf(endpoint, input)
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const early = takeEarly(url, token)
  signal?.addEventListener('abort', () => early?.end(signal.reason), { once: true })
  const arrived = early === null ? null : await early.reply
  if (arrived !== null) return arrived
  return await fetch(url, {
    ...askingAnew,
    method: endpoint.method,
    headers: headersOf(endpoint, token, options),
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
    ...(options.outlivesPage === true ? { keepalive: true } : {}),
  }).catch((error: unknown) => {
    throw failureOf(error)
  })
}

/** Sends a call and gives its reply where it succeeded; throws ApiError. */
export async function send(endpoint: Endpoint, input: Input, options: CallOptions): Promise<Response> {
  const token = tokenFor(endpoint, options)
  const response = await ask(endpoint, input, { token, options })
  if (response.ok) return response
  const error = await errorOf(response)
  const isOver = error.status === 401 || (error.code === null && ends.test(error.message))
  // Somebody may have signed in again meanwhile: a late answer must not end the new session.
  if (token !== null && isOver && readToken() === token) endSession()
  throw error
}

/** What a reply means that is not what the contract says. */
export function badReply(cause: unknown, status: number | null): ApiError {
  const facts = { kind: 'bad_reply' as const, cause, ...(status === null ? {} : { status }) }
  return new ApiError('The server sent a reply that cannot be read.', facts)
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    // Anything else than text that is no JSON is a connection that broke under the reply.
    throw error instanceof SyntaxError ? badReply(error, response.status) : failureOf(error)
  }
}

/** What stands between browser and server may say less. */
const anyErrorReply = z.partial(errorReply, { success: true, code: true })

async function errorOf(response: Response): Promise<ApiError> {
  const body = await readJson(response).catch((error: unknown) => {
    // A page. A reply that breaks off has said nothing.
    if (error instanceof ApiError && error.kind === 'bad_reply') return null
    throw error
  })
  const parsed = anyErrorReply.safeParse(body)
  const { status } = response
  if (!parsed.success) {
    return new ApiError(`HTTP error! status: ${status}`, { kind: 'reply', status, isForeign: body === null })
  }
  const { error, code, details } = parsed.data
  return new ApiError(error, {
    kind: 'reply',
    status,
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
  })
}

/** Longer than the server waits for its database. */
const readPatienceMs = 40_000

/** Calls an endpoint of the contract and gives its parsed reply; throws ApiError. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: EndpointCall<E>,
  options: CallOptions = {},
): Promise<EndpointReply<E>> {
  if (!('json' in endpoint.reply)) throw new Error('Use callForFile for files.')
  const patience = endpoint.effect === 'read' ? { timeoutMs: readPatienceMs } : {}
  const response = await send(endpoint, input, { ...patience, ...options })
  const parsed = endpoint.reply.json.safeParse(await readJson(response))
  if (!parsed.success) throw badReply(parsed.error, response.status)
  // Parsed by the endpoint's own schema, which the compiler cannot follow through the generic.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return parsed.data as EndpointReply<E>
}

const eventType = 'text/event-stream'

/** Calls an endpoint and gives its reply as text, in pieces as they come, until it ends or is cut; throws ApiError. */
export async function* callForStream<E extends Endpoint>(
  endpoint: E,
  input: EndpointCall<E>,
  options: CallOptions = {},
): AsyncGenerator<string> {
  const { body, headers, status } = await send(endpoint, input, options)
  const isPage = 'events' in endpoint.reply && headers.get('content-type')?.startsWith(eventType) !== true
  if (isPage) throw badReply(null, status)
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
  } catch (error) {
    throw failureOf(error)
  }
}
