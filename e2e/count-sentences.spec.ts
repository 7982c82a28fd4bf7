import type { Page, Route } from '@playwright/test'
import {
  afterTries,
  answerInstead,
  asTimePasses,
  cut,
  dayOf,
  divert,
  expect,
  goTo,
  hold,
  importRows,
  loseAnswer,
  pressWithoutSession,
  test,
} from './fixtures.ts'
import { askAs } from './people.ts'
import { pauseOfHand, scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    barcode: `A-${String(index).padStart(2, '0')}`,
    description: `Bolt ${index}`,
    primary_quantity: 3,
  }))

async function planToday(page: Page, count: number): Promise<void> {
  const day = new Intl.DateTimeFormat('en-US', { weekday: 'long' }).format(new Date())
  const weekday = day.startsWith('S') ? 'Wednesday' : day
  const status = await page.evaluate(
    async (body) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
      }
      const options = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch('/api/components/bulk-high-volume', options)).status
    },
    {
      barcodes: many(count).map(({ barcode }) => barcode),
      day: weekday,
      location: 'PRIMARY',
      action: 'add',
    },
  )
  expect(status).toBe(200)
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption(weekday)
  await expect(page.getByRole('heading', { name: `Ready to Count ${weekday}` })).toBeVisible()
}

test('fifteen components are listed and all when asked, those that are pending alone, and how many a search found', async ({
  staff: page,
}) => {
  await importRows(page, many(17))
  await goTo(page, 'Monthly Count')
  const items = page.getByRole('list', { name: 'Components to count' }).getByRole('listitem')
  await expect(items).toHaveCount(15)
  await expect(items.first()).toContainText('A-00')
  await expect(items.first()).toContainText('Bolt 0')
  await expect(items.first()).toContainText('Pending')
  await page.getByRole('button', { name: 'Show All 17 Components' }).click()
  await expect(items.first()).toHaveAttribute('aria-setsize', '17')
  await items.getByText('A-14').scrollIntoViewIfNeeded()
  await expect(items.getByText('A-16')).toBeVisible()
  await page.getByRole('button', { name: 'Show Less' }).click()
  await expect(items).toHaveCount(15)

  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const said = page.getByText(/^\d+ found$/)
  await page.getByLabel('Only pending').check()
  await expect(items.first()).toHaveAttribute('aria-setsize', '17')
  await expect(said).toHaveCount(0)
  await page.getByLabel('Find in the list').fill('A-0')
  await expect(said).toHaveText('10 found')
  await page.getByLabel('Find in the list').fill('')
  await page.getByLabel('Only pending').uncheck()

  await scanLines(page, ['A-00', '3'])
  await expect(items.first()).toContainText('Counted')
  await page.getByLabel('Only pending').check()
  await expect(items.first()).toContainText('A-01')
  await expect(items.first()).toHaveAttribute('aria-setsize', '16')
  await scanLines(page, ['A-01', '3'])
  await expect(items.first()).toContainText('A-02')
  await page.getByLabel('Find in the list').fill('A-0')
  await expect(items.first()).toHaveAttribute('aria-setsize', '8')
  await page.getByLabel('Find in the list').fill('A-00')
  await expect(page.getByText('Nothing here is pending.')).toBeVisible()
  await page.getByLabel('Only pending').uncheck()
  await expect(items).toHaveText([/A-00/])
})

test('five SKUs are listed for an administrator, all of them when asked, and those that are left to count alone', async ({
  admin: page,
}) => {
  await importRows(page, many(7))
  await goTo(page, 'Monthly Count')
  const items = page.getByRole('list', { name: 'SKUs to count' }).getByRole('listitem')
  await expect(items).toHaveCount(5)
  await page.getByRole('button', { name: 'Show All 7 SKUs' }).click()
  await expect(items.getByText('A-06')).toBeVisible()

  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-00', '3'])
  await expect(items.first()).toContainText('Counted 3')
  await page.getByLabel('Only pending').check()
  await expect(items).toHaveText([/A-01/, /A-02/, /A-03/, /A-04/, /A-05/, /A-06/])
})

