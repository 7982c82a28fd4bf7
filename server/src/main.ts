import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { z } from 'zod'
import { createApp } from './app.ts'
import { readConfig } from './platform/config.ts'
import { requireFreePort } from './platform/http/free-port.ts'
import { explainStartFailure } from './start-failure.ts'
import { openDatabase } from './start.ts'

// The same from server/src and, built into one file, from server/dist.
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const packageFile = z.object({ version: z.string() })
const say = (line: string) => void process.stdout.write(`${line}\n`)

async function run(): Promise<void> {
  const config = readConfig()
  await requireFreePort({ port: config.PORT, host: config.HOST })
  const { version } = packageFile.parse(JSON.parse(readFileSync(here('../package.json'), 'utf8')))
  const running = await openDatabase(config, { migrations: here('../migrations'), say, as: 'program' })
  const webFolder = here('../../web/dist')
  const app = await createApp({
    config,
    database: running.database,
    notices: running.notices,
    secret: running.secret,
    version,
    fontFolder: here('../assets/fonts'),
    ...(existsSync(webFolder) ? { webFolder } : {}),
  })
  closeWithGrace({ delay: 10_000, logger: app.log }, async ({ err }) => {
    if (err !== undefined) app.log.error({ err }, 'closing after an error')
    await app.close()
    await running.close()
  })
  try {
    const address = await app.listen({ port: config.PORT, host: config.HOST })
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
