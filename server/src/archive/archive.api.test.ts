import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastDayOfMonth } from '@inventory-manager/contract/calendar'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import yazl from 'yazl'
import { z } from 'zod'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { sealCompany, verifyTrail } from '../audit/chain.ts'
import { lookAtStock } from '../stock/low-stock.ts'
import type { ArchivedFile } from './manifest.ts'
import { openArchive } from './read.ts'
import { removeCompany } from './remove.ts'
import { restoreCompany } from './restore.ts'
import { archivedTables, leftOutTables } from './tables.ts'

const today = new Date().toISOString().slice(0, 10)

let app: TestApp
let other: TestApp
let admin: Person
let folder: string
let file: string
beforeAll(async () => {
  app = await startTestApp()
  other = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-archive-'))
  file = join(folder, 'company.zip')
  admin = await makeCompany(app)
  await fill(admin)
  await sealCompany(app.database, admin.tenantId)
  await writeFile(file, (await download(admin)).bytes)
})
afterAll(async () => {
  await app.close()
  await other.close()
  await rm(folder, { recursive: true })
})

/** Something in every table. */
async function fill(person: Person): Promise<void> {
  const staff = await makeStaff(app, person)
  const ask = (path: string, body: unknown) => app.ask({ path, token: person.token, body })
  await ask('/api/components/import', [
    { barcode: '00012', description: 'Bolt "M8"\n', primary_quantity: 5 },
    { barcode: 'B', primary_quantity: 9_007 },
    { barcode: 'C', description: 'Lines\u2028and\u2029paragraphs' },
  ])
  await ask('/api/company/settings', { location_names: { PRIMARY: 'Hamburg' } })
  await ask('/api/components/add-barcode', { barcode: 'B', alias: '4006381333931', pieces: 12 })
  const placed = [
    { barcode: '00012', bin: 'A-03-2', minimum: 6 },
    { barcode: 'B', bin: 'Shelf "4"' },
  ]
  await ask('/api/components/place', { location: 'PRIMARY', components: placed })
  await ask('/api/components/place', {
    location: 'SECONDARY',
    components: [{ barcode: 'C', minimum: 2 }],
  })
  // As by the link in a mail: what is confirmed stays so.
  await app.owner.query('update users set email_confirmed_at = now() where id = $1', [person.userId])
  // As the program does by itself: what it has told is archived as told.
  await app.database.inTenant(person.tenantId, lookAtStock)
  await ask('/api/components/configure-high-volume', { barcode: 'B', assignments: { Monday: ['PRIMARY'] } })
  for (const quantity of [4, 3]) {
    const timestamp = new Date().toISOString()
    const count = { barcode: '00012', quantity, location: 'PRIMARY', session: 's', source: 'monthly' }
    const body = { ...count, timestamp }
    const key = `${person.tenantId} ${quantity}`.replace(' ', '-')
    await app.done({ path: '/api/components/update-with-tracking', token: staff.token, key, body })
    const said = { key, note: `Only ${quantity}: "3 crates" are damaged 📦` }
    await app.done({ path: '/api/components/note-count', token: staff.token, body: said })
  }
  const asked = { location: 'PRIMARY', user_id: staff.userId, due_on: lastDayOfMonth(today) }
  await ask('/api/counting/assignments', asked)
  const timestamp = new Date().toISOString()
  const unknown = { barcode: 'GHOST', quantity: 1, location: 'PRIMARY', session: 's', source: 'monthly' }
  await ask('/api/components/update-with-tracking', { ...unknown, timestamp })
  await ask('/api/transfers', { barcode: 'B', from: 'PRIMARY', to: 'SECONDARY', quantity: 7 })
  await ask('/api/imports', { name: 'x.csv', fields: ['barcode'] })
  await ask('/api/generate-labels', { components: [{ barcode: '00012' }] })
  await ask('/api/weekly-counts', { id: 'w', day: 'Monday', location: 'PRIMARY', progress: { B: 1 } })
  await ask('/api/cycle-counts', { id: 'c', location: 'PRIMARY', user_type: 'admin', progress: { B: 1 } })
}

const download = (person: Person) =>
  app.ask({ method: 'GET', path: '/api/exports/archive', token: person.token })

/** All rows of a table of a company as text, without the columns named. */
async function rowsOf(node: TestApp, table: string, tenantId: string): Promise<{ row: object }[]> {
  const { rows } = await node.owner.query<{ row: object }>(
    `select to_jsonb(held) - 'tenant_id' - 'password_hash' as row from ${table} as held
     where tenant_id = $1 order by 1`,
    [tenantId],
  )
  return rows
}

