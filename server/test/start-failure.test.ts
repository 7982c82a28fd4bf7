import { once } from 'node:events'
import { chmod, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readNodes } from '../src/nodes.ts'
import { readConfig } from '../src/platform/config.ts'
import { requireFreePort } from '../src/platform/http/free-port.ts'
import { explainStartFailure } from '../src/start-failure.ts'
import { openDatabase } from '../src/start.ts'
import { makeNode, nodeSecret } from './faults/node.ts'
import { freePort } from './free-port.ts'
import { asker, makeCompany } from './test-app.ts'

/** A server that takes connections and never says a word. */
let silent: Server
let taken: number
beforeAll(async () => {
  silent = createServer(() => undefined)
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  taken = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => {
  silent.close()
})

const explain = async (work: Promise<unknown>) => await work.then(() => 'It started.', explainStartFailure)

it('a program that cannot start says why in one sentence, and ends with 1', async () => {
  const node = await makeNode(undefined, { PORT: String(taken) })
  node.launch()
  expect(await node.ended()).toBe(1)
  expect(node.output()).toBe(
    `Port ${taken} is taken by another program. Stop that program, or choose another port with PORT.\n`,
  )
  await node.remove()
})

it('where JSON is asked for, why a program cannot start is one object on one line, whatever the reason', async () => {
  const fatal = (output: string) => {
    const said: unknown = JSON.parse(output)
    return said
  }
  const settings = { LOG_FORMAT: 'json', PORT: 'abc', DATABASE_POOL_SIZE: '1' }
  const wrong = await makeNode(undefined, settings)
  wrong.launch()
  expect(await wrong.ended()).toBe(1)
  expect(fatal(wrong.output())).toMatchObject({
    level: 60,
    msg: 'These settings are not right:\nPORT must be a port, 0 to 65535.\nDATABASE_POOL_SIZE must be at least 2.',
  })
  await wrong.remove()
  const several = await makeNode(undefined, { LOG_FORMAT: 'json', PORT: String(taken) }, ['--nodes', '2'])
  several.launch()
  expect(await several.ended()).toBe(1)
  expect(fatal(several.output())).toMatchObject({
    level: 60,
    msg: `Port ${taken} is taken by another program. Stop that program, or choose another port with PORT.`,
  })
  await several.remove()
})

it('a port that is taken while the database is prepared is named too', async () => {
  const node = await makeNode()
  await chmod(node.folder, 0o711)
  node.launch()
  await expect.poll(() => node.output(), { timeout: 60_000 }).toContain('Started PostgreSQL')
  const { port } = new URL(node.url)
  const other = createServer().listen(Number(port), '127.0.0.1')
  expect(await node.ended()).toBe(1)
  other.close()
  expect(node.output().split('\n')).toContain(
    `Port ${port} is taken by another program. Stop that program, or choose another port with PORT.`,
  )
  expect(node.output()).not.toMatch(/^    at /m)
  await node.remove()
}, 120_000)

it('one whose own database was killed ends with 1, so that it is started again, and finds everything', async () => {
  const node = await makeNode()
  // As root the database runs as another user, who must be able to come here.
  await chmod(node.folder, 0o711)
  await node.start()
  const admin = await makeCompany({ ask: asker(node.url) })
  const [postmaster] = (await readFile(join(node.folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(postmaster), 'SIGKILL')
  expect(await node.ended()).toBe(1)
  expect(node.output()).toContain('PostgreSQL ended without being asked to; start this program again.\n')
  await node.start()
  const dashboard = await asker(node.url)({ method: 'GET', path: '/api/dashboard', token: admin.token })
  expect(dashboard.status).toBe(200)
  await node.end('SIGTERM')
  await node.remove()
}, 120_000)

it('of two programs started at once on an empty folder one runs, and the other leaves it its database', async () => {
  const first = await makeNode()
  await chmod(first.folder, 0o711)
  const second = await makeNode(undefined, { DATA_DIR: first.folder })
  const nodes = [first, second]
  for (const node of nodes) node.launch()
  const said = () =>
    nodes.map((node) => /is ready|Another Inventory Manager already works/.exec(node.output())?.[0] ?? '')
  await expect
    .poll(() => said().toSorted(), { timeout: 90_000 })
    .toEqual(['Another Inventory Manager already works', 'is ready'])
  const [refused, running] = said()[0] === 'is ready' ? [second, first] : [first, second]
  expect(await refused.ended()).toBe(1)
  const admin = await makeCompany({ ask: asker(running.url) })
  const dashboard = await asker(running.url)({ method: 'GET', path: '/api/dashboard', token: admin.token })
  expect(dashboard.status).toBe(200)
  expect(await running.end('SIGTERM')).toBe(0)
  await second.remove()
  await first.remove()
}, 150_000)

it('every setting that is not right is named', async () => {
  const read = async () => readConfig({ PORT: 'abc', JWT_SECRET: 'short', LOG_FORMAT: 'loud' })
  expect(await explain(read())).toBe(
    'These settings are not right:\nPORT must be a port, 0 to 65535.\nJWT_SECRET must have at least 32 characters.\nLOG_FORMAT must be one of: text, json.',
  )
})

it('limits of sign-ins that would let nobody in are named, and no registrations are a choice', async () => {
  const limits = { SIGN_INS_PER_ACCOUNT: '0', SIGN_INS_PER_ADDRESS: '0', REGISTRATIONS_PER_HOUR: '0' }
  expect(await explain((async () => readConfig(limits))())).toBe(
    'These settings are not right:\nSIGN_INS_PER_ACCOUNT must be at least 1.\nSIGN_INS_PER_ADDRESS must be at least 1.',
  )
  expect(readConfig({ REGISTRATIONS_PER_HOUR: '0' }).REGISTRATIONS_PER_HOUR).toBe(0)
})

it.each(['proxy.example.com', 'true', '0.0.0.0/0', '10.0.0.0/0.0.0.0', '10.0.0.0/33', '10.0.0.1,'])(
  'proxies that are no addresses are named: %s',
  async (given) => {
    const read = async () => readConfig({ TRUSTED_PROXIES: given })
    expect(await explain(read())).toBe(
      'These settings are not right:\nTRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, separated by commas.',
    )
  },
)

it('proxies are addresses and ranges of them', () => {
  const { TRUSTED_PROXIES: proxies } = readConfig({
    TRUSTED_PROXIES: '10.0.0.1, fd00::/8, loopback, 10.0.0.0/255.0.0.0',
  })
  expect(proxies).toEqual(['10.0.0.1', 'fd00::/8', 'loopback', '10.0.0.0/255.0.0.0'])
})

it('an address or sender with which no link or mail would be right is named', async () => {
  const read = async () => readConfig({ PUBLIC_URL: 'https://count.example.com/?a=1', MAIL_FROM: 'Stock' })
  expect(await explain(read())).toBe(
    'These settings are not right:\nPUBLIC_URL must be an address without ? and #.\nMAIL_FROM must have an e-mail address.',
  )
  const { MAIL_FROM: sender } = readConfig({ MAIL_FROM: 'Stock <stock@example.com>' })
  expect(sender).toBe('Stock <stock@example.com>')
})

it('an address with a path, at which no page of the program would work, is named', async () => {
  const read = async () => readConfig({ PUBLIC_URL: 'https://example.com/inventory/' })
  expect(await explain(read())).toBe(
    'These settings are not right:\nPUBLIC_URL must be without a path: the program needs a host name or a port of its own.',
  )
  const { PUBLIC_URL: address } = readConfig({ PUBLIC_URL: 'https://example.com:8443/' })
  expect(address).toBe('https://example.com:8443')
})

it('an address that is empty is no wish for a database of its own', async () => {
  expect(await explain((async () => readConfig({ DATABASE_URL: '' }))())).toBe(
    'These settings are not right:\nDATABASE_URL is empty. Give it the address of a database, or leave it out for the embedded one.',
  )
})

it('an address without a host or a database is named, before a role is led elsewhere by it', async () => {
  const settings = {
    DATABASE_URL: 'postgres://stock@db.example.com:5432',
    DATABASE_REPLICA_URL: 'postgres:///stock?host=/run/postgresql',
  }
  const whole = 'must name a host and a database, as postgres://user:password@host:5432/database does'
  expect(await explain((async () => readConfig(settings))())).toBe(
    `These settings are not right:\nDATABASE_URL ${whole}.\nDATABASE_REPLICA_URL ${whole}.`,
  )
  const socket = 'postgres://stock@%2Frun%2Fpostgresql/stock'
  expect(readConfig({ DATABASE_URL: socket })).toMatchObject({ DATABASE_URL: socket })
})

it.each(['Europe/Berln', 'europe/berlin', 'CET-1CEST', '/etc/localtime'])(
  'a time zone that would be taken for UTC is named: %s',
  async (given) => {
    const read = async () => readConfig({ TZ: given })
    expect(await explain(read())).toBe(
      'These settings are not right:\nTZ must be a time zone such as Europe/Berlin.',
    )
  },
)

it.each(['Europe/Berlin', ':Europe/Berlin', 'Asia/Kolkata', 'EST5EDT', 'UTC'])(
  'a time zone is one of the runtime: %s',
  (given) => {
    expect(readConfig({ TZ: given }).TZ).toBe(given)
  },
)

it('metrics on the port of the program are named', async () => {
  const read = async () => readConfig({ METRICS_PORT: '3000' })
  expect(await explain(read())).toBe(
    'These settings are not right:\nMETRICS_PORT must be another port than PORT.',
  )
})

it('several processes without a number are none', () => {
  expect(() => readNodes(['--nodes'])).toThrow(
    "Usage: npm start [-- --nodes N]: N processes, 1 to 64, or 'cores'.",
  )
  expect(readNodes(['--nodes', '2'])).toBe(2)
  expect(readNodes([])).toBe(1)
})

it('a data folder that is a file is named', async () => {
  const config = readConfig({ DATA_DIR: resolve(import.meta.dirname, '../../LICENSE') })
  const starting = openDatabase(config, { migrations: '', say: () => undefined, as: 'program' })
  expect(await explain(starting)).toMatch(
    /LICENSE.* cannot be: DATA_DIR names a file\. Set it to a folder\.$/,
  )
})

it('an address that is none of this machine is named, with its setting', async () => {
  const settings = { port: 'METRICS_PORT', host: 'METRICS_HOST' }
  const place = { port: await freePort(), host: '192.0.2.1', settings }
  expect(await explain(requireFreePort(place))).toBe(
    '192.0.2.1 is no address of this machine. Set METRICS_HOST to 127.0.0.1, to 0.0.0.0 for all networks, or to one of its own.',
  )
})

async function maintain(statement: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: inject('ownerUrl') })
  await superuser.connect()
  await superuser.query(statement)
  await superuser.end()
}

type Change = Partial<Pick<URL, 'port' | 'password' | 'pathname' | 'search'>>

async function open(change: Change): Promise<string> {
  const url = Object.assign(new URL(inject('ownerUrl')), change).href
  const config = readConfig({ DATABASE_URL: url, JWT_SECRET: nodeSecret })
  const migrations = resolve(import.meta.dirname, '../migrations')
  return await explain(openDatabase(config, { migrations, say: () => undefined, as: 'program' }))
}

it('a database that is not UTF-8 is refused, with the statement that makes a right one', async () => {
  const ascii = `encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`
  await maintain(`create database start_ascii ${ascii}`)
  expect(await open({ pathname: '/start_ascii' })).toBe(
    "The database of DATABASE_URL keeps text as SQL_ASCII, and the program needs UTF8. Make another one and name that: create database start_ascii_utf8 encoding 'UTF8' locale 'C.UTF-8' template template0;",
  )
  await maintain('drop database start_ascii')
})

it('each way in which a database cannot be reached has its sentence', async () => {
  const silence =
    'The database at DATABASE_URL does not answer. Check that it runs and that the address is right.'
  expect(await open({ port: String(await freePort()) })).toBe(silence)
  expect(await open({ port: String(taken) })).toBe(silence)
  expect(await open({ password: 'wrong' })).toBe('The database refused the user or password of DATABASE_URL.')
  expect(await open({ pathname: '/nowhere' })).toBe(
    'The database named in DATABASE_URL does not exist. Create it first.',
  )
  expect(await open({ password: '' })).toBe(
    'The database asks for a password, and DATABASE_URL has none. Put it into the address, after the user and a colon.',
  )
  expect(await open({ search: '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem' })).toBe(
    'There is no /nowhere/ca.pem. Correct the setting that names it.',
  )
  expect(await open({ search: '?host=/nowhere' })).toBe(silence)
  expect(await open({ search: '?sslmode=verify-full' })).toBe(
    'The database at DATABASE_URL does not speak TLS. Switch it on there, or take sslmode out of the address.',
  )
})
