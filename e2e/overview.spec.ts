import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { asTimePasses, cut, expect, goTo, hold, importRows, postFrom, test } from './fixtures.ts'
import { askAs, goOn } from './people.ts'
import { scanLines } from './scanner.ts'

async function followTiles(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const follow = async (name: string | RegExp, path: RegExp) => {
    await main.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await goTo(page, 'Overview')
    await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  }
  await follow(/^Analytics/, /\/graphs$/)
  await follow(/^Generate Labels/, /\/generate-labels$/)
  await follow(/^Print Labels/, /\/print-settings$/)
  await follow(/^Monthly Count/, /\/monthly-count$/)
  await follow(/^Weekly Count/, /\/weekly-count$/)
  await follow(/^Audit Trail/, /\/audit-trail$/)
  await follow('Create Labels', /\/generate-labels$/)
  await follow('Start Monthly Count', /\/monthly-count$/)
  await follow('Start Weekly Count', /\/weekly-count$/)
  await follow('View Analytics', /\/graphs$/)
}

test('a new company sees its plan and limits, every tile leads to its screen, and it is led to adding products from the overview, the labels and the count', async ({
  admin: page,
  company,
}) => {
  await goTo(page, 'Overview')
  await expect(page.getByRole('heading', { name: 'Welcome to Inventory Manager, Ada Admin' })).toBeVisible()
  await expect(page.getByText(`${company.name} · Primary Warehouse`)).toBeVisible()
  await expect(page.getByText('Administrator', { exact: true })).toBeVisible()
  await expect(page.getByText('Weekly counting available')).toBeVisible()
  await expect(page.getByText('Professional', { exact: true })).toBeVisible()
  await expect(page.getByText('0 / 2,000', { exact: true })).toBeVisible()
  await expect(page.getByText('1 / 3', { exact: true })).toBeVisible()
  await expect(page.getByText('14 days', { exact: true })).toBeVisible()
  await expect(page.getByText('No recent activity')).toBeVisible()
  await expect(page.getByText('Your free trial ends')).toHaveCount(0)
  await followTiles(page)

  const leadToImport = async () => {
    await page.getByRole('main').getByRole('link', { name: 'Import a file' }).click()
    await expect(page).toHaveURL(/\/import$/)
    await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible()
  }
  await goTo(page, 'Print Labels')
  await expect(page.getByText('No components available')).toBeVisible()
  await page.getByLabel('Search').fill('bolt')
  await expect(page.getByText('No components found matching "bolt"')).toBeVisible()
  await leadToImport()
  await goTo(page, 'Monthly Count')
  await expect(page.getByText('No components available')).toBeVisible()
  await leadToImport()
  await goTo(page, 'Overview')
  await expect(page.getByRole('heading', { name: 'Add your products' })).toBeVisible()
  await leadToImport()

  await goTo(page, 'Overview')
  await page.getByRole('link', { name: 'Type products and print labels' }).click()
  await expect(page).toHaveURL(/\/generate-labels$/)
  await importRows(page, [{ barcode: 'A-1' }])
  await goTo(page, 'Overview')
  await expect(page.getByText('0 of 1 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Add your products' })).toBeHidden()
})

