import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { startMailServer } from '../../test/smtp.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  testSecret,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { UsageError } from './command.ts'
import { restoreCompany } from './restore-company.ts'

const root = resolve(import.meta.dirname, '../..')

let mailServer: Awaited<ReturnType<typeof startMailServer>>
let here: TestApp
let there: TestApp
let admin: Person
let staff: Person
let folder: string
let file: string
beforeAll(async () => {
  here = await startTestApp()
  mailServer = await startMailServer()
  there = await startTestApp({ SMTP_URL: mailServer.url, PUBLIC_URL: 'https://count.example.com' })
  admin = await makeCompany(here)
  staff = await makeStaff(here, admin)
  const rows = [{ barcode: '0007', description: 'Bolt', primary_quantity: 5 }]
  await here.ask({ path: '/api/components/import', token: admin.token, body: rows })
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-restore-'))
  file = join(folder, 'company.zip')
  const archive = { method: 'GET', path: '/api/exports/archive', token: admin.token }
  await writeFile(file, (await here.ask(archive)).bytes)
  const { rows: names } = await there.owner.query<{ name: string }>('select current_database() as name')
  const url = new URL(inject('ownerUrl'))
  url.pathname = `/${names[0]?.name ?? ''}`
  vi.stubEnv('DATABASE_URL', url.href)
  vi.stubEnv('DATA_DIR', folder)
  vi.stubEnv('JWT_SECRET', testSecret)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await here.close()
  await there.close()
  await mailServer.close()
  await rm(folder, { recursive: true })
})

async function run(...args: string[]): Promise<string[]> {
  const said: string[] = []
  const say = (line: string) => said.push(line)
  await restoreCompany.run(args, { migrations: join(root, 'migrations'), assets: '', version: '0.0.0', say })
  return said
}

const signIn = (email: string, passcode: string) =>
  there.ask({ path: '/api/auth/login', body: { email, passcode } })

it('brings a company into another installation, where the named administrator signs in', async () => {
  const said = await run(file, '--email', admin.email, '--password', 'a new password')
  expect(said).toEqual([
    expect.stringMatching(
      /^Company \d+ is restored: \d+ rows, every stock figure the sum of its movements\.$/,
    ),
    `${admin.email} can now sign in. Others choose a new password first: by Forgot password? where mail is set up, else by a link from Team.`,
  ])
  const { status, body } = await signIn(admin.email, 'a new password')
  expect([status, body]).toMatchObject([200, { user: { tenantId: admin.tenantId, role: 'admin' } }])
  expect((await signIn(staff.email, 'a new password')).status).toBe(401)
})

it('lets others choose a new password by a mail to their address, which confirms it', async () => {
  await there.done({ path: '/api/auth/forgot-password', body: { email: staff.email } })
  const secret = () =>
    mailServer.mails
      .filter((mail) => mail.includes(`To: ${staff.email}`))
      .map((mail) => mail.replaceAll(/=\n/g, ''))
      .flatMap((mail) => /new-password#([\w-]+)/.exec(mail)?.[1] ?? [])[0]
  await expect.poll(secret).toBeDefined()
  const body = { secret: secret(), passcode: 'a horse of my own' }
  expect((await there.ask({ path: '/api/auth/reset-password', body })).status).toBe(200)
  const { status, body: own } = await signIn(staff.email, 'a horse of my own')
  expect([status, own]).toMatchObject([200, { user: { tenantId: admin.tenantId } }])
  const { rows } = await there.owner.query(
    'select email_confirmed_at is not null as confirmed from users where id = $1',
    [staff.userId],
  )
  expect(rows).toEqual([{ confirmed: true }])
})

it('refuses what is there already, and changes nothing', async () => {
  await expect(run(file, '--email', admin.email, '--password', 'yet another one')).rejects.toThrow(
    'signs in to a company of this installation already.',
  )
  expect((await signIn(admin.email, 'a new password')).status).toBe(200)
})

it.each([
  [[]],
  [['one.zip', 'two.zip', '--email', 'a@example.com', '--password', 'long enough']],
  [['one.zip', '--email', 'nobody', '--password', 'long enough']],
  [['one.zip', '--email', 'a@example.com']],
])('says how it is called instead of guessing: %j', async (args) => {
  await expect(run(...args)).rejects.toThrow(UsageError)
})
