import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { asTimePasses, cut, divert, expect, goTo, importRows, postFrom, test } from './fixtures.ts'
import { addColleague, askAs, beginSession } from './people.ts'
import { scanLines } from './scanner.ts'

async function makeEntries(page: Page): Promise<void> {
  const rows = Array.from({ length: 8 }, (_, index) => ({
    barcode: `BOLT-${index}`,
    primary_quantity: index,
  }))
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /Start/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(
    page,
    rows.flatMap(({ barcode, primary_quantity: quantity }) => [barcode, String(quantity)]),
  )
  await expect(page.getByText('All 8 scans stored')).toBeVisible()
}

test('the trail is filtered by action, SKU, place, person and day, and paged by ten', async ({
  staff: page,
}) => {
  await makeEntries(page)
  await goTo(page, 'Audit Trail')
  await expect(page.getByText(/^Showing (\d+) of \1 total entries$/)).toBeVisible()
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  const rows = page.getByRole('table', { name: 'Audit entries' }).getByRole('row')
  await expect(rows).toHaveCount(11)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toHaveRole('status')
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()

  await page.goto('/audit-trail?user=a')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  await goTo(page, 'Audit Trail')
  await expect(page.getByLabel('Person')).toHaveValue('')
  await expect(page.getByText(/^Page 1 of/)).toBeVisible()

  await page.getByLabel('Action Type').selectOption('Inventory Scan')
  await page.getByLabel('SKU').fill('bolt-3')
  await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
  await expect(page.getByText('1 found')).toHaveRole('status')
  await expect(page.getByText('Page 1 of 1')).toBeVisible()
  await expect(rows.getByRole('link', { name: 'BOLT-3' })).toHaveAttribute('href', '/components/BOLT-3')
  await expect(rows.nth(1)).toContainText('Inventory Scan')
  await expect(rows.nth(1).locator('svg.lucide-scan-barcode')).toBeVisible()
  await expect(rows.nth(1)).toContainText('Monthly count scan, quantity 3, Primary Warehouse')
  await expect(rows.nth(1)).toContainText('Sam Staff')
  await expect(rows.nth(1)).toContainText('User')

  await page.getByLabel('Start Date').fill('2090-01-01')
  await expect(page.getByText('No audit entries found')).toBeVisible()
  await expect(page.getByText('Start using the system, or adjust the filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await page.getByLabel('Action Type').selectOption('Inventory Scan')
  await page.getByLabel('Person').fill('sam')
  await page.getByLabel('Location').selectOption('Primary Warehouse')
  await expect(page.getByText(/^Showing 8 of/)).toBeVisible()
  await page.getByLabel('Location').selectOption('Fulfillment Center')
  await expect(page.getByText('No audit entries found')).toBeVisible()
  await page.getByLabel('Location').selectOption('All locations')
  await page.getByLabel('Person').fill('ada')
  await expect(page.getByText('No audit entries found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await page.getByLabel('End Date').fill('2020-01-01')
  await expect(page.getByText('No audit entries found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await page.getByLabel('Action Type').selectOption('Bulk Import')
  await expect(rows.nth(1).locator('svg.lucide-upload')).toBeVisible()
})

test('an entry is found by its number, as a certificate or a check of the trail names it, also past what is loaded', async ({
  staff: page,
}) => {
  for (const sku of ['A-1', 'A-2']) await postFrom(page, '/api/audit/log', { sku })
  const listed = page.waitForResponse('**/api/audit/trail?limit=1000')
  await goTo(page, 'Audit Trail')
  const { entries }: { entries: { id: string; sku: string }[] } = await (await listed).json()
  const number = entries.find(({ sku }) => sku === 'A-1')?.id ?? ''
  const rows = page.getByRole('table', { name: 'Audit entries' }).getByRole('row')
  await page.getByLabel('SKU or number').fill(` ${number.toUpperCase()} `)
  await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
  await expect(rows.nth(1)).toContainText('A-1')
  await shortenNewest(page)
  await page.goto(`/audit-trail?sku=${number}`)
  await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
  await expect(rows.nth(1)).toContainText('A-1')
})

test('days of the trail are the company’s, as in exports', async ({ admin: page }) => {
  const zone = 'Pacific/Kiritimati'
  await postFrom(page, '/api/company/settings', { time_zone: zone })
  await goTo(page, 'Audit Trail')
  await expect(
    page.getByText(
      'Days are the company’s, as on certificates (Pacific/Kiritimati); times in the files are UTC. Times on this screen are those of this device.',
    ),
  ).toBeVisible()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date())
  await page.getByLabel('Start Date').fill(today)
  await page.getByLabel('End Date').fill(today)
  await expect(page.getByText(/^Showing (\d+) of \1 total entries$/)).toBeVisible()
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Start Date').fill(yesterday)
  await page.getByLabel('End Date').fill(yesterday)
  await expect(page.getByText('No audit entries found')).toBeVisible()
})

test('on a tablet every entry is a card whose codes stand whole', async ({ staff: page }) => {
  const barcode = 'PALLET-RACK-UPRIGHT-2400-GALVANISED'
  await importRows(page, [{ barcode, primary_quantity: 1 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /Start/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, [barcode, '1'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await goTo(page, 'Audit Trail')
  const code = page.getByText(barcode, { exact: true })
  // Until the trail is here, the count stands on the screen, where the code is several times.
  await expect(code).toHaveCount(1)
  const lines = () => code.evaluate((element) => [...element.getClientRects()].length)
  for (const width of [640, 768, 999]) {
    await page.setViewportSize({ width, height: 1024 })
    expect(await lines()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test('the head of the table stays below the bar as the entries are read', async ({ staff: page }) => {
  await page.setViewportSize({ width: 1440, height: 600 })
  await goTo(page, 'Overview')
  for (const event of Array.from({ length: 10 }, (_, index) => `sku_history_viewed_${index}`)) {
    await postFrom(page, '/api/audit/log', { sku: 'A-1', metadata: { event } })
  }
  await goTo(page, 'Audit Trail')
  await page.getByText('Page 1 of 2').scrollIntoViewIfNeeded()
  const head = await page.getByRole('columnheader', { name: 'Date/Time' }).boundingBox()
  const bar = await page.getByRole('banner').boundingBox()
  expect(head?.y).toBe(bar?.height)
})

test('on a handheld the next page of entries begins at its first one', async ({ staff: page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  for (let search = 0; search < 8; search += 1) {
    await postFrom(page, '/api/audit/log', { sku: 'A-1', metadata: { event: 'sku_history_viewed' } })
  }
  await goTo(page, 'Audit Trail')
  const first = page.getByRole('table', { name: 'Audit entries' }).getByRole('row').nth(1)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeAttached()
  await expect(first).toBeInViewport({ ratio: 1 })
})

test('opening, filtering, clearing and refreshing the trail is in the trail, with the choices and columns of the specification, and an end before the start is said', async ({
  staff: page,
}) => {
  await goTo(page, 'Audit Trail')
  const told = page.waitForResponse(
    (response) => response.request().postData()?.includes('audit_trail_filtered') === true,
  )
  await page.getByLabel('SKU').fill('nothing like this')
  await told
  const clear = page.getByRole('button', { name: 'Clear Filters' })
  await clear.click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByLabel('Action Type').selectOption('Configuration')
  for (const event of ['accessed', 'filtered', 'filters_cleared']) {
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByText(`CONFIG_AUDIT_TRAIL_${event.toUpperCase()}`).first()).toBeVisible({
        timeout: 2_000,
      })
    }).toPass()
  }
  await clear.click()

  await expect(page.getByLabel('Action Type').getByRole('option')).toHaveText([
    'All Actions',
    'Inventory Scan',
    'Weekly Count',
    'Monthly Count',
    'Authentication',
    'Configuration',
    'Label Generation',
    'Bulk Import',
  ])
  await expect(page.getByRole('columnheader')).toHaveText([
    'Date/Time',
    'Action',
    'SKU',
    'Details',
    'User',
    'Source',
  ])
  for (const tile of ['Total Actions', 'Inventory Scans', 'Weekly Counts', 'Monthly Counts']) {
    await expect(page.getByRole('term').filter({ hasText: tile })).toBeVisible()
  }

  await page.getByLabel('Start Date').fill('2026-03-10')
  await expect(page.getByText('The end is before the start.')).toHaveCount(0)
  await page.getByLabel('End Date').fill('2026-03-09')
  await expect(page.getByLabel('End Date')).toHaveAccessibleDescription('The end is before the start.')
  await expect(page.getByText('No audit entries found')).toBeVisible()
  await expect(page.getByText('The end date is before the start date.')).toBeVisible()
  await expect(page.getByText('Start using the system')).toHaveCount(0)
})

test('a trail that cannot be loaded says why, one that is shown stays so, filtered, and a session that has run out leads to sign-in', async ({
  staff: page,
}) => {
  const failure = 'Failed to load audit data: The server cannot be reached.'
  await page.clock.install()
  await cut(page, '/api/audit/trail*')
  await goTo(page, 'Audit Trail')
  const heading = page.getByRole('heading', { name: 'Error Loading Audit Data' })
  await asTimePasses(page, 3_000, (soon) => expect(heading).toBeVisible(soon))
  await expect(page.getByText(failure)).toBeVisible()
  await page.unroute('**/api/audit/trail*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^Showing/)).toBeVisible()

  await page.getByLabel('SKU').fill('AUTH')
  await cut(page, '/api/audit/trail*')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const alert = page.getByRole('alert')
  await asTimePasses(page, 3_000, (soon) =>
    expect(alert).toContainText(`Error Loading Audit Data${failure}`, soon),
  )
  await expect(page.getByLabel('SKU')).toHaveValue('AUTH')
  await expect(page.getByText(/^Showing/)).toBeVisible()
  await page.unroute('**/api/audit/trail*')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(alert).toBeHidden()
  await page.getByLabel('SKU').fill('')

  await page.evaluate(() => localStorage.removeItem('jwt_token'))
  await goTo(page, 'Overview')
  await goTo(page, 'Audit Trail')
  await expect(page.getByRole('heading', { name: 'Error Loading Audit Data' })).toBeVisible()
  await expect(page.getByText('Not authenticated. Please log in again.')).toBeVisible()
  await page.getByRole('button', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('an entry says what was changed, from what to what, and shows the whole of what is long when asked', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 12 }])
  await page.goto('/components/A-1')
  for (const description of ['Hex bolt', 'x'.repeat(500)]) {
    await page.getByRole('button', { name: 'Edit description' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill(description)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const placed = { location: 'PRIMARY', components: [{ barcode: 'A-1', bin: 'A-03-2', minimum: 12 }] }
  await postFrom(page, '/api/components/place', placed)
  await page.goto('/audit-trail?sku=A-1')
  const rows = page.getByRole('table', { name: 'Audit entries' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Description changed, Bolt → Hex bolt' })).toHaveCount(1)
  await expect(rows.nth(1)).toContainText(
    'Bin or minimum changed, Primary Warehouse, bin none, minimum none → bin A-03-2, minimum 12',
  )
  const whole = page.getByText(`Description changed, Hex bolt → ${'x'.repeat(500)}`)
  const beginning = page.getByText(/^Description changed, Hex bolt → x{100,180}…$/)
  await expect(beginning).toBeVisible()
  await expect(whole).toBeHidden()
  // By keyboard as by touch.
  await page.getByRole('group').filter({ has: beginning }).locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(whole).toBeVisible()
  await expect(beginning).toBeHidden()
  await page.getByText('Show Less').click()
  await expect(beginning).toBeVisible()
})

/** As if the trail were long: of its newest entries the page gets one, and the rest is found by asking. */
async function shortenNewest(page: Page): Promise<void> {
  await divert(page, /\/api\/audit\/trail\?limit=1000$/, async (route) => {
    const response = await route.fetch()
    const reply: { entries: unknown[] } = await response.json()
    await route.fulfill({ response, json: { ...reply, entries: reply.entries.slice(0, 1) } })
  })
}

test.describe('a search over a trail that is longer than what is loaded', () => {
  const search = /\/api\/audit\/trail\?.*sku=/

  test('asks once for what was typed, says that it searches, and then what there is', async ({
    staff: page,
  }) => {
    await makeEntries(page)
    await shortenNewest(page)
    const asked: (string | null)[] = []
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await divert(page, search, async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('sku'))
      await held
      await route.continue()
    })
    await goTo(page, 'Audit Trail')
    await expect(page.getByText('in the whole trail')).toBeVisible()
    await expect(page.getByText('of the newest 1', { exact: true })).toHaveCount(3)
    // Letter by letter, however busy the machine is.
    await page.getByLabel('SKU').evaluate((field: HTMLInputElement) => {
      for (const letter of 'bolt-3') {
        field.setRangeText(letter, field.value.length, field.value.length, 'end')
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await expect(page.getByText('Searching the whole trail...')).toBeVisible()
    await expect.poll(() => asked).toEqual(['bolt-3'])
    await expect(page.getByText('No audit entries found')).toBeHidden()
    answer()
    await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Audit entries' })).toContainText('BOLT-3')
    await expect(page.getByText('Searching')).toBeHidden()

    const again = page.waitForRequest(search)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await again
    await page.getByLabel('SKU').fill('nothing like this')
    await expect(page.getByText('No audit entries found')).toBeVisible()
    await page.getByLabel('SKU').fill('x'.repeat(101))
    await expect(page.getByLabel('SKU')).toHaveValue('x'.repeat(100))
  })

  test('finds more than comes at once, says how many, and loads on where it is paged on', async ({
    staff: page,
  }) => {
    await page.evaluate(async () => {
      for (let number = 1; number <= 25; number += 1) {
        await fetch('/api/audit/log', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
          },
          body: JSON.stringify({ sku: `NUT-${number}` }),
        })
      }
    })
    await shortenNewest(page)
    // As if of what is found only ten came at once.
    await divert(page, search, (route) =>
      route.continue({ url: route.request().url().replace('limit=1000', 'limit=10') }),
    )
    await page.clock.install()
    await goTo(page, 'Audit Trail')
    await page.getByLabel('SKU').fill('nut-')
    await expect(page.getByText(/^Showing 25 of \d+ total entries$/)).toBeVisible()
    const table = page.getByRole('table', { name: 'Audit entries' })
    await expect(table.getByRole('row').nth(1)).toContainText('NUT-25')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('Page 2 of 3')).toBeVisible()
    await expect(table.getByRole('row').nth(1)).toContainText('NUT-15')

    await cut(page, '/api/audit/trail?*cursor=*')
    await page.getByRole('button', { name: 'Next' }).click()
    const failure = page.getByText('Failed to load audit data: The server cannot be reached.')
    await asTimePasses(page, 3_000, (soon) => expect(failure).toBeVisible(soon))
    await page.unroute('**/api/audit/trail?*cursor=*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Page 3 of 3')).toBeVisible()
    await expect(table.getByRole('row')).toHaveCount(6)
    await expect(table.getByRole('row').nth(1)).toContainText('NUT-5')
    await expect(page.getByText(/^Showing 25 of \d+ total entries$/)).toBeVisible()
  })

  test('says that it failed, and is tried again', async ({ staff: page }) => {
    await makeEntries(page)
    await shortenNewest(page)
    await divert(page, search, (route) => route.abort('connectionreset'))
    await page.clock.install()
    await goTo(page, 'Audit Trail')
    await page.getByLabel('SKU').fill('bolt-3')
    const heading = page.getByRole('heading', { name: 'Error Loading Audit Data' })
    await asTimePasses(page, 3_000, (soon) => expect(heading).toBeVisible(soon))
    await expect(page.getByText('Failed to load audit data: The server cannot be reached.')).toBeVisible()
    await expect(page.getByText('No audit entries found')).toBeHidden()
    await page.unroute(search)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Audit entries' })).toContainText('BOLT-3')
    await expect(page.getByRole('alert')).toBeHidden()
  })
})

test('a search through a trail of millions says how far back it has come, and goes on when asked', async ({
  staff: page,
}) => {
  await makeEntries(page)
  await shortenNewest(page)
  let looks = 0
  // As if the first twelve looks, of 100,000 entries each, found nothing.
  await divert(page, /\/api\/audit\/trail\?.*sku=/, async (route) => {
    looks += 1
    if (looks > 12)
      return await route.continue({
        url: route
          .request()
          .url()
          .replace(/&cursor=[^&]+/, ''),
      })
    const response = await route.fetch()
    const cursor = `019aa000-0000-7000-8000-0000000000${looks + 10}`
    const looked = { next_cursor: cursor, looked_back_to: '2026-03-12T10:00:00.000Z' }
    return await route.fulfill({ response, json: { entries: [], total: 0, ...looked } })
  })
  await goTo(page, 'Audit Trail')
  await page.getByLabel('SKU').fill('bolt-3')
  await expect(page.getByText('The trail was searched back to Mar 12, 2026, 11:00 AM.')).toBeVisible()
  await expect(page.getByText('Look further back, or adjust the filters.')).toBeVisible()
  expect(looks).toBe(10)
  await page.getByRole('button', { name: 'Look further back' }).click()
  await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Audit entries' })).toContainText('BOLT-3')
  await expect(page.getByText('The trail was searched back to')).toBeHidden()
  expect(looks).toBe(13)
})

test('the way back to the trail finds it as it was filtered', async ({ admin: page }) => {
  await page.goto('/audit-trail?start=2026-99-99')
  await page.getByLabel('Action Type').selectOption('Authentication')
  await page.getByLabel('SKU').fill('auth')
  await page.getByLabel('Start Date').fill('2026-01-02')
  await expect(page).toHaveURL(/action=Authentication&sku=auth&start=2026-01-02$/)
  await goTo(page, 'Overview')
  await page.goBack()
  await expect(page.getByLabel('SKU')).toHaveValue('auth')
  await expect(page.getByLabel('Action Type')).toHaveValue('Authentication')
  await expect(page.getByLabel('Start Date')).toHaveValue('2026-01-02')
})

test('on a phone all but the first two filters of the trail stand behind a button, which says how many are set', async ({
  admin: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/audit-trail?action=Authentication&user=ada&start=2026-01-02')
  const filters = page.getByRole('button', { name: 'Filters 2 set' })
  const person = page.getByLabel('Person')
  await expect(filters).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByLabel('Action Type')).toBeVisible()
  await expect(page.getByLabel('SKU')).toBeVisible()
  await expect(person).toBeHidden()
  await filters.click()
  await expect(person).toHaveValue('ada')
  expect(await barriersOf(page)).toEqual([])
  const clear = page.getByRole('button', { name: 'Clear Filters' })
  await clear.click()
  await expect(person).toHaveValue('')
  await expect(clear).toBeFocused()
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeHidden()
  await expect(person).toBeVisible()
})

test('administrators read by which account something was done, and look for it, whatever the person is called', async ({
  admin: page,
  program,
  company,
}) => {
  const sam = { email: `sam-${company.email}`, name: 'Sam Staff', password: 'another horse' }
  await addColleague(program, company, sam)
  await askAs(program, sam, { path: '/api/account/name', body: { name: 'Sam Otherwise' } })
  await beginSession(program, sam)
  await page.goto('/audit-trail')
  await page.getByLabel('Person').fill(sam.email)
  const entries = page.getByRole('table', { name: 'Audit entries' })
  const account = entries.getByText(sam.email, { exact: true })
  await expect(entries.getByText(company.email, { exact: true })).toHaveCount(0)
  await expect(account).toHaveCount(5)
  await expect(entries.getByText('Sam Staff', { exact: true })).toHaveCount(4)
  await page.getByLabel('Person').fill('sam otherwise')
  await expect(account).toHaveCount(1)
})
