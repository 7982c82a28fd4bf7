import type { Page } from '@playwright/test'
import {
  chooseLocation,
  dayOf,
  expect,
  goTo,
  hold,
  importRows,
  postFrom,
  signIn,
  stopClock,
  test,
} from './fixtures.ts'
import { pauseOfHand, scanAtPace, scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

const rows = [
  { barcode: '4006381333931', description: 'Bolt', primary_quantity: 3 },
  { barcode: 'A-2', description: 'Nut', primary_quantity: 2 },
  { barcode: 'A-3', description: 'Washer', primary_quantity: 12 },
]

const panel = (page: Page) => page.getByRole('status').first()

test('where each scan counts one, the pieces of a SKU are entered when another is scanned', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['4006381333931', '4006381333931', '4006381333931'])
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
  await expect(panel(page)).toContainText('Bolt')
  await expect(panel(page)).toContainText('Each scan counts one')
  await scanLines(page, ['A-2', 'A-2'])
  await expect(page.getByText('Bolt - Quantity matches!')).toBeVisible()
  await expect(page.getByLabel('Quantity')).toHaveValue('2')

  // Neither the number nor the choice is lost with the page.
  await page.reload()
  await expect(page.getByLabel('Each scan counts one')).toBeChecked()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-2')
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Nut - Quantity matches!')).toBeVisible()
  await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
})

test('the code of a pack counts all of its pieces, and what is typed after it is a number of pieces', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  await page.goto('/components/A-3')
  await page.getByRole('button', { name: 'Add barcode' }).click()
  const dialog = page.getByRole('dialog', { name: 'Another barcode of A-3' })
  await dialog.getByLabel('Pieces').fill('0')
  await dialog.getByLabel('Barcode').fill('CASE-3')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Give the pieces of a pack as a whole number from 1 to 10,000.')
  await dialog.getByLabel('Pieces').fill('5')
  await dialog.getByLabel('Barcode').focus()
  await pauseOfHand(page)
  await scanLines(page, ['CASE-3'])
  await expect(page.getByText('Barcode CASE-3 added.')).toBeVisible()
  const codes = page.getByRole('list', { name: 'Other barcodes' })
  await expect(codes.getByRole('listitem')).toHaveText([/CASE-3.*Pack of 5/])
  await expect(page.getByRole('row', { name: /Primary Warehouse 12/ })).toBeVisible()

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['CASE-3'])
  await expect(panel(page)).toContainText('Pack of 5: enter pieces')
  await page.getByLabel('Barcode').fill('')
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['CASE-3', 'A-3', 'CASE-3', 'A-3', 'A-3', 'IM:UNDO'])
  await expect(page.getByLabel('Quantity')).toHaveValue('12')
  await expect(panel(page)).toContainText('Each scan counts 5')
  await scanLines(page, ['A-2'])
  await expect(page.getByText('Washer - Quantity matches!')).toBeVisible()
})

test('of a number of pieces a typed number takes the place, and further scans are added to it', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-3'])
  await expect(page.getByLabel('Quantity')).toHaveValue('1')
  await pauseOfHand(page)
  await page.keyboard.type('11', { delay: 200 })
  await expect(page.getByLabel('Quantity')).toHaveValue('11')
  await pauseOfHand(page)
  await scanLines(page, ['A-3', 'IM:SUBMIT'])
  await expect(page.getByText('Washer - Quantity matches!')).toBeVisible()
})

