import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRequest } from '../../../test/leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../../test/test-app.ts'
import { readerPatience } from './cut-when-untaken.ts'

const path = '/api/components'
const usual = { ...readerPatience }

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  // So many that no socket's buffers take them all.
  await app.owner.query(
    `insert into components (tenant_id, barcode, description)
     select $1, 'SKU-' || number, repeat('x', 500) from generate_series(1, 20000) as number`,
    [admin.tenantId],
  )
})
afterEach(() => void Object.assign(readerPatience, usual))
afterAll(() => app.close())

/** How many requests for it are being answered. */
async function answering(): Promise<number> {
  const open = /^inventory_manager_http_requests_open\{route="\/api\/components"\} (\d+)$/m
  return Number(open.exec(await app.metrics.read())?.[1])
}

/** How many bytes of a reply come until it is over. */
async function bytesOf(socket: ReturnType<typeof openRequest>): Promise<number> {
  let taken = 0
  const over = new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
  socket.on('data', (piece) => (taken += piece.length))
  await over
  return taken
}

describe('a large list', () => {
  it('comes whole to a reader who begins late', async () => {
    readerPatience.readerMs = 10_000
    const socket = openRequest(app, admin, path)
    await expect.poll(answering, { interval: 20 }).toBe(1)
    await sleep(500)
    expect(await bytesOf(socket)).toBeGreaterThan(15_000_000)
    expect(await answering()).toBe(0)
  })

  it('is broken off where its reader stays and takes nothing of it', async () => {
    readerPatience.readerMs = 10_000
    const socket = openRequest(app, admin, path)
    await expect.poll(answering, { interval: 20 }).toBe(1)
    await expect.poll(answering, { interval: 50 }).toBe(0)
    expect(await bytesOf(socket)).toBeLessThan(15_000_000)
  })
})
