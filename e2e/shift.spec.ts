import type { Page } from '@playwright/test'
import { expect, goTo, hold, importRows, postFrom, test } from './fixtures.ts'
import { scanLines } from './scanner.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true })

const countCall = '/api/components/update-with-tracking'

const rows = [
  { barcode: '001237', description: 'Pallet jack', primary_quantity: 42 },
  { barcode: '001238', description: 'Hand truck', primary_quantity: 45 },
  { barcode: '001239', description: 'Strapping', primary_quantity: 1_000_000 },
]
const many = Array.from({ length: 30 }, (_, index) => ({ barcode: `X-${index}`, description: `Bolt ${index}` }))

async function startMonthly(page: Page, items: Record<string, unknown>[] = rows): Promise<void> {
  await importRows(page, items)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /^Start (Monthly Count|Admin View)$/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

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
  await page.getByLabel('Day').selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

const panel = (page: Page) => page.getByRole('status').filter({ has: page.locator('.rounded-card') }).first()
const undoLast = (page: Page) => page.getByRole('button', { name: 'Undo last' }).click()

test('a dialog that closes gives the focus to the field whose turn it is', async ({ staff: page }) => {
  await startMonthly(page)
  const quantity = page.getByLabel('Quantity')
  await scanLines(page, ['001237'])
  await expect(quantity).toBeFocused()
  const history = page.getByRole('dialog', { name: /001238/ })
  for (const close of ['Escape', 'Close dialog']) {
    await page.getByRole('button', { name: /^001238/ }).click()
    await expect(history).toBeVisible()
    if (close === 'Escape') await page.keyboard.press('Escape')
    else await history.getByRole('button', { name: close }).click()
    await expect(history).toBeHidden()
    await expect(quantity).toBeFocused()
  }
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Monthly Count' }).click()
  await expect(quantity).toBeFocused()

  await page.getByLabel('Auto-focus').click()
  await page.getByRole('button', { name: /^001238/ }).click()
  await page.keyboard.press('Escape')
  await expect(history).toBeHidden()
  await expect(quantity).not.toBeFocused()
})
