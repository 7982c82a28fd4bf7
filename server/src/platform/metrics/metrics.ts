import { setTimeout as sleep } from 'node:timers/promises'
import { streamEvents } from '@inventory-manager/contract/events/endpoints'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolUse } from '../db/database.ts'
import { whenClosed } from '../http/when-closed.ts'

/** What the gauges read when somebody looks. */
type Sources = {
  pool: () => PoolUse
  /** Open event streams of this node. */
  streams: () => number
  /** One round trip to the database; rejects where there is none. */
  ping: () => Promise<unknown>
}

type OnLeft = (request: FastifyRequest, reply: FastifyReply, status: number) => void

export type Metrics = {
  /** Counts a scan under what came of it: 'recorded', 'recorded_with_difference', 'mismatch' or the refusal. */
  scanned: (outcome: string) => void
  /** Times every request of an application, by route template and status, and tells of those whose client went away. */
  watch: (app: FastifyInstance, onLeft: OnLeft) => void
  /** Gives the gauges what they read. */
  connect: (sources: Sources) => void
  /** The state of everything in the Prometheus text format. */
  read: () => Promise<string>
  contentType: string
  /** Where they are kept, for a process that shows those of several. */
  registry: Registry
}

/** Seconds; the goal for a scan (p99 under 150 ms) is one of them. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10]
const patienceMs = 2_000

type Reading = { name: string; help: string; read: () => number }

function gauge(registry: Registry, { name, help, read }: Reading): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
}

function watchPool(registry: Registry, pool: Sources['pool']): void {
  const connections: Gauge<'state'> = new Gauge({
    name: 'inventory_manager_pool_connections',
    help: 'Database connections of this node: idle ones, and those at work.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle } = pool()
      connections.set({ state: 'idle' }, idle)
      connections.set({ state: 'busy' }, total - idle)
    },
  })
  gauge(registry, {
    name: 'inventory_manager_pool_size',
    help: 'Database connections this node may open.',
    read: () => pool().size,
  })
  gauge(registry, {
    name: 'inventory_manager_pool_waiting',
    help: 'Requests that wait for a database connection.',
    read: () => pool().waiting,
  })
}

/** Whether the database answered in time, and in how many seconds. */
async function tryDatabase(ping: Sources['ping']): Promise<{ up: boolean; seconds: number }> {
  const began = performance.now()
  const late = new AbortController()
  const up = await Promise.race([
    ping().then(
      () => true,
      () => false,
    ),
    sleep(patienceMs, false, { signal: late.signal, ref: false }),
  ])
  late.abort()
  return { up, seconds: (performance.now() - began) / 1000 }
}

function watchDatabase(registry: Registry, ping: Sources['ping']): void {
  let trying: ReturnType<typeof tryDatabase> | null = null
  /** Both gauges are read at once, and from one try. */
  const tried = () => (trying ??= tryDatabase(ping).finally(() => (trying = null)))
  const roundTrip: Gauge = new Gauge({
    name: 'inventory_manager_database_round_trip_seconds',
    help: 'How long the database took to answer the simplest question just now, waiting for a connection included.',
    aggregator: 'max',
    registers: [registry],
    collect: async () => roundTrip.set((await tried()).seconds),
  })
  const up: Gauge = new Gauge({
    name: 'inventory_manager_database_up',
    help: 'Whether the database answered within 2 seconds.',
    aggregator: 'min',
    registers: [registry],
    collect: async () => up.set((await tried()).up ? 1 : 0),
  })
}

/** As proxies call it. */
const clientLeft = 499

/** The status of a request whose client went away: of a stream of news, which has no end, what it began with. */
function statusOfLeft({ routeOptions }: FastifyRequest, { raw }: FastifyReply): number {
  return routeOptions.url === streamEvents.path && raw.headersSent ? raw.statusCode : clientLeft
}

function watchRequests(registry: Registry, app: FastifyInstance, onLeft: OnLeft): void {
  const duration = new Histogram({
    name: 'inventory_manager_http_request_duration_seconds',
    help: 'Requests by route template and status, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: latencyBuckets,
    registers: [registry],
  })
  const open = new Gauge({
    name: 'inventory_manager_http_requests_open',
    help: 'Requests being answered now, event streams not among them.',
    labelNames: ['route'],
    registers: [registry],
  })
  const observe = ({ method, routeOptions }: FastifyRequest, reply: FastifyReply, status: number) => {
    const seconds = reply.elapsedTime / 1000
    duration.observe({ method, route: routeOptions.url ?? 'none', status }, seconds)
  }
  // What matches no route goes under one name: an address is anybody's to make up.
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    open.inc({ route })
    whenClosed(reply.raw, () => {
      open.dec({ route })
      if (reply.raw.writableFinished || reply.raw.errored) return
      const status = statusOfLeft(request, reply)
      observe(request, reply, status)
      onLeft(request, reply, status)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, reply.statusCode)
    done()
  })
}

/** Of several nodes the one that has most is shown: a sum, or a mean, would say nothing of any of them. */
function showTheWorst(registry: Registry): void {
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']) {
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' })
  }
}

/** The measures of one node (docs/operating.md names them all). */
export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  // Process memory and CPU, event loop delay, garbage collection.
  collectDefaultMetrics({ register: registry })
  showTheWorst(registry)
  new Gauge({
    name: 'inventory_manager_info',
    help: 'The version that runs.',
    aggregator: 'first',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const scans = new Counter({
    name: 'inventory_manager_scans_total',
    help: 'Scans by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return {
    scanned: (outcome) => scans.inc({ outcome }),
    watch: (app, onLeft) => watchRequests(registry, app, onLeft),
    connect({ pool, streams, ping }) {
      watchPool(registry, pool)
      watchDatabase(registry, ping)
      gauge(registry, { name: 'inventory_manager_streams_open', help: 'Open event streams.', read: streams })
    },
    read: () => registry.metrics(),
    contentType: registry.contentType,
    registry,
  }
}
