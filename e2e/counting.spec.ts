import type { Page } from '@playwright/test'
import { divert, divertOnce, expect, goTo, hold, importRows, stall, test } from './fixtures.ts'
import { keptTexts, spoilKept } from './kept.ts'
import { askAs } from './people.ts'
import { pauseOfHand, scanLines } from './scanner.ts'

test(
  'whoever finishes a count sees what is left of it, and goes on with it later',
  { tag: '@handheld' },
  async ({ staff: page }) => {
    await importRows(page, [
      { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
      { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
      { barcode: 'A-3', description: 'Washer', primary_quantity: 5 },
    ])
    await goTo(page, 'Monthly Count')
    await page.getByRole('button', { name: 'Start Monthly Count' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()
    await scanLines(page, ['A-1', '3', 'A-2', '9', 'A-3'])
    await expect(page.getByText('All 2 scans stored, 1 to count again')).toBeVisible()
    const question = page.getByRole('dialog', { name: 'Finish counting?' })
    await page.getByRole('button', { name: 'Finish' }).click()
    await expect(
      question.getByText(
        'The values in the fields have not been entered. Press Submit first: Next Item leaves them out.',
      ),
    ).toBeVisible()
    await expect(question.getByRole('button', { name: 'Finish' })).toHaveCount(0)
    await question.getByRole('button', { name: 'Keep counting' }).click()

    await page.getByLabel('Quantity').fill('6')
    await page.getByRole('button', { name: 'Next Item' }).click()
    await pauseOfHand(page)
    await scanLines(page, ['IM:LOC:SECONDARY'])
    await expect(
      page.getByText('Not entered yet: press Put back or Discard before you go to another location.'),
    ).toBeVisible()
    await page.reload()
    await expect(page.getByText('Not entered: A-3, 6.')).toBeVisible()
    await page.getByRole('button', { name: 'Finish' }).click()
    await expect(
      question.getByText('Not entered: A-3, 6. To count it, keep counting and press Put back.'),
    ).toBeVisible()
    await expect(question.getByText('2 SKUs are left to count.')).toBeVisible()
    await expect(question.getByText('1 quantity did not match and is to be counted again.')).toBeVisible()
    await expect(question.getByRole('list', { name: 'Left to count' }).getByRole('listitem')).toHaveText([
      'A-2Nut',
      'A-3Washer',
    ])
    await question.getByRole('button', { name: 'Finish' }).click()
    await expect(page.getByRole('heading', { name: 'Ready to Count' })).toBeVisible()
    await page.getByRole('button', { name: 'Start Monthly Count' }).click()
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
  },
)

test('whoever walks along the shelves finds, sorts and counts again by bin, and sees where a scanned item belongs', async ({
  staff: page,
  program,
  company,
}) => {
  const place = (components: { barcode: string; bin: string }[]) =>
    askAs(program, company, { path: '/api/components/place', body: { location: 'PRIMARY', components } })
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
    { barcode: 'A-3', description: 'Washer', primary_quantity: 5 },
    { barcode: 'A-4', description: 'Screw', primary_quantity: 6 },
  ])
  await place([
    { barcode: 'A-2', bin: 'R-10' },
    { barcode: 'A-4', bin: 'r-2' },
  ])
  await goTo(page, 'Monthly Count')
  const rows = page.getByRole('list', { name: 'Components to count' }).getByRole('listitem')
  await expect(rows.nth(1)).toHaveText('A-2PendingBin R-10NutNot counted')
  await page.getByLabel('By bin').check()
  await expect(rows).toHaveText([/^A-4/, /^A-2/, /^A-1/, /^A-3/])
  const sought = page.getByPlaceholder('Code, description or bin')
  await sought.fill('r-')
  await expect(rows).toHaveText([/^A-4/, /^A-2/])
  await expect.poll(() => keptTexts(page)).toContain('"bin":"R-10"')

  await page.reload()
  await expect(rows).toHaveText([/^A-4/, /^A-2/, /^A-1/, /^A-3/])
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['R-10'])
  await expect(page.getByText('In bin R-10: 1 of the list')).toBeVisible()
  await expect(page.getByText('Scan a barcode to begin')).toBeVisible()
  await expect(rows).toHaveText([/^A-2/])
  await expect(sought).toHaveValue('R-10')
  await sought.fill('')
  await scanLines(page, ['A-2', '9', 'A-1', '9', 'A-4', '9', 'A-2'])
  await expect(page.getByText('All 3 scans stored, 3 to count again')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Nut' })).toHaveText(
    'NutBin R-10A-2Enter its quantity',
  )
  const again = page.getByRole('list', { name: 'Scans to count again' }).getByRole('listitem')
  await expect(again).toHaveText([/^A-4Bin r-2Screw/, /^A-2Bin R-10Nut/, /^A-1Bolt/])
  await page.getByRole('button', { name: 'Confirm absent' }).click()
  const left = page.getByRole('dialog').getByRole('list', { name: 'Left to count' }).getByRole('listitem')
  await expect(left).toHaveText(['A-4Bin r-2ScrewDid not match', 'A-1BoltDid not match', 'A-3Washer'])
  await page.getByRole('button', { name: 'Keep counting' }).click()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(left).toHaveText(['A-4Bin r-2Screw', 'A-2Bin R-10Nut', 'A-1Bolt', 'A-3Washer'])
  await page.getByRole('button', { name: 'Keep counting' }).click()

  await place([{ barcode: 'A-3', bin: 'R-1' }])
  await expect(rows).toHaveText([/^A-3PendingBin R-1Washer/, /^A-4/, /^A-2/, /^A-1/])
  await sought.focus()
  await scanLines(page, ['r-1'])
  await expect(page.getByText('In bin R-1: 1 of the list')).toBeVisible()
  await expect(rows).toHaveText([/^A-3/])
  await expect(sought).toHaveValue('R-1')
  await scanLines(page, ['r-10'])
  await expect(rows).toHaveText([/^A-2/])
  await scanLines(page, ['A-2'])
  await expect(sought).toHaveValue('')
  await page.getByRole('button', { name: 'Next Item' }).click()
  await page.getByLabel('Barcode').fill('r-2')
  await page.getByLabel('Quantity').fill('5')
  await expect(page.getByText('r-2 is a bin, not a component.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('r-2 is a bin, not a component.')).toHaveCount(2)
  await expect(page.getByText('All 3 scans stored, 3 to count again')).toBeVisible()
  await page.getByLabel('By bin').uncheck()
  await expect(again).toHaveText([/^A-4/, /^A-1/, /^A-2/])
})

test('an empty or odd entry is asked for, not counted, and a scan is taken wherever the focus is, also over a half typed quantity', async ({
  staff: page,
}) => {
  const barcode = page.getByLabel('Barcode')
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Please enter a barcode.')).toBeVisible()
  await barcode.fill('A-1')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Please enter a quantity.')).toBeVisible()

  await page.getByLabel('Quantity').fill('4006381333931')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('a quantity or a barcode?')).toBeVisible()
  await page.getByRole('button', { name: 'Barcode', exact: true }).click()
  await expect(barcode).toHaveValue('A-1')
  await expect(page.getByText('1 scanned, waiting for its quantity')).toBeVisible()

  await page.getByRole('button', { name: 'Next Item' }).click()
  await expect(barcode).toHaveValue('4006381333931')
  await page.getByRole('button', { name: 'Next Item' }).click()
  await expect(barcode).toHaveValue('')
  await page.getByRole('button', { name: 'Reset Count' }).focus()
  await scanLines(page, ['FIRST@1'])
  await expect(barcode).toHaveValue('FIRST@1')
  await page.getByLabel('Quantity').pressSequentially('7', { delay: 200 })
  await page.waitForTimeout(200)
  await scanLines(page, ['SECOND-2'])
  await expect(barcode).toHaveValue('FIRST@1')
  await expect(page.getByText('1 scanned, waiting for its quantity')).toBeVisible()
})

const sessionOf = (page: Page) =>
  page.evaluate(() => Object.values(sessionStorage).find((value: string) => value.startsWith('Monthly_')))

test('what is scanned before a count is started is said to be counted nowhere, and presses nothing', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 15 }])
  await goTo(page, 'Monthly Count')
  const start = page.getByRole('button', { name: 'Start Monthly Count' })
  await start.focus()
  await scanLines(page, ['A-1'], 'twoEnters')
  await expect(page.getByText('Not counted: start the count first.')).toBeVisible()
  await scanLines(page, ['PALLET 12'])
  await expect(start).toBeFocused()
  // Until then it is the second end key of a scanner.
  await page.waitForTimeout(1_200)
  await page.keyboard.press('Enter', { delay: 150 })
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(page.getByLabel('Barcode')).toHaveValue('')

  await scanLines(page, ['A-1'])
  await expect(page.getByLabel('Quantity')).toBeFocused()
  const quantity = page.getByLabel('Quantity')
  await quantity.hover()
  await quantity.evaluate((field) => {
    field.addEventListener('blur', () => (document.documentElement.dataset['left'] = 'yes'))
  })
  await page.mouse.wheel(0, 100)
  await expect(page.locator('html')).toHaveAttribute('data-left', 'yes')
  await expect(quantity).toBeFocused()
  await page.keyboard.type('15', { delay: 200 })
  await page.keyboard.press('Enter')
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
})

