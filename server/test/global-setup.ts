import { resolve } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate, withStartLock } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { startEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts'

const templateName = 'test_template'

/** Durability is not what these tests are about; the fault tests run with it on. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where datname like 'test\\_%'",
  )
  for (const { name } of rows) await client.query(`drop database ${pg.escapeIdentifier(name)} with (force)`)
}

/** One PostgreSQL for the run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const server =
    given === undefined
      ? await startEmbeddedPostgres({
          dataDir: resolve(import.meta.dirname, '../../.cache/test-postgres'),
          settings,
          log: () => undefined,
        })
      : { url: given, stop: () => Promise.resolve() }
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await dropLeftovers(client)
  await client.query(`create database ${templateName}`)
  await client.end()

  const url = new URL(server.url)
  url.pathname = `/${templateName}`
  const owner = createPool({ url: url.href, size: 2, onError: () => undefined })
  await withStartLock(owner, () => migrate(owner, resolve(import.meta.dirname, '../migrations')))
  await owner.end()
  project.provide('ownerUrl', server.url)
  project.provide('templateName', templateName)
  return () => server.stop()
}

declare module 'vitest' {
  export interface ProvidedContext {
    ownerUrl: string
    templateName: string
  }
}
