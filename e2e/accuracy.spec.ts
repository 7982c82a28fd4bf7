import type { Page } from '@playwright/test'
import { answerInstead, divert, expect, goTo, importRows, test } from './fixtures.ts'
import { askAs } from './people.ts'
import { scanLines } from './scanner.ts'

async function countThree(page: Page): Promise<void> {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 3 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /Start/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3', 'A-2', '5', 'A-2', '5'])
  await expect(page.getByText('All 3 scans stored')).toBeVisible()
}

test('accuracy says what to expect before the first count', async ({ admin: page }) => {
  await goTo(page, 'Accuracy')
  await expect(page.getByText('Nothing was counted in this time')).toBeVisible()
})

test('what was counted stands in a chart and in tables, and on a certificate', async ({ admin: page }) => {
  await countThree(page)
  await goTo(page, 'Accuracy')
  await expect(page.getByText('Inventory record accuracy', { exact: true }).locator('..')).toContainText(
    '50.0%',
  )
  await expect(page.getByRole('region', { name: 'Accuracy by month' })).toBeVisible()
  // Paper is white and narrow, whatever the screen is.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('heading', { name: 'Accuracy', exact: true })).toHaveCSS('color', /^lab\(\d\./)
  const drawn = await page.locator('.recharts-responsive-container').evaluate((box: HTMLElement) => {
    box.style.width = '300px'
    const width = box.querySelector('svg')?.getBoundingClientRect().width
    box.style.width = '100%'
    return width
  })
  expect(drawn).toBe(300)
  await page.emulateMedia({ media: null, colorScheme: null })
  const table = page.getByRole('table', { name: 'Accuracy by month and location' })
  await expect(table.getByRole('row')).toHaveCount(3)
  const figures = '2 1 0 1 0 2 50.0% 50.0%'
  await expect(table.getByRole('row').nth(1)).toHaveAccessibleName(new RegExp(`All locations ${figures}$`))
  await expect(table.getByRole('row').nth(2)).toHaveAccessibleName(
    new RegExp(`Primary Warehouse ${figures}$`),
  )
  await page.getByLabel('Location', { exact: true }).selectOption('Primary Warehouse')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByRole('row').nth(1)).toContainText('Primary Warehouse')
  await expect(page.getByRole('table', { name: 'Differences by cause' })).toContainText('To decide')
  await page.getByLabel('Location', { exact: true }).selectOption('Secondary Warehouse')
  await expect(page.getByText('Nothing was counted in this time')).toBeVisible()
  await page.getByLabel('Location', { exact: true }).selectOption('All locations')

  await page.getByRole('button', { name: 'Count certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Count certificate' })
  const sessions = dialog.getByLabel('Counting session')
  await expect(sessions.getByRole('option')).toHaveCount(2)
  await sessions.selectOption({ index: 1 })
  await dialog.getByLabel('Paper').selectOption('A4')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/^count_certificate_Nordlager AG_PRIMARY_.+\.pdf$/)
  await expect(dialog.getByText(/is saved/)).toBeVisible()
})

