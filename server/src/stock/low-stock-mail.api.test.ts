import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { whileBusy } from '../../test/busy-company.ts'
import { startMailServer } from '../../test/smtp.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { createMailer, type Mailer } from '../platform/mail.ts'
import { lookAtStock } from './low-stock.ts'
import { keepMailingLowStock, mailLowStock } from './low-stock-mail.ts'

let mailServer: Awaited<ReturnType<typeof startMailServer>>
let app: TestApp
let mailer: Mailer

function mailerOf(url: string): Mailer {
  const made = createMailer({
    SMTP_URL: url,
    PUBLIC_URL: 'https://count.example.com',
    MAIL_FROM: undefined,
  })
  if (made === null) throw new Error('The mail server has an address.')
  return made
}

beforeAll(async () => {
  mailServer = await startMailServer()
  mailer = mailerOf(mailServer.url)
  // Without a mail server of its own, so that it mails nothing meanwhile.
  app = await startTestApp()
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})
beforeEach(() => {
  mailServer.mails.length = 0
  mailServer.faults.clear()
})

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: person.token, body })

const place = (admin: Person, components: unknown[], location = 'PRIMARY') =>
  post(admin, '/components/place', { location, components })

const mail = ({ tenantId }: Person, by = mailer) =>
  mailLowStock({ database: app.database, mailer: by }, tenantId)

async function confirmAddress({ userId }: Person, node = app): Promise<void> {
  await node.owner.query('update users set email_confirmed_at = now() where id = $1', [userId])
}

/** A company whose administrator has confirmed the address. */
async function makeConfirmed(node = app): Promise<Person> {
  const admin = await makeCompany(node)
  await confirmAddress(admin, node)
  return admin
}

/** A company with 5 bolts and 7 nuts at Primary, of which there should be 6 and 7. */
async function companyWithLowStock({ isConfirmed = true } = {}): Promise<Person> {
  const admin = isConfirmed ? await makeConfirmed() : await makeCompany(app)
  await post(admin, '/components/import', [
    { barcode: 'BOLT-8', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
  ])
  await place(admin, [
    { barcode: 'BOLT-8', minimum: 6 },
    { barcode: 'NUT-8', minimum: 7 },
  ])
  return admin
}

/** The mails taken so far, as they are read. */
const mails = () =>
  mailServer.mails.map((text) =>
    text.replaceAll(/=\n/g, '').replaceAll('=3D', '=').replaceAll('=E2=80=A6', '…'),
  )

/** What stands between the first line of a mail and the address of the screen. */
function listedIn(text = ''): string[] {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('Stock of these components'))
  return lines.slice(first + 2, lines.indexOf('All that is low:') - 1)
}

async function hoursPass(admin: Person, hours: number): Promise<void> {
  await app.owner.query(
    `update companies set low_stock_mailed_at = low_stock_mailed_at - make_interval(hours => $2)
     where tenant_id = $1`,
    [admin.tenantId, hours],
  )
}

const daysPass = async (admin: Person, days: number) => await hoursPass(admin, 24 * days)

