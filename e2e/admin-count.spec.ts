import type { Page } from '@playwright/test'
import {
  answerInstead,
  asTimePasses,
  cut,
  divert,
  divertOnce,
  expect,
  goTo,
  hideList,
  importRows,
  showList,
  showMore,
  stall,
  takeInNews,
  test,
} from './fixtures.ts'
import { scanLines } from './scanner.ts'

test(
  'an administrator counts a cycle to its end and resets it',
  { tag: '@handheld' },
  async ({ admin: page }) => {
    await goTo(page, 'Generate Labels')
    await page.getByLabel('Manual entry').fill('A-1,Bolt,3\nA-2,Nut,4')
    await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
    await expect(page.getByText('✅ Success! Generated 2 labels')).toBeVisible()

    await goTo(page, 'Monthly Count')
    await expect(page.getByRole('heading', { name: 'Admin View, Primary Warehouse' })).toBeVisible()
    await expect(page.getByText('Expected 3')).toBeVisible()
    await page.getByRole('button', { name: 'Start Admin View' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()

    await scanLines(page, ['A-1', '2'])
    await expect(page.getByText('Quantity mismatch. Expected: 3, Entered: 2. Please recount.')).toBeVisible()
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('Successfully counted A-1 at Primary Warehouse!')).toBeVisible()
    await showList(page)
    await expect(page.getByText('Counted 3')).toBeVisible()
    await hideList(page)

    await page.reload()
    await page.getByRole('button', { name: 'Resume Admin View' }).click()
    await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
    await showMore(page)
    await page.getByRole('button', { name: 'Reset Cycle Count' }).click()
    await expect(page.getByRole('dialog')).toContainText('Clears 1 counted SKU of this cycle.')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await scanLines(page, ['A-2', '4'])
    await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible()

    await showMore(page)
    await page.getByRole('button', { name: 'Reset Cycle Count' }).click()
    await expect(page.getByRole('dialog')).toContainText('Clears 2 counted SKUs of this cycle.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset Cycle Count' }).click()
    await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
  },
)

test('a cycle that was reset begins anew, without pieces and quantities from before', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-2', '5'])
  await expect(page.getByText('Quantity mismatch. Expected: 4, Entered: 5. Please recount.')).toBeVisible()
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-1', 'A-1'])
  await expect(page.getByLabel('Quantity')).toHaveValue('2')

  await page.getByRole('button', { name: 'Reset Cycle Count' }).click()
  await expect(
    page.getByText('The values in the fields have not been entered and will be lost.'),
  ).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Cycle Count' }).click()
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(page.getByLabel('Barcode')).toHaveValue('')
  await expect(page.getByRole('list', { name: 'Recent scans' }).getByRole('listitem')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Scans to count again' })).toHaveCount(0)
})

