import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { makeNode } from './faults/node.ts'
import { freePort } from './free-port.ts'

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

/** What the program says when it is started with these settings, and that it ended with 1. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const node = await makeNode(undefined, settings)
  node.launch()
  const code = await node.ended()
  await node.remove()
  return `${node.output()}(${code})`
}

function databaseAt(change: Partial<Pick<URL, 'port' | 'password' | 'pathname' | 'search'>>): string {
  return Object.assign(new URL(inject('ownerUrl')), change).href
}

it('a program that cannot start says why in one sentence with the remedy', async () => {
  const free = await freePort()
  const cases: [Record<string, string>, string][] = [
    [
      { PORT: String(taken) },
      `Port ${taken} is taken by another program. Stop that program, or choose another port with PORT.`,
    ],
    [
      { METRICS_PORT: String(taken) },
      `Port ${taken} is taken by another program. Stop that program, or choose another port with METRICS_PORT.`,
    ],
    [
      { HOST: '192.0.2.1' },
      '192.0.2.1 is no address of this machine. Set HOST to 127.0.0.1, to 0.0.0.0 for all networks, or to one of its own.',
    ],
    [
      { PORT: 'abc', JWT_SECRET: 'short', DATABASE_POOL_SIZE: '1' },
      'These settings are not right:\nPORT must be a port, 0 to 65535.\nJWT_SECRET must have at least 32 characters.\nDATABASE_POOL_SIZE must be at least 2.',
    ],
    [
      { DATABASE_URL: databaseAt({ port: String(free) }) },
      'The database at DATABASE_URL does not answer. Check that it runs and that the address is right.',
    ],
    [
      { DATABASE_URL: databaseAt({ port: String(taken) }) },
      'The database at DATABASE_URL does not answer. Check that it runs and that the address is right.',
    ],
    [
      { DATABASE_URL: databaseAt({ password: 'wrong' }) },
      'The database refused the user or password of DATABASE_URL.',
    ],
    [
      { DATABASE_URL: databaseAt({ pathname: '/nowhere' }) },
      'The database named in DATABASE_URL does not exist. Create it first.',
    ],
    [
      { DATABASE_URL: databaseAt({ search: '?sslmode=verify-full' }) },
      'The database at DATABASE_URL does not speak TLS. Switch it on there, or take sslmode out of the address.',
    ],
  ]
  const said = await Promise.all(cases.map(async ([settings]) => await refusal(settings)))
  expect(said).toEqual(cases.map(([, sentence]) => `${sentence}\n(1)`))
}, 60_000)
