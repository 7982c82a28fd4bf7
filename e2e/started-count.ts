import type { Page } from '@playwright/test'
import { expect, goTo, importRows } from './fixtures.ts'

/** Starts the monthly count of whoever is signed in on a page, after importing components, if any; it is ready for a scan then. */
export async function startMonth(page: Page, rows: Record<string, unknown>[] = []): Promise<void> {
  if (rows.length > 0) await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /^Start (Monthly Count|Admin View)$/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

/** The same of 3 bolts, 4 nuts and 5 washers (ABC123). */
export async function startCount(page: Page): Promise<void> {
  await startMonth(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
    { barcode: 'ABC123', description: 'Washer', primary_quantity: 5 },
  ])
}
