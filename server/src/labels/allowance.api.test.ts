import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readerPatience } from '../platform/http/cut-when-untaken.ts'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
const usual = { ...readerPatience }
afterEach(() => void Object.assign(readerPatience, usual))

/** Labels too different from one another to be compressed into what a socket takes at once. */
function job(labels: number, prefix = 'SKU') {
  const components = Array.from({ length: labels }, (_, place) => ({
    barcode: `${prefix}-${createHash('sha1').update(String(place)).digest('base64').slice(0, 25)}`,
    description: createHash('sha256').update(String(place)).digest('base64'),
  }))
  return { components, location: 'PRIMARY' }
}

function print(person: Person, body: unknown, key?: string) {
  return app.ask({
    path: '/api/generate-labels',
    token: person.token,
    body,
    ...(key === undefined ? {} : { key }),
  })
}

/** A reader that asks for labels and takes only what it is told to. */
function openReader(person: Person, body: unknown, key: string): Promise<{ socket: Socket; head: string }> {
  const text = JSON.stringify(body)
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/generate-labels HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${person.token}\r\nidempotency-key: ${key}\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (head) => {
      socket.pause()
      resolve({ socket, head: head.toString('latin1') })
    })
  })
}

/** Reads on to the end, and says whether the file ends as it should. */
function isWhole(socket: Socket): Promise<boolean> {
  const pieces: Buffer[] = []
  return new Promise((resolve) => {
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('close', () => resolve(Buffer.concat(pieces).includes('%%EOF')))
    socket.resume()
  })
}

async function labelsUsed(person: Person): Promise<number> {
  const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: person.token })
  return Number(Object(body).usage.labels_used)
}

async function jobStates(person: Person): Promise<string[]> {
  const { rows } = await app.owner.query<{ state: string }>(
    'select state from label_jobs where tenant_id = $1 order by id',
    [person.tenantId],
  )
  return rows.map(({ state }) => state)
}

async function labelEntries(person: Person): Promise<number> {
  const path = '/api/audit/trail?action=Label'
  const { body } = await app.ask({ method: 'GET', path, token: person.token })
  return Number(Object(body).total)
}

async function labelledComponents(person: Person): Promise<number> {
  const { body } = await app.ask({ method: 'GET', path: '/api/labels/labelled', token: person.token })
  return Object(body).components.length
}

async function recordedPrints(person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ prints: number }>(
    'select count(*)::integer as prints from label_prints where tenant_id = $1',
    [person.tenantId],
  )
  return rows[0]?.prints ?? -1
}

/** What an hour does to a reservation that nobody renews. */
async function letReservationsRunOut(person: Person): Promise<void> {
  await app.owner.query(
    `update label_jobs set expires_at = now() - interval '1 hour' where tenant_id = $1 and state = 'reserved'`,
    [person.tenantId],
  )
}

const asked = { timeout: 20_000 }

