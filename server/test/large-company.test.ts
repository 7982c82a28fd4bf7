import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { sealCompany } from '../src/audit/chain.ts'
import { readerPatience } from '../src/platform/http/cut-when-untaken.ts'
import { openRequest } from './leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from './test-app.ts'

let app: TestApp
let large: Person

/** 10,000 components and 200,000 counts with their audit entries, among 50 companies of ten components. */
const fill = `
  with made as (
    insert into components (tenant_id, barcode, description)
    select $1, 'SKU-' || to_char(i, 'FM00000'), 'Component number ' || i from generate_series(1, $2::integer) i
    returning id, barcode
  )
  insert into stock (tenant_id, component_id, location, quantity)
  select $1, id, 'PRIMARY', right(barcode, 5)::integer % 500 from made`

const history = `
  insert into count_history (
    tenant_id, id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
    user_name, counted_at, created_at
  )
  select $1, id_at(at, uuid_send(gen_random_uuid())), null, 'SKU-' || to_char(1 + i % 10000, 'FM00000'), 'PRIMARY', i % 500,
    'monthly', 's', 'monthly', $2, 'admin', 'Ada', at, at
  from generate_series(1, 200000) i, lateral (select now() - make_interval(mins => 200000 - i) as at) as spread`

const audit = `
  insert into audit_entries (tenant_id, id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, created_at)
  select $1, id_at(at, uuid_send(gen_random_uuid())), 'inventory_scan', 'monthly_count_scan',
    'SKU-' || to_char(1 + i % 10000, 'FM00000'), i % 500, 'PRIMARY', 'monthly', $2, 'admin', 'Ada', at
  from generate_series(1, 200000) i, lateral (select now() - make_interval(mins => 200000 - i) as at) as spread`

async function fillCompany(person: Person, components: number): Promise<void> {
  await app.owner.query(fill, [person.tenantId, components])
  await app.owner.query('update companies set component_count = $2 where tenant_id = $1', [
    person.tenantId,
    components,
  ])
}

beforeAll(async () => {
  app = await startTestApp()
  for (let index = 0; index < 50; index += 1) await fillCompany(await makeCompany(app), 10)
  large = await makeCompany(app)
  await fillCompany(large, 10_000)
  await app.owner.query(history, [large.tenantId, large.userId])
  await app.owner.query(audit, [large.tenantId, large.userId])
  await app.owner.query('analyze')
}, 120_000)
afterAll(() => app.close())

const get = (path: string) => app.ask({ method: 'GET', path, token: large.token })

const page = z.object({
  history: z.array(z.object({ id: z.string(), timestamp: z.string() })),
  next_cursor: z.string().nullable(),
})