test('whoever goes on from a number that was typed over pieces stays, and is told how either is entered', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-3', 'A-3'])
  await page.getByLabel('Quantity').fill('12')
  // No message goes by itself.
  await stopClock(page)
  await page.getByRole('button', { name: 'Next Item' }).click()
  const told = page.getByText('Not entered yet: press Submit, or Undo last to have the scanned pieces back.')
  await expect(told).toBeVisible()
  await expect(page.getByLabel('Quantity')).toHaveValue('12')
  await page.getByRole('button', { name: 'Undo last' }).click()
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await expect(told).toBeHidden()
  await page.clock.resume()
  await page.getByLabel('Quantity').fill('12')
  await page.getByRole('button', { name: 'Finish' }).click()
  const question = page.getByRole('dialog', { name: 'Finish counting?' })
  await expect(
    question.getByText('The values in the fields have not been entered. Press Submit first.', {
      exact: true,
    }),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Keep counting' }).click()
  await pauseOfHand(page)
  await scanLines(page, ['A-2'])
  await expect(page.getByText('1 scanned, waiting for Submit')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Washer - Quantity matches!')).toBeVisible()
})

test('pieces that are scanned while it is asked whether to finish are not thrown away', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  const question = page.getByRole('dialog', { name: 'Finish counting?' })
  await expect(question.getByText('3 SKUs are left to count.')).toBeVisible()
  await scanLines(page, ['A-2', 'A-2'])
  const notEntered = question.getByText('The values in the fields have not been entered. Press Submit first.')
  // Whatever else has drawn the question anew has taken the button away already.
  await question.getByRole('button', { name: 'Finish' }).or(notEntered).click()
  await expect(notEntered).toBeVisible()
  await question.getByRole('button', { name: 'Keep counting' }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Nut - Quantity matches!')).toBeVisible()
})

test('what is scanned while a reset is asked about or on its way is heard to be counted nowhere', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-2'])
  await page.getByRole('button', { name: 'Reset Count' }).click()
  const question = page.getByRole('dialog', { name: 'Reset Count' })
  await expect(
    question.getByText('The values in the fields have not been entered and will be lost.'),
  ).toBeVisible()
  await scanLines(page, ['A-3'])
  await expect(page.getByText('Not counted: first say whether the count is reset.')).toBeVisible()
  const letThrough = await hold(page, '/api/components/reset-counts')
  await question.getByRole('button', { name: 'Reset Count' }).click()
  await expect(question.getByRole('button', { name: 'Keep counting' })).toBeDisabled()
  await scanLines(page, ['A-3'])
  letThrough()
  await expect(page.getByText('Count for Primary Warehouse has been reset.')).toBeVisible()
  await expect(question).toBeHidden()
})

const notEntered = (page: Page) => page.getByText('Not entered: A-2, 2.')

/** Goes on after a count's time, where the pieces of that one are told of, and can be put back. */
async function findPiecesLeft(page: Page, start: string): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await expect(question).toContainText('2 scanned pieces are not entered.')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('button', { name: start }).click()
  await expect(notEntered(page)).toBeVisible()
  await expect(page.getByLabel('Quantity')).toHaveValue('')
  await page.getByRole('button', { name: 'Put back' }).click()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-2')
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
}

test('pieces of a count whose month is over are left in the next one', async ({ staff: page }) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-2', 'A-2'])
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await goTo(page, 'Overview')
  await page.clock.setFixedTime(new Date(Date.now() + 32 * 86_400_000))
  await goTo(page, 'Monthly Count')
  await findPiecesLeft(page, 'Start Monthly Count')
})

test('pieces of a cycle whose month is over are left in the next one', async ({ admin: page }) => {
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-2', 'A-2'])
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await goTo(page, 'Overview')
  // Which month it is the server says: the pieces become those of the month before.
  await page.evaluate(() => {
    const [key = '', form = ''] =
      Object.entries(sessionStorage).find(([name]) => name.startsWith('scan_form_')) ?? []
    const before = key.replace(/(\d{4})-(\d{2})/, (_, year, month) =>
      new Date(Date.UTC(Number(year), Number(month) - 2)).toISOString().slice(0, 7),
    )
    sessionStorage.removeItem(key)
    sessionStorage.setItem(before, form)
  })
  await goTo(page, 'Monthly Count')
  await findPiecesLeft(page, 'Resume Admin View')
})

test('pieces of a day that ended while another screen was shown are left in its next count', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  const body = { barcodes: ['A-2'], day: 'Wednesday', location: 'PRIMARY', action: 'add' }
  await postFrom(page, '/api/components/bulk-high-volume', body)
  await goTo(page, 'Overview')
  await page.clock.setFixedTime(new Date('2026-11-18T22:55:00Z'))
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-2', 'A-2'])
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await goTo(page, 'Overview')
  await page.clock.setFixedTime(new Date('2026-11-18T23:00:10Z'))
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await findPiecesLeft(page, 'Start Count')
})

