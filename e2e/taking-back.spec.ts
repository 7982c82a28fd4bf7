import type { Page } from '@playwright/test'
import { cut, dayOf, divert, expect, goTo, hold, showList, stall, test } from './fixtures.ts'
import { countKept } from './kept.ts'
import { askAs } from './people.ts'
import { scanLines } from './scanner.ts'
import { startCount } from './started-count.ts'

const countCall = '/api/components/update-with-tracking'
const undoCall = '/api/components/undo-count'

const panelOf = (page: Page) => page.getByRole('status').filter({ has: page.locator('p.font-mono') })
const recentOf = (page: Page) => page.getByRole('list', { name: 'Recent scans' })
const takeBack = (page: Page, sku: string) => page.getByRole('button', { name: `Take back ${sku}` })
const undoLast = (page: Page) => page.getByRole('button', { name: 'Undo last' }).click()

test('a stored scan that is taken back without a network, by its own button or as the last, is shown as being taken back until it is, over a reload too', async ({
  staff: page,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  const sign = takeBack(page, 'A-2').locator('svg')
  expect(await sign.evaluate((icon) => icon.clientWidth)).toBe(20)
  await cut(page, undoCall)
  await takeBack(page, 'A-2').click()
  await expect(page.getByText('Taking back: A-2.')).toBeVisible()
  await expect(page.getByText('2 scanned, 2 stored, 1 being taken back')).toBeVisible()
  await expect(panelOf(page)).toContainText('Being taken back')
  await expect(panelOf(page)).toContainText('It is taken back as soon as the server answers.')
  await expect.poll(() => countKept(page)).toBe(1)
  await page.reload()
  await expect(recentOf(page).getByRole('listitem').first()).toContainText(/A-2.*Being taken back/)
  await expect(recentOf(page).getByText('Right')).toHaveCount(1)
  await expect(takeBack(page, 'A-2')).toHaveCount(0)

  await undoLast(page)
  await expect(page.getByText('Taking back: A-1.')).toBeVisible()
  await expect(page.getByText('2 scanned, 2 stored, 2 being taken back')).toBeVisible()
  await undoLast(page)
  await expect(page.getByText('There is no entry of yours to take back.')).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await expect(
    question.getByText('2 scans are still to be taken back. That is done after you sign in here again.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Stay here' }).click()

  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByText('Took back: A-1.').first()).toBeVisible({ timeout: 30_000 })
  await expect(recentOf(page).getByText('Undone')).toHaveCount(2)
  await expect(page.getByText('No scans yet')).toBeVisible()
  await expect(page.getByText('0 of 3 counted, 0% complete')).toBeVisible()
})