test('staff are called users, see no count of differences, and add the first components with labels', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  await expect(page.getByRole('link', { name: 'Type products and print labels' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Import a file' })).toHaveCount(0)
  await expect(page.getByText('User', { exact: true })).toBeVisible()
  await expect(page.getByText('0 of 0 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('for a decision')).toHaveCount(0)
})

test('administrators see what stock is worth, where, and how much of it has no cost, without waiting for it, and staff see nothing of it', async ({
  admin: page,
  openElsewhere,
  program,
  company,
  sam,
}) => {
  await importRows(page, [
    { barcode: 'A-1', primary_quantity: 1000, quarantine_quantity: 20 },
    { barcode: 'A-2', secondary_quantity: 3 },
    { barcode: 'A-3', secondary_quantity: 4 },
    { barcode: 'A-4' },
  ])
  await page.clock.install()
  await goTo(page, 'Overview')
  const worth = page.getByText('Stock is worth')
  await expect(page.getByText('0 of 4 counted at Primary Warehouse')).toBeVisible()
  await expect(worth).toHaveCount(0)
  const setCost = (barcode: string, cost: number) =>
    askAs(program, company, {
      path: '/api/components/set-costs',
      body: { components: [{ barcode, unit_cost: cost }] },
    })
  // Of what happens elsewhere.
  await setCost('A-1', 12.3456)
  const reads = (sentence: string) =>
    asTimePasses(page, 5_000, (soon) => expect(page.getByText(sentence)).toBeVisible(soon))
  await reads('Stock is worth $12,592.51.')
  await page.getByRole('link', { name: '2 components in stock have no unit cost.' }).click()
  await expect(page).toHaveURL('/components?state=uncosted')
  await expect(page.getByLabel('Show')).toHaveValue('uncosted')
  const found = page.getByRole('list', { name: 'Components' }).getByRole('listitem')
  await expect(found).toHaveText([/^A-2/, /^A-3/])
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Export' }).click()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'No unit cost as CSV' }).click()
  expect(await readFile(await (await file).path(), 'utf8')).toMatch(/\r\nA-2,.*\r\nA-3,[^\n]*\r\n$/)
  await expect(
    page.getByText(
      'Barcode, description, stock, bin and minimum per location, last count, other barcodes. With unit cost and value.',
    ),
  ).toBeVisible()
  await postFrom(page, '/api/components/set-costs', { components: [{ barcode: 'A-2', unit_cost: 0.1 }] })

  const answer = await hold(page, '/api/components/stock-value')
  await goTo(page, 'Overview')
  await page.reload()
  const below = page.getByRole('link', { name: /^Analytics What/ })
  await expect(below).toBeVisible()
  await expect(worth).toHaveCount(0)
  const before = await below.boundingBox()
  answer()
  await expect(page.getByText('1 component in stock has no unit cost.')).toBeVisible()
  expect(await below.boundingBox()).toEqual(before)
  const primary = page.getByRole('listitem').filter({ hasText: 'Primary Warehouse' })
  await expect(primary.getByText('$12,345.60')).toBeHidden()
  await worth.click()
  await expect(page.locator('details').getByRole('listitem')).toHaveText([
    'Primary Warehouse$12,345.60',
    'Secondary Warehouse$0.30',
    'Quarantine$246.91',
  ])
  expect(await barriersOf(page)).toEqual([])
  await askAs(program, company, { path: '/api/company/settings', body: { currency: 'EUR' } })
  await reads('Stock is worth €12,592.81.')

  const ofSam = await openElsewhere()
  const asked: string[] = []
  ofSam.on('request', (request) => asked.push(request.url()))
  await goOn(ofSam, program, sam)
  await expect(ofSam.getByText('Active Locations')).toBeVisible()
  await expect(ofSam.getByText('worth')).toHaveCount(0)
  expect(asked.filter((url) => url.includes('stock-value'))).toEqual([])
  await ofSam.goto('/components?state=uncosted')
  await expect(ofSam.getByLabel('Show')).toHaveValue('active')
  await expect(ofSam.getByRole('option', { name: 'No unit cost' })).toHaveCount(0)
  await ofSam.getByRole('link', { name: 'Export' }).click()
  await expect(ofSam.getByRole('heading', { name: 'No unit cost' })).toHaveCount(0)
  await expect(
    ofSam.getByText(
      'Barcode, description, stock, bin and minimum per location, last count, other barcodes.',
      {
        exact: true,
      },
    ),
  ).toBeVisible()
})

test('an administrator reads that what stock is worth could not be loaded, and asks again', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 2_000_000_000 }])
  await postFrom(page, '/api/company/settings', { currency: 'KWD' })
  const components = [{ barcode: 'A-1', unit_cost: 9_999_999.9999 }]
  await postFrom(page, '/api/components/set-costs', { components })
  await cut(page, '/api/components/stock-value')
  await page.clock.install()
  await goTo(page, 'Overview')
  const failure = page.getByText('What stock is worth could not be loaded: The server cannot be reached.')
  await asTimePasses(page, 3_000, (soon) => expect(failure).toBeVisible(soon))
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.unroute('**/api/components/stock-value')
  await expect(page.getByText('Stock is worth')).toBeVisible()
  await expect(failure).toBeHidden()

  await page.setViewportSize({ width: 360, height: 640 })
  const worth = page.getByText('Stock is worth')
  await expect(worth).toContainText('19,999,999,999,800,000')
  const fits = () => worth.evaluate((element) => element.scrollWidth <= element.clientWidth)
  expect(await fits()).toBe(true)
})

