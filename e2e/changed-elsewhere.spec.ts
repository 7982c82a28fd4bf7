import type { Page } from '@playwright/test'
import {
  asTimePasses,
  chooseLocation,
  cut,
  divert,
  expect,
  goTo,
  importRows,
  pressInBar,
  takeInNews,
  test,
  type Company,
} from './fixtures.ts'
import { addColleague, askAs, goOn } from './people.ts'
import type { Program } from './program.ts'
import { scanLines } from './scanner.ts'

/** Waits until a count that runs takes off what scanners set in front of each code. */
async function awaitPrefix(page: Page, prefix: string): Promise<void> {
  await page.getByRole('button', { name: 'Scanner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Scanner' })
  await expect(dialog.getByLabel('Before the code')).toHaveValue(prefix)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

const userIdOn = (page: Page) =>
  page.evaluate(() => String(JSON.parse(String(localStorage.getItem('user_data'))).id))

/** Another administrator of the company, who is at another device. */
async function addAdministrator(program: Program, company: Company) {
  const person = { email: `bea-${company.email}`, name: 'Bea Boss', password: 'a third horse' }
  await addColleague(program, company, { ...person, role: 'admin' })
  return person
}

test('a role, a name and a plan that were changed reach a page that is open, and nothing else has them asked for', async ({
  page,
  sam,
  program,
  company,
}) => {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/user')) asked += 1
  })
  await page.clock.install()
  await goOn(page, program, sam)
  // Once the page is there and has heard nothing for two seconds.
  await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(0)
  const comes = (check: (soon: { timeout: number }) => Promise<void>) => asTimePasses(page, 5_000, check)
  const path = `/api/team/users/${await userIdOn(page)}/role`
  await askAs(program, company, { path, body: { role: 'admin' } })
  const administration = page.getByRole('button', { name: 'Administration' })
  await comes((soon) => expect(administration).toBeVisible(soon))
  await askAs(program, company, { path: '/api/company/settings', body: { name: 'Nordlager GmbH' } })
  await comes((soon) => expect(page.getByRole('banner')).toContainText('Nordlager GmbH', soon))
  await askAs(program, company, { path: '/api/company/plan', body: { plan: 'enterprise' } })
  await comes((soon) => expect(page.getByText('Enterprise', { exact: true })).toBeVisible(soon))
  await askAs(program, company, { path, body: { role: 'user' } })
  await comes((soon) => expect(administration).toBeHidden(soon))

  // What changes nothing of these is nothing to ask for: colleagues signing in.
  let before = 0
  do {
    before = asked
    await takeInNews(page)
  } while (asked !== before)
  for (let times = 0; times < 3; times += 1) {
    await askAs(program, company, { path: '/api/account/name', body: { name: 'Ada Admin' } })
  }
  await takeInNews(page)
  expect(asked).toBe(before)
  expect(asked).toBeLessThan(12)
  await pressInBar(page, 'Change Location')
  await expect(page.getByRole('radio', { name: /Distribution Center/ })).toBeVisible()
})

test('a role that was changed while the page was closed is there when it is opened', async ({
  staff: page,
  program,
  company,
}) => {
  const path = `/api/team/users/${await userIdOn(page)}/role`
  await page.goto('about:blank')
  await askAs(program, company, { path, body: { role: 'admin' } })
  await page.goto(`${program.url}/overview`)
  await expect(page.getByRole('button', { name: 'Administration' })).toBeVisible({ timeout: 30_000 })
})

test('what somebody counts while a part of the count screen is on its way is shown as counted', async ({
  staff: page,
  program,
  company,
}) => {
  const rows = [{ barcode: 'A-1', primary_quantity: 3 }, { barcode: 'A-2' }]
  await askAs(program, company, { path: '/api/components/import', body: rows })
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByText('0 of 2 counted, 0% complete')).toBeVisible()
  const screen = '**/assets/monthly-count-screen-*.js'
  await divert(page, screen, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible()
  const at = { location: 'PRIMARY', session: 's', timestamp: new Date().toISOString() }
  const body = { barcode: 'A-1', quantity: 3, ...at }
  await askAs(program, company, { path: '/api/components/update-with-tracking', body })
  await page.unroute(screen)
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible({ timeout: 20_000 })
})

test('what the company set for its scanners reaches a count that is running, and is known at another location, too', async ({
  staff: page,
  program,
  company,
}) => {
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByRole('button', { name: 'Submit' })).toBeVisible()
  await askAs(program, company, { path: '/api/company/settings', body: { scanner_prefix: ']C1' } })
  await awaitPrefix(page, ']C1')
  await scanLines(page, [']C1A-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await page.getByLabel('Barcode').fill('')

  // It cannot be asked for there.
  await cut(page, '/api/company/settings')
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Fulfillment Center')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, [']C1A-2'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-2')
})

test('who becomes an administrator in the middle of a count goes on with it', async ({
  admin,
  openElsewhere,
  program,
  company,
  sam,
}) => {
  await importRows(admin, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  const page = await openElsewhere()
  await goOn(page, program, sam)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  const path = `/api/team/users/${await userIdOn(page)}/role`
  await askAs(program, company, { path, body: { role: 'admin' } })
  await expect(page.getByRole('button', { name: 'Administration' })).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await scanLines(page, ['3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
})

test('who is no administrator any more counts as staff at once, and loses no entry', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  const bea = await addAdministrator(program, company)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByRole('button', { name: 'Submit Count' })).toBeVisible()
  const path = '/api/components/update-with-tracking'
  await divert(page, `**${path}`, (route) => route.abort('connectionreset'))
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await askAs(program, bea, { path: `/api/team/users/${await userIdOn(page)}/role`, body: { role: 'user' } })
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.unroute(`**${path}`)
  // The entry of the administrators' view is refused now: it waits for the person, beside the scanning.
  await expect(page.getByText('Not allowed')).toBeVisible({ timeout: 30_000 })
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
})