test('what differs is shown in money where costs are said, and the SKUs of most money where that is asked', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3, secondary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 3 },
    { barcode: 'A-3', description: 'Washer', primary_quantity: 3 },
  ])
  const count = async (barcode: string, quantity: number, location = 'PRIMARY') => {
    for (const ago of [20, 10]) {
      const timestamp = new Date(Date.now() - ago).toISOString()
      const body = { barcode, quantity, location, session: 's', source: 'monthly', timestamp }
      await askAs(program, company, { path: '/api/components/update-with-tracking', body })
    }
  }
  await count('A-1', 2)
  await count('A-1', 5, 'SECONDARY')
  await count('A-2', 1)
  await count('A-3', 0)
  await goTo(page, 'Accuracy')
  const skus = page.getByRole('table', { name: 'Differences by SKU' })
  const heads = ['SKU', 'Lines', 'Pieces missing', 'Pieces surplus']
  await expect(skus.getByRole('columnheader')).toHaveText(heads)
  await expect(page.getByText('Value missing')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'By value' })).toHaveCount(0)

  const components = [
    { barcode: 'A-1', unit_cost: 0.5 },
    { barcode: 'A-2', unit_cost: 700 },
  ]
  await askAs(program, company, { path: '/api/components/set-costs', body: { components } })
  await page.reload()
  const tile = (label: string) => page.locator('dl').getByText(label, { exact: true }).locator('..')
  await expect(tile('Value missing')).toContainText('$1,400.50')
  await expect(tile('Value surplus')).toContainText('$1.00')
  await expect(page.getByText('1 of 4 differing lines has no unit cost.')).toBeVisible()
  await expect(skus.getByRole('columnheader')).toHaveText([...heads, 'Value missing', 'Value surplus'])
  await expect(skus.getByRole('link')).toHaveText(['A-1', 'A-3', 'A-2'])
  const places = page.getByRole('table', { name: 'Accuracy by month and location' })
  await expect(places.getByRole('row').nth(1)).toHaveAccessibleName(
    /All locations 4 0 0 4 6 2 \$1,400.50 \$1.00 0.0% 0.0%$/,
  )
  await expect(page.getByRole('heading', { name: 'SKUs that differ most often' })).toBeVisible()
  await page.getByRole('button', { name: 'By value' }).click()
  await expect(page.getByRole('heading', { name: 'SKUs with the largest value difference' })).toBeVisible()
  await expect(skus.getByRole('link')).toHaveText(['A-2', 'A-1', 'A-3'])
  await expect(page).toHaveURL(/skusBy=value/)
  await page.reload()
  await expect(skus.getByRole('link')).toHaveText(['A-2', 'A-1', 'A-3'])
  await expect(page.getByRole('button', { name: 'By value' })).toHaveAttribute('aria-pressed', 'true')
  await page.setViewportSize({ width: 360, height: 640 })
  // The chart is drawn again for its new width.
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(width).toBe(360)
})

test('a count of somebody else reaches the accuracy that is shown', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Accuracy')
  await expect(page.getByText('Nothing was counted in this time')).toBeVisible()
  const at = { location: 'PRIMARY', session: 's', source: 'monthly', timestamp: new Date().toISOString() }
  const count = { barcode: 'A-1', quantity: 3, ...at }
  await askAs(program, company, { path: '/api/components/update-with-tracking', body: count })
  const accuracy = page.getByText('Inventory record accuracy', { exact: true }).locator('..')
  await expect(accuracy).toContainText('100.0%')
})

test('more causes than are named are said beneath them', async ({ admin: page, program, company }) => {
  await countThree(page)
  await program.sql(
    `insert into discrepancies (tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted,
       attempts, user_id, user_name, reason, decided_by)
     select tenant_id, component_id, sku, location, count_type, period_start, 'accepted', expected, counted, attempts, user_id,
       user_name, 'Reason ' || made, 'Ada Admin'
     from discrepancies cross join generate_series(1, 11) made
     where tenant_id = (select tenant_id from login_emails where email = $1)`,
    [company.email],
  )
  await program.sql(
    'update scan_days set scans = 13 where tenant_id = (select tenant_id from login_emails where email = $1)',
    [company.email],
  )
  await goTo(page, 'Accuracy')
  await expect(page.getByRole('table', { name: 'Differences by cause' }).getByRole('row')).toHaveCount(11)
  await expect(page.getByText('The 10 most frequent causes. 2 lines have others.')).toBeVisible()
})

test('a count leads an administrator to its certificate, and the overview to that of the month', async ({
  admin: page,
}) => {
  await countThree(page)
  await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible()
  await page.getByRole('link', { name: 'Count certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Count certificate' })
  await expect(dialog.getByLabel('Location')).toHaveValue('PRIMARY')
  await expect(dialog.getByLabel('Counting session')).toHaveValue(/Cycle_/)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/_PRIMARY_Cycle_\d{4}-\d\d_PRIMARY\.pdf$/)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page).toHaveURL(/\/accuracy$/)
  await page.getByLabel('Location', { exact: true }).selectOption('FULFILLMENT')
  await page.getByLabel('Span').selectOption('One month')
  await expect(page).toHaveURL(/\/accuracy\?location=FULFILLMENT&months=1$/)

  await goTo(page, 'Overview')
  await page.goBack()
  await expect(page.getByLabel('Location', { exact: true })).toHaveValue('FULFILLMENT')
  await expect(page.getByLabel('Span')).toHaveValue('1')
  await goTo(page, 'Overview')
  await page.getByRole('link', { name: 'Count certificate' }).click()
  await expect(dialog.getByLabel('Counting session')).toHaveValue('')
})

