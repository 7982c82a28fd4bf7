import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { cut, dayOf, divert, expect, goTo, importRows, stopClock, test } from './fixtures.ts'
import { askAs, goOn } from './people.ts'
import { pauseOfHand, scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

const countCall = '/api/components/update-with-tracking'

const rows = [
  { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
  { barcode: 'B-1', description: 'Nut', primary_quantity: 0 },
  { barcode: 'C-1', description: 'Washer', primary_quantity: 7 },
  { barcode: 'D-1', description: 'Rivet', primary_quantity: 0 },
]

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm absent' })
const openDialog = (page: Page) => page.getByRole('button', { name: 'Confirm absent' }).click()
/** The dialog takes the focus when it opens, which whoever types at once would lose. */
const awaitFocus = (page: Page) => expect(dialogOf(page).getByRole('heading')).toBeFocused()
const leftOf = (page: Page) =>
  dialogOf(page).getByRole('list', { name: 'Left to count' }).getByRole('listitem')
const againOf = (page: Page) => page.getByRole('list', { name: 'Scans to count again' })

test(
  'what is left and not there is counted as 0, several at once, and what was expected is to be looked for again',
  { tag: '@handheld' },
  async ({ staff: page }) => {
    await startMonth(page, rows)
    await scanLines(page, ['A-1', '5'])
    await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible()
    await openDialog(page)
    await expect(leftOf(page)).toHaveText(['B-1Nut', 'C-1Washer', 'D-1Rivet'])
    const confirm = dialogOf(page).getByRole('button', { name: /^Count .* as 0$/ })
    await expect(confirm).toHaveText('Count 0 SKUs as 0')
    await expect(confirm).toBeDisabled()
    await dialogOf(page).getByLabel('B-1').check()
    await expect(confirm).toHaveText('Count 1 SKU as 0')
    await dialogOf(page).getByLabel('All 3 shown').check()
    expect(await barriersOf(page)).toEqual([])
    await dialogOf(page).getByRole('button', { name: 'Count 3 SKUs as 0' }).click()
    await expect(dialogOf(page)).toBeHidden()

    await expect(page.getByText('All 4 scans stored')).toBeVisible()
    await expect(page.getByText('3 of 4 counted, 75% complete')).toBeVisible()
    await expect(againOf(page).getByRole('listitem')).toHaveCount(1)
    await expect(againOf(page)).toContainText('C-1')

    await openDialog(page)
    await expect(leftOf(page)).toHaveText(['C-1WasherDid not match'])
    await dialogOf(page).getByLabel('C-1').check()
    await dialogOf(page).getByRole('button', { name: 'Count 1 SKU as 0' }).click()
    await expect(page.getByText('4 of 4 counted, 100% complete')).toBeVisible()
    await expect(againOf(page)).toHaveCount(0)
    await expect(page.getByLabel('Barcode')).toBeFocused()
    await openDialog(page)
    await expect(dialogOf(page).getByText('Nothing here is pending.')).toBeVisible()
  },
)

test('what was scanned and has its quantity still to come is not offered as absent', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await scanLines(page, ['A-1'])
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await openDialog(page)
  await expect(leftOf(page)).toHaveText(['B-1Nut', 'C-1Washer', 'D-1Rivet'])
  await dialogOf(page).getByRole('button', { name: 'Keep counting' }).click()
  await page.getByLabel('Quantity').fill('5')
  await pauseOfHand(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible()
})

test('what was confirmed as absent twice waits for an administrator, with what was expected', async ({
  staff: page,
  program,
  company,
  openElsewhere,
}) => {
  await startMonth(page, rows)
  for (const stored of ['1 scan stored', 'All 2 scans stored']) {
    await openDialog(page)
    await dialogOf(page).getByLabel('C-1').check()
    await dialogOf(page).getByRole('button', { name: 'Count 1 SKU as 0' }).click()
    await expect(page.getByText(stored)).toBeVisible()
  }
  const desk = await openElsewhere()
  await goOn(desk, program, company)
  await desk.goto(`${program.url}/discrepancies`)
  const difference = desk.getByRole('list', { name: 'Differences' }).getByRole('listitem').first()
  await expect(difference).toContainText('C-1')
  await expect(difference).toContainText('Expected7Counted0')
})

test('a search narrows what is chosen, and what waits without a network is not offered again', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await cut(page, countCall)
  await openDialog(page)
  await awaitFocus(page)
  await dialogOf(page).getByLabel('Find what is left').fill('rivet')
  await expect(leftOf(page)).toHaveText(['D-1Rivet'])
  await dialogOf(page).getByLabel('All 1 shown').check()
  await dialogOf(page).getByLabel('Find what is left').fill('nothing')
  await expect(dialogOf(page).getByText('Nothing here matches "nothing".')).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Count 1 SKU as 0' }).click()
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await openDialog(page)
  await expect(leftOf(page)).toHaveText(['A-1Bolt', 'B-1Nut', 'C-1Washer'])
  await dialogOf(page).getByRole('button', { name: 'Keep counting' }).click()

  // Neither in the count that is started after this one, which is another session.
  await scanLines(page, ['A-1', '4'])
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  const finish = page.getByRole('dialog', { name: 'Finish counting?' })
  await finish.getByRole('button', { name: 'Finish' }).click()
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await openDialog(page)
  await expect(leftOf(page)).toHaveText(['B-1Nut', 'C-1Washer'])
  await dialogOf(page).getByRole('button', { name: 'Keep counting' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(finish.getByRole('list', { name: 'Left to count' }).getByRole('listitem')).toHaveCount(2)
  await finish.getByRole('button', { name: 'Keep counting' }).click()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible({ timeout: 30_000 })
})

test(
  'what a colleague counts meanwhile moves no other row, and is counted as 0 no more',
  { tag: '@handheld' },
  async ({ staff: page, program, company }) => {
    await startMonth(page, rows)
    await openDialog(page)
    await dialogOf(page).getByLabel('A-1').check()
    await dialogOf(page).getByLabel('C-1').check()
    const before = await dialogOf(page).getByLabel('C-1').boundingBox()
    const entry = {
      barcode: 'A-1',
      quantity: 5,
      location: 'PRIMARY',
      source: 'monthly',
      session: 'Monthly_1',
    }
    const body = { ...entry, timestamp: new Date().toISOString() }
    await askAs(program, company, { path: countCall, body })
    await expect(leftOf(page)).toHaveText(['A-1BoltCounted', 'B-1Nut', 'C-1Washer', 'D-1Rivet'])
    expect(await dialogOf(page).getByLabel('C-1').boundingBox()).toEqual(before)
    await expect(dialogOf(page).getByLabel('A-1')).toBeDisabled()
    await expect(dialogOf(page).getByRole('button', { name: 'Count 1 SKU as 0' })).toBeEnabled()
  },
)

test('what was scanned in another writing of its code, and waits, is not offered', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: '036000291452', description: 'Tissues', primary_quantity: 3 }, ...rows])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await cut(page, countCall)
  await scanLines(page, ['0036000291452', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await openDialog(page)
  await expect(leftOf(page)).toHaveText(['A-1Bolt', 'B-1Nut', 'C-1Washer', 'D-1Rivet'])
})

test('a dialog that cannot be loaded says so, and the count behind it goes on', async ({ staff: page }) => {
  const chunk = /absent-dialog.*[.]js$/
  await divert(page, chunk, (route) => route.abort('connectionreset'))
  await startMonth(page, rows)
  await openDialog(page)
  const missing = page.getByRole('dialog', { name: 'This part could not be loaded' })
  await expect(missing).toContainText('What you scanned is kept.')
  expect(await barriersOf(page)).toEqual([])
  await missing.getByRole('button', { name: 'Close dialog' }).click()
  await scanLines(page, ['A-1', '5'])
  await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible()
  // It would be asked for again by itself.
  await stopClock(page)
  await openDialog(page)
  await expect(missing).toBeVisible()
  await page.unroute(chunk)
  await missing.getByRole('button', { name: 'Try again' }).click()
  await expect(leftOf(page)).toHaveText(['B-1Nut', 'C-1Washer', 'D-1Rivet'])
})

test('a hundred are confirmed at once at most', async ({ staff: page }) => {
  const many = Array.from({ length: 130 }, (_, index) => ({
    barcode: `E-${String(index).padStart(3, '0')}`,
    description: index < 20 ? 'Early' : 'Late',
    primary_quantity: 0,
  }))
  await importRows(page, many)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await openDialog(page)
  await expect(leftOf(page)).toHaveCount(100)
  await expect(dialogOf(page).getByText('30 more are left: search for them.')).toBeVisible()
  await dialogOf(page).getByLabel('All 100 shown').check()
  await dialogOf(page).getByLabel('Find what is left').fill('E-12')
  await dialogOf(page).getByLabel('E-129').check()
  await expect(dialogOf(page).getByRole('alert')).toHaveText('Choose 100 at most, and the rest after them.')
  await expect(dialogOf(page).getByRole('button', { name: 'Count 101 SKUs as 0' })).toBeDisabled()
  await dialogOf(page).getByLabel('E-129').uncheck()
  await dialogOf(page).getByRole('button', { name: 'Count 100 SKUs as 0' }).click()
  await expect(page.getByText('All 100 scans stored')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('100 of 130 counted, 76% complete')).toBeVisible()
})

test('administrators see what is expected of what is left of their cycle, and of a weekly list its day', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await openDialog(page)
  await expect(leftOf(page)).toHaveText([
    'A-1BoltExpected 5',
    'B-1NutExpected 0',
    'C-1WasherExpected 7',
    'D-1RivetExpected 0',
  ])
  await dialogOf(page).getByLabel('B-1').check()
  await dialogOf(page).getByRole('button', { name: 'Count 1 SKU as 0' }).click()
  await expect(page.getByText('1 of 4 counted, 25% complete')).toBeVisible()

  const body = { barcodes: ['A-1', 'D-1'], day: 'Wednesday', location: 'PRIMARY', action: 'add' }
  await askAs(program, company, { path: '/api/components/bulk-high-volume', body })
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await openDialog(page)
  await expect(leftOf(page)).toHaveCount(2)
  await dialogOf(page).getByLabel('D-1').check()
  await dialogOf(page).getByRole('button', { name: 'Count 1 SKU as 0' }).click()
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
})

