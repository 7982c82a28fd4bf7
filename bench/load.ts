import { Client } from 'undici'

/** One HTTP request of a load; `body` is sent as JSON. */
export type Request = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: unknown
  /** What a reply that says it went well holds all the same where it did not, as GraphQL's do. */
  failure?: string
  /** What is asked next, of the reply, where the work takes two calls. */
  followUp?: (reply: string) => Request
}

export type Figures = {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  /** Bytes of one reply as they came over the wire. */
  bytes: number
}

const warmUps = 3

async function send(client: Client, request: Request): Promise<number> {
  const { method, path, headers = {}, body, failure, followUp } = request
  const reply = await client.request({
    method,
    path,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const received = Buffer.from(await reply.body.arrayBuffer())
  const isRefused = reply.statusCode >= 300 && reply.statusCode !== 304
  if (isRefused || (failure !== undefined && received.includes(failure))) {
    throw new Error(`${method} ${path} answered ${reply.statusCode}: ${received.toString('utf8', 0, 300)}`)
  }
  if (followUp === undefined) return received.length
  return received.length + (await send(client, followUp(received.toString())))
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle of several figures. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

type Load = {
  origin: string
  clients: number
  seconds: number
  next: () => Request
  /** What is done before each request, outside its time. */
  before?: (request: Request) => Promise<void>
}

/** Clients that each send the next request as soon as the last one is answered (a closed loop). */
export async function run({ origin, clients, seconds, next, before }: Load): Promise<Figures> {
  const connections = Array.from({ length: clients }, () => new Client(origin, { pipelining: 1 }))
  for (const client of connections.slice(0, 8)) {
    for (let index = 0; index < warmUps; index += 1) await send(client, next())
  }
  const latencies: number[] = []
  let bytes = 0
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(
    connections.map(async (client) => {
      while (performance.now() < end) {
        const request = next()
        await before?.(request)
        const sent = performance.now()
        const received = await send(client, request)
        bytes += received
        latencies.push(performance.now() - sent)
      }
    }),
  )
  const elapsed = (performance.now() - started) / 1000
  await Promise.all(connections.map((client) => client.close()))
  latencies.sort((a, b) => a - b)
  return {
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    bytes: Math.round(bytes / latencies.length),
  }
}

/** The medians of several rounds, figure by figure. */
export function medianOf(rounds: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]))
  return { perSecond: of('perSecond'), p50: of('p50'), p95: of('p95'), p99: of('p99'), bytes: of('bytes') }
}

/** Ours through theirs as the middle of each round's: what else the machine does changes from round to round. */
export function ratioOf(ours: readonly Figures[], theirs: readonly Figures[]): number {
  return median(ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN)))
}