test('the certificate of a session waits until the session is found, and is never that of the whole month', async ({
  admin: page,
}) => {
  await countThree(page)
  let answer = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await divert(page, '**/api/accuracy/sessions*', async (route) => {
    await asked
    await route.continue()
  })
  await page.getByRole('link', { name: 'Count certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Count certificate' })
  const download = dialog.getByRole('button', { name: 'Download PDF' })
  const session = dialog.getByLabel('Counting session')
  await expect(dialog.getByText('Looking for sessions...')).toBeVisible()
  await expect(download).toBeDisabled()
  answer()
  await expect(session).toHaveValue(/Cycle_/)
  await expect(download).toBeEnabled()

  await page.goto('/accuracy?certificate=PRIMARY&session=Gone_1')
  await expect(dialog.getByText('This session has no recorded counts in this month.')).toBeVisible()
  await expect(session.getByRole('option', { selected: true })).toHaveText('Gone_1')
  await expect(download).toBeDisabled()
  await session.selectOption({ index: 0 })
  await expect(dialog.getByText('This session has no recorded counts in this month.')).toBeHidden()
  await expect(download).toBeEnabled()
})

test('a session that is chosen stays chosen where the list is loaded in another order, or without it', async ({
  admin: page,
}) => {
  const session = (name: string) => ({
    session: name,
    location: 'PRIMARY',
    count_type: 'monthly',
    entries: 1,
    people: ['Sam Staff'],
    started_at: new Date().toISOString(),
    ended_at: new Date().toISOString(),
  })
  let sessions = [session('First'), session('Second'), session('Third')]
  await divert(page, '**/api/accuracy/sessions*', (route) =>
    route.fulfill({ json: { sessions, more: false } }),
  )
  await page.goto('/accuracy?certificate=PRIMARY')
  const dialog = page.getByRole('dialog', { name: 'Count certificate' })
  const field = dialog.getByLabel('Counting session')
  await field.selectOption({ index: 2 })
  await expect(field.getByRole('option', { selected: true })).toHaveText(/Second$/)
  const loadAnew = async (order: string[]) => {
    sessions = order.map(session)
    const loaded = page.waitForResponse('**/api/accuracy/sessions*')
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await loaded
  }
  await loadAnew(['Third', 'First', 'Second'])
  await expect(field.getByRole('option', { selected: true })).toHaveText(/Second$/)
  await expect(dialog.getByRole('button', { name: 'Download PDF' })).toBeEnabled()
  await loadAnew(['Third', 'First'])
  await expect(field.getByRole('option', { selected: true })).toHaveText('Second')
  await expect(dialog.getByRole('button', { name: 'Download PDF' })).toBeDisabled()
})

test('the certificate of a session cannot be taken where the sessions could not be loaded', async ({
  admin: page,
}) => {
  await answerInstead(page, '/api/accuracy/sessions*', { status: 403, body: '' })
  await page.goto('/accuracy?certificate=PRIMARY&session=Monthly_1')
  const dialog = page.getByRole('dialog', { name: 'Count certificate' })
  await expect(dialog.getByLabel('Counting session')).toHaveAccessibleDescription('HTTP error! status: 403')
  await expect(dialog.getByRole('button', { name: 'Download PDF' })).toBeDisabled()
})

test('a month with more than 200 sessions says how to see the older ones', async ({ admin: page }) => {
  await divert(page, '**/api/accuracy/sessions*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), more: true } })
  })
  await goTo(page, 'Accuracy')
  await page.getByRole('button', { name: 'Count certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Count certificate' })
  const session = dialog.getByLabel('Counting session')
  await expect(session).toHaveAccessibleDescription(
    'The newest 200 sessions. Choose a location to see older ones.',
  )
  await dialog.getByLabel('Location').selectOption('Primary Warehouse')
  await expect(session).toHaveAccessibleDescription('The newest 200 sessions.')
})

test('a link to a certificate names its month, and a month that is not offered is the present one', async ({
  admin: page,
}) => {
  const parts = { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit' } as const
  const present = new Intl.DateTimeFormat('sv-SE', parts).format(new Date())
  const month = (back: number) => {
    const day = new Date(`${present}-15`)
    day.setUTCMonth(day.getUTCMonth() - back)
    return day.toISOString().slice(0, 7)
  }
  const chosen = page.getByRole('dialog', { name: 'Count certificate' }).getByLabel('Month')
  await page.goto(`/accuracy?certificate=PRIMARY&month=${month(1)}`)
  await expect(chosen).toHaveValue(month(1))
  await page.goto('/accuracy?certificate=PRIMARY&month=1999-01')
  await expect(chosen).toHaveValue(month(0))
})
