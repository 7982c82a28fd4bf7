import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { awaitDiversion, cut, dayOf, divert, expect, goTo, test } from './fixtures.ts'
import { countKept } from './kept.ts'
import { askAs, goOn } from './people.ts'
import { pauseOfHand, scanLines } from './scanner.ts'
import { startCount } from './started-count.ts'

const countCall = '/api/components/update-with-tracking'
const noteCall = '/api/components/note-count'
const undoCall = '/api/components/undo-count'

const recentOf = (page: Page) => page.getByRole('list', { name: 'Recent scans' })
const rowOf = (page: Page, barcode: string) =>
  recentOf(page).getByRole('listitem').filter({ hasText: barcode })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add a note' })
const notStored = (page: Page) => page.getByRole('list', { name: 'Notes not stored' })

/** Says something of the newest scan. */
async function addNote(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a note' }).click()
  await dialogOf(page).getByLabel('Note').fill(text)
  await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
  await expect(dialogOf(page)).toBeHidden()
}

/** Counts and notes go no further than this device. */
async function loseNetwork(page: Page): Promise<void> {
  for (const call of [countCall, noteCall]) {
    await page.route(`**${call}`, (route) => route.abort('internetdisconnected'))
  }
  await awaitDiversion(page)
}

const findNetwork = (page: Page) => page.unrouteAll({ behavior: 'ignoreErrors' })

