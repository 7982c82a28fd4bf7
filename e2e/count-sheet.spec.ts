import { barriersOf } from './accessibility.ts'
import { expect, goTo, importRows, test } from './fixtures.ts'
import { askAs } from './people.ts'

test('what a cycle still has to count is printed for counting on paper, whatever staff have counted', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Count sheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Count sheet' })
  await dialog.getByLabel('Paper').selectOption('Letter')
  expect(await barriersOf(page)).toEqual([])
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/^count_sheet_PRIMARY_\d{4}-\d\d-\d\d\.pdf$/)
  await expect(dialog.getByText(/is saved/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()

  const at = { location: 'PRIMARY', session: 's', source: 'monthly', timestamp: new Date().toISOString() }
  const count = { barcode: 'A-1', quantity: 3, ...at }
  await askAs(program, company, { path: '/api/components/update-with-tracking', body: count })
  await page.getByRole('button', { name: 'Count sheet' }).click()
  const again = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  await again
  const inCompany = { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit' } as const
  const id = `Cycle_${new Intl.DateTimeFormat('en-CA', inCompany).format(new Date())}_PRIMARY`
  const cycle = { id, location: 'PRIMARY', user_type: 'admin', progress: { 'A-1': 3 } }
  await askAs(program, company, { path: '/api/cycle-counts', body: cycle })
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  await expect(dialog.getByText('Nothing is to be counted here.')).toBeVisible()
})
