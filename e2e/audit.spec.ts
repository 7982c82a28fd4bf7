import type { Page } from '@playwright/test'
import { cut, expect, goTo, importRows, scanLines, test } from './fixtures.ts'

async function makeEntries(page: Page): Promise<void> {
  const rows = Array.from({ length: 8 }, (_, index) => ({
    barcode: `BOLT-${index}`,
    primary_quantity: index,
  }))
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /Start/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(
    page,
    rows.flatMap(({ barcode, primary_quantity: quantity }) => [barcode, String(quantity)]),
  )
  await expect(page.getByText('All 8 scans stored')).toBeVisible()
}

test('the trail is filtered by action, SKU and day, and paged by ten', async ({ staff: page }) => {
  await makeEntries(page)
  await goTo(page, 'Audit Trail')
  await expect(page.getByText(/^Showing (\d+) of \1 total entries$/)).toBeVisible()
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  const rows = page.getByRole('table', { name: 'Audit entries' }).getByRole('row')
  await expect(rows).toHaveCount(11)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()

  await page.getByLabel('Action Type').selectOption('Inventory Scan')
  await page.getByLabel('SKU').fill('bolt-3')
  await expect(page.getByText(/^Showing 1 of/)).toBeVisible()
  await expect(page.getByText('Page 1 of 1')).toBeVisible()
  await expect(rows.nth(1)).toContainText('Inventory Scan')
  await expect(rows.nth(1)).toContainText('Monthly count scan, quantity 3, Primary Warehouse')
  await expect(rows.nth(1)).toContainText('Sam Staff')
  await expect(rows.nth(1)).toContainText('User')

  await page.getByLabel('Start Date').fill('2090-01-01')
  await expect(page.getByText('No audit entries found')).toBeVisible()
  await expect(page.getByText('Start using the system, or adjust the filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await page.getByLabel('End Date').fill('2020-01-01')
  await expect(page.getByText('No audit entries found')).toBeVisible()
})

test('the choices of the action filter and the columns are those of the specification', async ({
  staff: page,
}) => {
  await goTo(page, 'Audit Trail')
  await expect(page.getByLabel('Action Type').getByRole('option')).toHaveText([
    'All Actions',
    'Inventory Scan',
    'Weekly Count',
    'Monthly Count',
    'Authentication',
    'Configuration',
    'Label Generation',
    'Bulk Import',
  ])
  await expect(page.getByRole('columnheader')).toHaveText([
    'Date/Time',
    'Action',
    'SKU',
    'Details',
    'User',
    'Source',
  ])
  for (const tile of ['Total Actions', 'Inventory Scans', 'Weekly Counts', 'Monthly Counts']) {
    await expect(page.getByRole('term').filter({ hasText: tile })).toBeVisible()
  }
})

test('opening, filtering, clearing and refreshing the trail is in the trail', async ({ staff: page }) => {
  await goTo(page, 'Audit Trail')
  await page.getByLabel('SKU').fill('nothing like this')
  await page.waitForResponse(
    (response) => response.request().postData()?.includes('audit_trail_filtered') === true,
  )
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByLabel('Action Type').selectOption('Configuration')
  for (const event of ['accessed', 'filtered', 'filters_cleared']) {
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByText(`CONFIG_AUDIT_TRAIL_${event.toUpperCase()}`).first()).toBeVisible({
        timeout: 2_000,
      })
    }).toPass()
  }
})

test('a trail that cannot be loaded says why, and a session that has run out leads to sign-in', async ({
  staff: page,
}) => {
  await cut(page, '/api/audit/trail*')
  await goTo(page, 'Audit Trail')
  await expect(page.getByRole('heading', { name: 'Error Loading Audit Data' })).toBeVisible()
  await expect(page.getByText('Failed to load audit data: The server cannot be reached.')).toBeVisible()
  await page.unroute('**/api/audit/trail*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^Showing/)).toBeVisible()

  await page.evaluate(() => localStorage.removeItem('jwt_token'))
  await goTo(page, 'Overview')
  await goTo(page, 'Audit Trail')
  await expect(page.getByRole('heading', { name: 'Error Loading Audit Data' })).toBeVisible()
  await expect(page.getByText('Not authenticated. Please log in again.')).toBeVisible()
  await page.getByRole('button', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})
