import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { AggregatorRegistry, Registry } from 'prom-client'
import { askingSignals } from './closing.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { SentenceError } from './platform/sentence-error.ts'

/** Options or nodes that are not right; the message says all there is to say. */
class NodesError extends SentenceError {}

const mostNodes = 64
const longestPauseMs = 10_000
/** A node that ran so long was sound, whatever ended it. */
const soundMs = 10_000

/** How many processes the command line asks for; throws NodesError. */
export function readNodes(args: string[]): number {
  const options = { nodes: { type: 'string', default: '1' } } as const
  const { values } = parseArgs({ args, options, strict: false })
  const unknown = args.find((arg, index) => !arg.startsWith('--nodes') && args[index - 1] !== '--nodes')
  // Without its number the option is there and has none: true.
  const asked = String(values.nodes)
  const count = asked === 'cores' ? Math.min(availableParallelism(), mostNodes) : Number(asked)
  if (unknown === undefined && Number.isInteger(count) && count >= 1 && count <= mostNodes) return count
  throw new NodesError(`Usage: npm start [-- --nodes N]: N processes, 1 to ${mostNodes}, or 'cores'.`)
}

/** What the embedded database takes where no more is needed. */
const usualConnections = 100
/** Those of the first process, of its backups and of commands, and what PostgreSQL keeps for its owner. */
const otherConnections = 10
const leastPool = 2
/** A node's connections beside its pool: for notices, and while it starts. */
const connectionsBeside = 3

/** How many connections the embedded database has to take, and how many of them a node's pool has. */
export function shareConnections(nodes: number): { all: number; pool: number } {
  const all = Math.max(usualConnections, otherConnections + nodes * (leastPool + connectionsBeside))
  return { all, pool: Math.floor((all - otherConnections) / nodes) - connectionsBeside }
}

/** Whether this process is one of several, started by another of the program. */
export const isOneOfSeveral = cluster.isWorker

const goodbye = 'close'

/** Lets the first process decide when this one closes: a terminal or systemd signals both at once. */
export function closeWithTheFirst(close: () => void): void {
  for (const signal of askingSignals) process.on(signal, () => undefined)
  process.on('message', (message) => {
    if (message === goodbye) close()
  })
}

/** Gives this process's figures to the first one, which shows those of all. */
export function shareMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  // Made for what it does when made: it answers the first process from now on.
  void new AggregatorRegistry()
  AggregatorRegistry.setRegistries([registry])
}

export type Nodes = {
  /** The figures of all nodes together, and beside them those of the first process, which are kept in the registry. */
  metrics: Pick<Metrics, 'read' | 'contentType' | 'registry'>
  /** Asks all to finish what they are doing, and resolves when they have. */
  close(): Promise<void>
}

/**
 * Starts a program in so many processes that share its port, and one again for each that ends. Resolves when all listen;
 * throws NodesError when one ends before.
 */
export async function startNodes(
  count: number,
  {
    program,
    environment,
    say,
  }: { program: string; environment: NodeJS.ProcessEnv; say: (line: string) => void },
): Promise<Nodes> {
  const closing = new AbortController()
  let pauseMs = 100
  const endings = new Map<Worker, Promise<void>>()
  const aggregator = new AggregatorRegistry()
  const own = new Registry()
  cluster.setupPrimary({ exec: program, args: [] })

  function start(): Worker {
    const worker = cluster.fork(environment)
    const began = performance.now()
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    endings.set(worker, ended)
    worker.once('exit', (code: number, signal: string | null) => {
      endings.delete(worker)
      if (closing.signal.aborted) return
      pauseMs = performance.now() - began > soundMs ? 100 : Math.min(2 * pauseMs, longestPauseMs)
      say(`A node ended (${signal ?? `code ${code}`}); another takes its place.`)
      setTimeout(() => {
        if (!closing.signal.aborted) start()
      }, pauseMs)
    })
    return worker
  }

  async function close(): Promise<void> {
    closing.abort()
    for (const worker of endings.keys()) if (worker.isConnected()) worker.send(goodbye)
    await Promise.all(endings.values())
  }

  const listening = Array.from({ length: count }, start).map(
    (worker) =>
      new Promise<void>((resolve, reject) => {
        worker.once('listening', () => resolve())
        worker.once('exit', () =>
          reject(new NodesError('A node ended before it was ready: its own line says why.')),
        )
      }),
  )
  try {
    await Promise.all(listening)
  } catch (error) {
    await close()
    throw error
  }
  return {
    metrics: {
      read: async () => `${await aggregator.clusterMetrics()}${await own.metrics()}`,
      contentType: aggregator.contentType,
      registry: own,
    },
    close,
  }
}
