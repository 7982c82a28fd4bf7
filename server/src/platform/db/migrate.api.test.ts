import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../../test/test-app.ts'
import { migrate } from './migrate.ts'

let app: TestApp
let admin: Person
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-migrations-'))
  await cp(resolve(import.meta.dirname, '../../../migrations'), folder, { recursive: true })
  await writeFile(join(folder, '9999_later.sql'), 'alter table components add column later text\n')
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

it('a migration that waits for a long reader lets everybody else go on, and says so', async () => {
  const reader = await app.owner.connect()
  onTestFinished(() => reader.release(true))
  await reader.query('begin')
  await reader.query('select from components limit 1')
  const said: string[] = []
  const migrating = migrate(app.owner, folder, (line) => said.push(line))
  const statuses: number[] = []
  await expect
    .poll(
      async () => {
        const { status } = await app.ask({ method: 'GET', path: '/api/components', token: admin.token })
        statuses.push(status)
        return said
      },
      { timeout: 15_000 },
    )
    .toEqual(['Waiting for somebody who reads the database for long, to bring it up to date then.'])
  expect(new Set(statuses)).toEqual(new Set([200]))
  await reader.query('commit')
  expect(await migrating).toEqual(['9999_later'])
}, 60_000)

it('a check of a column that a migration adds is sent with the name that it has anyway, which Citus asks for', async () => {
  const named = await mkdtemp(join(tmpdir(), 'inventory-manager-migrations-'))
  onTestFinished(() => rm(named, { recursive: true }))
  await cp(folder, named, { recursive: true })
  const adding = "alter table companies add column mark text default 'X' check (mark ~ '^[A-Z]$')"
  const own = "alter table companies add column sign text constraint own_name check (sign <> '')"
  await writeFile(join(named, '9999_marked.sql'), `-- A mark.\n\n${adding}\n-- ;;\n${own}\n`)
  const sent = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  expect(await migrate(app.owner, named)).toContain('9999_marked')
  expect(sent.mock.calls.flat()).toContain(
    "-- A mark.\n\nalter table companies add column mark text default 'X' constraint companies_mark_check check (mark ~ '^[A-Z]$')",
  )
  expect(sent.mock.calls.flat()).toContain(own)
})
