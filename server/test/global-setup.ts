import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureAppRole } from '../src/platform/db/app-role.ts'
import { migrate, withStartLock } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { errorCode } from '../src/platform/error-code.ts'
import { startEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts'
import { testSecret } from './secret.ts'
import { sentFolder } from './statements/recorder.ts'

const run = promisify(execFile)

const templateName = 'test_template'

/**
 * Durability is not what these tests are about; the fault tests run with it on. Whoever asks to be let in and says no more, as `pg` does
 * where it misses a password, is not waited for as long as usual: no database can be dropped meanwhile.
 */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  authentication_timeout: '10s',
}

/** Where Linux keeps files in memory: there the databases of a run, some 600 files each, are made and deleted at once. */
const inMemory = '/dev/shm'
/** Four times what a run takes. */
const roomNeeded = 4 * 1024 ** 3

async function roomyFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(inMemory)
    return Math.min(bavail * bsize, freemem()) < roomNeeded ? tmpdir() : inMemory
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return tmpdir()
  }
}

type Server = { url: string; stop: () => Promise<void> }

/** A PostgreSQL for this run alone, or the one of TEST_DATABASE_URL. */
async function startServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() }
  const folder = await mkdtemp(join(await roomyFolder(), 'inventory-manager-test-'))
  // As root the database runs as another user, who must be able to get there.
  await chmod(folder, 0o711)
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings,
    log: () => undefined,
  })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${templateName} with (force)`)
  await client.query(`create database ${templateName}`)
  await client.end()
}

/** The database of a Citus cluster, at its coordinator, with the companies laid over its machines (ops/citus/README.md). */
async function prepareCluster(url: string): Promise<void> {
  const owner = createPool({ url, size: 2, onError: () => undefined })
  await withStartLock(owner, () => migrate(owner, resolve(import.meta.dirname, '../migrations')))
  await ensureAppRole(owner, url, { secret: testSecret, as: 'program' })
  await owner.end()
  const script = resolve(import.meta.dirname, '../../ops/citus/distribute.sql')
  await run('psql', [url, '--quiet', '--set', 'ON_ERROR_STOP=1', '--file', script])
}

/** One PostgreSQL for the run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await rm(sentFolder, { recursive: true, force: true })
  const server = await startServer()
  await createTemplate(server.url)
  const url = new URL(server.url)
  url.pathname = `/${templateName}`
  const owner = createPool({ url: url.href, size: 2, onError: () => undefined })
  await withStartLock(owner, () => migrate(owner, resolve(import.meta.dirname, '../migrations')))
  await owner.end()
  project.provide('ownerUrl', server.url)
  project.provide('templateName', templateName)
  const clusterUrl = process.env['TEST_CITUS_URL'] ?? null
  if (clusterUrl !== null) await prepareCluster(clusterUrl)
  project.provide('clusterUrl', clusterUrl)
  return server.stop
}

declare module 'vitest' {
  export interface ProvidedContext {
    ownerUrl: string
    templateName: string
    clusterUrl: string | null
  }
}
