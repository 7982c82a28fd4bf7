/** What a call takes and gives; the generated `Calls` names one of these for each call of the interface. */
type Shape = { input: object; reply: unknown }

/** How a call is sent; `tellsTime`: with the time of this device, by which the server judges the times it is told. */
type Place = { method: string; path: string; repliesWith: 'json' | 'file' | 'events'; tellsTime?: true }

type Options = {
  /** The same key with the same input answers as before and changes nothing a second time. */
  idempotencyKey?: string
  /** Of `streamEvents`: the id that came last on an earlier stream, which this one goes on after. */
  lastEventId?: string
  signal?: AbortSignal
}

export type ClientOptions = {
  /** Where the program is, such as https://inventory.example.com */
  url: string
  /** The session's token of `login`, or an API key. */
  token?: string
  /** Another way to send requests than the global fetch. */
  fetch?: typeof globalThis.fetch
}

/** A call whose input has nothing it must be given may be made without. */
type Arguments<Input> = object extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]

export type Client<Calls extends Record<keyof Calls, Shape>> = {
  /** Makes a call and gives its reply; throws ClientError with the server's sentence. */
  call<Name extends keyof Calls & string>(
    name: Name,
    ...given: Arguments<Calls[Name]['input']>
  ): Promise<Calls[Name]['reply']>
  /** The same client, signed in. */
  as(token: string): Client<Calls>
}

/** One of several fields that are wrong. */
type ErrorDetail = { path: string; message: string }

type ErrorFacts = {
  status: number
  code: string
  requestId: string | null
  details: readonly ErrorDetail[]
  retryAfterSeconds: number | null
}

/** Why a call did not give its reply: the server's own sentence, and a code for programs. */
export class ClientError extends Error implements ErrorFacts {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly details: readonly ErrorDetail[]
  /** How long to wait before the next attempt, where the server says so. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClientError'
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.details = facts.details
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

type Input = { params?: object; query?: object; body?: unknown }

function addressOf(base: string, { path }: Place, { params = {}, query = {} }: Input): string {
  const values = new Map<string, unknown>(Object.entries(params))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return new URL(search.size === 0 ? filled : `${filled}?${search}`, base).href
}

type Sending = { token: string | undefined; place: Place; options: Options }

function headersOf({ token, place, options }: Sending, { body }: Input): Headers {
  const { idempotencyKey, lastEventId } = options
  const headers = new Headers()
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
  if (place.tellsTime === true) headers.set('sent-at', new Date().toISOString())
  if (body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

/** Seconds, which a proxy may give as a date instead; null for neither. */
function retryAfterOf(headers: Headers): number | null {
  const given = headers.get('retry-after')
  if (given === null) return null
  if (/^\d+$/.test(given)) return Number(given)
  const until = Date.parse(given)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

function factsOf({ status, headers }: Response): ErrorFacts {
  return {
    status,
    code: 'unknown',
    requestId: headers.get('x-request-id'),
    details: [],
    retryAfterSeconds: retryAfterOf(headers),
  }
}

/** A reply that this program did not write, or not to its end. */
function strange(response: Response, cause?: unknown): ClientError {
  const message = `The server answered ${response.status}${response.ok ? ' with something else than a reply' : ''}.`
  return new ClientError(message, factsOf(response), { cause })
}

function isType(response: Response, type: string): boolean {
  return (response.headers.get('content-type') ?? '').includes(type)
}

async function jsonOf<T = unknown>(response: Response): Promise<T> {
  const text = await response.text()
  if (!isType(response, 'json')) throw strange(response)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw strange(response, cause)
  }
}

async function errorOf(response: Response): Promise<ClientError> {
  const body = await jsonOf<{ error?: unknown; code?: string; details?: ErrorDetail[] } | null>(response)
  if (typeof body?.error !== 'string') return strange(response)
  const { code = 'unknown', details = [] } = body
  return new ClientError(body.error, { ...factsOf(response), code, details })
}

/** What a call gives; HTML is none of it: somebody else has answered, a sign-in page of the network perhaps. */
async function replyOf(response: Response, { repliesWith }: Place): Promise<unknown> {
  if (repliesWith === 'json') return await jsonOf(response)
  const fits = repliesWith === 'events' ? isType(response, 'event-stream') : !isType(response, 'html')
  if (fits) return repliesWith === 'events' ? response : await response.blob()
  await response.body?.cancel()
  throw strange(response)
}

/** A client of the calls of a table, which the generated index gives. */
export function clientOf<Calls extends Record<keyof Calls, Shape>>(
  table: Readonly<Record<keyof Calls & string, Place>>,
  { url, token, fetch: send = globalThis.fetch }: ClientOptions,
): Client<Calls> {
  return {
    as: (other) => clientOf<Calls>(table, { url, token: other, fetch: send }),
    async call(name, ...[input = {}, options = {}]) {
      const place = table[name]
      const given: Input = input
      const response = await send(addressOf(url, place, given), {
        method: place.method,
        headers: headersOf({ token, place, options }, given),
        body: given.body === undefined ? null : JSON.stringify(given.body),
        signal: options.signal ?? null,
      })
      if (!response.ok) throw await errorOf(response)
      // Every reply of the program has one; that of a network which asks for a sign-in first may be JSON as well.
      if (!response.headers.has('x-request-id')) throw strange(response)
      return await replyOf(response, place)
    },
  }
}