test(
  'a second wrong quantity of an administrator is recorded, and whoever finishes an admin view sees what is left of the cycle, and goes on with it later',
  { tag: '@handheld' },
  async ({ admin: page }) => {
    await importRows(page, [
      { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
      { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
      { barcode: 'A-3', description: 'Washer', primary_quantity: 5 },
    ])
    const components = [
      { barcode: 'A-2', bin: 'R-10' },
      { barcode: 'A-3', bin: 'R-2' },
    ]
    await post(page, '/api/components/place', { location: 'PRIMARY', components })
    await goTo(page, 'Monthly Count')
    const listed = page.getByRole('list', { name: 'SKUs to count' }).getByRole('listitem')
    await expect(listed).toHaveText([
      'A-1BoltExpected 3',
      'A-2Bin R-10NutExpected 4',
      'A-3Bin R-2WasherExpected 5',
    ])
    await page.getByLabel('By bin').check()
    await expect(listed).toHaveText([/^A-3/, /^A-2/, /^A-1/])
    await page.getByRole('button', { name: 'Start Admin View' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()
    await showList(page)
    await expect(listed).toHaveText([/^A-3/, /^A-2/, /^A-1/])
    await hideList(page)
    await scanLines(page, ['A-1', '3', 'A-2', '9'])
    await expect(page.getByText('All 2 scans stored, 1 to count again')).toBeVisible()
    await expect(page.getByText('Quantity mismatch. Expected: 4, Entered: 9. Please recount.')).toBeVisible()
    await page.getByRole('button', { name: 'Finish' }).click()
    const question = page.getByRole('dialog', { name: 'Finish counting?' })
    await expect(question.getByText('2 SKUs are left to count.')).toBeVisible()
    await expect(question.getByText('1 quantity did not match and is to be counted again.')).toBeVisible()
    const left = question.getByRole('list', { name: 'Left to count' }).getByRole('listitem')
    await expect(left).toHaveText(['A-3Bin R-2Washer', 'A-2Bin R-10Nut'])

    // The second count of a difference is a count.
    await question.getByRole('button', { name: 'Keep counting' }).click()
    await scanLines(page, ['A-2', '9'])
    await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
    await expect(
      page.getByText(
        'Quantity mismatch. Expected: 4, Entered: 9. It is recorded, and an administrator decides. Go on.',
      ),
    ).toBeVisible()
    await expect(page.getByText('Please recount.')).toBeHidden()
    await page.getByRole('button', { name: 'Finish' }).click()
    await expect(left).toHaveText(['A-3Bin R-2Washer'])
    await question.getByRole('button', { name: 'Finish' }).click()
    await expect(page.getByRole('heading', { name: 'Ready to Count' })).toBeVisible()

    await page.reload()
    await page.getByRole('button', { name: 'Resume Admin View' }).click()
    await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
  },
)

test('a difference counts for its SKU in whichever writing its code was scanned', async ({ admin: page }) => {
  await importRows(page, [
    { barcode: '036000291452', description: 'Soap', primary_quantity: 8 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['0036000291452', '7'])
  await expect(page.getByText('Quantity mismatch. Expected: 8, Entered: 7. Please recount.')).toBeVisible()
  await scanLines(page, ['0036000291452', '7'])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await expect(page.getByText('Counted 7')).toBeVisible()
})

test('an administrator starts and resumes a cycle without a network', async ({ admin: page, context }) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ])
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('1 scan stored')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Counted 3')).toBeVisible()
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()

  await page.reload()
  await expect(page.getByRole('button', { name: 'Resume Admin View' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Resume Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
})

test('a running admin view goes on taking scans while its progress cannot be loaded', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await answerInstead(page, '/api/cycle-counts?*', { status: 503, body: '<h1>Service Unavailable</h1>' })
  // The count that is saved is news, for which the progress is loaded again.
  const failed = page.waitForResponse((response) => response.status() === 503)
  await scanLines(page, ['A-1', '3'])
  await failed
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await scanLines(page, ['A-2', '4'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible()
})

/** Calls as the administrator signed in on a page, past its screen. */
async function post(page: Page, path: string, body: object): Promise<void> {
  const status = await page.evaluate(
    async ({ to, text }) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
      }
      return (await fetch(to, { method: 'POST', headers, body: text })).status
    },
    { to: path, text: JSON.stringify(body) },
  )
  expect(status).toBe(200)
}

test('an open admin view follows the stock that accepted differences change', async ({ admin: page }) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 10 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 40 },
  ])
  await page.clock.install()
  await goTo(page, 'Monthly Count')
  await expect(page.getByText('Expected 10')).toBeVisible()
  await expect(page.getByText('Expected 40')).toBeVisible()
  // The import is news, for which the list is loaded again.
  await takeInNews(page)
  const scan = async (barcode: string, quantity: number) => {
    const timestamp = new Date().toISOString()
    const body = { barcode, quantity, location: 'PRIMARY', session: 's', timestamp }
    await post(page, '/api/components/update-with-tracking', body)
  }
  await scan('A-1', 8)
  await scan('A-1', 8)
  const ids = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('jwt_token')}` }
    const { discrepancies } = await (await fetch('/api/discrepancies', { headers })).json()
    return discrepancies.map(({ id }: { id: string }) => id)
  })
  await post(page, '/api/discrepancies/decide', { ids, decision: 'accept', reason: 'Damaged' })
  const expects = (quantity: number) =>
    asTimePasses(page, 5_000, (soon) => expect(page.getByText(`Expected ${quantity}`)).toBeVisible(soon))
  await expects(8)

  await post(page, '/api/company/settings', { count_tolerance_units: 2 })
  await scan('A-2', 39)
  await expects(39)
})

test('progress that cannot be loaded is asked for again by itself', async ({ admin: page }) => {
  await answerInstead(page, '/api/cycle-counts?*', { status: 503, body: '<h1>Service Unavailable</h1>' })
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('alert')).toContainText('Error loading progress: HTTP error! status: 503')
  await page.unroute('**/api/cycle-counts?*')
  await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible({ timeout: 20_000 })
})

/** Lets the server name other months as the present one, and gives what the screen saves of each. */
async function nameMonths(page: Page): Promise<(month: string) => string[]> {
  let named = { month: '', saved: new Array<string>() }
  await divert(page, '**/api/cycle-counts', async (route) => {
    named.saved.push(route.request().postData() ?? '')
    await route.continue()
  })
  await divert(page, '**/api/cycle-counts?*', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({
      response,
      body: text.replace(/"this_month":"[\d-]*"/, `"this_month":"${named.month}"`),
    })
  })
  return (month) => {
    named = { month, saved: [] }
    return named.saved
  }
}

test('a cycle is that of the month the server names, and goes on to its end when the month turns', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ])
  const nameMonth = await nameMonths(page)
  const inMarch = nameMonth('2031-03')
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await expect(page.getByText('1 scan stored')).toBeVisible()
  expect(inMarch.length).toBe(2)
  expect(inMarch.filter((body) => !body.includes('"Cycle_2031-03_PRIMARY"'))).toEqual([])

  const inApril = nameMonth('2031-04')
  const loaded = page.waitForResponse('**/api/cycle-counts?*')
  await importRows(page, [{ barcode: 'A-3', description: 'Washer', primary_quantity: 5 }])
  await scanLines(page, ['A-2', '4'])
  await loaded
  await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
  await expect(
    page.getByText('The cycle of Mar 2031. Expected quantities are shown; staff count blind.'),
  ).toBeVisible()
  await scanLines(page, ['A-3', '5'])
  await expect(page.getByText('The cycle count of Mar 2031 is complete.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Count certificate' })).toHaveAttribute(
    'href',
    '/accuracy?certificate=PRIMARY&session=Cycle_2031-03_PRIMARY&month=2031-03',
  )
  await expect(page.getByText('All 3 scans stored')).toBeVisible()
  expect(inApril.filter((body) => !body.includes('"Cycle_2031-03_PRIMARY"'))).toEqual([])

  await page.reload()
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByText('0 of 3 counted, 0% complete')).toBeVisible()
  expect(inApril.at(-1)).toContain('"Cycle_2031-04_PRIMARY"')
})

test('a view left open over the turn of the month starts the cycle of the new one', async ({
  admin: page,
}) => {
  const nameMonth = await nameMonths(page)
  nameMonth('2031-03')
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
  const saved = nameMonth('2031-04')
  await page.clock.setFixedTime(new Date(Date.now() + 120_000))
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  expect(saved).toEqual([expect.stringContaining('"Cycle_2031-04_PRIMARY"')])
})

test('a view left open without a network over the turn of the month starts the cycle of the new one', async ({
  admin: page,
  context,
}) => {
  await goTo(page, 'Overview')
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  const now = new Date()
  const inLastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0, 12))
  const nameMonth = await nameMonths(page)
  nameMonth(inLastMonth.toISOString().slice(0, 7))
  await page.clock.setFixedTime(inLastMonth)
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
  await context.setOffline(true)
  // What this test answers in the server's place knows nothing of the network.
  await page.unrouteAll()
  await page.clock.setFixedTime(now)
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await expect(page.getByText(/^Expected quantities are shown; staff count blind[.]$/)).toBeVisible()
  const sent = page.waitForRequest(/update-with-tracking/)
  await context.setOffline(false)
  const parts = { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit' } as const
  const month = new Intl.DateTimeFormat('sv-SE', parts).format(now)
  expect((await sent).postDataJSON()).toMatchObject({ session: `Cycle_${month}_PRIMARY` })
})

test('a cycle that was complete is so no more when components are added', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible()
  await importRows(page, [{ barcode: 'A-2', description: 'Nut', primary_quantity: 4 }])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await expect(page.getByText('This month’s cycle count is complete.')).toBeHidden()
})

async function startCycle(page: Page, codes: string[]): Promise<void> {
  await importRows(
    page,
    codes.map((barcode) => ({ barcode, description: 'Bolt', primary_quantity: 3 })),
  )
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

test('a cycle whose last counts are stored while another screen is shown is complete at once', async ({
  admin: page,
}) => {
  await startCycle(page, ['A-1', 'A-2'])
  const countCall = '/api/components/update-with-tracking'
  await cut(page, countCall)
  await scanLines(page, ['A-1', '3', 'A-2', '3'])
  await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
  await goTo(page, 'Overview')
  await page.unroute(`**${countCall}`)
  await expect(page.getByText('Ada Admin completed the cycle count')).toBeVisible({ timeout: 30_000 })
  await goTo(page, 'Monthly Count')
  await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible()
})

test('progress that was read before a count and arrives after it takes nothing away', async ({
  admin: page,
}) => {
  // Without news nothing is loaded but what is asked for here.
  await stall(page, '/api/events*')
  await goTo(page, 'Overview')
  await startCycle(page, ['A-1', 'A-2', 'A-3'])
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
  let arrive: () => void = () => undefined
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  let isRead = false
  let isLate = false
  await divertOnce(page, '**/api/cycle-counts?*', async (route) => {
    const response = await route.fetch()
    isRead = true
    await arrival
    await route.fulfill({ response })
    isLate = true
  })
  await page.evaluate(() => {
    for (const name of ['offline', 'online']) window.dispatchEvent(new Event(name))
  })
  await expect.poll(() => isRead).toBe(true)
  await scanLines(page, ['A-2', '3'])
  await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
  arrive()
  await expect.poll(() => isLate).toBe(true)
  await page.waitForTimeout(500)
  await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
})