describe('a company with 10,000 components and 200,000 counts', () => {
  it('gets its whole list, and nobody else’s', async () => {
    const { body } = await get('/api/components')
    const list = z
      .object({ total: z.number(), components: z.array(z.object({ barcode: z.string() })) })
      .parse(body)
    expect([list.total, list.components.length]).toEqual([10_000, 10_000])
    expect([list.components[0]?.barcode, list.components.at(-1)?.barcode]).toEqual(['SKU-00001', 'SKU-10000'])
  })

  it('counts on with the right progress', async () => {
    const body = {
      barcode: 'SKU-00777',
      quantity: 277,
      location: 'PRIMARY',
      session: 's',
      timestamp: new Date().toISOString(),
    }
    const reply = await app.ask({ path: '/api/components/update-with-tracking', token: large.token, body })
    expect(reply.body).toMatchObject({ matched: true, progress: { counted: 1, total: 10_000 } })
    const status = await app.ask({
      path: '/api/components/with-count-status',
      token: large.token,
      body: { location: 'PRIMARY' },
    })
    expect(status.body).toMatchObject({ counted: 1, total: 10_000 })
    const short = await get('/api/components/to-count?location=PRIMARY')
    expect(short.body).toMatchObject({ counted: 1, total: 10_000 })
  })

  it('reads its history page by page, newest first and without a gap', async () => {
    let cursor = ''
    let seen = 0
    let last = '9999'
    for (let pages = 0; pages < 5; pages += 1) {
      const { body } = await get(`/api/count-history?limit=1000${cursor}`)
      const { history: rows, next_cursor: next } = page.parse(body)
      const times = [last, ...rows.map(({ timestamp }) => timestamp)]
      expect(times.toSorted((a, b) => b.localeCompare(a))).toEqual(times)
      last = times.at(-1) ?? ''
      seen += rows.length
      cursor = `&cursor=${next ?? ''}`
    }
    expect(seen).toBe(5000)
  })

  it('finds the twenty counts of one SKU, and the entries of one day', async () => {
    const { body } = await get('/api/count-history?sku=SKU-00042')
    expect(page.parse(body).history).toHaveLength(20)
    const from = new Date(Date.now() - 3 * 86_400_000).toISOString()
    const to = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const trail = await get(`/api/audit/trail?from=${from}&to=${to}&limit=10`)
    expect(trail.body).toMatchObject({ total: 1440 })
  })

  it('judges of a long file no more rows than a page of them shows', async () => {
    const fields = ['barcode', 'primary_quantity']
    const begun = await app.done({
      path: '/api/imports',
      token: large.token,
      body: { name: 'all.csv', fields },
    })
    const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
    await app.owner.query(
      `insert into import_rows (tenant_id, import_id, line, barcode, description, primary_quantity)
       select $1, $2, 1 + i, 'SKU-' || to_char(i, 'FM00000'), '', i % 500 from generate_series(1, 10000) i`,
      [large.tenantId, id],
    )
    const pagesOf = async (call: string) => {
      const { rows } = await app.owner.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, timing off, summary off) select * from ${call}`,
      )
      const read = rows.map((row) => /^ +Buffers: shared hit=(\d+)/.exec(row['QUERY PLAN'])?.[1])
      return Number(read.find((found) => found !== undefined))
    }
    const whole = await pagesOf(`judge_import('${large.tenantId}', '${id}')`)
    const page = await pagesOf(`judge_rows('${large.tenantId}', '${id}', 'unchanged', 5000, 101)`)
    expect(page).toBeLessThan(whole / 10)
    const { body } = await get(`/api/imports/${id}/rows?kind=unchanged&after=5000&limit=100`)
    expect(body).toMatchObject({
      next_after: 5100,
      rows: { length: 100, 0: { line: 5001, barcode: 'SKU-05000' } },
    })
  })

  it('exports the counts of one SKU out of all of them', async () => {
    const { bytes } = await get('/api/exports/counts?sku=SKU-00042')
    const rows: string[][] = parse(bytes, { bom: true, from: 2 })
    expect(rows.map((row) => row[1])).toEqual(Array(20).fill('SKU-00042'))
    const from = new Date(Date.now() - 120_000 * 60_000).toISOString()
    const newer = await get(`/api/exports/counts?sku=SKU-00042&from=${from}`)
    expect(parse(newer.bytes, { bom: true, from: 2 })).toHaveLength(12)
    const older = await get(`/api/exports/counts?sku=SKU-00042&to=${from}`)
    expect(parse(older.bytes, { bom: true, from: 2 })).toHaveLength(8)
  })

  it('reads pages by their key, not by scanning tables', async () => {
    const client = await app.owner.connect()
    for (const table of ['count_history', 'audit_entries']) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select * from ${table} where tenant_id = '${large.tenantId}' order by id desc limit 101`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(new RegExp(`Index Scan Backward using ${table}_\\w+_pkey`))
      expect(plan).not.toMatch(/Seq Scan|->  (Incremental )?Sort/)
    }
    client.release()
  })
})

