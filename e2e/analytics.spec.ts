import type { Page } from '@playwright/test'
import { asTimePasses, cut, expect, goTo, hold, importRows, stopClock, test } from './fixtures.ts'
import { scanLines } from './scanner.ts'

async function countOne(page: Page): Promise<void> {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /Start/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
}

/** Looks at every chart of a company that has scanned nothing. */
async function lookAtEmptyCharts(page: Page): Promise<void> {
  for (const chart of ['Progress Over Time', 'Top SKUs', 'Location Heatmap', 'Weekly Trends']) {
    await page.getByRole('button', { name: chart }).click()
    await expect(page.getByRole('heading', { name: chart })).toBeVisible()
    await expect(page.getByText('No data available for this graph')).toBeVisible()
    await expect(page.getByText('Start scanning items to see analytics')).toBeVisible()
  }
  await expect(page.getByText('Status: Connected')).toBeVisible()
  for (const [label, value] of [
    ['Current Location', 'Primary Warehouse'],
    ['Data Updates', '5 Min'],
    ['Analytics Period', 'All Time'],
  ]) {
    await expect(
      page
        .getByText(label ?? '')
        .locator('..')
        .getByText(value ?? ''),
    ).toBeVisible()
  }
}

/** Looks at every chart of one scan, from the first to the last, and at the numbers of each. */
async function lookAtOneScan(page: Page): Promise<void> {
  await page.getByText('The numbers as a table').click()
  await expect(page.getByRole('columnheader', { name: 'Total' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(
    /^Progress Over Time since \w+ \d+, \d{4}$/,
  )
  await expect(page.getByRole('cell', { name: '1', exact: true })).toHaveCount(2)

  await page.getByRole('button', { name: 'Top SKUs' }).click()
  await expect(page.getByText('The ten most scanned SKUs of all time by number of scans')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Top SKUs of all time')
  await expect(page.getByRole('cell', { name: 'A-1' })).toBeVisible()

  await page.getByRole('button', { name: 'Location Heatmap' }).click()
  const heat = page.getByRole('table', { name: 'Scans of each SKU by location' })
  for (const column of ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION']) {
    await expect(heat.getByRole('columnheader', { name: column })).toBeVisible()
  }
  await expect(heat.getByRole('row', { name: 'A-1 Bolt 1 0 0 0' })).toBeVisible()

  await page.getByRole('button', { name: 'Weekly Trends' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(/^Weekly Trends from \w+ \d+ to \w+ \d+$/)
  const weeks = page.getByRole('table', { name: 'Scans per day by week' })
  await expect(weeks.getByRole('columnheader')).toHaveText([
    'Week of',
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
    'Sun',
  ])
  await expect(weeks.getByRole('row')).toHaveCount(5)
}

test('without scans every chart says so, then each shows a scan, and its numbers and days as a table', async ({
  staff: page,
  program,
  company,
}) => {
  await goTo(page, 'Analytics')
  const canvas = await page.getByRole('region', { name: 'Progress Over Time' }).boundingBox()
  expect(Math.round(canvas?.height ?? 0)).toBe(Math.round((page.viewportSize()?.height ?? 0) * 0.7))
  await lookAtEmptyCharts(page)

  await countOne(page)
  await goTo(page, 'Analytics')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await lookAtOneScan(page)
  const weeks = page.getByRole('table', { name: 'Scans per day by week' }).getByRole('rowheader')
  await expect(weeks.first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}$/)
  const numbers = page.getByRole('group').getByRole('row')
  await expect(numbers.locator('td:first-child')).toHaveText(await weeks.allTextContents())

  await program.sql(
    `update scan_days set day = '2025-11-19'
     where tenant_id = (select tenant_id from login_emails where email = $1)`,
    [company.email],
  )
  await page.reload()
  await page.getByText('The numbers as a table').click()
  await expect(page.getByRole('row', { name: 'Nov 19, 2025 1 1' })).toBeVisible()
})

test('the numbers of very many scans can be read, also on a handheld', async ({
  staff: page,
  program,
  company,
}) => {
  await countOne(page)
  const own = '(select tenant_id from login_emails where email = $1)'
  await program.sql(`update stock set scans = 45678 where scans > 0 and tenant_id = ${own}`, [company.email])
  await program.sql(`update scan_days set scans = 1234567 where tenant_id = ${own}`, [company.email])
  await page.setViewportSize({ width: 360, height: 640 })
  await goTo(page, 'Analytics')
  const canvas = page.getByRole('region')
  await expect(canvas.getByText('1.4M')).toBeVisible()
  await page.getByRole('button', { name: 'Top SKUs' }).click()
  await expect(canvas.getByText('45,678')).toBeVisible()
  await page.getByRole('button', { name: 'Location Heatmap' }).click()
  await expect(canvas.getByRole('cell', { name: '45,678' })).toBeInViewport()
  const width = await canvas.evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(width).toBe(0)
  await page.getByRole('button', { name: 'Weekly Trends' }).click()
  await expect(canvas.getByRole('cell', { name: '1,234,567' })).toHaveCount(1)
})

/** Points at a share of the line's width, until its tooltip says what is there. */
async function pointAt(page: Page, { share, says }: { share: number; says: RegExp }): Promise<void> {
  const line = page.getByRole('region').locator('.recharts-area-curve')
  await expect(line).toBeVisible()
  // A chart that takes its place at this moment hears of no pointer.
  await expect(async () => {
    const box = await line.boundingBox()
    for (const y of [20, 30]) {
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * share, (box?.y ?? 0) + y)
    }
    await expect(page.locator('.recharts-tooltip-wrapper')).toContainText(says, { timeout: 1_000 })
  }).toPass()
}

test('days without scans take their room in the progress up to today, and what is pointed at says its year', async ({
  staff: page,
  program,
  company,
}) => {
  await countOne(page)
  const own = '(select tenant_id from login_emails where email = $1)'
  await program.sql(`update scan_days set day = '2025-11-01' where tenant_id = ${own}`, [company.email])
  await program.sql(
    `insert into scan_days (tenant_id, location, day, scans)
     select ${own}, 'PRIMARY', day::date, 1 from unnest(array['2025-11-09', '2025-11-10', '2025-11-11']) day`,
    [company.email],
  )
  await page.clock.setFixedTime(new Date('2025-11-11T12:00:00Z'))
  await goTo(page, 'Analytics')
  // Drawn in even steps from scan to scan, the ninth of the eleven days would be there.
  await pointAt(page, { share: 0.45, says: /Nov [56], 2025/ })
  await expect(page.locator('.recharts-tooltip-wrapper')).toContainText('Items scanned in total : 1')

  await page.clock.setFixedTime(new Date('2025-11-21T12:00:00Z'))
  await page.reload()
  await pointAt(page, { share: 0.99, says: /Nov 21, 2025/ })
  await expect(page.locator('.recharts-tooltip-wrapper')).toContainText('Items scanned in total : 4')
})

test('a SKU that is too long for one line of a chart is not shown as another one', async ({
  staff: page,
  program,
  company,
}) => {
  const sku = 'PUMP-HOUSING-STAINLESS-40-MM-0001'
  await importRows(page, [{ barcode: sku, description: 'Pump', primary_quantity: 3 }])
  await program.sql(
    `update stock set scans = 7 where tenant_id = (select tenant_id from login_emails where email = $1)`,
    [company.email],
  )
  await page.setViewportSize({ width: 360, height: 640 })
  await goTo(page, 'Analytics')
  await page.getByRole('button', { name: 'Top SKUs' }).click()
  const canvas = page.getByRole('region')
  const label = canvas.locator('text', { hasText: 'PUMP' })
  await expect(label).toHaveText(sku)
  const left = await canvas.evaluate((element) => element.getBoundingClientRect().left)
  expect((await label.boundingBox())?.x).toBeGreaterThan(left)
  await page.getByRole('button', { name: 'Location Heatmap' }).click()
  const name = page.getByRole('rowheader').getByText(sku)
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('what cannot be loaded is said for the first two charts, and only left empty for the others', async ({
  staff: page,
}) => {
  await page.clock.install()
  await cut(page, '/api/analytics/progress-over-time*')
  await cut(page, '/api/analytics/top-skus*')
  await goTo(page, 'Analytics')
  await page.getByRole('button', { name: 'Weekly Trends' }).click()
  const faults = page.getByRole('alert')
  const says = (...sentences: string[]) =>
    asTimePasses(page, 3_000, (soon) => expect(faults).toHaveText(sentences, soon))
  await says('Error loading progress data', 'Error loading top SKUs data')
  await page.unroute('**/api/analytics/progress-over-time*')
  await page.reload()
  await expect(page.getByText('Status: Connected')).toBeVisible()
  await says('Error loading top SKUs data')
  await page.unroute('**/api/analytics/top-skus*')
  await cut(page, '/api/analytics/heatmap*')
  await cut(page, '/api/analytics/weekly-trends*')
  await page.reload()
  for (const name of ['Weekly Trends', 'Location Heatmap']) {
    await page.getByRole('button', { name }).click()
    const again = page.getByRole('region', { name }).getByRole('button', { name: 'Try again' })
    await asTimePasses(page, 3_000, (soon) => expect(again).toBeVisible(soon))
    await expect(page.getByText('No data available for this graph')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await page.unroute('**/api/analytics/heatmap*')
  await page.getByRole('region').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No data available for this graph')).toBeVisible()
})

test('a refresh says how much of it failed, and a session that has run out is told to log in', async ({
  staff: page,
  context,
}) => {
  await page.clock.install()
  await goTo(page, 'Analytics')
  await expect(page.getByText('No data available for this graph')).toBeVisible()
  const refresh = page.getByRole('button', { name: 'Refresh' })
  const alert = page.getByRole('alert')
  const letThrough = await hold(page, '/api/analytics/progress-over-time*')
  await refresh.click()
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  letThrough()
  await cut(page, '/api/analytics/heatmap*')
  await refresh.click()
  const says = (sentence: string) =>
    asTimePasses(page, 3_000, (soon) => expect(alert).toHaveText(sentence, soon))
  await says('Error loading some dashboard data (1 failed)')
  await context.setOffline(true)
  await refresh.click()
  await says('Error loading dashboard data')
  await expect(page.getByText('Status:')).toHaveCount(0)
  await context.setOffline(false)
  await page.unroute('**/api/analytics/heatmap*')
  await refresh.click()
  await expect(alert).toHaveCount(0)

  await expect(page.getByText('Status: Connected')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('jwt_token'))
  await refresh.click()
  await expect(alert).toContainText('Please log in to refresh data')
  await page.getByRole('button', { name: 'Top SKUs' }).click()
  await expect(page.getByText('Status: Not Authenticated')).toBeVisible()
  await goTo(page, 'Overview')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await goTo(page, 'Analytics')
  await expect(alert).toContainText('Please log in to view analytics')
  await page.getByRole('button', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('what a refresh could not load is said no more once the charts loaded again by themselves', async ({
  staff: page,
}) => {
  await page.clock.install()
  await goTo(page, 'Analytics')
  await expect(page.getByText('No data available for this graph')).toBeVisible()
  await cut(page, '/api/analytics/*')
  await page.getByRole('button', { name: 'Refresh' }).click()
  // The second try of each waits a second.
  await page.clock.runFor(10_000)
  // Until all have failed each is named by itself.
  await expect(page.getByRole('alert').filter({ hasText: 'Error loading dashboard data' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(1)
  await page.unroute('**/api/analytics/*')
  await page.clock.runFor(301_000)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the charts load again by themselves after five minutes, and not after leaving', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  await stopClock(page)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/analytics/progress-over-time')) asked += 1
  })
  await goTo(page, 'Analytics')
  // The five minutes begin when the answer has arrived.
  await expect(page.getByText('No data available for this graph')).toBeVisible()
  expect(asked).toBe(1)
  await page.clock.runFor(299_000)
  expect(asked).toBe(1)
  const letThrough = await hold(page, '/api/analytics/progress-over-time*')
  await page.clock.runFor(2_000)
  await expect.poll(() => asked).toBe(2)
  // Nobody has asked for it: it is seen, and not read out.
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toHaveCount(0)
  letThrough()
  await goTo(page, 'Overview')
  await page.clock.runFor(600_000)
  expect(asked).toBe(2)
})