test('ten high-volume SKUs are listed and all of them when asked, and administrators see the correct quantity of a mismatch', async ({
  admin: page,
}) => {
  await importRows(page, many(12))
  await planToday(page, 12)
  const list = page.getByRole('list', { name: 'Components to count' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  await expect(list.getByRole('listitem').first()).toContainText('["PRIMARY"]')
  await page.getByRole('button', { name: 'Show All 12 SKUs' }).click()
  await expect(list.getByText('A-11')).toBeVisible()

  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-00', '9'])
  await expect(page.getByText('Incorrect quantity for Bolt 0 (Correct: 3)')).toBeVisible()
})

test('results and messages go by themselves, Next Item clears the inputs, and the auto-focus can be switched off', async ({
  staff: page,
}) => {
  await importRows(page, many(2))
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByText('Started monthly count for Primary Warehouse.')).toBeVisible()
  await expect(page.getByText('Started monthly count for Primary Warehouse.')).toBeHidden({ timeout: 6_000 })
  const barcode = page.getByLabel('Barcode')
  await barcode.fill('A-00')
  await page.getByLabel('Quantity').fill('9')
  await page.getByRole('button', { name: 'Next Item' }).click()
  await expect(barcode).toHaveValue('')
  await expect(page.getByText('Not entered: A-00, 9.')).toBeVisible()
  await page.getByRole('button', { name: 'Put back' }).click()
  await expect(barcode).toHaveValue('A-00')
  await expect(page.getByLabel('Quantity')).toHaveValue('9')
  await page.getByRole('button', { name: 'Next Item' }).click()
  await pauseOfHand(page)
  await scanLines(page, ['A-00', '9'])
  await expect(page.getByText('Incorrect quantity for Bolt 0')).toBeVisible()
  await expect(page.getByText('Scan it again, then count.')).toBeVisible()
  await expect(barcode).toHaveValue('')
  await expect(page.getByLabel('Quantity')).toHaveValue('')

  await scanLines(page, ['A-00', '3'])
  await expect(page.getByText('✓ Bolt 0 - Quantity matches!')).toBeVisible()
  await expect(barcode).toBeFocused()
  await page.getByLabel('Auto-focus').uncheck()
  await page.getByLabel('Auto-focus').focus()
  await scanLines(page, ['A-01'])
  await expect(barcode).toHaveValue('A-01')
  await expect(page.getByLabel('Auto-focus')).toBeFocused()
})

async function forgetCompany(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { tenantId, ...user } = JSON.parse(String(localStorage.getItem('user_data')))
    localStorage.setItem('user_data', JSON.stringify({ ...user, formerly: tenantId }))
  })
  await page.goto('/monthly-count')
}

test('an administrator without a company is told to log in again', async ({ admin: page }) => {
  await forgetCompany(page)
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByText('Authentication error. Please log out and log in again.')).toBeVisible()
})

test('a location that was left in another tab is asked for', async ({ staff: page, context }) => {
  await importRows(page, many(1))
  await startMonth(page)
  const other = await context.newPage()
  await other.goto('/')
  await other.evaluate(() => localStorage.removeItem('selectedLocation'))
  await page.getByLabel('Barcode').fill('A-00')
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('No location selected. Please select a location.')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-00')
})