describe('a trail of 250,000 entries', () => {
  let admin: Person
  const look = z.object({
    entries: z.array(z.object({ sku: z.string() })),
    total: z.number(),
    next_cursor: z.string().nullable(),
    looked_back_to: z.string().nullable(),
  })

  /** The looks for a filter, one after the other. */
  async function looksFor(query: string) {
    const looks = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/api/audit/trail?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body } = await app.ask({ method: 'GET', path, token: admin.token })
      const { entries, total, next_cursor: next, looked_back_to: back } = look.parse(body)
      looks.push({ skus: entries.map(({ sku }) => sku), total, back })
      cursor = next
    }
    return looks
  }

  beforeAll(async () => {
    admin = await makeCompany(app)
    // Registration and sign-in, before the others.
    await sealCompany(app.database, admin.tenantId)
    await app.owner.query(
      `with made as (
        insert into audit_entries (tenant_id, id, kind, event, sku, source, user_type, user_name, created_at)
        select $1, id_at(at, uuid_send(gen_random_uuid())), 'inventory_scan', 'monthly_count_scan',
          case when i % 80000 = 0 then 'RARE-' || i else 'OFTEN' end, 'monthly', 'user', 'Sam', at
        from generate_series(1, 250000) i, lateral (select now() - make_interval(mins => i) as at) as spread
        returning id
      )
      insert into audit_seals (tenant_id, seq, entry_id, entry_hash, hash, settled_below)
      select $1, 2 + row_number() over (order by id), id, uuid_send(id) || uuid_send(id), uuid_send(id) || uuid_send(id),
        (select settled_below from audit_seals where tenant_id = $1 and seq = 2)
      from made`,
      [admin.tenantId],
    )
    await app.owner.query('analyze audit_entries, audit_seals')
  }, 120_000)

  it('is looked through by a filter 100,000 entries at a time, each of them once', async () => {
    const looks = await looksFor('sku=RARE')
    expect(looks.map(({ skus, total }) => ({ skus, total }))).toEqual([
      { skus: ['RARE-80000'], total: 1 },
      { skus: ['RARE-160000'], total: 1 },
      { skus: ['RARE-240000'], total: 1 },
    ])
    const [first, second, last] = looks.map(({ back }) =>
      back === null ? null : Date.now() - Date.parse(back),
    )
    expect([first, second].map((ago) => Math.round((ago ?? 0) / 60_000_000))).toEqual([100, 200])
    expect(last).toBeNull()
  })

  it('tells how many pass of what one look went through, from the page on', async () => {
    const page = async (cursor: string) => {
      const path = `/api/audit/trail?sku=OFTEN&limit=1000${cursor}`
      return look.parse((await app.ask({ method: 'GET', path, token: admin.token })).body)
    }
    const first = await page('')
    const second = await page(`&cursor=${first.next_cursor}`)
    expect([first.total, second.total]).toEqual([100_000, 100_000])
    expect(Date.parse(String(first.looked_back_to)) - Date.parse(String(second.looked_back_to))).toBe(
      60_000_000,
    )
  })

  it('is looked through whole for a time that has fewer entries', async () => {
    const [from, to] = [130_000, 120_000].map((minutes) => new Date(Date.now() - minutes * 60_000))
    const asked = `from=${from?.toISOString()}&to=${to?.toISOString()}&limit=1000`
    const looks = await looksFor(asked)
    expect(looks.length).toBe(10)
    expect(looks.map(({ back }) => back)).toEqual(Array(10).fill(null))
    expect(looks.map(({ total }) => total)).toEqual(Array(10).fill(10_000))
  })

  it('is counted whole, and listed as long as anybody likes, without a filter', async () => {
    const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=1', token: admin.token })
    expect(look.parse(body)).toMatchObject({ total: 250_002, looked_back_to: null })
  })

  it('is read on by nobody who is no administrator any more', async () => {
    const exporting = openRequest(app, admin, '/api/exports/audit')
    await once(exporting, 'readable')
    await app.owner.query(`update users set role = 'user' where tenant_id = $1 and id = $2`, [
      admin.tenantId,
      admin.userId,
    ])
    let end = ''
    exporting.on('data', (piece: Buffer) => (end = (end + piece.toString('latin1')).slice(-7)))
    await once(exporting, 'close')
    // Whoever has all of it has its last piece, which is empty.
    expect(end).not.toBe('\r\n0\r\n\r\n')
    await app.owner.query(`update users set role = 'admin' where tenant_id = $1 and id = $2`, [
      admin.tenantId,
      admin.userId,
    ])
  }, 60_000)

  it('is exported to ten readers at a time, of whom those who take nothing are cut off', async () => {
    const exported = async () => {
      const { status, body } = await app.ask({
        method: 'GET',
        path: '/api/exports/audit?sku=RARE',
        token: admin.token,
      })
      return status === 200 ? status : z.object({ code: z.string() }).parse(body).code
    }
    const usual = readerPatience.readerMs
    readerPatience.readerMs = 10_000
    const readers = Array.from({ length: 10 }, () => openRequest(app, admin, '/api/exports/audit'))
    await Promise.all(readers.map((reader) => once(reader, 'readable')))
    expect(await exported()).toBe('too_many_exports')
    await expect.poll(exported, { timeout: 60_000, interval: 200 }).toBe(200)
    for (const reader of readers) reader.destroy()
    readerPatience.readerMs = usual
  }, 120_000)
})

