import type { Page } from '@playwright/test'
import {
  answerInstead,
  cut,
  dayOf,
  divert,
  expect,
  fillDisk,
  goTo,
  hideList,
  hold,
  importRows,
  postFrom,
  showList,
  showMore,
  stall,
  test,
} from './fixtures.ts'
import { keptTexts } from './kept.ts'
import { askAs } from './people.ts'
import { pauseOfHand, scanLines } from './scanner.ts'

const makeComponents = (page: Page) =>
  importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
    { barcode: 'A-3', description: 'Washer', primary_quantity: 5 },
  ])

/** Makes components, two of which are on Wednesday's list, and goes to the weekly count. */
async function planWednesday(page: Page): Promise<void> {
  await makeComponents(page)
  const list = { barcodes: ['A-1', 'A-2'], day: 'Wednesday', location: 'PRIMARY', action: 'add' }
  await postFrom(page, '/api/components/bulk-high-volume', list)
  await goTo(page, 'Weekly Count')
}

/** As planWednesday, by hand, with a code that nobody knows among the others. */
async function planWednesdayByHand(page: Page): Promise<void> {
  await makeComponents(page)
  await goTo(page, 'Weekly Count')
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Counted on').selectOption('Wednesday')
  await dialog.getByLabel('Add SKUs').fill('A-1\nA-2\nGHOST')
  await dialog.getByRole('button', { name: 'Add to Wednesday' }).click()
  await expect(dialog.getByText('Not found: GHOST')).toBeVisible()
  await expect(dialog.getByText('Wednesday at Primary Warehouse', { exact: true })).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('whoever looks at when a SKU was counted is in the trail', async ({ admin: page }) => {
  await planWednesday(page)
  await dayOf(page).selectOption('Wednesday')
  const told = page.waitForResponse(
    (response) => response.request().postData()?.includes('sku_history_viewed') === true,
  )
  await page.getByRole('button', { name: /A-1/ }).click()
  await expect(page.getByRole('dialog')).toContainText('A-1')
  // It is counted from here only while a count runs.
  const countThis = page.getByRole('button', { name: 'Count this' })
  await expect(countThis).toHaveCount(0)
  await page.keyboard.press('Escape')
  await told
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await page.getByRole('button', { name: /A-1/ }).click()
  await countThis.click()
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await page.keyboard.type('3')
  await pauseOfHand(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await goTo(page, 'Audit Trail')
  await page.getByLabel('SKU').fill('A-1')
  await expect(page.getByRole('table', { name: 'Audit entries' })).toContainText(/history/i)
})

test(
  'the high-volume SKUs of a day are counted, and a second time only when asked',
  { tag: '@handheld' },
  async ({ admin: page }) => {
    await planWednesdayByHand(page)
    const components = [
      { barcode: 'A-1', bin: 'R-2' },
      { barcode: 'A-3', bin: 'R-9' },
    ]
    await postFrom(page, '/api/components/place', { location: 'PRIMARY', components })
    await dayOf(page).selectOption('Wednesday')
    await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()
    await page.getByRole('button', { name: 'Start Count' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()

    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
    await expect(page.locator('[data-result]').getByText('Bin R-2')).toBeVisible()
    await showList(page)
    await expect(page.getByRole('button', { name: /^A-1.*Bin R-2 Bolt/ })).toBeVisible()
    await hideList(page)
    await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()

    await scanLines(page, ['A-3', '5'])
    await expect(
      page
        .getByText('Barcode A-3 is not part of the Wednesday high-volume count at Primary Warehouse.')
        .first(),
    ).toBeVisible()
    await scanLines(page, ['GHOST-9', '5'])
    await expect(page.getByText('Component with barcode GHOST-9 not found.').first()).toBeVisible()
    await expect(page.getByText('1 scan stored')).toBeVisible()
    // A bin in which nothing of the day lies.
    await scanLines(page, ['R-9'])
    await expect(page.getByText('R-9 is a bin, not a component.')).toBeVisible()

    await scanLines(page, ['A-1', '3'])
    const dialog = page.getByRole('dialog', { name: 'Count again?' })
    await dialog.getByRole('button', { name: 'Keep the count' }).click()
    await expect(page.getByText('Count not updated. Please recount if necessary.')).toBeVisible()
    await page.getByLabel('Barcode').focus()
    await scanLines(page, ['A-1', '3'])
    await dialog.getByRole('button', { name: 'Count again' }).click()
    await expect(page.getByText('All 2 scans stored')).toBeVisible()

    await showMore(page)
    await page.getByRole('button', { name: 'Reset Count' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset Count' }).click()
    await expect(page.getByText('Count for Primary Warehouse has been reset.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Start Count' })).toBeVisible()

    await page.goto('/unknown-codes')
    await expect(page.getByRole('list', { name: 'Unknown codes' }).getByText('GHOST-9')).toBeVisible()
  },
)

test(
  'whoever finishes a weekly count sees what is left of the day, and goes on with it later',
  { tag: '@handheld' },
  async ({ admin: page }) => {
    await planWednesday(page)
    await dayOf(page).selectOption('Wednesday')
    await page.getByRole('button', { name: 'Start Count' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()
    await scanLines(page, ['A-1', '3', 'A-2', '9'])
    await expect(page.getByText('All 2 scans stored, 1 to count again')).toBeVisible()
    await page.getByRole('button', { name: 'Finish' }).click()
    const question = page.getByRole('dialog', { name: 'Finish counting?' })
    await expect(question.getByText('1 SKU is left to count.')).toBeVisible()
    await expect(question.getByText('1 quantity did not match and is to be counted again.')).toBeVisible()
    await expect(question.getByRole('list', { name: 'Left to count' }).getByRole('listitem')).toHaveText([
      'A-2Nut',
    ])
    await question.getByRole('button', { name: 'Finish' }).click()
    await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()

    await page.reload()
    await dayOf(page).selectOption('Wednesday')
    await page.getByRole('button', { name: 'Resume Count' }).click()
    await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  },
)

test('a barcode that is not on the list of the day is asked about in the quantity', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: '1042', description: 'Screw' }])
  await planWednesday(page)
  await dayOf(page).selectOption('Wednesday')
  await Promise.all([
    page.waitForResponse('**/api/components/to-count*'),
    page.getByRole('button', { name: 'Start Count' }).click(),
  ])
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '1042'])
  await expect(page.getByText('Is 1042 a quantity or a barcode?')).toBeVisible()
  await page.getByRole('button', { name: 'Neither' }).click()
  await scanLines(page, ['3'])
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await scanLines(page, ['A-2', '0000104233'])
  await expect(page.getByText('Is 0000104233 a quantity or a barcode?')).toBeVisible()
})

test('a SKU counted again stays in question where the device cannot keep the answer', async ({
  admin: page,
}) => {
  await planWednesday(page)
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await scanLines(page, ['A-1', '3'])
  await fillDisk(page, 'delete')
  const dialog = page.getByRole('dialog', { name: 'Count again?' })
  await dialog.getByRole('button', { name: 'Count again' }).click()
  await expect(
    dialog.getByText('This device could not keep your decision: its storage may be full. Decide again.'),
  ).toBeVisible()
  await page.reload()
  await dayOf(page).selectOption('Wednesday')
  await dialog.getByRole('button', { name: 'Count again' }).click()
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
})

const dayList = '/api/components/high-volume-for-day'

test("a day's list that cannot be loaded is asked for again by hand", async ({ staff: page }) => {
  // Of what does not pass nothing is asked for again by itself.
  await answerInstead(page, dayList, { status: 400, body: '<h1>Bad Request</h1>' })
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await expect(page.getByRole('alert')).toContainText(
    'Error loading high volume components: HTTP error! status: 400',
  )
  await page.unroute(`**${dayList}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No high-volume SKUs on Wednesday')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Count' })).toHaveAccessibleDescription(
    'Administrators choose them with Manage High Volume.',
  )
})

test("a day's list that cannot be loaded is asked for again by itself, and why stays said meanwhile", async ({
  staff: page,
}) => {
  await answerInstead(page, dayList, { status: 503, body: '<h1>Service Unavailable</h1>' })
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  const failure = page
    .getByRole('alert')
    .getByText('Error loading high volume components: HTTP error! status: 503')
  await expect(failure).toBeVisible()
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let isAsked = false
  await divert(page, `**${dayList}`, async (route) => {
    isAsked = true
    await answered
    await route.continue()
  })
  await expect.poll(() => isAsked).toBe(true)
  await expect(failure).toBeVisible()
  answer()
  await expect(page.getByText('No high-volume SKUs on Wednesday')).toBeVisible()
})

test('the lists of high-volume SKUs say only what is known', async ({ admin: page }) => {
  await planWednesday(page)
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  // Two days that nothing was loaded of.
  const today = await dialog.getByLabel('Counted on').inputValue()
  const [first = '', second = ''] = ['Monday', 'Tuesday', 'Friday'].filter((day) => day !== today)
  await stall(page, '/api/components/high-volume-for-day')
  await dialog.getByLabel('Counted on').selectOption(first)
  await expect(dialog.getByText('Loading components...')).toBeVisible()
  await expect(dialog.getByText(`No high-volume SKUs on ${first}`)).toBeHidden()
  await page.unroute('**/api/components/high-volume-for-day')
  await answerInstead(page, '/api/components/high-volume-for-day', { status: 502, body: '<html>' })
  await dialog.getByLabel('Counted on').selectOption(second)
  await expect(dialog.getByRole('alert')).toContainText(
    'Error loading high volume components: HTTP error! status: 502',
  )
  await expect(dialog.getByText(`No high-volume SKUs on ${second}`)).toBeHidden()
  await page.unroute('**/api/components/high-volume-for-day')
  await expect(dialog.getByText(`No high-volume SKUs on ${second}`)).toBeVisible({ timeout: 15_000 })
  await dialog.getByLabel('Counted on').selectOption('Wednesday')
  const letThrough = await hold(page, '/api/components/bulk-high-volume')
  await dialog.getByRole('button', { name: 'Remove A-1' }).click()
  await expect(dialog.getByRole('button', { name: 'Remove A-2' })).toBeDisabled()
  letThrough()
  await expect(dialog.getByRole('button', { name: 'Remove A-1' })).toBeHidden()
  await expect(dialog.getByText('Removed from Wednesday: A-1.')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'SKUs of Wednesday' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Remove A-2' }).click()
  await expect(dialog.getByText('No high-volume SKUs on Wednesday')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'SKUs of Wednesday' })).toBeFocused()
})

test('that a SKU could not be taken off a day for want of a network is said at once, before the list is asked for again', async ({
  admin: page,
}) => {
  await planWednesday(page)
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Counted on').selectOption('Wednesday')
  const remove = dialog.getByRole('button', { name: 'Remove A-1' })
  await expect(remove).toBeVisible()
  await cut(page, '/api/components/bulk-high-volume')
  await stall(page, '/api/components/high-volume-for-day')
  const askedAgain = page.waitForRequest('**/api/components/high-volume-for-day')
  await remove.click()
  await expect(dialog.getByRole('alert')).toHaveText('The server cannot be reached.')
  await expect(remove).toBeEnabled()
  await askedAgain
})

/** Changes the time zone of the company. */
async function moveTo(page: Page, zone: string): Promise<void> {
  const status = await page.evaluate(async (timeZone) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
    }
    const body = JSON.stringify({ time_zone: timeZone })
    return (await fetch('/api/company/settings', { method: 'POST', headers, body })).status
  }, zone)
  expect(status).toBe(200)
}

test('the day is today where the company is, and stays what was chosen or begun before that is known', async ({
  admin: page,
}) => {
  await planWednesday(page)
  const settings = '**/api/company/settings'
  await moveTo(page, 'Pacific/Kiritimati')
  // Wednesday in the evening on this device, Thursday in the morning of the company.
  await page.clock.setFixedTime(new Date('2026-11-18T20:00:00+01:00'))
  const openBeforeZoneIsKnown = async () => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.unrouteAll()
    await divert(page, settings, async (route) => {
      await answered
      await route.continue()
    })
    await page.goto('/weekly-count')
    await expect(dayOf(page)).toHaveValue('Wednesday')
    return async () => {
      const known = page.waitForResponse(settings)
      answer()
      await (await known).finished()
    }
  }

  const tellZone = await openBeforeZoneIsKnown()
  await tellZone()
  await expect(dayOf(page)).toHaveValue('Thursday')

  const tellAfterChoice = await openBeforeZoneIsKnown()
  await dayOf(page).selectOption('Monday')
  await tellAfterChoice()
  await expect(page.getByText('No high-volume SKUs on Monday')).toBeVisible()
  await expect(page.getByText('Choose them with Manage High Volume.', { exact: true })).toBeVisible()
  await expect(dayOf(page)).toHaveValue('Monday')

  const tellAfterStart = await openBeforeZoneIsKnown()
  await page.getByRole('button', { name: 'Start Count' }).click()
  await tellAfterStart()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(page.getByRole('progressbar', { name: 'Counted today' })).toBeVisible()
  await expect(dayOf(page)).toHaveValue('Wednesday')
})

test(
  'SKUs of which most leaves are suggested, and put on a day one by one or all',
  { tag: '@handheld' },
  async ({ admin: page }) => {
    await planWednesday(page)
    await page.getByRole('button', { name: 'Manage High Volume' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Counted on').selectOption('Wednesday')
    await dialog.getByRole('button', { name: 'Suggest SKUs' }).click()
    await expect(
      dialog.getByText(
        'Everything issued or miscounted here in the last 90 days is already on a weekly list.',
      ),
    ).toBeVisible()
    await importRows(page, [
      { barcode: 'B-1', description: 'Hinge', primary_quantity: 2000 },
      { barcode: 'B-2', description: 'Latch', primary_quantity: 20 },
      { barcode: 'B-3', description: 'Hasp', primary_quantity: 20 },
    ])
    const issue = (barcode: string, amount: number) =>
      postFrom(page, '/api/components/adjust-quantity', {
        barcode,
        location: 'PRIMARY',
        amount,
        reason: 'issued',
      })
    await issue('B-1', -1500)
    await issue('B-2', -3)
    await issue('B-3', -2)
    const costs = { components: [{ barcode: 'B-1', unit_cost: 0.25 }] }
    await postFrom(page, '/api/components/set-costs', costs)
    await dialog.getByRole('button', { name: 'Hide suggestions' }).click()
    await dialog.getByRole('button', { name: 'Suggest SKUs' }).click()
    const suggested = dialog.getByRole('list', { name: 'Suggested SKUs' })
    await expect(suggested.getByRole('listitem')).toHaveText([
      /B-1\s*Hinge\s*1,500 went out, worth \$375\.00/,
      /B-2\s*Latch\s*3 went out/,
      /B-3\s*Hasp\s*2 went out/,
    ])
    await answerInstead(page, '/api/components/bulk-high-volume', { status: 502, body: '<html>' })
    await suggested.getByRole('button', { name: 'Add B-2 to Wednesday' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('HTTP error! status: 502')
    await page.unroute('**/api/components/bulk-high-volume')
    await suggested.getByRole('button', { name: 'Add B-2 to Wednesday' }).click()
    await expect(suggested.getByRole('listitem').nth(1)).toContainText('On Wednesday')
    await expect(dialog.getByRole('group', { name: 'Suggestions' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Add all 2 to Wednesday' }).click()
    await expect(suggested.getByText('On Wednesday')).toHaveCount(3)
    await expect(dialog.getByRole('button', { name: 'Remove B-1' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Hide suggestions' }).click()
    await dialog.getByRole('button', { name: 'Suggest SKUs' }).click()
    await expect(dialog.getByText('is already on a weekly list')).toBeVisible()
  },
)

test('a SKU that somebody puts on a list elsewhere is no longer suggested, in its place, and what is issued asks for no suggestions', async ({
  admin: page,
  program,
  company,
}) => {
  await planWednesday(page)
  await importRows(page, [
    { barcode: 'B-1', description: 'Hinge', primary_quantity: 20 },
    { barcode: 'B-2', description: 'Latch', primary_quantity: 20 },
  ])
  const post = (path: string, body: object) =>
    askAs(program, company, { path: `/api/components/${path}`, body })
  const issue = (barcode: string, amount: number) =>
    post('adjust-quantity', { barcode, location: 'PRIMARY', amount, reason: 'issued' })
  await issue('B-1', -3)
  await issue('B-2', -2)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const timesAsked = () => asked.filter((path) => path === '/api/components/high-volume-suggestions').length
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Counted on').selectOption('Wednesday')
  await dialog.getByRole('button', { name: 'Suggest SKUs' }).click()
  const suggested = dialog.getByRole('list', { name: 'Suggested SKUs' }).getByRole('listitem')
  await expect(suggested).toHaveText([/^B-1/, /^B-2/])

  const listed = () => asked.filter((path) => path.endsWith('/high-volume-for-day')).length
  const before = listed()
  await issue('B-2', -9)
  await expect.poll(listed).toBeGreaterThan(before)
  // What the same news would have asked for is on its way by then.
  await page.waitForTimeout(300)
  expect(timesAsked()).toBe(1)
  await post('bulk-high-volume', { barcodes: ['B-1'], day: 'Wednesday', location: 'PRIMARY', action: 'add' })
  await expect(dialog.getByRole('button', { name: 'Remove B-1' })).toBeVisible()
  await expect(suggested).toHaveText([/^B-1.*No longer suggested$/, /^B-2.*11 went out.*Add$/])
  expect(timesAsked()).toBe(2)
})

test('what is scanned while SKUs are put on a day stays, with those that nobody knows', async ({
  admin: page,
}) => {
  await planWednesday(page)
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Counted on').selectOption('Wednesday')
  const codes = dialog.getByLabel('Add SKUs')
  await codes.fill('A-3\nGHOST\n')
  const letThrough = await hold(page, '/api/components/bulk-high-volume')
  await dialog.getByRole('button', { name: 'Add to Wednesday' }).click()
  await codes.focus()
  await scanLines(page, ['A-1', 'A-3'])
  await expect(codes).toHaveValue('A-3\nGHOST\nA-1\nA-3\n')
  letThrough()
  await expect(dialog.getByText('Added to Wednesday: A-3. Not found: GHOST')).toBeVisible()
  await expect(codes).toHaveValue('GHOST\nA-1\nA-3\n')
})

test(
  'what a day already has is said, and of a long list what is in view is drawn',
  { tag: '@handheld' },
  async ({ admin: page }) => {
    await planWednesday(page)
    const many = Array.from({ length: 300 }, (_, index) => ({ barcode: `M-${index}`, description: 'Many' }))
    await importRows(page, many)
    await page.getByRole('button', { name: 'Manage High Volume' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Counted on').selectOption('Friday')
    const codes = dialog.getByLabel('Add SKUs')
    const add = dialog.getByRole('button', { name: 'Add to Friday' })
    await codes.fill('M-0')
    await add.click()
    await expect(dialog.getByText('Added to Friday: M-0.')).toBeVisible()
    await codes.fill('M-0')
    await add.click()
    await expect(dialog.getByText('On Friday already.')).toBeVisible()
    await codes.fill(many.map(({ barcode }) => barcode).join('\n'))
    await add.click()
    await expect(dialog.getByText('Added to Friday: 299 SKUs.')).toBeVisible()
    await expect(dialog.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '300')
    expect(await dialog.getByRole('listitem').count()).toBeLessThan(40)
    const list = dialog.getByRole('region', { name: 'High-volume SKUs' })
    await list.focus()
    await page.keyboard.press('End')
    await dialog.getByRole('button', { name: 'Remove M-99' }).click()
    await expect(dialog.getByText('Removed from Friday: M-99.')).toBeVisible()
    await expect(dialog.getByRole('listitem').last()).toContainText('M-98')
  },
)

test('SKUs are put on a day as a scanner writes them, one after the other, and what is no barcode stays', async ({
  admin: page,
}) => {
  await planWednesday(page)
  await page.evaluate(() => {
    localStorage.setItem('scanner_settings', JSON.stringify({ prefix: '~', suffix: '#' }))
  })
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Counted on').selectOption('Friday')
  const codes = dialog.getByLabel('Add SKUs')
  const tooLong = 'X'.repeat(60)
  await codes.fill(`~A-3#\nA-2\n${tooLong}`)
  await dialog.getByRole('button', { name: 'Add to Friday' }).click()
  await expect(dialog.getByText(`Not found: ${tooLong}`)).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Remove / })).toHaveCount(2)
  await expect(dialog.getByRole('button', { name: 'Remove A-3' })).toBeVisible()
  await codes.focus()
  await scanLines(page, ['~A-1#'])
  await expect(codes).toHaveValue(`${tooLong}\n~A-1#\n`)
})

