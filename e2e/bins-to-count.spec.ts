import type { Locator, Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { dayIn, endOfMonth, said } from './days.ts'
import { chooseLocation, dayOf, divert, expect, goTo, importRows, test, type Company } from './fixtures.ts'
import { askAs, beginSession, goOn } from './people.ts'
import type { Program } from './program.ts'
import { scanLines } from './scanner.ts'

/** lie in aisle A, B-1 and B-2 in aisle B, and C-1 in no bin, at the Primary Warehouse. */
const bins = { 'A-1': 'A-10', 'A-2': 'A-2', 'B-1': 'B-01', 'B-2': 'b-02' }
const rows = ['B-1', 'A-1', 'C-1', 'B-2', 'A-2'].map((barcode) => ({ barcode, primary_quantity: 3 }))

/** Imports these, for whoever is signed in on a page, and has the administrator say in which bins they lie. */
async function fillBins(page: Page, program: Program, company: Company): Promise<void> {
  await importRows(page, rows)
  const components = Object.entries(bins).map(([barcode, bin]) => ({ barcode, bin }))
  await askAs(program, company, { path: '/api/components/place', body: { location: 'PRIMARY', components } })
}

/** The last day of the present month where the companies of the tests are. */
const lastDay = () => endOfMonth(dayIn('Europe/Berlin'))

/** Has the administrator ask somebody to count some bins of the Primary Warehouse, or all of it. */
async function ask(
  program: Program,
  company: Company,
  { person, bins: names }: { person: { email: string; password: string }; bins: string[] },
): Promise<void> {
  const { user } = await beginSession(program, person)
  const body = { location: 'PRIMARY', user_id: Reflect.get(user, 'id'), due_on: lastDay(), bins: names }
  await askAs(program, company, { path: '/api/counting/assignments', body })
}

const listOf = (page: Page) => page.getByRole('list', { name: 'Components to count' })

const codesIn = (list: Locator) => list.locator('.font-mono')

test('an administrator divides the bins of a location among people, and whoever is asked counts theirs first', async ({
  admin: page,
  openElsewhere,
  program,
  company,
  sam,
}) => {
  await fillBins(page, program, company)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await primary.getByRole('button', { name: 'Assign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who counts Primary Warehouse' })
  const aisles = dialog.getByRole('list', { name: 'Bins begin with' }).getByRole('listitem')
  await expect(aisles).toHaveText(['A 2 SKUs', 'B 2 SKUs'])
  await dialog.getByLabel('Person').selectOption('Sam Staff')
  await dialog.getByLabel('A', { exact: true }).check()
  await expect(dialog.getByLabel('Bins', { exact: true })).toHaveValue('A')
  await dialog.getByLabel('What has no bin, too').check()
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Assign' }).click()
  const end = lastDay()
  const short = said(end, 'short')
  await expect(
    dialog.getByText(
      `Sam Staff is asked to count bin A and what has no bin at Primary Warehouse by ${said(end, 'long')}.`,
    ),
  ).toBeVisible()
  await expect(aisles).toHaveText(['A 2 SKUs, Sam Staff', 'B 2 SKUs'])

  await dialog.getByLabel('Bins', { exact: true }).fill(`a, ${'x'.repeat(41)}`)
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(dialog.getByText('The name of a bin has at most 40 characters.')).toBeVisible()
  await expect(dialog.getByLabel('Bins', { exact: true })).toBeFocused()
  await dialog.getByLabel('Bins', { exact: true }).fill('a')
  await dialog.getByLabel('A', { exact: true }).uncheck()
  await expect(dialog.getByLabel('Bins', { exact: true })).toHaveValue('')
  await dialog.getByLabel('A', { exact: true }).check()
  await dialog.getByLabel('Only what has no bin').or(dialog.getByLabel('What has no bin, too')).uncheck()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  const already = dialog.getByRole('list', { name: 'Asked already' }).getByRole('listitem')
  await expect(already).toHaveText([`Sam Staffbin A, by ${short}Withdraw`])
  await dialog.getByLabel('Person').selectOption('Choose a person')
  await expect(dialog.getByLabel('Bins', { exact: true })).toHaveValue('')
  await dialog.getByLabel('Person').selectOption('Sam Staff')
  await expect(dialog.getByLabel('Bins', { exact: true })).toHaveValue('A')
  await expect(
    dialog.getByText(`Already asked to count bin A by ${short}. Assign again to change the day or the bins.`),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(primary.getByRole('list', { name: 'Who is asked to count Primary Warehouse' })).toHaveText(
    `Sam Staffby ${short}bin A: 0 of 2`,
  )

  const ofSam = await openElsewhere()
  await goOn(ofSam, program, sam)
  const task = ofSam.getByRole('list', { name: 'What you are asked to count' }).getByRole('listitem')
  await expect(task).toHaveText(
    `You are asked to count bin A at Primary Warehouse by ${said(end, 'long')}: 2 left.Count`,
  )
  await task.getByRole('link', { name: 'Count' }).click()
  await expect(ofSam.getByText('You are asked to count bin A: 0 of 2 counted.')).toBeVisible()
  await expect(codesIn(listOf(ofSam))).toHaveText(['A-1', 'A-2'])
  expect(await barriersOf(ofSam)).toEqual([])
  await ofSam.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(ofSam.getByLabel('Barcode')).toBeFocused()
  await scanLines(ofSam, ['A-1', '3', 'B-1', '3'])
  await expect(ofSam.getByText('You are asked to count bin A: 1 of 2 counted.')).toBeVisible()
  await expect(ofSam.getByText('2 of 5 counted, 40% complete')).toBeVisible()
  await expect(primary.getByText('bin A: 1 of 2')).toBeVisible()

  await ofSam.getByLabel('Find in the list').fill('B-1')
  await expect(ofSam.getByText('Nothing here matches "B-1".')).toBeVisible()
  await expect(ofSam.getByText('To list what lies elsewhere, turn off My bins.')).toBeVisible()
  await ofSam.getByLabel('My bins').uncheck()
  await expect(codesIn(listOf(ofSam))).toHaveText(['B-1'])
  await ofSam.getByLabel('My bins').check()
  await ofSam.getByLabel('Find in the list').fill('')
  await ofSam.getByLabel('By bin').check()
  await expect(codesIn(listOf(ofSam))).toHaveText(['A-2', 'A-1'])
})

test('what is left of the own bins is confirmed absent or told when the count ends, and the rest is told beside', async ({
  staff: page,
  program,
  company,
  sam,
}) => {
  await fillBins(page, program, company)
  await ask(program, company, { person: sam, bins: ['B', ''] })
  await goTo(page, 'Monthly Count')
  await expect(
    page.getByText('You are asked to count bin B and what has no bin: 0 of 3 counted.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['C-1', '3', 'B-1', '3'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  const finish = page.getByRole('dialog', { name: 'Finish counting?' })
  await expect(
    finish.getByText('1 SKU is left to count of bin B and what has no bin. 2 SKUs are left elsewhere.'),
  ).toBeVisible()
  await expect(codesIn(finish)).toHaveText(['B-2'])
  await finish.getByRole('button', { name: 'Keep counting' }).click()

  await page.getByRole('button', { name: 'Confirm absent' }).click()
  const absent = page.getByRole('dialog', { name: 'Confirm absent' })
  await expect(codesIn(absent)).toHaveText(['B-2'])
  await absent.getByLabel('Only bin B and what has no bin').uncheck()
  await expect(codesIn(absent)).toHaveText(['A-2', 'A-1', 'B-2'])
  await absent.getByLabel('A-1').check()
  await absent.getByLabel('Only bin B and what has no bin').check()
  await expect(absent.getByRole('button', { name: 'Count 0 SKUs as 0' })).toBeDisabled()
  await absent.getByLabel('B-2').check()
  expect(await barriersOf(page)).toEqual([])
  await absent.getByRole('button', { name: 'Count 1 SKU as 0' }).click()
  const again = page.getByRole('list', { name: 'Scans to count again' })
  await expect(again.getByRole('listitem')).toHaveCount(1)
  await scanLines(page, ['B-2', '3'])
  await expect(
    page.getByText('You are asked to count bin B and what has no bin: 3 of 3 counted.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Confirm absent' }).click()
  await expect(absent.getByText('Nothing is left of bin B and what has no bin.')).toBeVisible()
  await absent.getByRole('button', { name: 'Keep counting' }).click()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(
    finish.getByText('Nothing is left to count of bin B and what has no bin. 2 SKUs are left elsewhere.'),
  ).toBeVisible()
})

test('the own bins are known without a network, until the device hears that they are others @handheld', async ({
  staff: page,
  program,
  company,
  sam,
}) => {
  await fillBins(page, program, company)
  await ask(program, company, { person: sam, bins: ['A'] })
  await goTo(page, 'Monthly Count')
  const mine = page.getByText('You are asked to count bin A: 0 of 2 counted.')
  await expect(mine).toBeVisible()
  await divert(page, '**/api/**', (route) => route.abort('internetdisconnected'))
  await page.reload()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible({ timeout: 20_000 })
  await expect(mine).toBeVisible()
  await expect(codesIn(listOf(page))).toHaveText(['A-1', 'A-2'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await ask(program, company, { person: sam, bins: [] })
  await page.reload()
  await expect(codesIn(listOf(page))).toHaveCount(5)
  await expect(mine).toBeHidden()
  await expect(page.getByLabel('My bins')).toBeHidden()
  // News are heard from here on.
  await expect(page.getByText('Nobody else is counting here now.')).toBeVisible()
  await ask(program, company, { person: sam, bins: ['b'] })
  await expect(page.getByText('You are asked to count bin b: 0 of 2 counted.')).toBeVisible()
})

test('on a device that has no room for the own bins everything is listed, and can be counted', async ({
  staff: page,
  program,
  company,
  sam,
}) => {
  await fillBins(page, program, company)
  await ask(program, company, { person: sam, bins: ['A'] })
  await page.addInitScript(() => {
    Storage.prototype.setItem = function set(this: Storage, key: string, value: string): void {
      if (key.startsWith('my_bins')) throw new DOMException('No room.', 'QuotaExceededError')
      Reflect.set(this, key, value)
    }
  })
  await goTo(page, 'Overview')
  await page.reload()
  const learned = page.waitForResponse('**/api/counting/my-bins?**')
  await goTo(page, 'Monthly Count')
  await learned
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['B-1', '3'])
  await expect(page.getByText('1 of 5 counted, 20% complete')).toBeVisible()
  await expect(codesIn(listOf(page))).toHaveCount(5)
  await expect(page.getByLabel('My bins')).toBeHidden()
})

test('own bins are of one location and of the month: lists of a day and of elsewhere stay whole', async ({
  staff: page,
  program,
  company,
  sam,
}) => {
  await fillBins(page, program, company)
  await ask(program, company, { person: sam, bins: ['A'] })
  for (const barcode of ['A-1', 'B-1']) {
    const body = { barcode, assignments: { Monday: ['PRIMARY'] } }
    await askAs(program, company, { path: '/api/components/configure-high-volume', body })
  }
  await goTo(page, 'Monthly Count')
  await expect(codesIn(listOf(page))).toHaveText(['A-1', 'A-2'])
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Monday')
  await expect(codesIn(listOf(page))).toHaveText(['A-1', 'B-1'])
  await expect(page.getByLabel('My bins')).toBeHidden()
  await page.evaluate(() => localStorage.removeItem('selectedLocation'))
  await page.reload()
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Monthly Count')
  await expect(codesIn(listOf(page))).toHaveCount(5)
  await expect(page.getByLabel('My bins')).toBeHidden()
})

test('an administrator who counts has their own bins, too, and prints these', async ({
  admin: page,
  program,
  company,
}) => {
  await fillBins(page, program, company)
  await ask(program, company, { person: company, bins: ['B', ''] })
  await goTo(page, 'Monthly Count')
  const skus = page.getByRole('list', { name: 'SKUs to count' })
  await expect(codesIn(skus)).toHaveText(['B-1', 'B-2', 'C-1'])
  await page.getByRole('button', { name: 'Count sheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Count sheet' })
  await expect(dialog.getByLabel('Bins', { exact: true })).toHaveValue('B')
  await expect(dialog.getByLabel('What has no bin, too')).toBeChecked()
  expect(await barriersOf(page)).toEqual([])
  const asked = page.waitForRequest('**/api/components/count-sheet?**')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  const { searchParams } = new URL((await asked).url())
  expect([searchParams.get('bins'), searchParams.get('no_bin')]).toEqual(['B', 'true'])
  await download
  await dialog.getByLabel('What has no bin, too').uncheck()
  await dialog.getByLabel('Bins', { exact: true }).fill('Z')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  await expect(dialog.getByText('Nothing is to be counted here of bin Z.')).toBeVisible()
  await page.keyboard.press('Escape')
  await goTo(page, 'Audit Trail')
  await expect(page.getByText('bin B and what has no bin').first()).toBeVisible()
})
