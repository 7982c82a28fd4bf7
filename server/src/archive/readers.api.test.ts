import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { leaveWhileLocked, openRequest, untilSomebodyWaits } from '../../test/leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { readerPatience } from '../platform/http/cut-when-untaken.ts'
import { writeArchive } from './write.ts'

const path = '/api/exports/archive'
const usual = { ...readerPatience }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterEach(() => Object.assign(readerPatience, usual))
afterAll(() => app.close())

/** A company with so much, hardly to be compressed, that no socket's buffers take it. */
async function largeCompany(records = 24): Promise<Person> {
  const admin = await makeCompany(app)
  const body = { id: 'large', location: 'PRIMARY', user_type: 'admin', progress: { A: 1 } }
  await app.done({ path: '/api/cycle-counts', token: admin.token, body })
  await app.owner.query(
    `with large as materialized (
       select jsonb_object_agg(entry, md5(entry::text)) as progress from generate_series(1, 30000) as entry
     )
     insert into cycle_counts
       (tenant_id, id, location, user_type, progress, completed, start_date, last_updated)
     select tenant_id, 'large-' || number, location, user_type, large.progress, completed, start_date, last_updated
     from cycle_counts, large, generate_series(1, $2::integer) as number where tenant_id = $1`,
    [admin.tenantId, records],
  )
  return admin
}

const askAgain = async ({ token }: Person) => (await app.ask({ method: 'GET', path, token })).status

/** Connections of the program that are in the middle of reading an archive. */
async function connectionsHeld(): Promise<number> {
  const { rowCount } = await app.owner.query(
    `select from pg_stat_activity
     where datname = current_database() and state <> 'idle' and query like 'fetch %'`,
  )
  return rowCount ?? 0
}

/** Writes an archive that nobody reads, given up with the statement of that number; false where it asks for fewer. */
async function giveUpAt(nth: number, { tenantId }: Person): Promise<boolean> {
  const stopped = new AbortController()
  let asked = 0
  const writing = app.database.inSnapshot(tenantId, async (tx) => {
    const watched = {
      tenantId,
      get db() {
        asked += 1
        if (asked === nth) stopped.abort()
        return tx.db
      },
    }
    await writeArchive({ tx: watched, signal: stopped.signal }, { zip: new yazl.ZipFile(), program: 'test' })
  })
  const late = setTimeout(() => stopped.abort(), 15_000)
  await expect(writing).rejects.toThrow(/aborted|Nobody reads/)
  clearTimeout(late)
  return asked >= nth
}

const soon = { timeout: 30_000, interval: 100 }

describe('the place of an archive', () => {
  it('is free again where its reader left before it began', async () => {
    const admin = await largeCompany()
    await leaveWhileLocked(app, admin, { path, lock: 'lock table audit_entries in share row exclusive mode' })
    await expect.poll(() => askAgain(admin), soon).toBe(200)
    await expect.poll(connectionsHeld, soon).toBe(0)
  })

  it('is free again where its reader leaves in the middle', async () => {
    const admin = await largeCompany()
    const socket = openRequest(app, admin, path)
    await expect.poll(connectionsHeld, soon).toBe(1)
    expect(await askAgain(admin)).toBe(429)
    socket.resetAndDestroy()
    await expect.poll(() => askAgain(admin), soon).toBe(200)
    await expect.poll(connectionsHeld, soon).toBe(0)
  })

  it('is free again where its reader stays and takes nothing any more', async () => {
    const admin = await largeCompany()
    readerPatience.readerMs = 10_000
    const socket = openRequest(app, admin, path)
    await expect.poll(connectionsHeld, soon).toBe(1)
    expect(await askAgain(admin)).toBe(429)
    await expect.poll(() => askAgain(admin), soon).toBe(200)
    await expect.poll(connectionsHeld, soon).toBe(0)
    socket.destroy()
  })

  it('keeps every quarter where it is until its reader is done', async () => {
    const admin = await largeCompany()
    const socket = openRequest(app, admin, path)
    await expect.poll(connectionsHeld, soon).toBe(1)
    for (const history of ['count_history', 'audit_entries']) {
      await expect(
        app.owner.query(`do $$ begin lock table only ${history} in access exclusive mode nowait; end $$`),
      ).rejects.toThrow(`could not obtain lock on relation "${history}"`)
    }
    socket.resetAndDestroy()
    await expect.poll(connectionsHeld, soon).toBe(0)
  })

  it('is kept for a reader who is slow and takes something', { timeout: 120_000 }, async () => {
    const admin = await largeCompany()
    readerPatience.readerMs = 3_000
    const socket = openRequest(app, admin, path)
    const began = performance.now()
    let last = ''
    let bytes = 0
    for await (const piece of socket) {
      const taken = Buffer.from(piece)
      bytes += taken.length
      last = (last + taken.toString('latin1')).slice(-5)
      await sleep(taken.length / 1_000)
    }
    expect(last).toBe('0\r\n\r\n')
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(performance.now() - began).toBeGreaterThan(3 * readerPatience.readerMs)
  })

  it('is free again at whatever moment its reader leaves', { timeout: 120_000 }, async () => {
    const admin = await largeCompany(1)
    let nth = 1
    while (await giveUpAt(nth, admin)) nth += 1
    expect(nth).toBeGreaterThan(50)
  })
})

describe('archives of several companies', () => {
  it.each([
    { connections: 3, most: 1 },
    { connections: 4, most: 2 },
  ])('are made $most at a time by a node of $connections connections', async ({ connections, most }) => {
    const node = await startTestApp({ DATABASE_POOL_SIZE: String(connections) })
    const people: Person[] = []
    for (let nth = 0; nth <= most; nth += 1) people.push(await makeCompany(node))
    const archiveOf = async ({ token }: Person) => (await node.ask({ method: 'GET', path, token })).status
    const [refused, ...others] = people.toReversed()
    if (refused === undefined) throw new Error('There is a company for each, and one more.')

    const holder = await node.owner.connect()
    await holder.query('begin; lock table cycle_counts in access exclusive mode')
    const making = others.map(archiveOf)
    await untilSomebodyWaits(node, most)
    expect(await archiveOf(refused)).toBe(429)
    await holder.query('commit')
    holder.release()
    expect(await Promise.all(making)).toEqual(others.map(() => 200))
    expect(await archiveOf(refused)).toBe(200)
    await node.close()
  })
})
