import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { chooseLocation, expect, goTo, hideList, showList, showMore, signIn, test } from './fixtures.ts'
import { scanLines } from './scanner.ts'

const scan = (page: Page, line: string) => scanLines(page, [line])

/** What the oldest browsers that the README names do not know. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    for (const [owner, ...names] of [
      [AbortSignal, 'any'],
      [URL, 'canParse', 'parse'],
      [URLSearchParams.prototype, 'size'],
      [Intl, 'Segmenter'],
      [Navigator.prototype, 'userActivation'],
      [Promise, 'withResolvers', 'try'],
      [Array, 'fromAsync'],
      [Object, 'groupBy'],
      [Map, 'groupBy'],
      [window, 'Iterator'],
      [Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf'],
    ] as const)
      for (const name of names) Reflect.deleteProperty(owner, name)
  })
})

test(
  'a company registers, prints labels, counts, reads the trail, and signs out',
  { tag: '@handheld' },
  async ({ page, program }) => {
    const email = `grace-${randomUUID()}@example.com`
    const password = 'correct horse'

    await test.step('registers and sees the success view', async () => {
      await page.goto('/')
      await expect(page).toHaveURL(/\/login$/)
      await page.getByRole('link', { name: "Don't have an account? Sign up" }).click()
      await page.getByLabel('Company name').fill('Hopper Parts Ltd')
      await page.getByLabel('Your name').fill('Grace Hopper')
      await page.getByLabel('Work email').fill(`  ${email.toUpperCase()} `)
      await page.getByLabel('Create password').fill(password)
      await page.getByRole('radio', { name: /Professional/ }).check()
      await page.getByRole('button', { name: 'Start Free Trial' }).click()
      await expect(page.getByText('Hopper Parts Ltd')).toBeVisible()
      await expect(page.getByText('Professional', { exact: true })).toBeVisible()
      await page.getByRole('link', { name: 'Continue to Login' }).click()
    })

    await test.step('signs in, chooses a location, lands on the overview', async () => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Email').press('Enter')
      await page.getByLabel('Password').fill(password)
      await page.getByLabel('Password').press('Enter')
      await chooseLocation(page, 'Primary Warehouse')
      await expect(page).toHaveURL(/\/overview$/)
      await expect(page.getByText('Administrator')).toBeVisible()
      await expect(page.getByText('0 / 2,000', { exact: true })).toBeVisible()
      await expect(page.getByText('14 days', { exact: true })).toBeVisible()
    })

    await test.step('generates labels from typed lines and a file', async () => {
      await goTo(page, 'Generate Labels')
      await page
        .getByLabel('Manual entry')
        .fill('0012345,"Bearing, 6204",25\n(BOLT-M8,Łożysko kulkowe,40)\nNUT-8,7')
      await page.getByLabel('CSV file').setInputFiles({
        name: 'products.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('\uFEFFSKU;Description;Quantity\r\nWASHER-1;Größe 8;100\r\n'),
      })
      await expect(page.getByText('4 products: 4 new, 0 known already.')).toBeVisible()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^labels_PRIMARY_\d{4}-\d\d-\d\d\.pdf$/)
      expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
      await expect(
        page.getByText('✅ Success! Generated 4 labels and synced to Primary Warehouse.'),
      ).toBeVisible()
      await expect(page.getByLabel('Manual entry')).toHaveValue('')
    })

    await test.step('prints labels of chosen components', async () => {
      await goTo(page, 'Print Labels')
      await page.getByLabel('Search').fill('bearing')
      await page.getByRole('row', { name: /Bearing, 6204/ }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Print 1 Label' }).click()
      expect((await download).suggestedFilename()).toMatch(/^selected_labels_PRIMARY_/)
      await expect(page.getByText('✅ Successfully generated 1 labels!')).toBeVisible()
    })

    await test.step('a colleague signs in on another device', async () => {
      const said = await program.addUser({
        companyOf: email,
        email: `sam-${email}`,
        name: 'Sam Staff',
        password: 'another horse',
      })
      expect(said).toContain('Sam Staff can now sign in')
      await page.evaluate(() => localStorage.clear())
      await signIn(page, { email: `sam-${email}`, password: 'another horse' })
      await chooseLocation(page, 'Primary Warehouse')
      await expect(page.getByText('Sam Staff', { exact: false }).first()).toBeVisible()
    })

    await test.step('counts with a scanner: right, wrong, wrong again, unknown', async () => {
      await goTo(page, 'Monthly Count')
      await expect(page.getByRole('heading', { name: 'Ready to Count' })).toBeVisible()
      await page.getByRole('button', { name: 'Start Monthly Count' }).click()
      await expect(page.getByText('Started monthly count for Primary Warehouse.')).toBeVisible()

      await scan(page, '0012345')
      await expect(page.getByLabel('Quantity')).toBeFocused()
      await scan(page, '25')
      await expect(page.getByText('✓ Bearing, 6204 - Quantity matches!')).toBeVisible()
      await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible()

      await scan(page, 'BOLT-M8')
      await scan(page, '39')
      await expect(page.getByText('Incorrect quantity for Łożysko kulkowe')).toBeVisible()
      await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible()

      await scan(page, 'BOLT-M8')
      await scan(page, '38')
      await expect(page.getByText('2 of 4 counted, 50% complete')).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: 'Recorded' })).toBeVisible()

      await scan(page, 'GHOST-1')
      await scan(page, '3')
      await expect(page.getByText('Component with barcode GHOST-1 not found.')).toBeVisible()
      await expect(page.getByText('4 scanned, 3 stored, 1 to decide')).toBeVisible()
      await expect(page.getByRole('list', { name: 'Recent scans' }).getByRole('listitem')).toHaveCount(4)
    })

    await test.step('opens the history of a component', async () => {
      await showList(page)
      await page.getByRole('list', { name: 'Components to count' }).getByText('0012345').click()
      const dialog = page.getByRole('dialog', { name: 'Count history of 0012345' })
      await expect(dialog.getByText('monthly, Sam Staff')).toBeVisible()
      await dialog.getByRole('button', { name: 'Clear History' }).click()
      await expect(
        dialog.getByText('Clear history feature requires backend implementation for security.'),
      ).toBeVisible()
      await dialog.getByRole('button', { name: 'Close', exact: true }).click()
      await expect(dialog).toBeHidden()
      await hideList(page)
    })

    await test.step('resets the count', async () => {
      await showMore(page)
      await page.getByRole('button', { name: 'Reset Count' }).click()
      const dialog = page.getByRole('dialog', { name: 'Reset Count' })
      await expect(dialog.getByText('Clears 2 counts of this month')).toBeVisible()
      await dialog.getByRole('button', { name: 'Reset Count' }).click()
      await expect(page.getByText('Count for Primary Warehouse has been reset.')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Ready to Count' })).toBeVisible()
    })

    await test.step('reads all of it in the audit trail, filtered and paged', async () => {
      await goTo(page, 'Audit Trail')
      await expect(page.getByText(/Showing \d+ of \d+ total entries/)).toBeVisible()
      await expect(page.getByText('Page 1 of 2')).toBeVisible()
      await page.getByRole('button', { name: 'Next' }).click()
      await expect(page.getByText('Page 2 of 2')).toBeVisible()
      await page.getByLabel('Action Type').selectOption('Inventory Scan')
      await page.getByLabel('SKU').fill('bolt')
      await expect(page.getByText(/Showing 2 of \d+ total entries/)).toBeVisible()
      await expect(page.getByText('Page 1 of 1')).toBeVisible()
      await page.getByRole('button', { name: 'Clear Filters' }).click()
      await page.getByLabel('SKU').fill('nothing like this')
      await expect(page.getByText('No audit entries found')).toBeVisible()
    })

    await test.step('everything is there after a restart and after a crash of the program', async () => {
      await page.getByRole('button', { name: 'Clear Filters' }).click()
      const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
      const read = async (path: string) =>
        await (await fetch(`${program.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
      for (const stop of ['restart', 'kill'] as const) {
        await program[stop]()
        await page.reload()
        await page.getByLabel('Action Type').selectOption('Monthly Count')
        await expect(page.getByText('CYCLE_COUNT_MONTHLY_COUNT_RESET')).toBeVisible()
        expect(await read('/api/components')).toMatchObject({ total: 4 })
        expect(await read('/api/count-history')).toMatchObject({
          history: [
            { sku: 'BOLT-M8', quantity: 38 },
            { sku: '0012345', quantity: 25 },
          ],
        })
      }
    })

    await test.step('signs out, here and on the server', async () => {
      const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
      const menu = page.getByRole('button', { name: 'Open menu' })
      if (await menu.isVisible()) await menu.click()
      const answered = page.waitForResponse(/\/api\/auth\/logout/)
      await page.getByRole('button', { name: 'Logout' }).first().click()
      const question = page.getByRole('dialog', { name: 'Log out?' })
      await expect(question).toContainText('1 scan was not taken and is still to decide.')
      await question.getByRole('button', { name: 'Log out' }).click()
      await expect(page).toHaveURL(/\/login$/)
      expect((await answered).status()).toBe(200)
      const reply = await fetch(`${program.url}/api/dashboard`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(reply.status).toBe(401)
    })
  },
)

test('300 codes at scanner speed are all stored, each once', async ({ staff: page, program }) => {
  const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
  const rows = Array.from({ length: 300 }, (_, index) => ({
    barcode: `SKU-${String(index).padStart(4, '0')}`,
    primary_quantity: index,
  }))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const imported = await fetch(`${program.url}/api/components/import`, {
    method: 'POST',
    headers,
    body: JSON.stringify(rows),
  })
  expect(imported.status).toBe(200)

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(
    page,
    rows.flatMap(({ barcode, primary_quantity: quantity }) => [barcode, String(quantity)]),
  )
  await expect(page.getByText('All 300 scans stored')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('300 of 300 counted, 100% complete')).toBeVisible()
  const history = await fetch(`${program.url}/api/count-history?limit=1000`, { headers })
  const stored = JSON.stringify(await history.json())
  expect(stored.match(/"sku":/g)).toHaveLength(300)
  for (const { barcode } of rows) expect(stored.split(`"${barcode}"`)).toHaveLength(2)
})

test('codes scanned faster than their quantities wait in line', async ({ staff: page }) => {
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  for (const code of ['FIRST-1', 'SECOND-2', 'THIRD-3']) await scan(page, code)
  await expect(page.getByLabel('Barcode')).toHaveValue('FIRST-1')
  await expect(page.getByText('2 scanned, waiting for their quantity')).toBeVisible()
  await page.getByLabel('Quantity').fill('5')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByLabel('Barcode')).toHaveValue('SECOND-2')
  await expect(page.getByLabel('Quantity')).toHaveValue('')
})
