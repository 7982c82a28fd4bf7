import { barriersOf } from './accessibility.ts'
import { expect, goTo, importRows, test } from './fixtures.ts'
import { askAs } from './people.ts'

test('labels of bins are printed behind those of a sheet that are used, and what no label holds is left out', async ({
  admin: page,
  program,
  company,
}) => {
  const bins = { 'A-1': 'A-01', 'A-2': 'A-02', 'B-1': 'B-01', 'K-1': 'Kühlraum' }
  await importRows(
    page,
    Object.keys(bins).map((barcode) => ({ barcode })),
  )
  const components = Object.entries(bins).map(([barcode, bin]) => ({ barcode, bin }))
  await askAs(program, company, { path: '/api/components/place', body: { location: 'PRIMARY', components } })
  await goTo(page, 'Print Labels')
  await page.getByLabel('Print on').selectOption('Letter sheet')
  await expect(page.getByRole('radio', { name: 'Position 1', exact: true })).toBeChecked()
  const download = page.getByRole('button', { name: 'Download Bin Labels' })
  await page.getByLabel('Bins', { exact: true }).fill('x'.repeat(41))
  await download.click()
  await expect(page.getByText('The name of a bin has at most 40 characters.')).toBeVisible()
  await page.getByLabel('Bins', { exact: true }).fill('C')
  await download.click()
  await expect(page.getByText('Nothing lies in bin C here.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave It Out' })).toBeHidden()
  await page.getByLabel('Bins', { exact: true }).fill('')
  await download.click()
  await expect(page.getByText(/Some labels cannot be printed\. .*Kühlraum/)).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Leave It Out' }).click()
  expect((await file).suggestedFilename()).toBe('bin_labels_PRIMARY.pdf')
  await expect(page.getByText('bin_labels_PRIMARY.pdf is saved: 3 labels.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Position 4', exact: true })).toBeChecked()
  await page.getByLabel('Print on').selectOption('Label roll')
  await page.getByLabel('File').selectOption('ZPL, for thermal printers')
  await page.getByLabel('Bins', { exact: true }).fill('A')
  await download.click()
  await expect(page.getByText('bin_labels_PRIMARY.zpl is saved: 2 labels.')).toBeVisible()
})
