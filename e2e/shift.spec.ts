import type { Page } from '@playwright/test'
import {
  cut,
  dayOf,
  expect,
  goTo,
  hideList,
  hold,
  importRows,
  postFrom,
  showList,
  showMore,
  stopClock,
  test,
} from './fixtures.ts'
import { countKept } from './kept.ts'
import { pauseOfHand, scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true })

const countCall = '/api/components/update-with-tracking'

const rows = [
  { barcode: '001237', description: 'Pallet jack', primary_quantity: 42 },
  { barcode: '001238', description: 'Hand truck', primary_quantity: 45 },
  { barcode: 'S-1239', description: 'Strapping', primary_quantity: 48 },
]

/** Starts Wednesday's count, of the first of the rows; the list of the month is here or not. */
async function startWednesday(page: Page, { withMonth }: { withMonth: boolean }): Promise<void> {
  await importRows(page, rows)
  const plan = { barcodes: ['001237'], day: 'Wednesday', location: 'PRIMARY', action: 'add' }
  await postFrom(page, '/api/components/bulk-high-volume', plan)
  if (withMonth) {
    await goTo(page, 'Monthly Count')
    await expect(page.getByRole('button', { name: /^Start / })).toBeVisible()
  }
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

const panel = (page: Page) =>
  page
    .getByRole('status')
    .filter({ has: page.locator('.rounded-card') })
    .first()
const undoLast = (page: Page) => page.getByRole('button', { name: 'Undo last' }).click()

test('a dialog that closes gives the focus to the field whose turn it is', async ({ staff: page }) => {
  await startMonth(page, rows)
  const quantity = page.getByLabel('Quantity')
  await scanLines(page, ['001237'])
  await expect(quantity).toBeFocused()
  const history = page.getByRole('dialog', { name: /001238/ })
  for (const close of ['Escape', 'Close dialog']) {
    await showList(page)
    await page.getByRole('button', { name: /^001238/ }).click()
    await expect(history).toBeVisible()
    if (close === 'Escape') await page.keyboard.press('Escape')
    else await history.getByRole('button', { name: close }).click()
    await expect(history).toBeHidden()
    await hideList(page)
    await expect(quantity).toBeFocused()
  }
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Monthly Count' }).click()
  await expect(quantity).toBeFocused()

  await showMore(page)
  await page.getByLabel('Auto-focus').click()
  await showList(page)
  await page.getByRole('button', { name: /^001238/ }).click()
  await expect(history).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(history).toBeHidden()
  await hideList(page)
  await expect(quantity).not.toBeFocused()
})

test('of several entries that were taken back the last one is shown, and said once', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await scanLines(page, ['001237', '42', '001238', '45'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await undoLast(page)
  await expect(panel(page)).toHaveText('UndoneHand truck00123845')
  await undoLast(page)
  await expect(page.getByText('Took back: 001237.')).toHaveCount(1)
  await expect(panel(page)).toHaveText('UndonePallet jack00123742')
  await page.reload()
  await expect(panel(page)).toHaveText('UndonePallet jack00123742')

  await scanLines(page, ['S-1239', '48'])
  await expect(page.getByText('✓ Strapping - Quantity matches!')).toBeVisible()
  await undoLast(page)
  await expect(panel(page)).toHaveText('UndoneStrappingS-123948')
})

test('an entry that waits, and one that is taken back, has its name', async ({ staff: page }) => {
  await startMonth(page, rows)
  const letThrough = await hold(page, countCall)
  await scanLines(page, ['001237', '42'])
  await expect(panel(page)).toHaveText('KeptPallet jackKept on this device. It is being sent.00123742')
  await undoLast(page)
  await expect(panel(page)).toHaveText(
    'Being taken backPallet jackIt is taken back as soon as the server answers.00123742',
  )
  letThrough()
  await expect(panel(page)).toHaveText('UndonePallet jack00123742')
})

test("a component that is not in the day's list is named, and nothing of it is promised to be kept", async ({
  admin: page,
}) => {
  await startWednesday(page, { withMonth: true })
  await scanLines(page, ['001238'])
  const said = 'Barcode 001238 is not part of the Wednesday high-volume count at Primary Warehouse.'
  await expect(panel(page)).toHaveText(
    `Not in the listHand truck${said}It is not counted here. Press Next Item.`,
  )
  await scanLines(page, ['GHOST-7'])
  await expect(page.getByText('GHOST-7 (unknown)')).toBeVisible()
  await scanLines(page, ['S-1239'])
  await expect(page.getByText('S-1239 (not in the list)')).toBeVisible()
  await page.getByLabel('Quantity').fill('45')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Unknown code', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Next Item' }).click()
  await expect(panel(page)).toHaveText(`Not takenHand truck${said}00123845`)
})

