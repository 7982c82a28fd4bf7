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

test('shelves where nothing lies yet get labels by a second press, and only those that are meant', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1' }])
  const components = [{ barcode: 'A-1', bin: 'A-01' }]
  await askAs(program, company, { path: '/api/components/place', body: { location: 'PRIMARY', components } })
  await goTo(page, 'Print Labels')
  const bins = page.getByLabel('Bins', { exact: true })
  const download = page.getByRole('button', { name: 'Download Bin Labels' })
  const print = page.getByRole('button', { name: 'Print a label for C all the same' })
  await bins.fill('C')
  await download.click()
  await expect(page.getByText('Nothing lies in bin C here.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave It Out' })).toBeHidden()
  expect(await barriersOf(page)).toEqual([])
  await print.click()
  await expect(page.getByText('bin_labels_PRIMARY.pdf is saved: 1 label.')).toBeVisible()
  await expect(print).toBeHidden()
  await bins.fill('A, C')
  await download.click()
  await print.click()
  await expect(page.getByText('bin_labels_PRIMARY.pdf is saved: 2 labels.')).toBeVisible()
  await download.click()
  await page.getByRole('button', { name: 'Leave It Out' }).click()
  await expect(page.getByText('bin_labels_PRIMARY.pdf is saved: 1 label.')).toBeVisible()
  await bins.fill('C, Kühl')
  await download.click()
  await page.getByRole('button', { name: 'Print labels for C and Kühl all the same' }).click()
  await expect(page.getByText(/Some labels cannot be printed\. .*Kühl/)).toBeVisible()
  await page.getByRole('button', { name: 'Leave It Out' }).click()
  await expect(page.getByText('bin_labels_PRIMARY.pdf is saved: 1 label.')).toBeVisible()
  await download.click()
  await bins.fill('C')
  await expect(page.getByRole('button', { name: 'all the same' })).toBeHidden()
})