test('a session that has run out keeps what was scanned', async ({ staff: page }) => {
  await importRows(page, many(1))
  await startMonth(page)
  await page.getByLabel('Barcode').fill('A-00')
  await page.getByLabel('Quantity').fill('3')
  await pressWithoutSession(page.getByRole('button', { name: 'Submit' }))
  await expect(page.getByText('Error: Not authenticated. Please log in again.')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-00')
})

test('what the count screens cannot load is said', async ({ staff: page }) => {
  await cut(page, '/api/components/to-count*')
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('alert')).toContainText(
    'Error fetching components: The server cannot be reached.',
    afterTries,
  )
  await scanLines(page, ['A-1'])
  await expect(
    page.getByText(
      'Not counted: the list could not be loaded. Try again, then scan it once the list has loaded.',
    ),
  ).toBeVisible()
  await cut(page, '/api/components/high-volume-for-day')
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('')
  await dayOf(page).focus()
  await scanLines(page, ['MX-2201'])
  await expect(page.getByText('Not counted: choose a day and start the count first.')).toBeVisible()
  await expect(dayOf(page)).toHaveValue('')
  await dayOf(page).selectOption('Monday')
  await expect(page.getByRole('alert')).toContainText(
    'Error loading high volume components: The server cannot be reached.',
    afterTries,
  )
})

const tooLong =
  'There are too many components for one list. An administrator can retire those that are no longer kept.'

async function refuse(route: Route): Promise<void> {
  const json = { success: false, code: 'list_too_long', error: tooLong }
  await route.fulfill({ status: 400, json })
}

test('a list that is too long for the server is said, with a way to ask again', async ({ staff: page }) => {
  await divert(page, '**/api/components/to-count*', refuse)
  await divert(page, '**/api/components/high-volume-for-day', refuse)
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('alert')).toContainText(`Error fetching components: ${tooLong}`)
  await page.unroute('**/api/components/to-count*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Monday')
  await expect(page.getByRole('alert')).toContainText(`Error loading high volume components: ${tooLong}`)
})

