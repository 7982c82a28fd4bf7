import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { asTimePasses, chooseLocation, expect, goTo, importRows, postFrom, signIn, test } from './fixtures.ts'
import { scanLines } from './scanner.ts'

/** Two with stock at Primary, two with none anywhere. */
const rows = [
  { barcode: 'BOLT', description: 'Bolt', primary_quantity: 5, secondary_quantity: 2 },
  { barcode: 'NUT', description: 'Nut', primary_quantity: 7 },
  { barcode: 'SCREW', description: 'Screw' },
  { barcode: 'WASHER', description: 'Washer' },
]

const listed = (page: Page) => page.getByRole('list', { name: 'Components' }).getByRole('listitem')

test('an administrator has all left out that a location has nothing of, and nobody there counts it any more', async ({
  admin: page,
  sam,
  openElsewhere,
}) => {
  await page.clock.install()
  await importRows(page, rows)
  const placed = { location: 'PRIMARY', components: [{ barcode: 'SCREW', bin: 'A-1' }] }
  await postFrom(page, '/api/components/place', placed)
  const elsewhere = await openElsewhere()
  await elsewhere.clock.install()
  await elsewhere.goto(page.url())
  await signIn(elsewhere, sam, new URL(page.url()).origin)
  await chooseLocation(elsewhere, 'Primary Warehouse')
  await goTo(elsewhere, 'Monthly Count')
  await elsewhere.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(elsewhere.getByText('0 of 4 counted, 0% complete')).toBeVisible()

  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'What is kept here' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is kept at Primary Warehouse' })
  await expect(dialog).toContainText('Primary Warehouse counts 4 components each month.')
  await expect(dialog).toContainText('1 of them has nothing here')
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Leave it out' }).click()
  await expect(dialog).toContainText('1 component left out at Primary Warehouse.')
  await expect(dialog).toContainText('counts 3 components each month, and leaves 1 component out.')
  await expect(dialog.getByRole('button', { name: 'Leave it out' })).toBeHidden()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByLabel('Show').selectOption('Not kept')
  await expect(listed(page)).toHaveText([/WASHER/])
  await goTo(page, 'Overview')
  await expect(page.getByText('0 of 3 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('0 of 4', { exact: true })).toHaveCount(2)

  // Whoever is counting has one less to count, until it turns up after all.
  const left = elsewhere.getByText('0 of 3 counted, 0% complete')
  await asTimePasses(elsewhere, 5_000, (soon) => expect(left).toBeVisible(soon))
  await elsewhere.getByLabel('Barcode').fill('WASHER')
  await elsewhere.getByLabel('Quantity').focus()
  await expect(elsewhere.getByText('WASHER is not in the list of what is counted here.')).toBeVisible()
  await expect(elsewhere.getByText('Unknown code')).toHaveCount(0)
  await elsewhere.getByLabel('Quantity').fill('0')
  await elsewhere.getByRole('button', { name: 'Submit' }).click()
  await expect(elsewhere.getByText('Washer - Quantity matches!')).toBeVisible()
  await expect(elsewhere.getByText('1 of 4 counted, 25% complete')).toBeVisible()
  const counted = page.getByText('1 of 4 counted at Primary Warehouse')
  await asTimePasses(page, 5_000, (soon) => expect(counted).toBeVisible(soon))
})

test('the page of a component says where it is kept, and why it cannot be left out', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  await page.goto('/components/NUT')
  await page.getByRole('button', { name: 'Where it is kept' }).click()
  const dialog = page.getByRole('dialog', { name: 'Where is NUT kept?' })
  await dialog.getByLabel('Secondary Warehouse').uncheck()
  await dialog.getByLabel('Primary Warehouse').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Primary Warehouse: There is stock of it there.')
  await dialog.getByLabel('Primary Warehouse').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Where NUT is kept was saved.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Secondary Warehouse Not kept 0/ })).toContainText(
    'Not counted here',
  )

  // What comes there is kept there.
  await page.getByRole('button', { name: 'Correct stock' }).click()
  const correcting = page.getByRole('dialog', { name: 'Correct the stock of NUT' })
  await correcting.getByLabel('Location').selectOption('SECONDARY')
  await correcting.getByLabel('New quantity').fill('2')
  await correcting.getByLabel('Note').fill('found two')
  await correcting.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Secondary Warehouse 2/ })).toBeVisible()
  await expect(page.getByText('Not kept', { exact: true })).toBeHidden()
})

test('who may not leave a component out at one location reads at which others that was saved', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  const weekly = { barcode: 'WASHER', assignments: { Monday: ['FULFILLMENT'] } }
  await postFrom(page, '/api/components/configure-high-volume', weekly)
  await page.goto('/components/WASHER')
  await page.getByRole('button', { name: 'Where it is kept' }).click()
  const dialog = page.getByRole('dialog', { name: 'Where is WASHER kept?' })
  for (const place of ['Primary Warehouse', 'Secondary Warehouse', 'Fulfillment Center']) {
    await dialog.getByLabel(place).uncheck()
  }
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Fulfillment Center: It is on a weekly list there. Saved: Primary Warehouse, Secondary Warehouse.',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Not kept', { exact: true })).toHaveCount(2)
})

test('a list of components is left out at a location, and what cannot be stays in it with the reason', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await page.getByLabel('What to do').selectOption('Leave out here')
  await page.getByLabel('Barcodes').focus()
  await scanLines(page, ['WASHER', 'BOLT', 'GHOST', 'SCREW'])
  await page.getByRole('button', { name: 'Leave out here: 4 components' }).click()
  await expect(
    page.getByText('2 components left out at Primary Warehouse. 2 left in the list.'),
  ).toBeVisible()
  await expect(page.getByRole('table', { name: 'Not done' }).getByRole('row')).toHaveText([
    /Line.*Reason/,
    /BOLT.*There is stock of it there\./,
    /GHOST.*There is no component in use with this barcode\./,
  ])
  await page.getByLabel('What to do').selectOption('Keep here again')
  await page.getByLabel('Barcodes').fill('SCREW')
  await page.getByRole('button', { name: 'Keep here again: 1 component' }).click()
  await expect(page.getByText('1 component kept at Primary Warehouse.')).toBeVisible()

  await goTo(page, 'Audit Trail')
  await expect(page.getByText('Kept and counted, Primary Warehouse')).toBeVisible()
  await expect(page.getByText('No longer kept nor counted, Primary Warehouse')).toHaveCount(2)
  await goTo(page, 'Components')
  await page.getByLabel('Show').selectOption('Not kept')
  await expect(listed(page)).toHaveText([/WASHER/])
  await page.getByRole('link', { name: 'Export' }).click()
  await expect(page.getByLabel('Low or not kept at')).toHaveValue('PRIMARY')
  const download = page.waitForEvent('download')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Not kept' })
    .getByRole('button', { name: 'CSV' })
    .click()
  expect((await download).suggestedFilename()).toMatch(/^components-not-kept_[\d-]+\.csv$/)
})