/** A table of an archive, with the lines of its file. */
type Written = { table: ArchivedFile; text: string }

/** The archive with its tables as an edit leaves them, as another file; gives its path. */
async function rewritten(name: string, edit: (written: Written) => Written): Promise<string> {
  const archive = await openArchive(file)
  const zip = new yazl.ZipFile()
  const tables: ArchivedFile[] = []
  for (const table of archive.manifest.tables) {
    const lines: string[] = []
    for await (const some of archive.linesOf(table)) lines.push(...some)
    const edited = edit({ table, text: lines.map((line) => `${line}\n`).join('') })
    tables.push(edited.table)
    zip.addBuffer(Buffer.from(edited.text), table.file)
  }
  archive.close()
  zip.addBuffer(Buffer.from(JSON.stringify({ ...archive.manifest, tables })), 'manifest.json')
  zip.end()
  const path = join(folder, name)
  await writeFile(path, zip.outputStream)
  return path
}

type Row = Record<string, unknown>

/** A table with other rows, and the sum of these. */
function withRows({ table, text }: Written, change: (row: Row) => Row): Written {
  const lines = text.split('\n').filter((line) => line !== '')
  const changed = lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join('')
  const sha256 = createHash('sha256').update(changed).digest('hex')
  return { text: changed, table: { ...table, sha256, bytes: Buffer.byteLength(changed) } }
}

/** A table as a version wrote it that did not know a column of it yet. */
function withoutColumn(written: Written, column: string): Written {
  const { text, table } = withRows(written, (row) => {
    const { [column]: _, ...older } = row
    return older
  })
  return { text, table: { ...table, columns: table.columns.filter((known) => known !== column) } }
}

/** A table as somebody wrote it who can compute sums. */
const withValue = (written: Written, column: string, value: string) =>
  withRows(written, (row) => ({ ...row, [column]: value }))

const password = 'a new password'
const signedIn = z.object({ token: z.string() })