test('of a code that is not counted here nothing is taken back, and what was counted before it goes only when asked again', async ({
  admin: page,
}) => {
  await startWednesday(page, { withMonth: true })
  const recent = page.getByRole('list', { name: 'Recent scans' })
  await scanLines(page, ['001237', '42', '001238', '45'])
  await expect(recent.getByRole('listitem').first()).toContainText(/001238.*Not taken/)
  await scanLines(page, ['IM:UNDO'])
  await expect(
    page.getByText('Nothing was counted of 001238. Undo last again takes the entry before it back.'),
  ).toBeVisible()
  await expect(recent.getByText('Right')).toHaveCount(1)
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await scanLines(page, ['IM:UNDO'])
  await expect(page.getByText('Took back: 001237.').first()).toBeVisible()
  await expect(page.getByText('No scans yet')).toBeVisible()
})

test('what was never sent is taken back, also where it is not counted here', async ({ admin: page }) => {
  await startWednesday(page, { withMonth: true })
  await cut(page, countCall)
  await scanLines(page, ['001237', '42', '001238', '45'])
  await expect.poll(() => countKept(page)).toBe(2)
  await undoLast(page)
  await expect(page.getByText('Took back: 001238.')).toBeVisible()
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
})

test('a code that nobody knows is kept as a code, and that is what is said', async ({ admin: page }) => {
  await startWednesday(page, { withMonth: true })
  await scanLines(page, ['GHOST-7'])
  await expect(panel(page)).toHaveText(
    'Unknown codeComponent with barcode GHOST-7 not found.Enter its quantity: both are kept for an administrator. Or press Next Item.',
  )
})

test("where only the day's list is here, no more is said of a code than is known", async ({
  admin: page,
}) => {
  await cut(page, '/api/components/to-count*')
  await startWednesday(page, { withMonth: false })
  await page.reload()
  await dayOf(page).selectOption('Wednesday')
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['001238'])
  await expect(panel(page)).toHaveText(
    'Not in the listBarcode 001238 is not part of the Wednesday high-volume count at Primary Warehouse.Press Next Item. If nobody knows the code, enter its quantity: both are kept for an administrator.',
  )
})

test('a code that is too long to be any is told so at once and not taken with a quantity, and a quantity with a sign is refused with a sentence that names signs', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await scanLines(page, ['L'.repeat(49)])
  await expect(panel(page)).toHaveText(
    'Too longA barcode has at most 48 characters, this one has 49.It cannot be counted. Press Next Item.',
  )
  await page.getByRole('button', { name: 'Next Item' }).click()
  await scanLines(page, ['L'.repeat(49), '3'])
  await expect(
    page.getByText('Not counted: a barcode has at most 48 characters. Press Next Item.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Next Item' }).click()
  await scanLines(page, ['001237', '42'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Recent scans' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Scans to decide' })).toBeHidden()

  await scanLines(page, ['001238'])
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await page.getByLabel('Quantity').pressSequentially('-5', { delay: 150 })
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Type the quantity in digits only, without sign, point, comma or space.'),
  ).toBeVisible()
})

