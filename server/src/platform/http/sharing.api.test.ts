import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { mebibyte } from '@inventory-manager/contract/endpoint'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRequest, untilSomebodyWaits } from '../../../test/leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../../test/test-app.ts'
import { readerPatience } from './cut-when-untaken.ts'

const usual = { ...readerPatience }
const soon = { timeout: 30_000, interval: 20 }

let app: TestApp
let large: Person
let other: Person
beforeAll(async () => {
  app = await startTestApp()
  large = await makeCompany(app)
  other = await makeCompany(app)
  // Lists so long that they are kept for nobody.
  for (const { tenantId } of [large, other]) {
    await app.owner.query(
      `insert into components (tenant_id, barcode, description)
       select $1, 'SKU-' || number, repeat('x', 500) from generate_series(1, 20000) as number`,
      [tenantId],
    )
  }
})
afterEach(() => void Object.assign(readerPatience, usual))
afterAll(() => app.close())

const importRow = (person: Person, barcode: string) =>
  app.done({ path: '/api/components/import', token: person.token, body: [{ barcode, description: 'Box' }] })

/** How many requests for a call are being answered. */
async function countOpen(path: string): Promise<number> {
  const open = new RegExp(`^inventory_manager_http_requests_open\\{route="${path}"\\} (\\d+)$`, 'm')
  return Number(open.exec(await app.metrics.read())?.[1] ?? 0)
}

/** Announces a body of that length to a call that takes long ones, and sends none of it. */
async function announce({ token }: Person, bytes: number) {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  let said = ''
  socket.on('data', (piece) => (said += piece.toString()))
  socket.write(
    `POST /api/components/import HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n[`,
  )
  return { socket, said: () => said }
}

describe('one company', () => {
  it('whose calls wait for a lock leaves connections to others', async () => {
    await importRow(other, 'A-1')
    const holder = await app.owner.connect()
    await holder.query('begin')
    await holder.query('select from components where tenant_id = $1 and barcode = $2 for update', [
      large.tenantId,
      'SKU-1',
    ])
    const statuses: number[] = []
    const calls = Array.from({ length: 30 }, async () => {
      const body = { barcode: 'SKU-1', quantity: 1, location: 'PRIMARY' }
      const path = '/api/components/update-quantity'
      statuses.push((await app.ask({ path, token: large.token, body })).status)
    })
    try {
      await untilSomebodyWaits(app, 6)
      expect(await app.metrics.read()).toMatch(/^inventory_manager_pool_waiting [1-9]/m)
      for (const path of ['/api/audit/trail', '/api/components', '/api/dashboard']) {
        expect((await app.ask({ method: 'GET', path, token: other.token })).status).toBe(200)
      }
      // On a busy machine some have waited too long by now and were told so.
      expect(statuses).not.toContain(200)
    } finally {
      await holder.query('commit')
      holder.release()
    }
    await Promise.all(calls)
  })

  it('whose certificates wait leaves connections to others', async () => {
    const holder = await app.owner.connect()
    await holder.query('begin; lock table count_history in access exclusive mode')
    const month = new Date().toISOString().slice(0, 7)
    const path = `/api/accuracy/certificate?month=${month}&paper=a4`
    // Nothing was counted, which is said of each that had its turn.
    const statuses: number[] = []
    const calls = Array.from({ length: 30 }, async () => {
      statuses.push((await app.ask({ method: 'GET', path, token: large.token })).status)
    })
    try {
      await untilSomebodyWaits(app, 6)
      await sleep(300)
      const { total, idle } = app.database.poolUse()
      expect(total - idle).toBeLessThanOrEqual(8)
      for (const call of ['/api/audit/trail', '/api/components', '/api/company/settings']) {
        expect((await app.ask({ method: 'GET', path: call, token: other.token })).status).toBe(200)
      }
      expect(statuses).not.toContain(404)
    } finally {
      await holder.query('commit')
      holder.release()
    }
    await Promise.all(calls)
    expect(statuses).toContain(404)
  })

  it('has one import looked through at a time, and others have theirs', async () => {
    const begin = async ({ token }: Person) => {
      const { body } = await app.done({
        path: '/api/imports',
        token,
        body: { name: 'stock.csv', fields: ['barcode'] },
      })
      return Object(body).import.id
    }
    const ids = new Map([
      [large, await begin(large)],
      [other, await begin(other)],
    ])
    const holder = await app.owner.connect()
    await holder.query('begin; lock table import_rows in access exclusive mode')
    const preview = async (person: Person) => {
      const path = `/api/imports/${ids.get(person)}/preview`
      return (await app.ask({ method: 'GET', path, token: person.token })).status
    }
    const previews = [large, large, large, large, other].map(preview)
    try {
      await untilSomebodyWaits(app, 2)
      await sleep(300)
      await untilSomebodyWaits(app, 2)
    } finally {
      await holder.query('commit')
      holder.release()
    }
    expect(await Promise.all(previews)).toEqual([200, 200, 200, 200, 200])
  })

  it('sends two of the longest bodies at a time, and others send theirs', async () => {
    const importCall = '/api/components/import'
    const first = await announce(large, 16 * mebibyte)
    const second = await announce(large, 16 * mebibyte)
    await expect.poll(() => countOpen(importCall), soon).toBe(2)
    const third = await announce(large, mebibyte)
    await expect.poll(third.said, soon).toContain('HTTP/1.1 503 Service Unavailable')
    expect(third.said()).toContain('The server is busy. Please try again in a moment.')
    // A scan is too short to need any room.
    await importRow(large, 'A-2')
    const importLong = async ({ token }: Person) => {
      const rows = Array.from({ length: 200 }, (_, nth) => ({
        barcode: `L-${nth}`,
        description: 'x'.repeat(400),
      }))
      return (await app.ask({ path: importCall, token, body: rows })).status
    }
    expect(await importLong(large)).toBe(503)
    expect(await importLong(other)).toBe(200)
    expect([first.said(), second.said()]).toEqual(['', ''])

    first.socket.destroy()
    await expect.poll(() => importLong(large), soon).toBe(200)
    for (const { socket } of [second, third]) socket.destroy()
  })

  it('has so many long lists under way, and others have theirs', async () => {
    const list = '/api/components'
    const sockets = Array.from({ length: 11 }, () => openRequest(app, large, list))
    await expect.poll(() => countOpen(list), soon).toBe(11)
    const ask = async ({ token }: Person) => {
      const headers = { 'accept-encoding': 'identity' }
      return (await app.ask({ method: 'GET', path: list, token, headers })).status
    }
    await expect.poll(() => ask(large), soon).toBe(503)
    expect(await ask(other)).toBe(200)
    // Whatever it claims to have, where that is not asked about.
    const status = await app.ask({
      path: '/api/components/with-count-status',
      token: large.token,
      body: { location: 'PRIMARY' },
      headers: { 'accept-encoding': 'identity', 'if-none-match': '*' },
    })
    expect(status.status).toBe(503)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => ask(large), soon).toBe(200)
  })

  it('whose reader takes next to nothing of a long list is not waited for', async () => {
    Object.assign(readerPatience, { readerMs: 2_000, leastBytesPerSecond: 4_000_000 })
    const socket = openRequest(app, large, '/api/components')
    let taken = 0
    const over = new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
    socket.on('data', (piece: Buffer) => {
      taken += piece.length
      socket.pause()
      setTimeout(() => socket.resume(), 50)
    })
    await over
    expect(taken).toBeLessThan(10_000_000)
  })
})
