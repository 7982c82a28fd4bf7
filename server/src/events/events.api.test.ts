import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Stream = {
  events: () => string[]
  waitFor: (text: string) => Promise<void>
  ended: Promise<void>
  stop: () => void
}

/** Follows the events of a person's company as a browser would. */
async function follow(url: string, person: Person, lastId?: string): Promise<Stream> {
  const stopped = new AbortController()
  const response = await fetch(`${url}/api/events`, {
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal: stopped.signal,
  })
  expect(response.status).toBe(200)
  let text = ''
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
    } catch (error) {
      if (!stopped.signal.aborted) throw error
    }
  })()
  return {
    events: () => text.split('\n\n').filter((block) => block.startsWith('id: ')),
    async waitFor(wanted) {
      const deadline = Date.now() + 5_000
      while (!text.includes(wanted)) {
        if (Date.now() > deadline) throw new Error(`Nothing like ${wanted} came: ${text}`)
        await sleep(10)
      }
    },
    ended,
    stop: () => stopped.abort(),
  }
}

async function companyWithStock(): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app)
  const rows = Array.from({ length: 20 }, (_, index) => ({ barcode: `A-${index}`, primary_quantity: index }))
  await app.ask({ path: '/api/components/import', token: admin.token, body: rows })
  return { admin, staff: await makeStaff(app, admin) }
}

const scan = (person: Person, index: number) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: {
      barcode: `A-${index}`,
      quantity: index,
      location: 'PRIMARY',
      session: 's',
      timestamp: new Date(Date.now() - index).toISOString(),
    },
  })

describe('who follows the events of a company', () => {
  it('sees what a colleague counts, on another node as well', async () => {
    const { admin, staff } = await companyWithStock()
    const second = await app.startSecondNode()
    const here = await follow(app.url, admin)
    const there = await follow(second.url, admin)
    await scan(staff, 7)
    for (const stream of [here, there]) {
      await stream.waitFor('"sku":"A-7"')
      const [event] = stream.events()
      expect(event).toMatch(/^id: [0-9a-f-]{36}\nevent: count\ndata: \{/)
      expect(event).toContain('"user_name":"Sam Staff"')
      expect(event).not.toContain('quantity')
      stream.stop()
      await stream.ended
    }
    await second.close()
  })

  it('sees nothing of another company', async () => {
    const { admin } = await companyWithStock()
    const other = await companyWithStock()
    const stream = await follow(app.url, admin)
    await scan(other.staff, 3)
    await scan(admin, 4)
    await stream.waitFor('"sku":"A-4"')
    expect(stream.events()).toHaveLength(1)
    stream.stop()
    await stream.ended
  })

  it('goes on after a cut without a gap and without a repeat', async () => {
    const { admin, staff } = await companyWithStock()
    const before = await follow(app.url, admin)
    await scan(staff, 1)
    await before.waitFor('"sku":"A-1"')
    const lastId = /^id: (\S+)/.exec(before.events().at(-1) ?? '')?.[1] ?? ''
    before.stop()
    await before.ended
    for (let index = 2; index < 8; index += 1) await scan(staff, index)
    const after = await follow(app.url, admin, lastId)
    await after.waitFor('"sku":"A-7"')
    await scan(staff, 8)
    await after.waitFor('"sku":"A-8"')
    const skus = after.events().map((event) => /"sku":"([^"]+)"/.exec(event)?.[1])
    expect(skus).toEqual(['A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8'])
    after.stop()
    await after.ended
  })

  it('is let go when the session is over', async () => {
    const { admin } = await companyWithStock()
    const stream = await follow(app.url, admin)
    await app.ask({ path: '/api/auth/logout', token: admin.token })
    await stream.ended
    expect((await app.ask({ method: 'GET', path: '/api/events', token: admin.token })).status).toBe(401)
  })

  it('needs to be signed in', async () => {
    expect((await app.ask({ method: 'GET', path: '/api/events' })).status).toBe(401)
  })
})