/** Loads the list of a running count again, which is too long now; it is counted on, and the list is loaded after all. */
async function outgrow(page: Page, call: string, sentence: string): Promise<void> {
  await divert(page, call, refuse)
  // Another component is news, for which the list is loaded again.
  await importRows(page, [{ barcode: 'B-00', description: 'Nut', primary_quantity: 4 }])
  await expect(page.getByRole('alert')).toContainText(`${sentence}: ${tooLong}`)
  await scanLines(page, ['A-00', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await expect(page.getByText(/^1 of \d counted/)).toBeVisible()
  await expect(page.getByRole('alert')).toContainText(`${sentence}: ${tooLong}`)
  await page.unroute(call)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
}

test('a monthly list that is shown and has become too long is said, and counting goes on', async ({
  staff: page,
}) => {
  await importRows(page, many(2))
  await startMonth(page)
  await outgrow(page, '**/api/components/to-count*', 'Error fetching components')
  await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
})

test('a list of an admin view that is shown and has become too long is said, and counting goes on', async ({
  admin: page,
}) => {
  await importRows(page, many(2))
  await startMonth(page)
  await outgrow(page, '**/api/components/to-count*', 'Error loading components')
  await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
})

test('a weekly list that is shown and has become too long is said, and counting goes on', async ({
  admin: page,
}) => {
  await importRows(page, many(2))
  await planToday(page, 2)
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await outgrow(page, '**/api/components/high-volume-for-day', 'Error loading high volume components')
})

for (const { path, sentence } of [
  {
    path: '/api/components/to-count*',
    sentence: 'Error loading components: The server cannot be reached.',
  },
  { path: '/api/cycle-counts*', sentence: 'Error loading progress: The server cannot be reached.' },
]) {
  test(`the admin view says '${sentence}'`, async ({ admin: page }) => {
    await page.clock.install()
    await cut(page, path)
    await goTo(page, 'Monthly Count')
    await asTimePasses(page, 3_000, (soon) => expect(page.getByRole('alert')).toContainText(sentence, soon))
    await page.unroute(`**${path}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
  })
}

test('a history that cannot be loaded is said', async ({ staff: page }) => {
  await importRows(page, many(1))
  await page.clock.install()
  await goTo(page, 'Monthly Count')
  await cut(page, '/api/components/count-history')
  await page.getByRole('list', { name: 'Components to count' }).getByText('A-00').click()
  await asTimePasses(page, 3_000, (soon) =>
    expect(page.getByRole('alert')).toHaveText(
      'Error fetching history for A-00: The server cannot be reached.',
      soon,
    ),
  )
})

test('an entry that the server refuses is said and kept', async ({ staff: page }) => {
  await importRows(page, many(1))
  await startMonth(page)
  // The clock of this device was wrong by an hour as it scanned, and was set before the network came back.
  await cut(page, '/api/components/update-with-tracking')
  await page.clock.setFixedTime(new Date(Date.now() + 3_600_000))
  await scanLines(page, ['A-00', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await page.clock.setFixedTime(new Date())
  await page.unroute('**/api/components/update-with-tracking')
  const refusal = page
    .getByText(
      'Error updating quantity: The clock of this device was ahead when this was scanned and has been set back since. Count it again.',
    )
    .first()
  // By then it tries every ten seconds.
  await expect(refusal).toBeVisible({ timeout: 30_000 })
})

test('a device whose clock is behind or ahead counts as any other', async ({ staff: page }) => {
  await importRows(page, many(2))
  await startMonth(page)
  for (const [barcode, minutes, progress] of [
    ['A-00', -60, '1 of 2 counted, 50% complete'],
    ['A-01', 60, '2 of 2 counted, 100% complete'],
  ] as const) {
    await page.clock.setFixedTime(new Date(Date.now() + minutes * 60_000))
    const [answer] = await Promise.all([
      page.waitForResponse(/update-with-tracking/),
      scanLines(page, [barcode, '3']),
    ])
    const [, countedAt = ''] = /"counted_at":"([^"]+)"/.exec(await answer.text()) ?? []
    expect(Math.abs(Date.now() - Date.parse(countedAt))).toBeLessThan(60_000)
    await expect(page.getByText(progress)).toBeVisible()
  }
})

test('a count that cannot be started or reset is said, a reset that is tried again leaves what a colleague counted since, and a user without a company is told to log in again', async ({
  staff: page,
  program,
  company,
}) => {
  await importRows(page, many(1))
  await goTo(page, 'Monthly Count')
  const start = page.getByRole('button', { name: 'Start Monthly Count' })
  await expect(start).toBeVisible()
  await answerInstead(page, '/api/components/to-count*', {
    status: 500,
    body: '<h1>Bad gateway</h1>',
  })
  await start.click()
  await expect(page.getByText('Error starting count: HTTP error! status: 500')).toBeVisible()
  await page.unroute('**/api/components/to-count*')

  await start.click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await loseAnswer(page, '/api/components/reset-counts')
  await page.getByRole('button', { name: 'Reset Count' }).click()
  const question = page.getByRole('dialog', { name: 'Reset Count' })
  await question.getByRole('button', { name: 'Reset Count' }).click()
  await expect(question).toContainText('Error resetting count: The server cannot be reached.')
  await page.unroute('**/api/components/reset-counts')
  // It was done: what a colleague counts now is not to go with the second try.
  const entry = { barcode: 'A-00', quantity: 3, location: 'PRIMARY', source: 'monthly', session: 'Monthly_1' }
  const body = { ...entry, timestamp: new Date().toISOString() }
  await askAs(program, company, { path: '/api/components/update-with-tracking', body })
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
  const letThrough = await hold(page, '/api/components/reset-counts')
  await question.getByRole('button', { name: 'Reset Count' }).click()
  await expect(question.getByRole('button', { name: 'Resetting...' })).toBeDisabled()
  for (const _ of ['once', 'twice']) await page.keyboard.press('Escape')
  await expect(question.getByRole('button', { name: 'Close dialog' })).toBeDisabled()
  expect(await question.evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
  letThrough()
  await expect(page.getByText('Count for Primary Warehouse has been reset.')).toBeVisible()
  await expect(question).toBeHidden()
  const standing = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('jwt_token')}` }
    return await (await fetch('/api/components/to-count?location=PRIMARY', { headers })).json()
  })
  expect(standing).toMatchObject({ counted: 1, total: 1 })

  await forgetCompany(page)
  await start.click()
  await expect(
    page.getByText('Error: Invalid tenant information. Please log out and log in again.'),
  ).toBeVisible()
})

test('a count that has begun goes on where its list cannot be read anew for a moment', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'A-00', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  await answerInstead(page, '/api/components/to-count*', { status: 503, body: '<h1>Unavailable</h1>' })
  const refused = page.waitForResponse(/to-count/)
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await refused
  await scanLines(page, ['A-00', '3'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
  await expect(page.getByText('Everything at Primary Warehouse is counted this month.')).toBeVisible()
})

test('an admin view that cannot be started or reset is said', async ({ admin: page }) => {
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
  await answerInstead(page, '/api/cycle-counts', { status: 500, body: '<h1>Bad gateway</h1>' })
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByText('Error starting admin view: HTTP error! status: 500')).toBeVisible()
  await page.unroute('**/api/cycle-counts')
  const letThrough = await hold(page, '/api/cycle-counts')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByRole('button', { name: 'Starting...' })).toBeFocused()
  letThrough()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await loseAnswer(page, '/api/cycle-counts/*')
  await page.getByRole('button', { name: 'Reset Cycle Count' }).click()
  const reset = page.getByRole('dialog').getByRole('button', { name: 'Reset Cycle Count' })
  await reset.click()
  await expect(page.getByText('Error resetting cycle count: The server cannot be reached.')).toBeVisible()
  // It was done, as the second try finds.
  await reset.click()
  await expect(page.getByText('Count for Primary Warehouse has been reset.')).toBeVisible()
})