describe('the mail of low stock', () => {
  it('names each component with its stock and minimum, and leads to all that is low', async () => {
    const admin = await companyWithLowStock()
    await post(admin, '/company/settings', { name: 'Nordlager GmbH' })
    await place(admin, [{ barcode: 'NUT-8', minimum: 12_000 }], 'SECONDARY')
    await mail(admin)
    const [text = '', ...others] = mails()
    expect(others).toEqual([])
    expect(text).toContain(`To: ${admin.email}`)
    expect(text).toContain('Subject: Low stock at Nordlager GmbH')
    expect(text).toContain(
      [
        'Stock of these components has fallen below its minimum at Nordlager GmbH:',
        '',
        'BOLT-8, Bolt, Primary Warehouse: 5 of 6',
        'NUT-8, Nut, Secondary Warehouse: 0 of 12,000',
        '',
        'All that is low:',
        'https://count.example.com/components?state=low',
        '',
        'Such a mail comes once a day at the most, with what has fallen since the one before. Administrators can switch it off in Company Settings.',
      ].join('\n'),
    )
  })

  it('names locations as the company does', async () => {
    const admin = await companyWithLowStock()
    await post(admin, '/company/settings', { location_names: { PRIMARY: 'Hamburg' } })
    await place(admin, [{ barcode: 'NUT-8', minimum: 12_000 }], 'SECONDARY')
    await mail(admin)
    expect(mails().map(listedIn)).toEqual([
      ['BOLT-8, Bolt, Hamburg: 5 of 6', 'NUT-8, Nut, Secondary Warehouse: 0 of 12,000'],
    ])
  })

  it('goes to the active administrators together whose addresses are confirmed, and to nobody else', async () => {
    const admin = await companyWithLowStock()
    const make = (name: string) => makeStaff(app, admin, name)
    const [second, gone, unconfirmed] = [await make('Ida'), await make('Gus'), await make('Una')] as const
    const staff = await makeStaff(app, admin)
    for (const { userId } of [second, gone, unconfirmed]) {
      await post(admin, `/team/users/${userId}/role`, { role: 'admin' })
    }
    for (const person of [second, gone, staff]) await confirmAddress(person)
    await post(admin, `/team/users/${gone.userId}/deactivate`, {})
    await post(admin, '/api-keys', { name: 'Robot', scopes: ['admin'] })
    await mail(admin)
    const [text = '', ...others] = mails()
    expect(others).toEqual([])
    expect(text.match(/[\w-]+@example\.com/g)?.toSorted()).toEqual([admin.email, second.email].toSorted())
    expect(text).not.toContain(staff.email)
  })

  it('comes once in 24 hours at the most, with what has fallen since and is still low', async () => {
    const admin = await companyWithLowStock()
    await mail(admin)
    await place(admin, [{ barcode: 'NUT-8', minimum: 8 }])
    await place(admin, [{ barcode: 'BOLT-8', minimum: 1 }], 'SECONDARY')
    await mail(admin)
    expect(mails()).toHaveLength(1)
    await daysPass(admin, 1)
    await place(admin, [{ barcode: 'BOLT-8', minimum: null }], 'SECONDARY')
    await mail(admin)
    expect(mails().map(listedIn)).toEqual([
      ['BOLT-8, Bolt, Primary Warehouse: 5 of 6'],
      ['NUT-8, Nut, Primary Warehouse: 7 of 8'],
    ])
  })

  it('does not come where nothing has fallen since the last', async () => {
    const admin = await companyWithLowStock()
    await mail(admin)
    await daysPass(admin, 2)
    await mail(admin)
    expect(mails()).toHaveLength(1)
  })

  it('goes nowhere while no administrator has confirmed an address, and tells all of it once one has', async () => {
    const admin = await companyWithLowStock({ isConfirmed: false })
    const staff = await makeStaff(app, admin)
    await confirmAddress(staff)
    await mail(admin)
    const isToBeMailed = async () => {
      const { rows } = await app.owner.query<{ id: string }>('select companies_to_mail(24) as id')
      return rows.some(({ id }) => id === admin.tenantId)
    }
    expect([mails(), await isToBeMailed()]).toEqual([[], false])
    const { rows } = await app.owner.query(
      `select mailed, low_stock_mailed_at from low_stock join companies using (tenant_id) where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ mailed: false, low_stock_mailed_at: null }])
    await confirmAddress(admin)
    expect(await isToBeMailed()).toBe(true)
    await mail(admin)
    expect(mails().map(listedIn)).toEqual([['BOLT-8, Bolt, Primary Warehouse: 5 of 6']])
  })

  it('lists fifty, and says how many more there are', async () => {
    const admin = await makeConfirmed()
    const barcodes = Array.from({ length: 62 }, (_, index) => `MANY-${100 + index}`)
    await post(
      admin,
      '/components/import',
      barcodes.map((barcode) => ({ barcode })),
    )
    await place(
      admin,
      barcodes.map((barcode) => ({ barcode, minimum: 1 })),
    )
    await mail(admin)
    const listed = listedIn(mails()[0])
    expect(listed).toHaveLength(51)
    expect([listed[0], ...listed.slice(-2)]).toEqual([
      'MANY-100, Primary Warehouse: 0 of 1',
      'MANY-149, Primary Warehouse: 0 of 1',
      'and 12 more',
    ])
    await daysPass(admin, 1)
    await mail(admin)
    expect(mails()).toHaveLength(1)
  })

  it('leads nowhere but to the program, whatever components and companies are called', async () => {
    const admin = await makeConfirmed()
    await post(admin, '/company/settings', { name: 'Win at https://evil.example' })
    await post(admin, '/components/import', [{ barcode: 'evil.example/x', description: 'x'.repeat(70) }])
    await place(admin, [{ barcode: 'evil.example/x', minimum: 1 }])
    await mail(admin)
    const [text = ''] = mails()
    expect(text).toContain('below its minimum at Win at https: //evil. example:')
    expect(listedIn(text)).toEqual([`evil. example/x, ${'x'.repeat(60)}…, Primary Warehouse: 0 of 1`])
  })

  it('is not sent where administrators want none, and holds all that fell meanwhile when they do again', async () => {
    const admin = await companyWithLowStock()
    await post(admin, '/company/settings', { low_stock_mail: false })
    await mail(admin)
    expect(mails()).toEqual([])
    await post(admin, '/company/settings', { low_stock_mail: true })
    await mail(admin)
    expect(mails().map(listedIn)).toEqual([['BOLT-8, Bolt, Primary Warehouse: 5 of 6']])
  })

  it('is of one company', async () => {
    const admin = await companyWithLowStock()
    const other = await makeConfirmed()
    await mail(other)
    expect(mails()).toEqual([])
    await mail(admin)
    expect(mails()).toHaveLength(1)
    expect(mails()[0]).not.toContain(other.email)
  })

  it('is sent once by nodes that would send it at the same time', async () => {
    const admin = await companyWithLowStock()
    await Promise.all([mail(admin), mail(admin), mail(admin), mail(admin)])
    expect(mails()).toHaveLength(1)
  })

  it('is noted in turn with a look of another node, whatever order that takes its components in', async () => {
    const admin = await companyWithLowStock()
    await place(admin, [{ barcode: 'NUT-8', minimum: 8 }])
    const node = await app.owner.connect()
    const take = (barcode: string) =>
      node.query(
        `select from low_stock join components on components.id = component_id
         where low_stock.tenant_id = $1 and barcode = $2 for update of low_stock`,
        [admin.tenantId, barcode],
      )
    const send: Mailer['send'] = async (written) => {
      await mailer.send(written)
      await node.query(`begin; set local deadlock_timeout = '10ms'`)
      await node.query(`select pg_advisory_xact_lock(hashtextextended('low_stock ' || $1, 0))`, [
        admin.tenantId,
      ])
      await take('NUT-8')
    }
    const mailing = mail(admin, { ...mailer, send })
    const waiting = async () => {
      const { rowCount } = await app.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount
    }
    await expect.poll(waiting).toBeGreaterThan(0)
    const taken = await take('BOLT-8')
    await node.query('rollback')
    node.release()
    expect(taken.rowCount).toBe(1)
    await mailing
    await daysPass(admin, 1)
    await mail(admin)
    expect(mails()).toHaveLength(1)
  })

  it('is tried again an hour later where the mail server did not take it', async () => {
    const admin = await companyWithLowStock()
    await expect(mail(admin, mailerOf('smtp://127.0.0.1:1'))).rejects.toThrow('ECONNREFUSED')
    await mail(admin)
    expect(mails()).toEqual([])
    await hoursPass(admin, 1)
    await mail(admin)
    expect(mails().map(listedIn)).toEqual([['BOLT-8, Bolt, Primary Warehouse: 5 of 6']])
  })

  it('is tried again an hour later where the mail server ended the connection before it had the text', async () => {
    const admin = await companyWithLowStock()
    mailServer.faults.set(admin.email, 'drops before the text')
    await expect(mail(admin)).rejects.toThrow('Connection closed unexpectedly')
    await hoursPass(admin, 1)
    await expect(mail(admin)).rejects.toThrow('Connection closed unexpectedly')
    expect(mails()).toEqual([])
  })

  it('is not sent twice in 24 hours where the mail server took the text and did not say so, and told again then', async () => {
    const admin = await companyWithLowStock()
    mailServer.faults.set(admin.email, 'drops behind the text')
    await expect(mail(admin)).rejects.toThrow('Connection closed unexpectedly')
    await mail(admin)
    await mail(admin)
    expect(mails()).toHaveLength(1)
    await daysPass(admin, 1)
    await expect(mail(admin)).rejects.toThrow('Connection closed unexpectedly')
    expect(mails().map(listedIn)).toEqual([
      ['BOLT-8, Bolt, Primary Warehouse: 5 of 6'],
      ['BOLT-8, Bolt, Primary Warehouse: 5 of 6'],
    ])
  })
})

describe('what mails low stock in the background', () => {
  /** Mails in the background, by a mailer, until something is so. */
  async function mailInBackground(by: Mailer, until: () => boolean): Promise<unknown[]> {
    const faults: unknown[] = []
    const onError = (error: unknown) => faults.push(error)
    const mailing = keepMailingLowStock({ database: app.database, mailer: by, onError })
    await expect.poll(() => until() || faults.length > 0).toBe(true)
    await mailing.stop()
    return faults
  }

  const wasMailed = (admin: Person) =>
    mails().some((text) => text.includes(`To: ${admin.email}`) && text.includes('Subject: Low stock'))

  it('mails what was seen to be low, to companies that want it', async () => {
    const [unwanted, admin] = [await companyWithLowStock(), await companyWithLowStock()]
    await post(unwanted, '/company/settings', { low_stock_mail: false })
    for (const { tenantId } of [unwanted, admin]) await app.database.inTenant(tenantId, lookAtStock)
    expect(await mailInBackground(mailer, () => wasMailed(admin))).toEqual([])
    expect(wasMailed(unwanted)).toBe(false)
  })

  /** Companies with low stock that was seen, in the order in which they are mailed, after which no other is to be mailed. */
  async function companiesToMail(count: number): Promise<Person[]> {
    await app.owner.query('update companies set low_stock_mail = false')
    const companies: Person[] = []
    for (let made = 0; made < count; made += 1) companies.push(await companyWithLowStock())
    for (const { tenantId } of companies) await app.database.inTenant(tenantId, lookAtStock)
    const { rows } = await app.owner.query<{ id: string }>('select companies_to_mail(24) as id')
    const order = rows.map(({ id }) => id)
    return companies.toSorted((a, b) => order.indexOf(a.tenantId) - order.indexOf(b.tenantId))
  }

  /** What goes wrong in one round, which is over after so many faults and mails. */
  async function mailOneRound({ by = mailer, ends }: { by?: Mailer; ends: number }): Promise<unknown[]> {
    const faults: unknown[] = []
    const onError = (error: unknown) => faults.push(error)
    const mailing = keepMailingLowStock({ database: app.database, mailer: by, onError })
    await expect.poll(() => faults.length + mails().length).toBeGreaterThanOrEqual(ends)
    await mailing.stop()
    return faults
  }

  it('is kept from no other company by mails that the mail server refuses or drops', async () => {
    const [refused, dropped, last] = await companiesToMail(3)
    if (refused === undefined || dropped === undefined || last === undefined)
      throw new Error('There are three.')
    mailServer.faults.set(refused.email, 'refuses')
    mailServer.faults.set(dropped.email, 'drops before the text')
    const faults = await mailOneRound({ ends: 3 })
    expect(faults).toMatchObject([{ cause: { responseCode: 550 } }, { cause: { code: 'ECONNECTION' } }])
    expect([refused, dropped, last].map(wasMailed)).toEqual([false, false, true])
  })

  it('ends the round after three failures, and goes on with other companies in the next', async () => {
    const companies = await companiesToMail(5)
    const away = { cause: { code: 'ESOCKET' } }
    const faults = await mailOneRound({ by: mailerOf('smtp://127.0.0.1:1'), ends: 3 })
    expect(faults).toMatchObject([away, away, away])
    expect(await mailOneRound({ ends: 2 })).toEqual([])
    expect(companies.map(wasMailed)).toEqual([false, false, false, true, true])
  })

  it('is kept from no other company by one that is busy', async () => {
    const [busy, last] = await companiesToMail(2)
    if (busy === undefined || last === undefined) throw new Error('There are two.')
    const faults = await whileBusy(app.database, busy.tenantId, async () => await mailOneRound({ ends: 2 }))
    expect(faults).toMatchObject([{ code: 'unavailable' }])
    expect([busy, last].map(wasMailed)).toEqual([false, true])
  })

  it('works on nodes that have a mail server', async () => {
    const mailing = await startTestApp({ SMTP_URL: mailServer.url, PUBLIC_URL: 'https://count.example.com' })
    const admin = await makeConfirmed(mailing)
    const ask = (path: string, body: unknown) => mailing.done({ path, token: admin.token, body })
    await ask('/api/components/import', [{ barcode: 'BOLT-8' }])
    await ask('/api/components/place', {
      location: 'PRIMARY',
      components: [{ barcode: 'BOLT-8', minimum: 1 }],
    })
    await mailing.database.inTenant(admin.tenantId, lookAtStock)
    const second = await mailing.startSecondNode()
    await expect.poll(() => wasMailed(admin)).toBe(true)
    await second.close()
    await mailing.close()
  })
})

describe('the setting for mails of low stock', () => {
  const settings = z.object({ administration: z.object({ low_stock_mail: z.boolean() }).optional() })

  const settingOf = async (person: Person) => {
    const { body } = await app.ask({ method: 'GET', path: '/api/company/settings', token: person.token })
    return settings.parse(body).administration?.low_stock_mail
  }

  it('is on, and changed by administrators, with its old and new value on record', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    expect([await settingOf(admin), await settingOf(staff)]).toEqual([true, undefined])
    await post(admin, '/company/settings', { low_stock_mail: false })
    expect(await settingOf(admin)).toBe(false)
    const { rows } = await app.owner.query(
      `select metadata - 'type' as metadata from audit_entries where tenant_id = $1 and event = 'settings_changed'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ metadata: { setting: 'low_stock_mail', old_value: true, new_value: false } }])
    const refused = await app.ask({
      path: '/api/company/settings',
      token: staff.token,
      body: { low_stock_mail: true },
    })
    expect(refused.status).toBe(403)
    expect(await settingOf(admin)).toBe(false)
  })
})