describe('an archive', () => {
  it('holds every table of a company, or says why not', async () => {
    const { rows } = await app.owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and exists (
         select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id'
       ) and relname <> 'login_emails'`,
    )
    const known = [...archivedTables.map(({ name }) => name), ...Object.keys(leftOutTables)]
    expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
  })

  it('has a name of its own, and no passwords or sessions', async () => {
    const { headers } = await download(admin)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-disposition')).toMatch(/filename="Company \d+_\d{4}-\d\d-\d\d\.zip"/)
    const archive = await openArchive(file)
    const users = archive.manifest.tables.find(({ name }) => name === 'users')
    expect(users?.columns).not.toContain('password_hash')
    expect(users?.rows).toBe(2)
    expect(archive.manifest.company.id).toBe(admin.tenantId)
    archive.close()
  })

  it('shows one moment, also while people count', async () => {
    const busy = await makeCompany(app)
    await app.done({
      path: '/api/components/import',
      token: busy.token,
      body: [{ barcode: 'A', primary_quantity: 1 }],
    })
    const stopped = new AbortController()
    const moving = (async () => {
      for (let quantity = 2; !stopped.signal.aborted; quantity += 1) {
        const body = { barcode: 'A', quantity, location: 'PRIMARY' }
        await app.done({ path: '/api/components/update-quantity', token: busy.token, body })
      }
    })()
    const busyFile = join(folder, 'busy.zip')
    for (let round = 0; round < 5; round += 1) {
      await writeFile(busyFile, (await download(busy)).bytes)
      const archive = await openArchive(busyFile)
      const read = async (name: string) => {
        const table = archive.manifest.tables.find((one) => one.name === name)
        const lines: string[] = []
        if (table !== undefined) for await (const part of archive.linesOf(table)) lines.push(...part)
        return lines.map((line): Record<string, unknown> => JSON.parse(line))
      }
      const moved = (await read('movements')).reduce((sum, { delta }) => sum + Number(delta), 0)
      expect((await read('stock')).map(({ quantity }) => quantity)).toEqual([moved])
      archive.close()
    }
    stopped.abort()
    await moving
  })

  it('breaks off where a table cannot be read, and may be asked for again', async () => {
    await app.owner.query('revoke select on movements from inventory_manager_app')
    await expect(download(admin)).rejects.toThrow('terminated')
    await app.owner.query('grant select on movements to inventory_manager_app')
    expect((await download(admin)).status).toBe(200)
  })

  it('is made one at a time for a company', async () => {
    const replies = await Promise.all([download(admin), download(admin), download(admin)])
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body).toMatchObject({
      error: 'An archive is being made already. Please try again when it is finished.',
    })
  })
})

it('waits for no other company, which it is told', async () => {
  const others = [await makeCompany(app), await makeCompany(app)]
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query('lock table movements in access exclusive mode')
  const held = others.map((each) => download(each))
  await untilSomebodyWaits(app, 2)
  expect(await download(admin)).toMatchObject({
    status: 429,
    body: {
      code: 'archives_busy',
      error: 'Archives of other companies are being made. Please try again in a few minutes.',
    },
  })
  await holder.query('rollback')
  holder.release()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
})

describe('restoring', () => {
  it('puts everything back under the same id in another installation', async () => {
    const restored = await restoreCompany(other.database, file, { email: admin.email, password })
    expect(restored).toMatchObject({ tenantId: admin.tenantId, sameId: true })
    for (const { name } of archivedTables) {
      if (['users', 'imports', 'audit_entries', 'audit_seals'].includes(name)) continue
      expect([name, await rowsOf(other, name, admin.tenantId)]).toEqual([
        name,
        await rowsOf(app, name, admin.tenantId),
      ])
    }
    const { body } = await other.ask({
      path: '/api/auth/login',
      body: { email: admin.email, passcode: password },
    })
    expect(body).toMatchObject({ user: { tenantId: admin.tenantId, role: 'admin' } })
    expect(await rowsOf(other, 'imports', admin.tenantId)).toMatchObject([
      { row: { status: 'expired', finished_at: expect.any(String) } },
    ])
  })

  it('brings people back as they were, with addresses that are to be confirmed anew', async () => {
    const before = await rowsOf(app, 'users', admin.tenantId)
    const after = await rowsOf(other, 'users', admin.tenantId)
    expect(before).toMatchObject([{ row: { email_confirmed_at: expect.any(String) } }, {}])
    expect(after).toEqual(before.map(({ row }) => ({ row: { ...row, email_confirmed_at: null } })))
  })

  it('gives no longer trial than a new company has, whatever the archive says', async () => {
    const third = await startTestApp()
    const forged = await rewritten('forged.zip', (written) =>
      written.table.name === 'companies' ? withValue(written, 'trial_ends_at', '2999-01-01') : written,
    )
    await restoreCompany(third.database, forged, { email: admin.email, password })
    const { rows } = await third.owner.query(
      `select round(extract(epoch from trial_ends_at - now()) / 86400)::integer as days from companies`,
    )
    expect(rows).toEqual([{ days: 14 }])
    await third.close()
  })

  it('is refused with a manifest that is far too long', async () => {
    const zip = new yazl.ZipFile()
    zip.addBuffer(Buffer.from(JSON.stringify({ program: 'x'.repeat(2_000_000) })), 'manifest.json')
    zip.end()
    const path = join(folder, 'long.zip')
    await writeFile(path, zip.outputStream)
    await expect(restoreCompany(other.database, path, { email: admin.email, password })).rejects.toThrow(
      'The manifest of the archive is longer than 1 MiB, which no archive needs.',
    )
  })

  it('brings bins and minimums back, with what is low', async () => {
    const body = { email: admin.email, passcode: password }
    const { token } = signedIn.parse((await other.ask({ path: '/api/auth/login', body })).body)
    const read = async (path: string) => (await other.ask({ method: 'GET', path, token })).body
    expect(await read('/api/components/search')).toMatchObject({
      components: [
        { barcode: '00012', placements: [{ location: 'PRIMARY', bin: 'A-03-2', minimum: 6 }] },
        { barcode: 'B', placements: [{ location: 'PRIMARY', bin: 'Shelf "4"', minimum: null }] },
        { barcode: 'C', placements: [{ location: 'SECONDARY', bin: '', minimum: 2 }] },
      ],
    })
    expect(await read('/api/components/search?state=low')).toMatchObject({
      components: [{ barcode: '00012' }, { barcode: 'C' }],
    })
  })

  it('brings back what was said of counts, beside the difference', async () => {
    const body = { email: admin.email, passcode: password }
    const { token } = signedIn.parse((await other.ask({ path: '/api/auth/login', body })).body)
    expect((await other.ask({ method: 'GET', path: '/api/discrepancies', token })).body).toMatchObject({
      discrepancies: [
        {
          attempts: [
            { counted: 4, note: 'Only 4: "3 crates" are damaged 📦' },
            { counted: 3, note: 'Only 3: "3 crates" are damaged 📦' },
          ],
        },
      ],
    })
  })

  it('knows what of low stock was told before, and tells it no more', async () => {
    const low = () => rowsOf(other, 'low_stock', admin.tenantId)
    const before = await low()
    expect(before).toMatchObject([{ row: { location: 'PRIMARY' } }, { row: { location: 'SECONDARY' } }])
    await other.database.inTenant(admin.tenantId, lookAtStock)
    expect(await low()).toEqual(before)
    const { rows } = await other.owner.query(
      `select from audit_entries where tenant_id = $1 and event = 'stock_low'`,
      [admin.tenantId],
    )
    expect(rows).toHaveLength(2)
  })

  it('keeps what Unicode ends lines and paragraphs with in a text', async () => {
    const { rows } = await other.owner.query('select description from components where barcode = $1', ['C'])
    expect(rows).toEqual([{ description: 'Lines\u2028and\u2029paragraphs' }])
  })

  it('is refused where an address signs in already, and then nothing is there', async () => {
    await expect(restoreCompany(other.database, file, { email: admin.email, password })).rejects.toThrow(
      'signs in to a company of this installation already.',
    )
    const { rows } = await other.owner.query('select from companies')
    expect(rows).toHaveLength(1)
  })

  it('of an archive from before there were packs makes each other barcode one piece, as it was', async () => {
    const third = await startTestApp()
    const older = await rewritten('older.zip', (written) =>
      written.table.name === 'alias_barcodes' ? withoutColumn(written, 'pieces') : written,
    )
    await restoreCompany(third.database, older, { email: admin.email, password })
    const body = { email: admin.email, passcode: password }
    const { token } = signedIn.parse((await third.ask({ path: '/api/auth/login', body })).body)
    const detail = () =>
      third.ask({ method: 'GET', path: '/api/components/detail?barcode=4006381333931', token })
    expect((await detail()).body).toMatchObject({ barcode: 'B', aliases: ['4006381333931'] })
    expect((await detail()).body).not.toHaveProperty('packs')
    const pack = { barcode: 'B', alias: '4006381333931', pieces: 6 }
    await third.done({ path: '/api/components/add-barcode', token, body: pack })
    expect((await detail()).body).toMatchObject({ packs: [{ barcode: '4006381333931', pieces: 6 }] })
    await third.close()
  })

  it('brings packs back with their pieces', async () => {
    const body = { email: admin.email, passcode: password }
    const { token } = signedIn.parse((await other.ask({ path: '/api/auth/login', body })).body)
    const detail = { method: 'GET', path: '/api/components/detail?barcode=B', token }
    expect((await other.ask(detail)).body).toMatchObject({
      packs: [{ barcode: '4006381333931', pieces: 12 }],
    })
  })

  it('is put back under its own id where it was removed', async () => {
    const left = await makeCompany(app)
    await fill(left)
    const held = async () => [
      await rowsOf(app, 'movements', left.tenantId),
      await rowsOf(app, 'placements', left.tenantId),
    ]
    const before = await held()
    expect(before.map((rows) => rows.length)).toEqual([3, 3])
    const path = join(folder, 'left.zip')
    await writeFile(path, (await download(left)).bytes)
    const [database] = (await app.owner.query<{ name: string }>('select current_database() as name')).rows
    const url = new URL(inject('ownerUrl'))
    url.pathname = `/${database?.name ?? ''}`
    expect(await removeCompany(url.href, left.tenantId)).toBeGreaterThan(40)
    for (const { name } of archivedTables) {
      expect([name, await rowsOf(app, name, left.tenantId)]).toEqual([name, []])
    }
    expect(await restoreCompany(app.database, path, { email: left.email, password })).toMatchObject({
      sameId: true,
    })
    expect(await held()).toEqual(before)
  })

  it('has people who were deactivated, also where somebody signs in with their address', async () => {
    const left = await makeCompany(app)
    const sam = await makeStaff(app, left)
    await app.done({ path: `/api/team/users/${sam.userId}/deactivate`, token: left.token })
    const path = join(folder, 'deactivated.zip')
    await writeFile(path, (await download(left)).bytes)
    const registration = {
      companyName: 'Elsewhere',
      contactEmail: sam.email,
      contactName: 'Sam',
      adminPasscode: password,
    }
    await other.done({ path: '/api/auth/register-tenant', body: registration })
    expect(await restoreCompany(other.database, path, { email: left.email, password })).toMatchObject({
      sameId: true,
    })
    const { rows } = await other.owner.query('select email, active from users where id = $1', [sam.userId])
    expect(rows).toEqual([{ email: sam.email, active: false }])
  })

  it('takes a new id where its own is in use', async () => {
    await other.owner.query(`delete from login_emails where tenant_id = $1`, [admin.tenantId])
    const restored = await restoreCompany(other.database, file, { email: admin.email, password })
    expect(restored.sameId).toBe(false)
    expect(await rowsOf(other, 'movements', restored.tenantId)).toEqual(
      await rowsOf(app, 'movements', admin.tenantId),
    )
    const trail = await verifyTrail(other.database, restored.tenantId)
    expect(trail).toMatchObject({ fault: null })
    expect(trail.checked).toBeGreaterThan(5)
  })

  it('puts back records of nearly 4 MB each, some megabytes at a time', { timeout: 120_000 }, async () => {
    const large = await makeCompany(app)
    const progress = { id: 'large', location: 'PRIMARY', user_type: 'admin', progress: { A: 1 } }
    await app.done({ path: '/api/cycle-counts', token: large.token, body: progress })
    await app.owner.query(
      `with large as materialized (
         select jsonb_object_agg(entry, repeat(md5(entry::text), 6)) as progress
         from generate_series(1, 19000) as entry
       )
       insert into cycle_counts
         (tenant_id, id, location, user_type, progress, completed, start_date, last_updated)
       select tenant_id, 'large-' || number, location, user_type, large.progress, completed, start_date, last_updated
       from cycle_counts, large, generate_series(1, 12) as number where tenant_id = $1`,
      [large.tenantId],
    )
    const path = join(folder, 'large.zip')
    await writeFile(path, (await download(large)).bytes)
    const archive = await openArchive(path)
    const file = archive.manifest.tables.find(({ name }) => name === 'cycle_counts')
    if (file === undefined) throw new Error('The archive has no cycle counts.')
    const sizes: number[] = []
    for await (const lines of archive.linesOf(file)) sizes.push(Buffer.byteLength(lines.join('\n')))
    archive.close()
    expect(Math.min(...sizes.slice(1))).toBeGreaterThan(3_500_000)
    expect(Math.max(...sizes)).toBeLessThan(4_300_000)
    const third = await startTestApp()
    const restored = await restoreCompany(third.database, path, { email: large.email, password })
    const sums = `select count(*)::int as records, md5(string_agg(progress::text, '' order by id)) as progress
                  from cycle_counts where tenant_id = $1`
    const { rows: back } = await third.owner.query(sums, [restored.tenantId])
    const { rows: given } = await app.owner.query(sums, [large.tenantId])
    expect(back).toEqual(given)
    expect(back).toMatchObject([{ records: 13 }])
    await third.close()
  })

  it('needs an administrator of the company', async () => {
    const third = await startTestApp()
    await expect(
      restoreCompany(third.database, file, { email: 'nobody@example.com', password }),
    ).rejects.toThrow('The archive has no active administrator with the address nobody@example.com.')
    await third.close()
  })

  it('is refused where the archive was changed or is none', async () => {
    const third = await startTestApp()
    const bytes = await readFile(file)
    const broken = join(folder, 'broken.zip')
    await writeFile(broken, bytes.subarray(0, bytes.length - 100))
    const restore = (path: string) => restoreCompany(third.database, path, { email: admin.email, password })
    await expect(restore(broken)).rejects.toThrow('is no archive that can be read')
    await writeFile(broken, Buffer.from(bytes).fill(7, 60, 90))
    await expect(restore(broken)).rejects.toThrow(/manifest|signature|invalid|archive/)
    for (const name of ['tables/companies.ndjson', 'manifest.json']) {
      // In the middle of the compressed data, which follows the name.
      const changed = Buffer.from(bytes)
      const at = changed.indexOf(name) + name.length + 40
      changed.fill(0xff, at, at + 4)
      await writeFile(broken, changed)
      await expect(restore(broken)).rejects.toThrow('The archive is damaged. Nothing of it was restored.')
    }
    const { rows } = await third.owner.query('select from companies')
    expect(rows).toEqual([])
    await third.close()
  })

  it('says of a row that became unreadable that the archive is damaged', async () => {
    const third = await startTestApp()
    const torn = await rewritten('torn.zip', ({ table, text }) => {
      return { table, text: table.name === 'components' ? text.replace('"00012"', "'00012'") : text }
    })
    await expect(restoreCompany(third.database, torn, { email: admin.email, password })).rejects.toThrow(
      'tables/components.ndjson is not what the manifest says: the archive is damaged or was changed.',
    )
    await third.close()
  })
})