test('a screen that is left open follows the day, but not while a count runs', async ({ admin: page }) => {
  await planWednesday(page)
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.clock.setFixedTime(new Date('2026-11-17T20:00:00+01:00'))
  await page.goto('/weekly-count')
  await expect(dayOf(page)).toHaveValue('Tuesday')
  await page.clock.setFixedTime(new Date('2026-11-18T07:00:00+01:00'))
  await look()
  await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()
  await expect(dayOf(page)).toHaveValue('Wednesday')

  await page.getByRole('button', { name: 'Start Count' }).click()
  await page.reload()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1'])
  const before = await sessionOf(page)
  await page.clock.setFixedTime(new Date('2026-11-19T07:00:00+01:00'))
  await look()
  await expect.poll(() => sessionOf(page)).not.toBe(before)
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await expect(dayOf(page)).toHaveValue('Wednesday')
  await page.getByRole('button', { name: 'Next Item' }).click()
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('No high-volume SKUs on Thursday')).toBeVisible()
  await expect(dayOf(page)).toHaveValue('Thursday')
})

test('a count that runs goes on as another session where the company moves to a zone whose day has changed since', async ({
  admin: page,
}) => {
  await planWednesday(page)
  await page.clock.setFixedTime(new Date('2026-11-18T12:30:00Z'))
  await page.goto('/weekly-count')
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  const before = await sessionOf(page)
  await page.clock.setFixedTime(new Date('2026-11-18T13:30:00Z'))
  // It was Wednesday there until one o'clock; these zones are named the other way round.
  await moveTo(page, 'Etc/GMT-11')
  const sessionSeen = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    return await sessionOf(page)
  }
  await expect.poll(sessionSeen).not.toBe(before)
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await scanLines(page, ['3'])
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
})

