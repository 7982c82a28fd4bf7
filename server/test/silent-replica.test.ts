import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, startTestApp, type Person, type TestApp } from './test-app.ts'

/** A server that takes connections and never says a word. */
let silent: Server
const taken: { at: number; socket: Socket }[] = []
let app: TestApp
let admin: Person
beforeAll(async () => {
  silent = createServer((socket) => taken.push({ at: performance.now(), socket }))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  app = await startTestApp({ DATABASE_REPLICA_URL: `postgres://replica@127.0.0.1:${port}/replica` })
  admin = await makeCompany(app)
})
afterAll(async () => {
  for (const { socket } of taken) socket.destroy()
  await app.close()
  silent.close()
})

async function readAll(): Promise<{ status: number; ms: number }> {
  const began = performance.now()
  const { status } = await app.ask({ method: 'GET', path: '/api/components?limit=10', token: admin.token })
  return { status, ms: performance.now() - began }
}

it('a replica that accepts connections and stays silent is done without after a quarter of a second', async () => {
  const { status, ms } = await readAll()
  expect(status).toBe(200)
  expect(taken).toHaveLength(1)
  // A quarter of a second, and what a busy machine takes; the connection is given up after five.
  expect(ms).toBeLessThan(4_500)
})

it('a replica that stays silent is asked ever more rarely', { timeout: 60_000 }, async () => {
  await expect
    .poll(
      async () => {
        expect((await readAll()).status).toBe(200)
        return taken.length
      },
      { timeout: 40_000, interval: 100 },
    )
    .toBe(3)
  const [first = 0, second = 0, third = 0] = taken.map(({ at }) => at)
  expect(second - first).toBeGreaterThan(2_000)
  expect(third - second).toBeGreaterThan(4_000)
})