test('what is said of a scan without a network waits for it, and an administrator reads it beside the difference', async ({
  staff: page,
  program,
  company,
  openElsewhere,
}) => {
  await startCount(page)
  await expect(page.getByRole('button', { name: 'Add a note' })).toBeHidden()
  await loseNetwork(page)
  await scanLines(page, ['A-1', '2'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await expect(page.getByText('1 scan is waiting to be stored.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add a note' }).click()
  expect(await barriersOf(page)).toEqual([])
  const newest = dialogOf(page).getByRole('radio', { name: /^A-1 2 \d+:\d\d:\d\d [AP]M$/ })
  await expect(newest).toBeChecked()
  await expect(dialogOf(page).getByText('Administrators read it. 0 of 500 characters.')).toBeVisible()
  await dialogOf(page).getByLabel('Note').fill('3 crates are damaged')
  await expect(dialogOf(page).getByText('Administrators read it. 20 of 500 characters.')).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(page.getByText('1 scan is waiting to be stored, with 1 note.')).toBeVisible()
  await expect.poll(() => countKept(page)).toBe(2)

  await page.reload()
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await findNetwork(page)
  await expect(rowOf(page, 'A-1')).toContainText('3 crates are damaged', { timeout: 30_000 })
  await expect.poll(() => countKept(page)).toBe(0)
  await page.reload()
  await expect(rowOf(page, 'A-1')).toContainText('3 crates are damaged')

  // Of a first entry that did not match nothing waits for a decision.
  await pauseOfHand(page)
  await scanLines(page, ['A-1', '1'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  const desk = await openElsewhere()
  await goOn(desk, program, company)
  await desk.goto(`${program.url}/discrepancies`)
  const attempts = desk.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  await expect(attempts.first()).toContainText('Sam Staff: “3 crates are damaged”')
  await expect(attempts.last()).not.toContainText('Sam Staff:')
  // What is said later comes to whoever looks at it.
  await addNote(page, 'Found behind the shelf')
  await expect(attempts.last()).toContainText('Sam Staff: “Found behind the shelf”')
})

test('administrators read in the history of a component what was said of its counts', async ({
  staff: page,
  program,
  company,
  openElsewhere,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await addNote(page, 'One is open')
  await expect.poll(() => countKept(page)).toBe(0)
  await page.getByRole('list', { name: 'Components to count' }).getByText('A-1').click()
  const dialog = (of: Page) => of.getByRole('dialog', { name: 'Count history of A-1' })
  await expect(dialog(page).getByRole('listitem')).toContainText('monthly, Sam Staff')
  await expect(dialog(page)).not.toContainText('One is open')

  const body = { barcode: 'A-1', assignments: { Wednesday: ['PRIMARY'] } }
  await askAs(program, company, { path: '/api/components/configure-high-volume', body })
  const desk = await openElsewhere()
  await goOn(desk, program, company)
  await goTo(desk, 'Weekly Count')
  await dayOf(desk).selectOption('Wednesday')
  await desk.getByRole('list', { name: 'Components to count' }).getByText('A-1').click()
  await expect(dialog(desk).getByRole('listitem')).toContainText('monthly, Sam StaffOne is open')
  await desk.goto(`${program.url}/components/A-1`)
  await expect(desk.getByRole('table', { name: 'Counts' })).toContainText('One is open')
})

test('a note may be of any of the last scans, be changed, and be taken away', async ({ staff: page }) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(recentOf(page).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(dialogOf(page).getByRole('button', { name: 'Save note' })).toBeDisabled()
  await dialogOf(page).getByLabel('Note').fill('One is open')
  await dialogOf(page).getByRole('radio', { name: /^A-1 / }).check()
  await expect(dialogOf(page).getByLabel('Note')).toHaveValue('One is open')
  await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
  await expect(rowOf(page, 'A-1')).toContainText('One is open')
  await expect(rowOf(page, 'A-2')).not.toContainText('One is open')

  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(dialogOf(page).getByLabel('Note')).toHaveValue('')
  await dialogOf(page).getByRole('radio', { name: /^A-1 / }).check()
  await expect(dialogOf(page).getByLabel('Note')).toHaveValue('One is open')
  await dialogOf(page).getByLabel('Note').fill(' ')
  await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
  await expect(rowOf(page, 'A-1')).not.toContainText('One is open')
})

test('what is scanned behind the dialog is heard and goes into the count, and what is scanned into its field into the note', async ({
  staff: page,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(dialogOf(page).getByRole('heading')).toBeFocused()
  await scanLines(page, ['ABC123'])
  await expect(page.getByLabel('Barcode')).toHaveValue('ABC123')
  await expect(dialogOf(page).getByLabel('Note')).toHaveValue('')
  await dialogOf(page).getByLabel('Note').focus()
  await scanLines(page, ['XYZ789'])
  await expect(dialogOf(page).getByLabel('Note')).toHaveValue('XYZ789')
  await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
  await expect(rowOf(page, 'A-1')).toContainText('XYZ789')
  await expect(page.getByLabel('Barcode')).toHaveValue('ABC123')
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await scanLines(page, ['5'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('')
})

test(
  'a note of some sentences is seen whole as it is written, and holds no lines',
  { tag: '@handheld' },
  async ({ staff: page }) => {
    await startCount(page)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scan stored')).toBeVisible()
    await page.getByRole('button', { name: 'Add a note' }).click()
    const note = dialogOf(page).getByLabel('Note')
    const height = () => note.evaluate(({ clientHeight }) => clientHeight)
    const isWhole = () => note.evaluate((area) => area.scrollHeight <= area.clientHeight)
    const empty = await height()
    const sentence = 'Three crates are damaged at their corners, and the label of one of them is torn. '
    await note.fill(sentence.repeat(5))
    expect(await height()).toBeGreaterThan(empty)
    expect(await isWhole()).toBe(true)

    await note.fill('3 crates')
    await note.press('Enter')
    await page.keyboard.insertText('are\r\ndamaged')
    await expect(note).toHaveValue('3 cratesare damaged')
    await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
    await expect(rowOf(page, 'A-1')).toContainText('3 cratesare damaged')
  },
)

test('a recent scan says what is said of it, and that it waits as long as it is not stored', async ({
  staff: page,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await cut(page, noteCall)
  await addNote(page, 'One is open')
  await expect(rowOf(page, 'A-2')).toContainText('Note waiting: One is open')
  await expect(rowOf(page, 'A-1')).not.toContainText('ote')
  await page.reload()
  await expect(rowOf(page, 'A-2')).toContainText('Note waiting: One is open')
  await findNetwork(page)
  await expect(rowOf(page, 'A-2')).toContainText('Note: One is open', { timeout: 30_000 })

  await cut(page, noteCall)
  await addNote(page, ' ')
  await expect(rowOf(page, 'A-2')).toContainText('Its note is waiting to be removed.')
  await findNetwork(page)
  await expect(rowOf(page, 'A-2')).not.toContainText('ote', { timeout: 30_000 })
})

test('whoever logs out is told of a note that waits, which is sent once they are back', async ({
  staff: page,
  program,
  sam,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await cut(page, noteCall)
  await addNote(page, 'One is open')
  await expect(rowOf(page, 'A-1')).toContainText('One is open')
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await expect(
    question.getByText('1 note waits on this device. It is sent after you sign in here again.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await findNetwork(page)
  const sent = page.waitForResponse(`**${noteCall}`)
  await goOn(page, program, sam)
  expect((await sent).status()).toBe(200)
  await expect.poll(() => countKept(page)).toBe(0)
})

test('a note that a server of the version before does not know waits, and holds up no count', async ({
  staff: page,
}) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  const unknown = { success: false, error: 'There is nothing at this address.', code: 'not_found' }
  await divert(page, `**${noteCall}`, (route) => route.fulfill({ status: 404, json: unknown }))
  const refused = page.waitForResponse(`**${noteCall}`)
  await addNote(page, 'One is open')
  await refused
  await scanLines(page, ['A-2', '4'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible({ timeout: 20_000 })
  await expect(notStored(page)).toBeHidden()
  await expect.poll(() => countKept(page)).toBe(1)
  await findNetwork(page)
  await expect.poll(() => countKept(page), { timeout: 30_000 }).toBe(0)
  await expect(rowOf(page, 'A-1')).toContainText('One is open')
})

test('a note of a scan that is not stored waits for that to be decided, and goes along when it is sent again', async ({
  staff: page,
}) => {
  await startCount(page)
  await loseNetwork(page)
  await scanLines(page, ['ABC124', '5'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await addNote(page, 'One is open')
  await findNetwork(page)
  await expect(notStored(page)).toContainText('One is open', { timeout: 30_000 })
  await expect(notStored(page)).toContainText(
    'Its scan was not stored. Decide on that first: sent again, the scan takes this note along.',
  )
  await page.getByRole('button', { name: /^Decide on ABC124/ }).click()
  const decision = page.getByRole('dialog', { name: 'Unknown code' })
  await decision.getByLabel('Code').fill('ABC123')
  await decision.getByRole('button', { name: 'Send again' }).click()
  await expect(rowOf(page, 'ABC123')).toContainText('One is open')
  await expect(notStored(page)).toBeHidden()
  await expect.poll(() => countKept(page)).toBe(0)
})

test('a note that the server refuses is kept until somebody has decided on it', async ({ staff: page }) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  const error = 'This entry was taken back, so its note stays as it is.'
  const body = JSON.stringify({ success: false, error, code: 'cannot_note' })
  await divert(page, `**${noteCall}`, (route) =>
    route.fulfill({ status: 409, body, contentType: 'application/json' }),
  )
  await addNote(page, 'One is open')
  await expect(notStored(page).getByRole('listitem')).toHaveText(/A-1One is openThis entry was taken back/)
  await findNetwork(page)
  await page.getByRole('button', { name: 'Send the note on A-1 again' }).click()
  await expect(notStored(page)).toBeHidden()
  await expect(rowOf(page, 'A-1')).toContainText('One is open')
})

test('nothing is said of a scan of which nothing was counted', async ({ staff: page }) => {
  await startCount(page)
  await scanLines(page, ['GHOST9', '3'])
  await expect(recentOf(page)).toContainText('GHOST9')
  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(dialogOf(page)).toContainText(
    'None of the recent scans was counted, or all were taken back: there is nothing to add a note to.',
  )
  await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
})

test('a scan that is taken back is offered no more, nor is anything said of it', async ({ staff: page }) => {
  await startCount(page)
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await cut(page, undoCall)
  await page.getByRole('button', { name: 'Add a note' }).click()
  await dialogOf(page).getByLabel('Note').fill('One is open')
  await dialogOf(page).getByRole('radio').first().focus()
  await scanLines(page, ['IM:UNDO'])
  await expect(page.getByText('2 scanned, 2 stored, 1 being taken back')).toBeAttached()
  await dialogOf(page).getByRole('button', { name: 'Save note' }).click()
  await expect(dialogOf(page).getByRole('alert')).toHaveText(
    'This scan was taken back, so no note can be added to it.',
  )
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(dialogOf(page).getByRole('radio')).toHaveCount(1)
  await expect(dialogOf(page).getByRole('radio', { name: /^A-1 / })).toBeChecked()
})