test('a component that was counted today is asked about by its name', async ({ admin: page }) => {
  await startWednesday(page, { withMonth: false })
  await scanLines(page, ['001237', '42'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
  await scanLines(page, ['001237', '42'])
  await expect(page.getByRole('dialog', { name: 'Count again?' })).toContainText(
    'Count again? Pallet jack001237 was already counted today. You entered 42.',
  )
})

test('a result keeps its height and its words whole for large quantities', async ({ staff: page }) => {
  await startMonth(page, rows)
  const heightOf = async () => (await panel(page).boundingBox())?.height
  await scanLines(page, ['001237', '41'])
  await expect(page.getByText('Incorrect quantity for Pallet jack')).toBeVisible()
  const height = await heightOf()
  for (const quantity of ['12500', '1000000']) {
    await page.getByRole('button', { name: 'Undo last' }).click()
    await expect(panel(page)).toContainText('Undone')
    await page.getByLabel('Barcode').fill('001238')
    await page.getByLabel('Quantity').fill(quantity)
    await page.getByRole('button', { name: 'Submit' }).click()
    const question = page.getByRole('button', { name: 'Quantity', exact: true })
    const said = page.getByText('Incorrect quantity for Hand truck')
    await expect(question.or(said).first()).toBeVisible()
    if (await question.isVisible()) await question.click()
    await expect(said).toBeVisible()
    expect(await heightOf()).toBe(height)
    const text = await said.evaluate((element) => ({
      width: element.clientWidth,
      needs: element.scrollWidth,
    }))
    expect(text.needs).toBeLessThanOrEqual(text.width)
    expect(text.width).toBeGreaterThan(150)
  }
})

test('what was missing of one item is said until the next, by whatever way one goes on, and no longer', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  const barcode = page.getByLabel('Barcode')
  const missing = page.getByText('Please enter a quantity.')
  const submit = page.getByRole('button', { name: 'Submit' })
  // Nothing goes by itself here.
  await stopClock(page)
  await scanLines(page, ['001237'])
  await submit.click()
  await expect(missing).toBeVisible()
  await page.getByRole('button', { name: 'Next Item' }).click()
  await expect(missing).toBeHidden()
  for (const goOn of [
    () => scanLines(page, ['IM:NEXT']),
    () => page.getByRole('button', { name: 'Next Item' }).click(),
  ]) {
    await barcode.fill('001237')
    await submit.click()
    await expect(missing).toBeVisible()
    // No scanner goes on with what was typed this moment.
    await page.clock.runFor(300)
    await goOn()
    await expect(barcode).toHaveValue('')
    await expect(missing).toBeHidden()
  }
  await submit.click()
  await expect(page.getByText('Please enter a barcode.')).toBeVisible()
  await pauseOfHand(page)
  await scanLines(page, ['001238'])
  await expect(page.getByText('Please enter a barcode.')).toBeHidden()
})

const many = Array.from({ length: 30 }, (_, index) => ({
  barcode: `X-${index}`,
  description: `Bolt ${index}`,
}))
const scrolledTo = (page: Page) => page.evaluate(() => Math.round(scrollY))

test('a new screen begins at the top, and the way back leads to where one was', async ({ staff: page }) => {
  await startMonth(page, [...rows, ...many])
  await page.evaluate(() => scrollTo(0, 200))
  await expect.poll(() => scrolledTo(page)).toBe(200)
  await goTo(page, 'Overview')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeInViewport()
  expect(await scrolledTo(page)).toBe(0)
  await page.goBack()
  await expect(page.getByLabel('Barcode')).toBeVisible()
  await expect.poll(() => scrolledTo(page)).toBe(200)
})

test('a session that ends while scans wait leads to the top of a page that says so', async ({
  staff: page,
}) => {
  await startMonth(page, [...rows, ...many])
  await page.setViewportSize({ width: 360, height: 320 })
  const letThrough = await hold(page, countCall)
  await scanLines(page, ['001237', '42', '001238', '45'])
  await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeAttached()
  await page.evaluate(async () => {
    scrollTo(0, 400)
    const authorization = `Bearer ${localStorage.getItem('jwt_token')}`
    await fetch('/api/auth/logout', { method: 'POST', headers: { authorization } })
  })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  letThrough()
  await expect(page).toHaveURL(/\/login$/)
  await expect(
    page.getByText('2 scans wait on this device. They are sent after you sign in here again.'),
  ).toBeVisible()
  expect(await scrolledTo(page)).toBe(0)
})

test('who is signed out in the first moment of a page is told of what waits', async ({ staff: page }) => {
  // What sends scans on every screen comes half a second after the first of them: here never.
  await page.addInitScript(() => {
    const later = window.setTimeout
    Object.assign(window, {
      setTimeout: (work: TimerHandler, ms?: number) => (ms === 500 ? 0 : later(work, ms)),
    })
  })
  await startMonth(page, rows)
  await cut(page, countCall)
  await scanLines(page, ['001237', '42', '001238', '45'])
  await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeAttached()
  await page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('jwt_token')}`
    await fetch('/api/auth/logout', { method: 'POST', headers: { authorization } })
  })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page).toHaveURL(/\/login$/, { timeout: 30_000 })
  await expect(
    page.getByText('2 scans wait on this device. They are sent after you sign in here again.'),
  ).toBeVisible()
})
