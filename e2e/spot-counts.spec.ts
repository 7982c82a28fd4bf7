import type { Locator, Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { dayIn, daysFrom, said } from './days.ts'
import { afterTries, cut, expect, goTo, importRows, loseAnswer, test, type Company } from './fixtures.ts'
import { askAs, goOn } from './people.ts'
import type { Program } from './program.ts'
import { scanLines } from './scanner.ts'

const rows = ['A-1', 'A-2', 'A-3', 'A-4'].map((barcode) => ({ barcode, primary_quantity: 3 }))

/** Imports these, for whoever is signed in on a page, and has the administrator put A-1 behind A-2. */
async function fill(page: Page, program: Program, company: Company): Promise<void> {
  await importRows(page, rows)
  const components = [
    { barcode: 'A-1', bin: 'R-2' },
    { barcode: 'A-2', bin: 'R-1' },
  ]
  await askAs(program, company, { path: '/api/components/place', body: { location: 'PRIMARY', components } })
}

const today = () => dayIn('Europe/Berlin')

/** Has the administrator ask whoever counts at the Primary Warehouse for some SKUs. */
const ask = (program: Program, company: Company, barcodes: string[]) =>
  askAs(program, company, {
    path: '/api/counting/spot-counts',
    body: { location: 'PRIMARY', barcodes, due_on: today() },
  })

const countAs = (program: Program, person: { email: string; password: string }, barcode: string) =>
  askAs(program, person, {
    path: '/api/components/update-with-tracking',
    body: { barcode, quantity: 3, location: 'PRIMARY', session: 's', timestamp: new Date().toISOString() },
  })

const codesIn = (list: Locator) => list.locator('.font-mono')

const leftOf = (page: Page) => page.getByRole('list', { name: 'Left of the spot count' })

test('an administrator plans a spot count for the time that there is, and whoever is asked counts it from bin to bin', async ({
  admin: page,
  openElsewhere,
  program,
  company,
  sam,
}) => {
  await fill(page, program, company)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await expect(primary.getByText('No spot count')).toBeVisible()
  await primary.getByRole('button', { name: 'Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spot counts of Primary Warehouse' })
  const suggested = dialog.getByRole('list', { name: 'Suggested SKUs' })
  await expect(codesIn(suggested)).toHaveText(['A-1', 'A-2', 'A-3', 'A-4'])
  await expect(suggested.getByRole('listitem').first()).toHaveText('A-1Bin R-2not counted, 3 moved lately')
  expect(await barriersOf(page)).toEqual([])

  await dialog.getByLabel('Minutes').fill('481')
  await dialog.getByLabel('Count by').fill(daysFrom(today(), 32))
  // What was suggested for another time is gone with it.
  await expect(suggested).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Ask for a spot count' }).click()
  await expect(dialog.getByText('From 1 to 480 minutes.')).toBeVisible()
  await expect(dialog.getByText('Choose a day from today to 31 days ahead.')).toBeVisible()
  await expect(dialog.getByLabel('Minutes')).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByLabel('Minutes').fill('1')
  await expect(codesIn(suggested)).toHaveText(['A-1', 'A-2'])
  await expect(
    dialog.getByText('2 SKUs, about 1 minute at 30 seconds a SKU, until it is measured here.'),
  ).toBeVisible()
  await dialog.getByLabel('People').fill('2')
  await expect(codesIn(suggested)).toHaveText(['A-1', 'A-2', 'A-3', 'A-4'])
  for (const { barcode } of rows) await dialog.getByLabel(barcode, { exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Ask for a spot count' }).click()
  await expect(dialog.getByText('Choose at least one SKU.')).toBeVisible()
  for (const barcode of ['A-1', 'A-2']) await dialog.getByLabel(barcode, { exact: true }).check()
  await expect(dialog.getByText('Choose at least one SKU.')).toHaveCount(0)
  await dialog.getByLabel('Person').selectOption('Sam Staff')
  await dialog.getByLabel('Count by').fill(today())
  await dialog.getByRole('button', { name: 'Ask for 2 SKUs' }).click()
  const day = said(today(), 'short')
  await expect(dialog.getByText(`Asked for 2 SKUs by ${said(today(), 'long')}.`)).toBeVisible()
  const already = dialog.getByRole('list', { name: 'Asked for already' }).getByRole('listitem')
  await expect(already).toHaveText([`0 of 2 SKUsSam Staff, by ${day}A-1, A-2Count sheetWithdraw`])
  await expect(codesIn(suggested)).toHaveText(['A-3', 'A-4'])
  await page.keyboard.press('Escape')
  const inRoom = primary.getByRole('list', { name: 'Spot counts of Primary Warehouse' })
  await expect(inRoom).toHaveText(`0 of 2 SKUs, Sam Staffby ${day}`)
  expect(await barriersOf(page)).toEqual([])

  const ofSam = await openElsewhere()
  await goOn(ofSam, program, sam)
  const task = ofSam.getByRole('list', { name: 'What you are asked to count' }).getByRole('listitem')
  await expect(task).toHaveText(
    `You are asked to count 2 SKUs at Primary Warehouse by ${said(today(), 'long')}: 2 left.Count`,
  )
  await task.getByRole('link', { name: 'Count' }).click()
  await expect(ofSam.getByText(`2 SKUs left, by ${day}`)).toBeVisible()
  await expect(codesIn(leftOf(ofSam))).toHaveText(['A-2', 'A-1'])
  expect(await barriersOf(ofSam)).toEqual([])
  await ofSam.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(ofSam.getByLabel('Barcode')).toBeFocused()
  await scanLines(ofSam, ['A-2', '3', 'A-4', '3'])
  await expect(codesIn(leftOf(ofSam))).toHaveText(['A-1'])
  await expect(inRoom).toHaveText(`1 of 2 SKUs, Sam Staffby ${day}`)
  expect(await barriersOf(ofSam)).toEqual([])
  await scanLines(ofSam, ['A-1', '3'])
  await expect(leftOf(ofSam)).toHaveCount(0)
  await expect(inRoom).toHaveText(`2 of 2 SKUs, Sam Staffby ${day}, done`)
  await goTo(ofSam, 'Overview')
  await expect(ofSam.getByText('2 of 4 counted at Primary Warehouse')).toBeHidden()
  await expect(ofSam.getByText('3 of 4 counted at Primary Warehouse')).toBeVisible()
  await expect(task).toHaveCount(0)

  await primary.getByRole('button', { name: 'Plan' }).click()
  await expect(already).toHaveText([`2 of 2 SKUsSam Staff, by ${day}DoneA-1, A-2Withdraw`])
  await dialog.getByRole('button', { name: `Withdraw 2 SKUs, Sam Staff, by ${day}` }).click()
  await expect(
    dialog.getByText(`The spot count (Sam Staff, by ${day}) is withdrawn. What was counted stays counted.`),
  ).toBeVisible()
  await expect(already).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(primary.getByText('No spot count')).toBeVisible()
  await goTo(page, 'Audit Trail')
  await expect(
    page.getByText(`Spot count withdrawn, Primary Warehouse, Sam Staff, 2 SKUs, by ${day}`),
  ).toBeVisible()
  await expect(
    page.getByText(`Asked for a spot count, Primary Warehouse, Sam Staff, A-1, A-2, by ${day}`),
  ).toBeVisible()
})

test('SKUs are named for a spot count, one a line, and what is none of the location is told', async ({
  admin: page,
  program,
  company,
}) => {
  await fill(page, program, company)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await primary.getByRole('button', { name: 'Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spot counts of Primary Warehouse' })
  await dialog.getByLabel('What to count').selectOption('SKUs that I name')
  await dialog.getByRole('button', { name: 'Ask for a spot count' }).click()
  await expect(dialog.getByText('Name at least one SKU.')).toBeVisible()
  const named = dialog.getByLabel('SKUs, one a line')
  await expect(named).toBeFocused()
  await named.fill('NOWHERE')
  await dialog.getByRole('button', { name: 'Ask for 1 SKU' }).click()
  await expect(dialog.getByText('None of these is a component that the location counts.')).toBeVisible()
  await expect(named).toHaveValue('NOWHERE')
  await named.fill('A-3\n\n A-1 \nNOWHERE\nA-3')
  await dialog.getByRole('button', { name: 'Ask for 3 SKUs' }).click()
  const day = said(today(), 'short')
  await expect(
    dialog.getByText(
      `Asked for 2 SKUs by ${said(today(), 'long')}. Not known, or not counted at this location: NOWHERE.`,
    ),
  ).toBeVisible()
  await expect(named).toHaveValue('NOWHERE')
  expect(await barriersOf(page)).toEqual([])
  const sheet = page.waitForEvent('download')
  await dialog.getByRole('button', { name: `Count sheet of 2 SKUs, whoever counts here, by ${day}` }).click()
  expect((await sheet).suggestedFilename()).toMatch(/^count_sheet_PRIMARY_/)
  await page.keyboard.press('Escape')
  await expect(primary.getByRole('list', { name: 'Spot counts of Primary Warehouse' })).toHaveText(
    `0 of 2 SKUsby ${day}`,
  )
  // An administrator counts it in the cycle count, whose list hears of the count by its own answer.
  await cut(page, '/api/events*')
  await goTo(page, 'Monthly Count')
  await page.reload()
  await expect(codesIn(leftOf(page))).toHaveText(['A-1', 'A-3'])
  await page.getByRole('button', { name: 'Count sheet' }).click()
  const choice = page.getByRole('dialog', { name: 'Count sheet' })
  await choice.getByLabel('Components').selectOption('Left of the spot count')
  const asked = page.waitForRequest('**/api/components/count-sheet?*')
  await choice.getByRole('button', { name: 'Download PDF' }).click()
  const query = new URL((await asked).url()).searchParams
  expect([query.get('spot_count'), query.get('components'), query.get('cycle')]).toEqual([
    'mine',
    'pending',
    null,
  ])
  await expect(choice.getByText(/is saved/)).toBeVisible()
  await choice.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await expect(codesIn(leftOf(page))).toHaveText(['A-3'])
})

test('what is left of a spot count is known without a network, and goes away with an entry that waits', async ({
  staff: page,
  program,
  company,
}) => {
  await fill(page, program, company)
  await goTo(page, 'Monthly Count')
  await expect(page.getByText('Nobody else is counting here now.')).toBeVisible()
  await ask(program, company, ['A-1', 'A-2', 'A-3', 'A-4'])
  // Told by the server: it would be asked for by itself only after a minute.
  await expect(codesIn(leftOf(page))).toHaveText(['A-2', 'A-1', 'A-3', 'A-4'])
  await countAs(program, company, 'A-4')
  await expect(codesIn(leftOf(page))).toHaveText(['A-2', 'A-1', 'A-3'])
  await cut(page, '/api/counting/spot-skus*')
  await cut(page, '/api/components/update-with-tracking')
  await page.reload()
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(codesIn(leftOf(page))).toHaveText(['A-2', 'A-1', 'A-3'])
  await scanLines(page, ['A-3', '3'])
  await expect(codesIn(leftOf(page))).toHaveText(['A-2', 'A-1'])
  await expect(page.getByText('1 scan is waiting to be stored.')).toBeVisible()
})

test('a spot count for whoever counts there is read by those who count, and said to be overdue', async ({
  staff: page,
  program,
  company,
}) => {
  await fill(page, program, company)
  await importRows(page, [{ barcode: 'A-5' }, { barcode: 'A-6' }])
  await ask(program, company, ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'])
  await program.sql(
    `update spot_counts set due_on = due_on - 1
     where tenant_id = (select tenant_id from users where email = $1)`,
    [company.email],
  )
  const yesterday = daysFrom(today(), -1)
  await goTo(page, 'Overview')
  const task = page.getByRole('list', { name: 'What you are asked to count' }).getByRole('listitem')
  await expect(task).toHaveText(
    `Spot count of 6 SKUs at Primary Warehouse by ${said(yesterday, 'long')}: 6 left.OverdueCount`,
  )
  await task.getByRole('link', { name: 'Count' }).click()
  await expect(page.getByText(`6 SKUs left, by ${said(yesterday, 'short')}Overdue`)).toBeVisible()
  await expect(codesIn(leftOf(page))).toHaveCount(5)
  await page.getByRole('button', { name: 'Show All 6 SKUs' }).click()
  await expect(codesIn(leftOf(page))).toHaveCount(6)
  await page.getByRole('button', { name: 'Show Less' }).click()
  await expect(codesIn(leftOf(page))).toHaveCount(5)
})

test('a spot count whose answer was lost is asked for once, and what came of it is in view on a handheld', async ({
  admin: page,
  program,
  company,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await fill(page, program, company)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await primary.getByRole('button', { name: 'Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spot counts of Primary Warehouse' })
  await dialog.getByLabel('What to count').selectOption('SKUs that I name')
  await dialog.getByLabel('SKUs, one a line').fill('A-3')
  await loseAnswer(page, '/api/counting/spot-counts')
  await dialog.getByRole('button', { name: 'Ask for 1 SKU' }).click()
  await expect(dialog.getByText('The server cannot be reached.')).toBeInViewport(afterTries)
  await dialog.getByRole('button', { name: 'Ask for 1 SKU' }).click()
  await expect(dialog.getByText(/^Asked for 1 SKU by/)).toBeInViewport()
  await expect(dialog.getByRole('list', { name: 'Asked for already' }).getByRole('listitem')).toHaveCount(1)
})