test('what is left is found by one scan after the other, as the scanner writes it', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.evaluate(() => {
    localStorage.setItem('scanner_settings', JSON.stringify({ prefix: '~', suffix: '#' }))
  })
  await openDialog(page)
  await awaitFocus(page)
  await dialogOf(page).getByLabel('Find what is left').focus()
  for (const [scanned, row] of [
    ['~B-1#', 'B-1Nut'],
    ['~D-1#', 'D-1Rivet'],
  ] as const) {
    await scanLines(page, [scanned])
    await expect(leftOf(page)).toHaveText([row])
  }
})

test('what was chosen as absent and is scanned behind the dialog is not counted as 0, also where it did not match', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await openDialog(page)
  await dialogOf(page).getByLabel('All 4 shown').check()
  await expect(dialogOf(page).getByRole('button', { name: 'Count 4 SKUs as 0' })).toBeEnabled()
  await pauseOfHand(page)
  await scanLines(page, ['C-1', 'C-1', 'A-1'])
  await expect(leftOf(page).filter({ hasText: 'C-1' })).toHaveText('C-1WasherDid not match')
  await expect(dialogOf(page).getByLabel('C-1')).not.toBeChecked()
  await dialogOf(page).getByRole('button', { name: 'Count 3 SKUs as 0' }).click()
  await expect(page.getByText('All 3 scans stored, 1 to count again')).toBeVisible()
  await expect(againOf(page)).toContainText('C-1')
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
})
