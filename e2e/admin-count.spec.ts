import { expect, goTo, scanLines, test } from './fixtures.ts'

test('an administrator counts a cycle to its end and resets it', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3\nA-2,Nut,4')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 2 labels')).toBeVisible()

  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('heading', { name: 'Admin View, Primary Warehouse' })).toBeVisible()
  await expect(page.getByText('Expected 3')).toBeVisible()
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()

  await scanLines(page, ['A-1', '2'])
  await expect(page.getByText('Quantity mismatch. Expected: 3, Entered: 2. Please recount.')).toBeVisible()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('Successfully counted A-1 at Primary Warehouse!')).toBeVisible()
  await expect(page.getByText('Counted 3')).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: 'Resume Admin View' }).click()
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
  await scanLines(page, ['A-2', '4'])
  await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible()

  await page.getByRole('button', { name: 'Reset Cycle Count' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Cycle Count' }).click()
  await expect(page.getByRole('button', { name: 'Start Admin View' })).toBeVisible()
})

test('charts show what was scanned, or that nothing was', async ({ admin: page }) => {
  await goTo(page, 'Analytics')
  await expect(page.getByText('No data available for this graph')).toBeVisible()
  await expect(page.getByText('Start scanning items to see analytics')).toBeVisible()
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()

  await goTo(page, 'Analytics')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('button', { name: 'Location Heatmap' }).click()
  await expect(page.getByRole('cell', { name: '1', exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Top SKUs' }).click()
  await page.getByText('The numbers as a table').click()
  await expect(page.getByRole('cell', { name: 'A-1' })).toBeVisible()
})