test('200 pieces at 20 a second are none lost and none doubled', async ({ staff: page }) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 100 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 100 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByLabel('Each scan counts one').check()
  const pieces = (code: string): string[] => Array<string>(100).fill(code)
  await scanAtPace(page, [...pieces('A-1'), ...pieces('A-2'), 'IM:SUBMIT'], 20)
  await expect(page.getByText('2 of 2 counted, 100% complete')).toBeVisible()
})

test('whoever logs out or closes the tab is told of pieces that are not entered, and finds them again in the tab', async ({
  staff: page,
  company,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-3', 'A-3', 'A-3'])
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const closing = await asked
  expect(closing.type()).toBe('beforeunload')
  await closing.dismiss()

  await goTo(page, 'Audit Trail')
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await expect(
    question.getByText(
      '3 scanned pieces are not entered. They are in their count again when you sign in again in this tab, and gone once the tab is closed.',
    ),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await signIn(page, { email: `sam-${company.email}`, password: 'another horse' })
  await chooseLocation(page, 'Primary Warehouse')
  await goTo(page, 'Monthly Count')
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('whoever logs out where a location is chosen is told of pieces that are not entered, too', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-3', 'A-3'])
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await page.getByRole('button', { name: 'Change Location' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out?' })
  await expect(question).toContainText('2 scanned pieces are not entered.')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await chooseLocation(page, 'Primary Warehouse')
  await goTo(page, 'Monthly Count')
  await expect(page.getByLabel('Quantity')).toHaveValue('2')

  await page.getByRole('button', { name: 'Change Location' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a SKU that lies in two places is counted by adding the second to the first', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await scanLines(page, ['A-3', '5'])
  await expect(panel(page)).toContainText('Incorrect quantity for Washer')
  await scanLines(page, ['A-3'])
  await expect(page.getByText('You counted 5 of it before.')).toBeVisible()
  await page.getByRole('button', { name: 'Add to it' }).click()
  await expect(page.getByText('The 5 counted before are added to the quantity.')).toBeVisible()
  await scanLines(page, ['7'])
  await expect(page.getByText('Washer - Quantity matches!')).toBeVisible()
  await scanLines(page, ['A-3'])
  await expect(page.getByRole('button', { name: 'Add to it' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Next Item' }).click()
  await scanLines(page, ['A-2', '1', 'A-2'])
  await page.getByRole('button', { name: 'Add to it' }).click()
  await expect(page.getByText('The 1 counted before is added to the quantity.')).toBeVisible()
})

test('whoever scans another place has entered the pieces of this one', async ({ staff: page }) => {
  await startMonth(page, rows)
  await page.getByLabel('Each scan counts one').check()
  // The trail is loaded once: what is stored after that is not in it.
  const counted = page.waitForResponse(/update-with-tracking/)
  await scanLines(page, ['A-2', 'A-2', 'IM:LOC:SECONDARY'])
  const question = page.getByRole('dialog', { name: 'Change location?' })
  const isThere = page.getByRole('banner').getByText('Secondary Warehouse')
  await expect(question.or(isThere).first()).toBeVisible()
  if (await question.isVisible()) await question.getByRole('button', { name: /^Go to/ }).click()
  await expect(isThere).toBeVisible()
  await counted
  await goTo(page, 'Audit Trail')
  await expect(page.getByRole('row', { name: /A-2.*quantity 2, Primary Warehouse/ })).toBeVisible()
})

test('what is taken back is added to nothing, and pieces are taken off before it', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await scanLines(page, ['A-3', '5'])
  await expect(panel(page)).toContainText('Incorrect quantity for Washer')
  await scanLines(page, ['A-3'])
  await page.getByRole('button', { name: 'Add to it' }).click()
  await page.getByLabel('Each scan counts one').check()
  await scanLines(page, ['A-3', 'A-3'])
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
  await scanLines(page, ['IM:UNDO', 'IM:UNDO', 'IM:UNDO'])
  await expect(page.getByLabel('Barcode')).toHaveValue('')
  await scanLines(page, ['A-3'])
  await page.getByRole('button', { name: 'Add to it' }).click()
  await scanLines(page, ['IM:UNDO', 'IM:UNDO'])
  await expect(page.getByText('Took back: A-3.')).toBeVisible()
  await scanLines(page, ['A-3'])
  await expect(page.getByLabel('Quantity')).toHaveValue('1')
  await expect(page.getByText(/counted 5|5 counted/)).toHaveCount(0)
})