test('the newest five things people did stand under recent activity', async ({ admin: page }) => {
  const rows = Array.from({ length: 6 }, (_, index) => ({ barcode: `A-${index}`, primary_quantity: index }))
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(
    page,
    rows.flatMap(({ barcode, primary_quantity: quantity }) => [barcode, String(quantity)]),
  )
  await expect(page.getByText('All 6 scans stored')).toBeVisible()
  await goTo(page, 'Overview')
  await page.reload()
  await expect(page.getByText('Ada Admin completed the cycle count')).toBeVisible()
  await expect(page.getByText('Ada Admin counted A-5 at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('Ada Admin counted A-2 at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('Ada Admin counted A-1 at Primary Warehouse')).toHaveCount(0)
  await expect(page.getByText('6 of 6 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('Complete', { exact: true })).toBeVisible()
  // Of this location alone: the others have counted nothing.
  await expect(page.getByText(/^(On track|Behind)$/)).toHaveCount(2)
})

test('the recent activity leads people who count to the component that was counted', async ({ staff }) => {
  await importRows(staff, [{ barcode: 'A 1/2', description: 'Bolt', primary_quantity: 4 }])
  await goTo(staff, 'Monthly Count')
  await staff.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(staff.getByLabel('Barcode')).toBeFocused()
  await scanLines(staff, ['A 1/2', '4'])
  await expect(staff.getByText('1 scan stored')).toBeVisible()
  await goTo(staff, 'Overview')
  const counted = staff.getByText('Sam Staff counted A 1/2 at Primary Warehouse')
  await expect(counted).toBeVisible()
  const imported = staff.getByRole('listitem').filter({ hasText: 'Sam Staff imported 1 component' })
  await expect(imported).toBeVisible()
  await expect(imported.getByRole('link')).toHaveCount(0)
  await counted.getByRole('link', { name: 'A 1/2', exact: true }).click()
  await expect(staff).toHaveURL(/\/components\/A%201%2F2$/)
  await expect(staff.getByRole('heading', { name: 'A 1/2' })).toBeVisible()
})

test('from three days before its end the trial is warned of, not before, and after it nothing is said', async ({
  admin: page,
  program,
  company,
}) => {
  const setTrial = (hours: number) =>
    program.sql(
      `update companies set trial_ends_at = now() + make_interval(hours => $2)
       where tenant_id = (select tenant_id from users where email = $1)`,
      [company.email, hours],
    )
  await setTrial(95)
  await goTo(page, 'Overview')
  await expect(page.getByText('4 days', { exact: true })).toBeVisible()
  await expect(page.getByText('Your free trial ends')).toHaveCount(0)
  for (const { hours, days } of [
    { hours: 71, days: '3 days' },
    { hours: 2, days: '1 day' },
  ]) {
    await setTrial(hours)
    await page.reload()
    await expect(page.getByText(`Your free trial ends in ${days}.`)).toBeVisible()
  }
  await setTrial(-1)
  await page.reload()
  await expect(page.getByText('Active Locations')).toBeVisible()
  await expect(page.getByText('Trial Remaining')).toHaveCount(0)
})

test('the overview waits with a spinner, says when its figures cannot be loaded, and loads them again each minute', async ({
  admin: page,
}) => {
  const letThrough = await hold(page, '/api/dashboard')
  const askedWhatIsLow = page.waitForRequest(/\/api\/components\/low$/)
  await goTo(page, 'Overview')
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  // Beside the figures: what is low stands among them, and would push down what is below it.
  await askedWhatIsLow
  letThrough()
  await expect(page.getByText('Current Plan')).toBeVisible()
  await cut(page, '/api/dashboard')
  await page.clock.install()
  await page.reload()
  await asTimePasses(page, 3_000, (soon) =>
    expect(page.getByRole('alert')).toContainText(
      'Error loading dashboard data: The server cannot be reached.',
      soon,
    ),
  )
  await expect(page.getByText('Professional', { exact: true })).toBeVisible()
  for (const unknown of ['Labels Used', 'Active Locations', 'Recent Activity']) {
    await expect(page.getByText(unknown)).toHaveCount(0)
  }
  await page.unroute('**/api/dashboard')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No recent activity')).toBeVisible()

  await page.clock.install()
  await page.reload()
  await expect(page.getByText('Current Plan')).toBeVisible()
  const again = page.waitForResponse(/\/api\/dashboard$/)
  await page.clock.runFor(61_000)
  await again
})