/** Puts the company where it is evening, so that tomorrow is a few hours away, and gives a moment of tomorrow's morning. */
async function moveToEvening(page: Page): Promise<Date> {
  const hours = 18 - new Date().getUTCHours()
  const east = hours > 14 ? hours - 24 : hours
  // These zones are named the other way round: Etc/GMT-2 is two hours east.
  const zone = `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
  await moveTo(page, zone)
  return new Date(Date.now() + 11 * 3_600_000)
}

const sessionOf = (page: Page) =>
  page.evaluate(() => Object.values(sessionStorage).find((value) => value.startsWith('Weekly_Wednesday_')))

/** Counts one of the two components of Wednesday, with a company where tomorrow is a few hours away. */
async function countInTheEvening(page: Page): Promise<Date> {
  await planWednesday(page)
  const tomorrow = await moveToEvening(page)
  await page.reload()
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  return tomorrow
}

test('a list that was kept yesterday holds no count of today back', async ({ admin: page }) => {
  const tomorrow = await countInTheEvening(page)
  await page.reload()
  await dayOf(page).selectOption('Wednesday')
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await expect.poll(() => keptTexts(page)).toContain('"counted":true')

  await page.goto('about:blank')
  await page.clock.setFixedTime(tomorrow)
  await cut(page, dayList)
  await cut(page, '/api/components/update-with-tracking')
  await page.goto('/weekly-count')
  await dayOf(page).selectOption('Wednesday')
  await expect(page.getByText('The server cannot be reached. This list is from')).toBeVisible()
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByText('0 of 2 counted, 0% complete')).toBeVisible()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Count again?' })).toBeHidden()
})

test('a count that runs past midnight goes on as another session, with nothing counted and nothing typed lost, also where the page is loaded again', async ({
  admin: page,
}) => {
  const tomorrow = await countInTheEvening(page)
  const before = await sessionOf(page)
  await scanLines(page, ['A-2'])
  await cut(page, dayList)
  await page.clock.setFixedTime(tomorrow)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('0 of 2 counted, 0% complete')).toBeVisible()
  await expect(page.getByText('1 scan stored')).toBeHidden()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-2')
  await scanLines(page, ['4'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  expect(await sessionOf(page)).not.toBe(before)

  await page.unroute(`**${dayList}`)
  await scanLines(page, ['A-2'])
  await page.clock.setFixedTime(new Date(tomorrow.getTime() + 7 * 86_400_000))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('No scans yet')).toBeVisible()
  await page.reload()
  await dayOf(page).selectOption('Wednesday')
  await expect(page.getByLabel('Barcode')).toHaveValue('A-2')
})

test('what came of a scan from before midnight is told after it', async ({ admin: page }) => {
  const tomorrow = await countInTheEvening(page)
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await divert(page, '**/api/components/update-with-tracking', async (route) => {
    await answered
    await route.continue()
  })
  await scanLines(page, ['A-2', '9'])
  await expect(page.getByText('2 scanned, 1 stored, 1 waiting')).toBeVisible()
  await page.clock.setFixedTime(tomorrow)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('No scans yet')).toBeVisible()
  answer()
  await expect(page.getByText('Incorrect quantity for Nut (Correct: 4)')).toBeVisible()
  const again = page.getByRole('list', { name: 'Scans to count again' })
  await expect(again.getByText('A-2')).toBeVisible()
  await scanLines(page, ['IM:UNDO'])
  await expect(page.getByText('There is no entry of yours to take back.')).toBeVisible()
  await scanLines(page, ['A-2', '4'])
  await expect(page.getByText('✓ Nut - Quantity matches!')).toBeVisible()
  await expect(again).toBeHidden()
})

test('what was taken back before midnight is told after it', async ({ admin: page }) => {
  const tomorrow = await countInTheEvening(page)
  await cut(page, '/api/components/undo-count')
  await scanLines(page, ['IM:UNDO'])
  await expect(page.getByText('1 scanned, 1 stored, 1 being taken back')).toBeVisible()
  await page.clock.setFixedTime(tomorrow)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('No scans yet')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByText('Took back: A-1.')).toBeVisible({ timeout: 30_000 })
})

test('a count that was left yesterday is to be started again', async ({ admin: page }) => {
  const tomorrow = await countInTheEvening(page)
  await page.goto('about:blank')
  await page.clock.setFixedTime(tomorrow)
  await page.goto('/weekly-count')
  await dayOf(page).selectOption('Wednesday')
  await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()
  await expect(page.getByLabel('Barcode')).toBeHidden()
})

test('the weekly count begins at the day of today, on a weekend at none; no day and an empty day are not counted, and only administrators manage the lists', async ({
  staff: page,
}) => {
  await page.clock.setFixedTime(new Date('2026-11-18T10:00:00'))
  await goTo(page, 'Weekly Count')
  await expect(dayOf(page)).toHaveValue('Wednesday')
  await expect(page.getByText('No high-volume SKUs on Wednesday')).toBeVisible()
  await expect(page.getByText('Administrators choose them with Manage High Volume.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Count' })).toBeDisabled()

  await page.clock.setFixedTime(new Date('2026-11-21T10:00:00'))
  await page.goto('/weekly-count')
  await expect(dayOf(page)).toHaveValue('')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByText('Please select a day to start counting.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Manage High Volume' })).toHaveCount(0)
})

test('what a day’s count knows nothing of waits for a decision where the server does not take it', async ({
  admin: page,
}) => {
  await planWednesdayByHand(page)
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const count = '/api/components/update-with-tracking'
  await cut(page, count)
  await scanLines(page, ['GHOST-7', '7'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  const body = JSON.stringify({ success: false, code: 'not_seated', error: 'The plan has no place for you.' })
  await divert(page, `**${count}`, (route) =>
    route.fulfill({ status: 402, body, contentType: 'application/json' }),
  )
  const decide = page.getByRole('list', { name: 'Scans to decide' }).getByRole('listitem')
  await expect(decide).toContainText('GHOST-7', { timeout: 20_000 })
  await expect(page.getByText('1 scanned, 0 stored, 1 to decide')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await decide.getByRole('button', { name: 'Decide on GHOST-7' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Component with barcode GHOST-7 not found.').first()).toBeVisible()
})