test('the history of a component says what was taken back, and that it is of the newest entries', async ({
  staff: page,
  program,
  company,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await undoLast(page)
  await expect(page.getByText('Took back: A-1.').first()).toBeVisible()
  const openHistory = async () => {
    await showList(page)
    await page.getByRole('list', { name: 'Components to count' }).getByText('A-1').click()
  }
  await openHistory()
  const dialog = page.getByRole('dialog', { name: 'Count history of A-1' })
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Taken back, Sam Staff' })).toHaveCount(1)
  await expect(dialog.getByRole('listitem').filter({ hasText: 'monthly, Sam Staff' })).toHaveCount(1)
  await expect(dialog.getByText('The newest')).toBeHidden()

  // An item whose label cannot be read is counted from here, on a handheld too, where a list of its own lies over the fields.
  await page.setViewportSize({ width: 360, height: 640 })
  await dialog.getByRole('button', { name: 'Count this' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await expect(page.getByLabel('Quantity')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Next Item' }).click()
  await expect(page.getByLabel('Barcode')).toHaveValue('')

  await program.sql(
    `insert into count_history (tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id,
       user_type, user_name, counted_at)
     select tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type, user_name,
       counted_at
     from count_history cross join generate_series(1, 99) made
     where tenant_id = (select tenant_id from login_emails where email = $1) and undoes is null`,
    [company.email],
  )
  await openHistory()
  await expect(dialog.getByText('The newest 100.')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(100)
  await dialog.getByRole('link', { name: 'All of its counts' }).click()
  await expect(page.getByRole('heading', { name: 'A-1', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/components\/A-1$/)
})

test('after an entry was taken back, the next code may be typed at once', async ({ staff: page }) => {
  await startCount(page)
  await scanLines(page, ['A-1', '2'])
  await undoLast(page)
  await expect(page.getByText('Took back: A-1.')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await page.keyboard.type('A-2', { delay: 200 })
  await expect(page.getByLabel('Barcode')).toHaveValue('A-2')

  await page.getByLabel('Auto-focus').uncheck()
  await undoLast(page)
  await expect(page.getByText('There is no entry of yours to take back.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo last' })).toBeFocused()
})

test('a waiting scan that may have been sent is shown as being taken back', async ({ staff: page }) => {
  await startCount(page)
  await cut(page, countCall)
  await scanLines(page, ['A-1', '3'])
  await expect(panelOf(page)).toContainText('Kept')
  await undoLast(page)
  await expect(page.getByText('Taking back: A-1.')).toBeVisible()
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting, 1 being taken back')).toBeVisible()
  await expect(panelOf(page)).toContainText('Being taken back')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(page.getByText('Took back: A-1.').first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('0 of 3 counted, 0% complete')).toBeVisible()
})

test('what could not be taken back is said until somebody has seen it, whichever screen sent it', async ({
  staff: page,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await cut(page, undoCall)
  await undoLast(page)
  await expect(page.getByText('1 scanned, 1 stored, 1 being taken back')).toBeVisible()
  await goTo(page, 'Overview')
  const sentence = 'This entry belongs to an earlier day or month and can no longer be taken back.'
  const body = JSON.stringify({ error: sentence, code: 'cannot_undo' })
  const refused = page.waitForResponse(`**${undoCall}`)
  await divert(page, `**${undoCall}`, (route) =>
    route.fulfill({ status: 409, body, contentType: 'application/json' }),
  )
  await refused
  await goTo(page, 'Monthly Count')
  const notTakenBack = page.getByRole('list', { name: 'Not taken back' })
  await expect(notTakenBack.getByText('A-1')).toBeVisible()
  await expect(notTakenBack.getByText(sentence)).toBeVisible()
  await expect(panelOf(page)).toContainText('Right')

  const refusedAgain = page.waitForResponse(`**${undoCall}`)
  await undoLast(page)
  await refusedAgain
  await expect(notTakenBack.getByText('A-1')).toHaveCount(1)
  await page.reload()
  await page.getByRole('button', { name: 'Seen: A-1 is not taken back' }).click()
  await expect(notTakenBack).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Monthly Count' })).toBeFocused()
  await page.reload()
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await expect(notTakenBack).toBeHidden()
})

test('a scan that is to be taken back and is refused meanwhile is taken out here, and nothing is left to decide', async ({
  staff: page,
}) => {
  await startCount(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const letThrough = await hold(page, countCall)
  await scanLines(page, ['NOBODY-1', '3'])
  await expect(panelOf(page)).toContainText('Kept')
  await undoLast(page)
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting, 1 being taken back')).toBeVisible()
  letThrough()
  await expect(page.getByText('Took back: NOBODY-1.').first()).toBeVisible()
  await expect(recentOf(page).getByText('Undone')).toHaveCount(1)
  await expect(page.getByText('No scans yet')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Scans to decide' })).toBeHidden()
  await expect(page.getByRole('list', { name: 'Not taken back' })).toBeHidden()
  expect(asked).not.toContain(undoCall)
})

test('what another count takes back leaves what is shown of the last scan, and is said', async ({
  staff: page,
  program,
  company,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  const letThrough = await hold(page, undoCall)
  await undoLast(page)
  await expect(page.getByText('1 scanned, 1 stored, 1 being taken back')).toBeVisible()
  const body = { barcodes: ['A-1'], day: 'Wednesday', location: 'PRIMARY', action: 'add' }
  await askAs(program, company, { path: '/api/components/bulk-high-volume', body })
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(
    page.getByText('1 scan of another count is still to be taken back. That is done in its turn.'),
  ).toBeVisible()
  await expect(page.getByText('waits on this device')).toBeHidden()
  await stall(page, countCall)
  await scanLines(page, ['A-2', '4'])
  await expect(panelOf(page)).toContainText('Not in the list')
  letThrough()
  await expect(page.getByText('Took back: A-1.').first()).toBeVisible()
  await expect(panelOf(page)).toContainText('A-2')
  await expect(panelOf(page)).toContainText('Not in the list')
})

test('of several waiting scans that are taken back, the one that was named is shown', async ({
  staff: page,
}) => {
  await startCount(page)
  await cut(page, countCall)
  await scanLines(page, ['ABC123', '5', 'A-1', '3', 'A-2', '4'])
  await expect(page.getByText('3 scanned, 0 stored, 3 waiting')).toBeVisible()
  const sent = page.waitForRequest((request) => request.postData()?.includes('"A-2"') === true)
  // After a first answer two are on their way together, and neither is answered.
  let isFirst = true
  await divert(page, `**${countCall}`, (route) => {
    if (!isFirst) return undefined
    isFirst = false
    return route.continue()
  })
  await sent
  await expect(page.getByText('3 scanned, 1 stored, 2 waiting')).toBeVisible()
  await expect(panelOf(page)).toContainText('Kept')
  await undoLast(page)
  await expect(page.getByText('Taking back: A-2.')).toBeVisible()
  await expect(panelOf(page)).toContainText('A-2')
  await undoLast(page)
  await expect(page.getByText('Taking back: A-1.')).toBeVisible()
  await expect(panelOf(page)).toContainText('Being taken back')
  await expect(panelOf(page)).toContainText('A-1')
  // Two scans, and that both are to be taken back.
  await expect.poll(() => countKept(page)).toBe(4)
  await page.reload()
  await expect(panelOf(page)).toContainText('A-1')
})

test.describe('taking back a chosen scan', () => {
  test('leaves the others, and what is scanned next is taken at once', async ({ staff: page }) => {
    await startCount(page)
    await scanLines(page, ['A-1', '3', 'A-2', '4', 'ABC123', '5'])
    await expect(page.getByText('3 of 3 counted, 100% complete')).toBeVisible()
    await takeBack(page, 'A-1').click()
    await expect(page.getByText('Took back: A-1.').first()).toBeVisible()
    await expect(recentOf(page).getByRole('listitem').filter({ hasText: 'A-1' })).toContainText('Undone')
    await expect(recentOf(page).getByText('Right')).toHaveCount(2)
    await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
    await expect(takeBack(page, 'A-1')).toHaveCount(0)
    await expect(recentOf(page)).toBeFocused()
    await scanLines(page, ['A-1', '3'])
    await expect(panelOf(page)).toContainText('Right')
    await expect(page.getByText('3 of 3 counted, 100% complete')).toBeVisible()
  })

  test('is offered for the newest entry of an SKU only, and not while a newer one waits', async ({
    staff: page,
  }) => {
    await startCount(page)
    await scanLines(page, ['A-1', '9', 'A-1', '8'])
    await expect(recentOf(page).getByText('Recorded')).toBeVisible()
    await expect(takeBack(page, 'A-1')).toHaveCount(1)
    await takeBack(page, 'A-1').click()
    await expect(page.getByRole('list', { name: 'Scans to count again' })).toContainText('A-1')
    await expect(recentOf(page).getByRole('listitem').first()).toContainText('Undone')
    await expect(takeBack(page, 'A-1')).toHaveCount(1)
    await cut(page, countCall)
    await scanLines(page, ['A-1', '3'])
    await expect(panelOf(page)).toContainText('Kept')
    await expect(takeBack(page, 'A-1')).toHaveCount(0)
  })

  test('leaves what was entered since on the screen until something came of it', async ({ staff: page }) => {
    await startCount(page)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scan stored')).toBeVisible()
    const letThrough = await hold(page, countCall)
    await scanLines(page, ['A-2', '4'])
    await expect(page.getByText('2 scanned, 1 stored, 1 waiting')).toBeVisible()
    await takeBack(page, 'A-1').click()
    await expect(page.getByText('Taking back: A-1.')).toBeVisible()
    // An answer that takes a second is waited for no more: "Kept" from then on, with the entry's own name and code.
    await expect(panelOf(page)).toContainText(/^(Entered|Kept)Nut.*A-24$/)
    await expect(panelOf(page)).toContainText('Kept')
    letThrough()
    await expect(page.getByText('Took back: A-1.').first()).toBeVisible()
    await expect(panelOf(page)).toContainText('Right')
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
  })
})
