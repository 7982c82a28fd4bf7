import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { closeInOrder } from './closing.ts'
import type { Background } from './platform/background.ts'
import { keepBackingUp } from './platform/backup/nightly.ts'
import { isJsonAsked, readConfig, type Config } from './platform/config.ts'
import { listenAt, requireFreePort, type ListenAddress } from './platform/http/free-port.ts'
import { createLog } from './platform/http/logging.ts'
import { inAddress } from './platform/http/network.ts'
import { addressesForOthers } from './platform/http/other-devices.ts'
import { measureBackups } from './platform/metrics/backup-measures.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { serveMetrics } from './platform/metrics/metrics-server.ts'
import {
  closeWithTheFirst,
  isOneOfSeveral,
  readNodes,
  shareConnections,
  shareMetrics,
  startNodes,
} from './nodes.ts'
import { findOwnFiles } from './own-files.ts'
import { explainStartFailure } from './start-failure.ts'
import { holdDatabase, openDatabase, type Say } from './start.ts'

const { migrations, assets, webFolder, version } = findOwnFiles(import.meta.url)

/** As the log has them. */
const levels = { info: 30, fatal: 60 }

/** The program's own sentence as a line: plain, or like its log one JSON object. */
function lineOf(msg: string, level: number): string {
  const line = isJsonAsked() ? JSON.stringify({ level, time: Date.now(), pid: process.pid, msg }) : msg
  return `${line}\n`
}

const say: Say = (sentence) => void process.stdout.write(lineOf(sentence, levels.info))

const listenAddressOf = ({ PORT: port, HOST: host }: Config): ListenAddress => ({
  port,
  host,
  settings: { port: 'PORT', host: 'HOST' },
})

/** Where Prometheus reads; null where nothing is to be read. */
function metricsAddressOf({ METRICS_PORT: port, METRICS_HOST: host }: Config): ListenAddress | null {
  return port === undefined ? null : { port, host, settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' } }
}

async function openMetrics(config: Config, metrics: Pick<Metrics, 'read' | 'contentType'>) {
  const address = metricsAddressOf(config)
  return address === null ? null : await listenAt(address, () => serveMetrics(metrics, address))
}

/** By the first process only, where there are several: it serves nobody. */
function startBackups(
  { BACKUP_DIRECTORY: folder }: Config,
  { ownerUrl, metrics }: { ownerUrl: string; metrics: Pick<Metrics, 'registry'> },
): Background | null {
  if (folder === undefined || isOneOfSeveral) return null
  const source = { ownerUrl, migrations, version }
  const measures = measureBackups(metrics.registry)
  return keepBackingUp({ folder: resolve(folder), source, say, explain: explainStartFailure, measures })
}

/** Where people and Prometheus reach the program: both are free, or nothing is begun. */
async function requireFreePorts(config: Config): Promise<void> {
  const metrics = metricsAddressOf(config)
  await requireFreePort(listenAddressOf(config))
  if (metrics !== null) await requireFreePort(metrics)
}

/** Where people reach the program, and at which addresses other devices do, where nobody has set one for them. */
function sayReady({ HOST: host, PUBLIC_URL: publicUrl }: Config, url: string, more = ''): void {
  say(`Inventory Manager is ready: ${url}${more}`)
  const others = publicUrl === undefined ? addressesForOthers({ url, host }, networkInterfaces()) : []
  if (others.length > 0) say(`Other devices in the network reach it at ${others.join(' or ')}`)
}

/** One process: serves until it is asked to end. */
async function runNode(config: Config): Promise<void> {
  if (!isOneOfSeveral) await requireFreePorts(config)
  const running = await openDatabase(config, { migrations, say, as: 'program' })
  const { app, metrics } = await createApp({
    config,
    database: running.database,
    notices: running.notices,
    secret: running.secret,
    version,
    fontFolder: join(assets, 'fonts'),
    ...(existsSync(webFolder) ? { webFolder } : {}),
  })
  const watching = isOneOfSeveral ? null : await openMetrics(config, metrics)
  const backups = startBackups(config, { ownerUrl: running.ownerUrl, metrics })
  const finish = async () => {
    await backups?.stop()
    await app.close()
    await watching?.close()
    await running.disconnect()
  }
  const close = closeInOrder(
    { finish, withinMs: 10_000, stop: running.stop, logger: app.log },
    { hears: !isOneOfSeveral },
  )
  if (isOneOfSeveral) {
    shareMetrics(metrics)
    closeWithTheFirst(close)
  }
  try {
    const address = listenAddressOf(config)
    const url = await listenAt(address, () => app.listen({ port: address.port, host: address.host }))
    if (isOneOfSeveral) return
    if (watching !== null) say(`Metrics are at ${watching.url}`)
    sayReady(config, url)
  } catch (error) {
    await backups?.stop()
    await running.close()
    throw error
  }
}

/** The embedded database's connections are shared out; a server of one's own has its own limit. */
function environmentOfNodes(config: Config, { url, pool }: { url: string; pool: number }): NodeJS.ProcessEnv {
  if (config.DATABASE_URL !== undefined) return {}
  return { DATABASE_URL: url, DATABASE_POOL_SIZE: String(Math.min(config.DATABASE_POOL_SIZE, pool)) }
}

/** Several processes on one port: this one holds the database and the metrics, the others serve. */
async function runNodes(config: Config, count: number): Promise<void> {
  await requireFreePorts(config)
  const { all: connections, pool } = shareConnections(count)
  const database = await holdDatabase(config, { migrations, say, connections })
  const environment = environmentOfNodes(config, { url: database.url, pool })
  try {
    const nodes = await startNodes(count, { program: fileURLToPath(import.meta.url), environment, say })
    const watching = await openMetrics(config, nodes.metrics)
    const backups = startBackups(config, { ownerUrl: database.url, metrics: nodes.metrics })
    const finish = async () => {
      await backups?.stop()
      await nodes.close()
      await watching?.close()
    }
    const logger = createLog(config.LOG_LEVEL)
    // Longer than each node takes at most.
    closeInOrder({ finish, withinMs: 15_000, stop: database.stop, logger }, { hears: true })
    if (watching !== null) say(`Metrics of all nodes are at ${watching.url}`)
    sayReady(config, `http://${inAddress(config.HOST)}:${config.PORT}`, ` (${count} nodes)`)
  } catch (error) {
    await database.stop()
    throw error
  }
}

try {
  const count = isOneOfSeveral ? 1 : readNodes(process.argv.slice(2))
  const config = readConfig()
  await (count === 1 ? runNode(config) : runNodes(config, count))
} catch (error) {
  process.stderr.write(lineOf(explainStartFailure(error), levels.fatal))
  process.exit(1)
}
