/** What a call takes and gives; the generated `Calls` names one of these for each call of the interface. */
type Shape = { input: object; reply: unknown }

/** How a call is sent. */
type Place = { method: string; path: string; repliesWith: 'json' | 'file' | 'events' }

type Options = {
  /** The same key with the same input answers as before and changes nothing a second time. */
  idempotencyKey?: string
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

/** Why a call did not give its reply: the server's own sentence, and a code for programs. */
export class ClientError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null

  constructor(message: string, facts: { status: number; code: string; requestId: string | null }) {
    super(message)
    this.name = 'ClientError'
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
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

function headersOf(token: string | undefined, { body }: Input, { idempotencyKey }: Options): Headers {
  const headers = new Headers()
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

async function errorOf(response: Response): Promise<ClientError> {
  const requestId = response.headers.get('x-request-id')
  const text = await response.text()
  const facts = { status: response.status, code: 'unknown', requestId }
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    return new ClientError(`The server answered ${response.status}.`, facts)
  }
  const body: { error?: string; code?: string } = JSON.parse(text)
  return new ClientError(body.error ?? text, { ...facts, code: body.code ?? 'unknown' })
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
        headers: headersOf(token, given, options),
        body: given.body === undefined ? null : JSON.stringify(given.body),
        signal: options.signal ?? null,
      })
      if (!response.ok) throw await errorOf(response)
      if (place.repliesWith === 'events') return response
      return place.repliesWith === 'file' ? await response.blob() : await response.json()
    },
  }
}