describe('a company with 45,000 components of the longest descriptions', () => {
  let admin: Person

  beforeAll(async () => {
    admin = await makeCompany(app)
    await app.owner.query(
      `insert into components (tenant_id, barcode, description)
      select $1, 'LONG-' || to_char(i, 'FM00000'), repeat(E'\\x01', 500) from generate_series(1, 45000) i`,
      [admin.tenantId],
    )
    await app.owner.query('update companies set component_count = 45000 where tenant_id = $1', [
      admin.tenantId,
    ])
  }, 60_000)

  /** Asks once more where the program says that it is busy: what this test reads of it holds up the process of both. */
  async function read(path: string): ReturnType<typeof app.ask> {
    const reply = await app.ask({ method: 'GET', path, token: admin.token })
    if (reply.status !== 503) return reply
    await sleep(2_000)
    return await read(path)
  }

  it('gets its list in pages that end before they are too long', async () => {
    const found = z.object({ next_cursor: z.string().nullable(), components: z.array(z.unknown()) })
    const cursors: (string | null)[] = []
    const lengths: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/api/components${cursor === '' ? '' : `?cursor=${cursor}`}`
      const { body } = await read(path)
      const list = found.parse(body)
      cursor = list.next_cursor
      cursors.push(cursor)
      lengths.push(list.components.length)
    }
    expect(lengths).toEqual([10_000, 10_000, 10_000, 10_000, 5_000])
    expect(cursors).toEqual(['LONG-10000', 'LONG-20000', 'LONG-30000', 'LONG-40000', null])
  })

  it('is told that its list to count is too long', async () => {
    const { status, body } = await read('/api/components/to-count?location=PRIMARY')
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        code: 'list_too_long',
        error:
          'There are too many components for one list. An administrator can retire those that are no longer kept.',
      },
    ])
  })

  it('counts what a location keeps of them, and its cycle count is complete with that', async () => {
    const code = (place: number) => `LONG-${String(place).padStart(5, '0')}`
    const kept = Array.from({ length: 100 }, (_, place) => code(44_901 + place))
    const post = (path: string, body: object) =>
      app.done({ path: `/api${path}`, token: admin.token, body: { location: 'PRIMARY', ...body } })
    await post('/components/keep', { kept: false })
    await post('/components/keep', { kept: true, barcodes: kept })
    const { status, body } = await read('/api/components/to-count?location=PRIMARY')
    expect([status, Object(body).total]).toEqual([200, 100])

    const id = `Cycle_${new Date().toISOString().slice(0, 7)}_PRIMARY`
    // What is left out comes first: where all of it was read for each, a save took longer than a statement may.
    const saved = async (skus: string[]) => {
      const progress = Object.fromEntries(skus.map((sku) => [sku, 0]))
      await post('/cycle-counts', { id, user_type: 'admin', progress, completed: false })
      const { rows } = await app.owner.query(
        'select completed from cycle_counts where tenant_id = $1 and id = $2',
        [admin.tenantId, id],
      )
      return rows
    }
    expect(await saved(kept.slice(1))).toEqual([{ completed: false }])
    expect(await saved(kept.slice(0, 1))).toEqual([{ completed: true }])
  }, 120_000)
})
