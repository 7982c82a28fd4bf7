import type { Page } from '@playwright/test'
import { expect, goTo, scanLines, test } from './fixtures.ts'

/** Makes components and puts two of them on Wednesday's list. */
async function planWednesday(page: Page): Promise<void> {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3\nA-2,Nut,4\nA-3,Washer,5')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 3 labels')).toBeVisible()
  await goTo(page, 'Weekly Count')
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Counted on').selectOption('Wednesday')
  await dialog.getByLabel('Add SKUs').fill('A-1\nA-2\nGHOST')
  await dialog.getByRole('button', { name: 'Add to Wednesday' }).click()
  await expect(dialog.getByText('Not found: GHOST')).toBeVisible()
  await expect(dialog.getByText('{"Wednesday":["PRIMARY"]}')).toHaveCount(2)
  await page.keyboard.press('Escape')
}

test('the high-volume SKUs of a day are counted, and a second time only when asked', async ({
  admin: page,
}) => {
  await planWednesday(page)
  await page.getByLabel('Day').selectOption('Wednesday')
  await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()

  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()

  await scanLines(page, ['A-3', '5'])
  await expect(
    page
      .getByText('Barcode A-3 is not part of the Wednesday high-volume count at Primary Warehouse.')
      .first(),
  ).toBeVisible()
  await scanLines(page, ['GHOST-9', '5'])
  await expect(page.getByText('Component with barcode GHOST-9 not found.')).toBeVisible()
  await expect(page.getByText('1 scan stored')).toBeVisible()

  await scanLines(page, ['A-1', '3'])
  const dialog = page.getByRole('dialog', { name: 'Count again?' })
  await dialog.getByRole('button', { name: 'Keep the count' }).click()
  await expect(page.getByText('Count not updated. Please recount if necessary.')).toBeVisible()
  await page.getByLabel('Barcode').focus()
  await scanLines(page, ['A-1', '3'])
  await dialog.getByRole('button', { name: 'Count again' }).click()
  await expect(page.getByText('All 2 scans stored')).toBeVisible()

  await page.getByRole('button', { name: 'Reset Count' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Count' }).click()
  await expect(page.getByText('Count for Primary Warehouse has been reset.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Count' })).toBeVisible()

  await page.goto('/unknown-codes')
  await expect(page.getByRole('list', { name: 'Unknown codes' }).getByText('GHOST-9')).toBeVisible()
})

test('no day, no count; and only administrators manage the lists', async ({ staff: page }) => {
  await goTo(page, 'Weekly Count')
  await page.getByLabel('Day').selectOption('')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByText('Please select a day to start counting.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Manage High Volume' })).toHaveCount(0)
})
