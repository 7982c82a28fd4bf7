import { readFile } from 'node:fs/promises'
import { expect, goTo, test } from './fixtures.ts'

const rows = Array.from({ length: 2000 }, (_, index) => {
  const code = index % 3 === 0 ? String(index).padStart(8, '0') : `SKU-${index}`
  return `${code},"Façade bracket, ""XL"" ${index} – größe ${index % 12}",${index}`
})

test('2,000 products of a CSV file become components and labels', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('CSV file').setInputFiles({
    name: 'catalogue.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\uFEFFSKU,Description,Quantity\r\n${rows.join('\r\n')}\r\n`),
  })
  await expect(page.getByText('2,000 products: 2,000 new, 0 known already.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  const file = await readFile(await (await download).path())
  expect(file.subarray(0, 5).toString()).toBe('%PDF-')
  await expect(
    page.getByText('✅ Success! Generated 2000 labels and synced to Primary Warehouse.'),
  ).toBeVisible()

  await goTo(page, 'Print Labels')
  await expect(page.getByText('Primary Warehouse, 2,000 components.')).toBeVisible()
  await page.getByLabel('Search').fill('00000003')
  await expect(page.getByRole('row', { name: /Façade bracket, "XL" 3 – größe 3/ })).toBeVisible()
  await page.getByLabel('Search').fill('no such thing')
  await expect(page.getByText('No components found matching "no such thing"')).toBeVisible()

  await goTo(page, 'Overview')
  await expect(page.getByText('2,000 / 2,000')).toBeVisible()
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('ONE-MORE,1')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByRole('alert')).toContainText(
    '❌ Error: The Professional plan includes 2,000 labels a month. 2,000 are used and these would be 1 more.',
  )
})

test('lines that cannot be taken are named, and nothing is written', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await expect(page.getByRole('button', { name: 'Generate Labels & Sync' })).toBeDisabled()
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3\nA-1,Bolt,4\n5.57E+92,Nut,1')
  await expect(page.getByText('2 lines cannot be taken:')).toBeVisible()
  await expect(
    page.getByText('Typed, line 2: the ID stands already at line 1 of the typed lines.'),
  ).toBeVisible()
  await expect(page.getByText('line 3: the ID is in scientific notation')).toBeVisible()
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Error: Invalid format at line 2. Expected "ID,Description,Quantity", "ID,Quantity", "(ID,Description,Quantity)" or "(ID,Quantity)" with valid ID and numeric quantity.',
  )
  await goTo(page, 'Print Labels')
  await expect(page.getByText('No components available')).toBeVisible()
})

test('existing components keep their stock unless asked', async ({ admin: page }) => {
  const generate = async (lines: string) => {
    await page.getByLabel('Manual entry').fill(lines)
    await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
    await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
  }
  await goTo(page, 'Generate Labels')
  await generate('A-1,Bolt,5')
  await generate('A-1,Bolt M8,9')
  await goTo(page, 'Print Labels')
  await expect(page.getByRole('row', { name: /A-1 .*Bolt M8 5/ })).toBeVisible()
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Also set the stock of existing components').check()
  await generate('A-1,Bolt M8,9')
  await goTo(page, 'Print Labels')
  await expect(page.getByRole('row', { name: /A-1 .*Bolt M8 9/ })).toBeVisible()
})
