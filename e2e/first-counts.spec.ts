import { expect, goTo, showMore, test } from './fixtures.ts'
import { scanLines } from './scanner.ts'

test('after a file without quantities, the first count of each sets its stock, and small differences are accepted, where an administrator wants that', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await page.getByLabel('CSV or XLSX file').setInputFiles({
    name: 'parts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('SKU,Name\nN-1,Nut\nN-2,Ring\n'),
  })
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('What is new has no stock yet.')).toBeVisible()
  await page.getByRole('link', { name: 'Company Settings' }).last().click()
  await page.getByLabel('First count sets the stock').check()
  await page.getByLabel('Tolerance in pieces').fill('2')
  const card = page.locator('section').filter({ hasText: 'First count sets the stock' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.')).toBeVisible()

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['N-1', '90'])
  await expect(page.getByText('✓ Nut - First count: its stock is 90 now.')).toBeVisible()
  await showMore(page)
  await page.getByRole('button', { name: 'Undo last' }).click()
  await expect(page.getByText('Took back: N-1.')).toBeVisible()
  await scanLines(page, ['N-1', '9'])
  await expect(page.getByText('✓ Nut - First count: its stock is 9 now.')).toBeVisible()
  await scanLines(page, ['N-1', '9'])
  await expect(page.getByText('✓ Nut - Quantity matches!')).toBeVisible()

  await goTo(page, 'Accuracy')
  await expect(page.getByText('Lines counted', { exact: true }).locator('..')).toContainText('1')
  await expect(
    page.getByText(
      '1 first count set the stock of what nothing was known of before: no line, as there was nothing to be right about.',
    ),
  ).toBeVisible()

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Resume Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['N-1', '8'])
  await expect(page.getByText(/✓ Nut/)).toBeVisible()
})