test('the latest source of a SKU is looked up', async ({ admin: page }) => {
  await importRows(page, many(5))
  const progress = { 'A-00': 3, 'A-01': 3, 'A-02': 3, 'A-03': 3, 'A-04': 3 }
  const inCompany = { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit' } as const
  const month = new Intl.DateTimeFormat('en-CA', inCompany).format(new Date())
  // Another device has taken a count back, and kept a cycle; its other counts came as history entries, one of them without a source.
  const post = (path: string, body: unknown, key = crypto.randomUUID()) =>
    page.evaluate(
      async (request) => {
        const headers = {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
          'idempotency-key': request.key,
        }
        const options = { method: 'POST', headers, body: JSON.stringify(request.body) }
        return (await fetch(request.path, options)).status
      },
      { path, body, key },
    )
  const cycle = { id: `Cycle_${month}_PRIMARY`, location: 'PRIMARY', user_type: 'admin', progress }
  const count = { barcode: 'A-04', quantity: 3, location: 'PRIMARY', session: 's', source: 'monthly' }
  const timestamp = new Date().toISOString()
  const itsKey = crypto.randomUUID()
  expect(await post('/api/components/update-with-tracking', { ...count, timestamp }, itsKey)).toBe(200)
  expect(await post('/api/components/undo-count', { key: itsKey })).toBe(200)
  expect(await post('/api/cycle-counts', cycle)).toBe(200)
  const entry = { quantity: 3, location: 'PRIMARY', count_type: 'monthly' }
  expect(await post('/api/count-history', { ...entry, sku: 'A-01', source: '' })).toBe(201)
  expect(await post('/api/count-history', { ...entry, sku: 'A-03', source: 'handheld' })).toBe(201)
  await divert(page, '**/api/count-history?sku=A-02*', (route) => route.abort('connectionreset'))
  await page.clock.install()
  await goTo(page, 'Monthly Count')
  const list = page.getByRole('list', { name: 'SKUs to count' })
  await expect(list.getByText('Latest: Not yet counted')).toBeVisible()
  await expect(list.getByText('Latest: No source information available')).toBeVisible()
  await expect(list.getByText('Latest: handheld')).toBeVisible()
  await expect(list.getByText('Latest: Taken back')).toBeVisible()
  const failed = list.getByText('Latest: Error retrieving source')
  await asTimePasses(page, 3_000, (soon) => expect(failed).toBeVisible(soon))
})
