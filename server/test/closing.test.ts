import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { makeNode } from './faults/node.ts'
import { asker, makeCompany } from './test-app.ts'

const database = `closing_${process.pid}`

let maintenance: pg.Client
let url: string
beforeAll(async () => {
  maintenance = new pg.Client({ connectionString: inject('ownerUrl') })
  await maintenance.connect()
  await maintenance.query(`create database ${database} template ${inject('templateName')}`)
  url = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` }).href
})
afterAll(async () => {
  await maintenance.query(`drop database ${database} with (force)`)
  await maintenance.query(`drop role inventory_manager_app_${database}`)
  await maintenance.end()
})

/** A program that answers one request, which waits for the database until it is let go. */
async function startBusy(options: string[] = []) {
  const node = await makeNode(url, {}, options)
  await node.start()
  // Of several processes the first answers before all of them do, and hears no signals before that.
  await expect.poll(() => node.output()).toContain('is ready')
  const ask = asker(node.url)
  const { token } = await makeCompany({ ask })
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table components')
  const answer = ask({ method: 'GET', path: '/api/components', token }).then(
    ({ status }) => status,
    () => 'none',
  )
  const waiting = async () =>
    (
      await maintenance.query(
        `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
        [database],
      )
    ).rowCount
  await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0)
  return {
    node,
    answer,
    signal: () => process.kill(node.pid() ?? 0, 'SIGINT'),
    letGo: () => holder.end(),
  }
}

it('Ctrl-C that reaches the program twice at once lets the running request finish', async () => {
  const program = await startBusy()
  // By a shell, so that nothing of this test comes between the two.
  const pid = program.node.pid() ?? 0
  await promisify(execFile)('sh', ['-c', `kill -INT ${pid}; sleep 0.08; kill -INT ${pid}`])
  await sleep(400)
  await program.letGo()
  expect(await program.answer).toBe(200)
  expect(await program.node.ended()).toBe(0)
  await program.node.remove()
})

it.each([
  { processes: 'one process', options: [] },
  { processes: 'several processes', options: ['--nodes', '2'] },
])('Ctrl-C again after more than a second ends the program at once: $processes', async ({ options }) => {
  const program = await startBusy(options)
  program.signal()
  await sleep(1_100)
  const ended = program.node.ended()
  // As often as it takes: the program may have heard the first late, and its request waits five seconds for the lock.
  do program.signal()
  while ((await Promise.race([ended, sleep(100, 'running')])) === 'running')
  expect(await ended).toBe(1)
  expect(await program.answer).toBe('none')
  const last = program.node
    .output()
    .split('\n')
    .find((line) => line.includes('second SIGINT'))
  expect(JSON.parse(last ?? '{}')).toMatchObject({ level: 50, msg: 'second SIGINT, exiting' })
  await program.letGo()
  await program.node.remove()
})

it('a client that never finishes its request does not take the time in which the embedded database stops', async () => {
  const node = await makeNode()
  // As root the database runs as another user, who must be able to come here.
  await chmod(node.folder, 0o711)
  await node.start()
  const { hostname, port } = new URL(node.url)
  const slow = connect(Number(port), hostname)
  slow.on('error', () => undefined)
  await once(slow, 'connect')
  slow.write(
    `POST /api/auth/login HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n` +
      'expect: 100-continue\r\n\r\n',
  )
  // The program has begun with it.
  expect(String(await once(slow, 'data'))).toContain('100 Continue')
  slow.write('{')
  expect(await node.end('SIGTERM')).toBe(1)
  expect(node.output()).toContain('What was running did not end within 10 s and was broken off.')
  expect(node.output()).toContain('Stopped PostgreSQL.\n')
  slow.destroy()
  await node.remove()
}, 120_000)
