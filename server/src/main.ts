import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { z } from 'zod'
import { createApp } from './app.ts'
import { readConfig, type Config } from './platform/config.ts'
import { requireFreePort } from './platform/http/free-port.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { serveMetrics } from './platform/metrics/metrics-server.ts'
import { explainStartFailure } from './start-failure.ts'
import { openDatabase, type Say } from './start.ts'

// The same from server/src and, built into one file, from server/dist.
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const packageFile = z.object({ version: z.string() })
/** The program's own sentences: plain, or like its log one JSON object a line. */
function createSay(format: Config['LOG_FORMAT']): Say {
  const level = 30
  return (msg) => {
    const line = format === 'text' ? msg : JSON.stringify({ level, time: Date.now(), pid: process.pid, msg })
    process.stdout.write(`${line}\n`)
  }
}

async function openMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Config, metrics: Metrics) {
  return port === undefined ? null : await serveMetrics(metrics, { port, host })
}

async function run(): Promise<void> {
  const config = readConfig()
  const say = createSay(config.LOG_FORMAT)
  await requireFreePort({ port: config.PORT, host: config.HOST })
  const { version } = packageFile.parse(JSON.parse(readFileSync(here('../package.json'), 'utf8')))
  const running = await openDatabase(config, { migrations: here('../migrations'), say, as: 'program' })
  const webFolder = here('../../web/dist')
  const { app, metrics } = await createApp({
    config,
    database: running.database,
    notices: running.notices,
    secret: running.secret,
    version,
    fontFolder: here('../assets/fonts'),
    ...(existsSync(webFolder) ? { webFolder } : {}),
  })
  const watching = await openMetrics(config, metrics)
  closeWithGrace({ delay: 10_000, logger: app.log }, async ({ err }) => {
    if (err !== undefined) app.log.error({ err }, 'closing after an error')
    await app.close()
    await watching?.close()
    await running.close()
  })
  try {
    const address = await app.listen({ port: config.PORT, host: config.HOST })
    if (watching !== null) say(`Metrics are at ${watching.url}`)
    say(`Inventory Manager is ready: ${address}`)
  } catch (error) {
    await running.close()
    throw error
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${explainStartFailure(error)}\n`)
  process.exit(1)
}