describe('a label job', () => {
  it('is confirmed when its file was handed out whole', async () => {
    const admin = await makeCompany(app)
    const { bytes } = await print(admin, job(3))
    expect(bytes.subarray(-6).toString()).toContain('%%EOF')
    expect(await jobStates(admin)).toEqual(['confirmed'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([3, 1])
  })

  it('counts while it is being made', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const { socket } = await openReader(admin, job(10_000), 'slow')
    expect(await jobStates(admin)).toEqual(['reserved'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([10_000, 0])
    expect(await isWhole(socket)).toBe(true)
    expect(await jobStates(admin)).toEqual(['confirmed'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([10_000, 1])
  })

  it('gives its labels back when the reader leaves before the end', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const { socket } = await openReader(admin, job(10_000), 'left')
    socket.destroy()
    await expect.poll(() => jobStates(admin), asked).toEqual(['released'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([0, 0])
  })

  it('in ZPL is charged from its first label on, and once however often it is tried again', async () => {
    const admin = await makeCompany(app)
    const zpl = { ...job(2_000), format: 'zpl' }
    const { socket } = await openReader(admin, zpl, 'part')
    expect(await jobStates(admin)).toEqual(['confirmed'])
    socket.destroy()
    for (let nth = 0; nth < 2; nth += 1) {
      const { status, bytes } = await print(admin, zpl, 'part')
      expect([status, bytes.toString().match(/\^XZ/g)?.length]).toEqual([200, 2_000])
    }
    expect((await print(admin, zpl, 'another')).status).toBe(402)
    expect(await jobStates(admin)).toEqual(['confirmed'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([2_000, 1])
  })

  it.each(['zpl', 'pdf'])('in %s that breaks off leaves what needs a label as it was', async (format) => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const file = { ...job(10_000), dpi: 300, format }
    const known = file.components.slice(0, 100)
    await app.done({ path: '/api/components/import', token: admin.token, body: known })
    const { socket } = await openReader(admin, file, 'broken')
    socket.destroy()
    await expect.poll(() => jobStates(admin), asked).toEqual([format === 'zpl' ? 'confirmed' : 'released'])
    expect([await labelledComponents(admin), await recordedPrints(admin)]).toEqual([0, 0])
    for (let nth = 0; nth < 2; nth += 1) expect((await print(admin, file, 'broken')).status).toBe(200)
    expect([await labelledComponents(admin), await recordedPrints(admin)]).toEqual([100, 100])
  })

  it('that was given back is charged when it is tried again under its key', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const { socket } = await openReader(admin, job(10_000), 'again')
    socket.destroy()
    await expect.poll(() => jobStates(admin), asked).toEqual(['released'])
    const { status, bytes } = await print(admin, job(10_000), 'again')
    expect([status, bytes.subarray(-6).toString()]).toEqual([200, '%%EOF\n'])
    expect(await jobStates(admin)).toEqual(['confirmed'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([10_000, 1])
  })

  it('goes on for one reader when another one of the same key has left', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const first = await openReader(admin, job(10_000), 'twice')
    const second = await openReader(admin, job(10_000), 'twice')
    first.socket.destroy()
    expect(await isWhole(second.socket)).toBe(true)
    expect(await jobStates(admin)).toEqual(['confirmed'])
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([10_000, 1])
  })
})

describe('label files in the making', () => {
  it('are no more than three of one request, however often it is repeated under its key', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const readers = []
    for (let nth = 0; nth < 3; nth += 1) readers.push(await openReader(admin, job(10_000), 'joined'))
    const { status, body } = await print(admin, job(10_000), 'joined')
    expect([status, body]).toEqual([
      429,
      {
        success: false,
        error: 'Too many label files are being made already. Please try again when one of them is finished.',
        code: 'too_many_label_files',
      },
    ])
    for (const { socket } of readers) socket.destroy()
    await expect.poll(() => jobStates(admin), asked).toEqual(['released'])
    expect((await print(admin, job(3), 'alone')).status).toBe(200)
  })

  it('are no more than ten of a company, and others print meanwhile', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const other = await makeCompany(app)
    const readers = []
    for (let nth = 0; nth < 10; nth += 1) readers.push(await openReader(admin, job(10_000), `slow-${nth}`))
    const { status, body } = await print(admin, job(1), 'one-more')
    expect([status, Object(body).code]).toEqual([429, 'too_many_label_files'])
    expect((await print(other, job(1))).status).toBe(200)
    for (const { socket } of readers) socket.destroy()
    await expect.poll(async () => (await print(admin, job(1), 'one-more')).status, asked).toBe(200)
    await expect.poll(() => labelsUsed(admin), asked).toBe(1)
  })

  // Ten files are made until no socket takes more of them, which a busy machine needs long for.
  it(
    'of which nothing is taken any more are broken off, and give their places back',
    { timeout: 180_000 },
    async () => {
      readerPatience.readerMs = 300
      const admin = await makeCompany(app, { plan: 'enterprise' })
      const readers = []
      for (let nth = 0; nth < 10; nth += 1) readers.push(await openReader(admin, job(10_000), `still-${nth}`))
      const asking = { timeout: 150_000, interval: 200 }
      await expect.poll(async () => (await print(admin, job(1), 'one-more')).status, asking).toBe(200)
      await expect.poll(() => labelsUsed(admin), asked).toBe(1)
      for (const { socket } of readers) socket.destroy()
    },
  )
})

describe('a reservation that nobody renews', () => {
  it('runs out, as when its server died', async () => {
    // So many that no socket's buffer takes the whole file.
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const { socket } = await openReader(admin, job(10_000), 'dead')
    await letReservationsRunOut(admin)
    expect(await labelsUsed(admin)).toBe(0)
    socket.destroy()
    await expect.poll(() => jobStates(admin), asked).toEqual(['released'])
    expect(await labelsUsed(admin)).toBe(0)
  })

  /** Has another job come between the reservation of one, which runs out at once, and its end; says whether that file is whole. */
  async function isWholeOvertaken(admin: Person, labels: number): Promise<boolean> {
    await app.owner.query(
      `create function run_out() returns trigger language plpgsql as $$
       begin new.expires_at = now() - interval '1 hour'; return new; end $$;
       create trigger run_out before insert on label_jobs for each row when (new.labels > 1) execute function run_out()`,
    )
    await app.owner.query(
      `insert into label_usage (tenant_id, month_start, used) values ($1, start_of_month(now(), 'UTC'), 0)`,
      [admin.tenantId],
    )
    const holder = await app.owner.connect()
    try {
      await holder.query('begin')
      await holder.query('select from label_usage where tenant_id = $1 for update', [admin.tenantId])
      const whole = openReader(admin, job(labels), 'stalled').then(async ({ socket, head }) => {
        return { head, isSo: await isWhole(socket) }
      })
      await untilSomebodyWaits(app)
      const other = print(admin, job(1, 'OTHER'))
      // Who waits for the month gets it in turn: the one job, the other, and only then the end of the one.
      await untilSomebodyWaits(app, 2)
      await holder.query('commit')
      expect((await other).status).toBe(200)
      const { head, isSo } = await whole
      expect(head).toMatch(/^HTTP\/1.1 200 /)
      return isSo
    } finally {
      holder.release()
      await app.owner.query('drop function run_out cascade')
    }
  }

  it('is never confirmed past the limit when others have used its labels', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    expect(await isWholeOvertaken(admin, 2_000)).toBe(false)
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([1, 1])
  })

  it('is charged anew when there is still room', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    expect(await isWholeOvertaken(admin, 1_999)).toBe(true)
    expect([await labelsUsed(admin), await labelEntries(admin)]).toEqual([2_000, 2])
  })
})
