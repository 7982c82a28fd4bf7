import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, test } from '@playwright/test'
import { freePort } from './program.ts'

const root = join(import.meta.dirname, '..')

/** The commands of the README, in shell blocks and in its sentences, each once and in order. */
async function listCommands(): Promise<string[]> {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const found = [...text.matchAll(/```sh\n([\s\S]*?)```|`(npm [^`]+)`/g)]
  return [...new Set(found.flatMap(([, block = '', inline = '']) => `${block}${inline}`.trim().split('\n')))]
}

type Running = { child: ChildProcess; said: () => string; ended: Promise<number | null> }

/** Runs a command as a shell would, in the repository's folder. */
function run(command: string, settings: Record<string, string>): Running {
  const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
    cwd: root,
    env: { ...env, ...settings, npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const keep = (data: Buffer) => void (said += data.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return { child, said: () => said, ended }
}

async function finish(command: string, settings: Record<string, string>): Promise<string> {
  const running = run(command, settings)
  const code = await running.ended
  expect([command, code, running.said()]).toEqual([command, 0, expect.anything()])
  return running.said()
}

/** Starts one that goes on running, and gives a way to stop it and all it started. */
async function start(command: string, settings: Record<string, string>): Promise<() => Promise<void>> {
  const running = run(command, settings)
  await expect.poll(running.said, { timeout: 120_000 }).toContain('Inventory Manager is ready')
  return async () => {
    const { pid } = running.child
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    await running.ended
    await expect.poll(running.said, { timeout: 20_000 }).toContain('Stopped PostgreSQL')
  }
}

async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

/** What the client's page counts in the demo. */
async function readExampleCount(): Promise<object> {
  const page = await readFile(join(root, 'packages', 'client', 'README.md'), 'utf8')
  const [, barcode, quantity] = /count\.mjs http\S+ \S+ \S+ (\S+) (\d+)\n/.exec(page) ?? []
  return { barcode, quantity: Number(quantity) }
}

/** Counts a SKU of the demo at the primary warehouse. */
async function countAsMia(url: string, count: object): Promise<unknown> {
  const ask = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', ...headers }
    return await (
      await fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) })
    ).json()
  }
  const { token } = await ask('/api/auth/login', { email: 'mia@demo.example', passcode: 'demo-warehouse' })
  const place = { location: 'PRIMARY', source: 'monthly', session: 'readme' }
  const body = { ...count, ...place, timestamp: new Date().toISOString() }
  return await ask('/api/components/update-with-tracking', body, { authorization: `Bearer ${token}` })
}

/** What an operator has, which the demo must leave alone. */
const operators = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/inventory',
  DATABASE_APP_URL: 'postgres://nobody@127.0.0.1:1/inventory',
  DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/inventory',
  SMTP_URL: 'smtp://127.0.0.1:1',
  STRIPE_SECRET_KEY: 'sk_of_an_operator',
}

const ownBackup = join(root, 'monday.backup')

test('every command of the README does what it says, from an empty data folder', async () => {
  test.setTimeout(300_000)
  expect(existsSync(ownBackup), 'Move your own monday.backup away first.').toBe(false)
  expect(await listCommands()).toEqual([
    'npm run demo',
    'npm start',
    'npm run add-user -- --company-of you@company.com --email sam@company.com --name "Sam" --password "a good one"',
    'npm start -- --nodes cores',
    'npm run backup -- monday.backup',
    'npm run doctor',
    'npm run check-ledger',
    'npm run restore -- monday.backup',
  ])
  const commands = await listCommands()
  const [demo = '', npmStart = '', addUser = '', onEveryCore = ''] = commands
  const [backup = '', doctor = '', checkLedger = '', restore = ''] = commands.slice(4)
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-readme-'))
  await chmod(folder, 0o711)
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`

  const nightly = join(folder, 'nightly')
  await mkdir(nightly)
  const ofDemo = { DEMO_DATA_DIR: join(folder, 'demo'), PORT: port }
  expect(await finish(`${demo} -- --help`, ofDemo)).toContain(
    'npm run demo\n\nStarts the program with a made-up',
  )
  expect(existsSync(ofDemo.DEMO_DATA_DIR)).toBe(false)
  const stopDemo = await start(demo, { ...operators, BACKUP_DIRECTORY: nightly, ...ofDemo })
  for (const email of ['ada@demo.example', 'mia@demo.example', 'tom@demo.example']) {
    expect(await post(`${url}/api/auth/login`, { email, passcode: 'demo-warehouse' })).toBe(200)
  }
  expect(await countAsMia(url, await readExampleCount())).toMatchObject({ matched: true })
  await stopDemo()
  expect(await readdir(nightly)).toEqual([])

  const settings = { DATA_DIR: join(folder, 'data'), PORT: port }
  const stop = await start(npmStart, settings)
  const company = {
    companyName: 'You',
    contactEmail: 'you@company.com',
    contactName: 'You',
    adminPasscode: 'a good one',
    plan: 'professional',
  }
  expect(await post(`${url}/api/auth/register-tenant`, company)).toBe(201)
  expect(await finish(addUser, settings)).toContain('Sam can now sign in as sam@company.com.')
  expect(await post(`${url}/api/auth/login`, { email: 'sam@company.com', passcode: 'a good one' })).toBe(200)

  try {
    expect(await finish(backup, settings)).toMatch(/Backed up \d+ rows/)
    expect(await finish(doctor, settings)).toContain(', 0 bad, ')
    expect(await finish(checkLedger, settings)).toContain('1 company checked, 0 stock figures differ')
    await stop()

    const elsewhere = { DATA_DIR: join(folder, 'elsewhere'), PORT: port }
    expect(await finish(restore, elsewhere)).toMatch(/Restored \d+ rows/)
    const stopElsewhere = await start(onEveryCore, elsewhere)
    expect(await post(`${url}/api/auth/login`, { email: 'sam@company.com', passcode: 'a good one' })).toBe(
      200,
    )
    await stopElsewhere()
  } finally {
    await rm(ownBackup, { force: true })
  }
  await rm(folder, { recursive: true, force: true })
})