test('what is scanned while the list is loading is said to be counted nowhere', async ({ staff: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await page.goto('/health/live')
  const letThrough = await hold(page, '/api/components/to-count*')
  await page.goto('/monthly-count')
  await expect(page.getByText('Loading components...')).toBeVisible()
  await scanLines(page, ['A-1'])
  await expect(
    page.getByText('Not counted: the list is still loading. Scan it again once it has loaded.'),
  ).toBeVisible()
  letThrough()
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
})

test("a counting session is named by the company's day, and the progress of its count shows the last 8 characters of it", async ({
  staff: page,
}) => {
  await goTo(page, 'Monthly Count')
  // In Berlin this day has begun, in UTC not yet.
  const day = new Date().toISOString().slice(0, 10)
  await page.clock.setFixedTime(Date.parse(`${day}T00:00:00Z`) - 1_800_000)
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeVisible()
  const kept = await sessionOf(page)
  expect(kept).toMatch(new RegExp(`^Monthly_${day}_PRIMARY_\\d{13}$`))
  await expect(page.getByText(`Session ${String(kept).slice(-8)}`, { exact: true })).toBeVisible()
})

test('a scanner that ends each code with two Enters or with CR and LF counts, and the browser does nothing else', async ({
  staff: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 5 },
    { barcode: 'A-3', description: 'Washer', primary_quantity: 4 },
    { barcode: 'A-4', description: 'Seal', primary_quantity: 6 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await page.evaluate(() => {
    addEventListener('keydown', ({ key, ctrlKey, defaultPrevented }) => {
      if (ctrlKey && key !== 'Control' && !defaultPrevented) document.title += ` ${key}`
    })
  })
  const title = await page.title()
  await scanLines(page, ['A-1', '3', 'A-2', '5'], 'twoEnters')
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await expect(page.getByText('2 of 4 counted, 50% complete')).toBeVisible()
  await expect(page.getByText('Please enter a quantity.')).toHaveCount(0)
  expect(await page.title()).toBe(title)

  await scanLines(page, ['A-3', '4', 'A-4', '6'], 'crLf')
  await expect(page.getByText('All 4 scans stored')).toBeVisible()
  await expect(page.getByText('4 of 4 counted, 100% complete')).toBeVisible()
  await expect(page.getByText('Please enter a quantity.')).toHaveCount(0)
  expect(await page.title()).toBe(title)
})

test('of a code with lot and expiry the trade item number is counted', async ({ staff: page }) => {
  await importRows(page, [{ barcode: '9506000134352', description: 'Saline', primary_quantity: 7 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByRole('button', { name: /Saline/ })).toContainText('Pending')
  await scanLines(page, ['010950600013435210LOT-7\u001D17251231'])
  await expect(page.getByLabel('Barcode')).toHaveValue('9506000134352')
  await scanLines(page, ['7'])
  await expect(page.getByText('Saline - Quantity matches!')).toBeVisible()
  // With the lot first, whose end only the separator tells: wherever the focus is, and into the field.
  await page.getByRole('button', { name: 'Confirm absent' }).focus()
  await scanLines(page, ['10LOT-7\u001D010950600013435217251231'])
  await expect(page.getByLabel('Barcode')).toHaveValue('9506000134352')
  await page.getByLabel('Barcode').fill('')
  await scanLines(page, ['10LOT-8\u001D010950600013435217251231'])
  await expect(page.getByLabel('Barcode')).toHaveValue('9506000134352')
  await page.getByLabel('Barcode').fill('')
  // Into the quantity, and with the name of its symbol.
  await scanLines(page, [']d2010950600013435217251231', '8'])
  await expect(page.getByText('Incorrect quantity for')).toBeVisible()

  await goTo(page, 'Components')
  await page.getByLabel('Search').fill('(01)09506000134352(10)LOT-7(17)251231')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '9506000134352', level: 1 })).toBeVisible()
})

test('what a scanner adds is taken off its codes, and a SKU that begins alike is counted as itself', async ({
  staff: page,
}) => {
  await importRows(page, [
    { barcode: 'ABC-1', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'ABC-2', description: 'Nut', primary_quantity: 6 },
  ])
  await page.evaluate(() => localStorage.setItem('scanner_settings', '{"prefix":"A","suffix":""}'))
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['AABC-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('ABC-1')
  await scanLines(page, ['5'])
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await page.getByLabel('Barcode').fill('ABC-2')
  await page.getByLabel('Quantity').fill('6')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('✓ Nut - Quantity matches!')).toBeVisible()
})

test('a quantity with signs between its digits is refused, also through a correction and on keyboards without keys, and not counted as another one', async ({
  staff: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 1000 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 15 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1'])
  const quantity = page.getByLabel('Quantity')
  const refusal = page.getByText('Type the quantity in digits only, without sign, point, comma or space.')
  for (const typed of ['1,5', '1 000', '1.000']) {
    await expect(quantity).toBeFocused()
    await quantity.pressSequentially(typed, { delay: 150 })
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(refusal).toBeVisible()
    await expect(quantity).toHaveValue('')
    await quantity.pressSequentially(typed, { delay: 150 })
    await page.keyboard.press('Enter')
    await expect(quantity).toHaveValue('')
  }
  await quantity.pressSequentially('1000', { delay: 150 })
  await page.keyboard.press('Enter')
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await expect(refusal).toBeHidden()

  await scanLines(page, ['A-2'])
  await expect(quantity).toBeFocused()
  for (const key of ['1', ',', '5', 'Backspace', '5']) await quantity.press(key, { delay: 150 })
  await expect(quantity).toHaveValue('15')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(refusal).toBeVisible()
  await expect(quantity).toHaveValue('')
  for (const text of ['1', ',', '5']) {
    await page.keyboard.insertText(text)
    await page.waitForTimeout(150)
  }
  await expect(quantity).toHaveValue('15')
  await page.keyboard.press('Enter')
  await expect(quantity).toHaveValue('')
  for (const text of ['1', '5']) await page.keyboard.insertText(text)
  await page.keyboard.press('Enter')
  await expect(page.getByText('✓ Nut - Quantity matches!')).toBeVisible()
})

test('in a place that the network does not reach, the list of before is shown at once, keeps what is counted, and gives way to the present one once it can be loaded', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  await expect.poll(() => keptTexts(page)).toContain('"A-1"')
  // Nothing fails there, and nothing is answered, until the network is cut.
  let cutNetwork = (): void => undefined
  const silence = new Promise<void>((resolve) => (cutNetwork = resolve))
  await divert(page, '**/api/components/to-count*', async (route) => {
    await silence
    await route.abort('connectionreset')
  })
  await page.reload()
  const notice = page.getByText(
    /The server cannot be reached. This list is from .*. Scans are kept on this device/,
  )
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
  // Asked for in vain, what is shown keeps what was counted since.
  const askedAgain = page.waitForRequest('**/api/components/to-count*')
  cutNetwork()
  await askedAgain
  await expect(notice).toBeVisible()
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
  await page.getByLabel('Barcode').fill('A-1')
  await page.unroute('**/api/components/to-count*')
  await expect(notice).toBeHidden({ timeout: 20_000 })
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
})

test('a list that is slow to come is waited for where the one that is kept cannot be read', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  await expect.poll(() => keptTexts(page)).toContain('"A-1"')
  await spoilKept(page)
  await divert(page, '**/api/components/to-count*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await route.continue()
  })
  await page.reload()
  // Given up after four seconds each time, it would never come.
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible({ timeout: 30_000 })
})

test('a list that was read before a scan and arrives after it takes no mark away', async ({
  staff: page,
}) => {
  const toCount = '**/api/components/to-count*'
  // Without news nothing is loaded but what is asked for here.
  await stall(page, '/api/events*')
  await goTo(page, 'Overview')
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ])
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  let arrive: () => void = () => undefined
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  let isLate = false
  await divertOnce(page, toCount, async (route) => {
    const response = await route.fetch()
    await arrival
    await route.fulfill({ response })
    isLate = true
  })
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  const list = page.getByRole('list', { name: 'Components to count' })
  await expect(list.getByText('Pending')).toHaveCount(1)
  arrive()
  await expect.poll(() => isLate).toBe(true)
  await page.waitForTimeout(500)
  await expect(list.getByText('Pending')).toHaveCount(1)
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
})

test('opened by its address, the count asks for its list before the program is there, and once', async ({
  staff: page,
}) => {
  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  let lists = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/components/to-count')) lists += 1
  })
  await divert(page, '**/assets/frame-*.js', async (route) => {
    await expect.poll(() => lists).toBe(1)
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  expect(lists).toBe(1)
})
