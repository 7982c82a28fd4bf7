import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { barriersOf, coveredOf } from './accessibility.ts'
import {
  answerInstead,
  chooseLocation,
  expect,
  goTo,
  hold,
  importRows,
  postFrom,
  register,
  signIn,
  stall,
  stopClock,
  test,
} from './fixtures.ts'
import { scanLines } from './scanner.ts'

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
  await expect(page.getByRole('checkbox', { name: /^Select / }).first()).toBeVisible()
  expect(await coveredOf(page)).toEqual([])
  await page.getByLabel('Search').fill('00000003')
  await expect(page.getByRole('row', { name: /Façade bracket, "XL" 3 – größe 3/ })).toBeVisible()
  await page.getByLabel('Search').fill('no such thing')
  await expect(page.getByText('No components found matching "no such thing"')).toBeVisible()
  await expect(page.getByRole('status').getByText('0 found')).toBeAttached()

  await goTo(page, 'Overview')
  await expect(page.getByText('2,000 / 2,000')).toBeVisible()
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('ONE-MORE,1')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByRole('alert')).toContainText(
    '❌ Error: The Professional plan includes 2,000 labels a month. 2,000 are used and these would be 1 more.',
  )
})

test('a file in the code page of another country is read as somebody chooses, and labelled so', async ({
  admin: page,
}) => {
  await goTo(page, 'Generate Labels')
  // In Windows-1251, as spreadsheets of a Russian system save it.
  const buffer = Buffer.from('A-1,\u00c3\u00e0\u00e9\u00ea\u00e0,3\r\n', 'latin1')
  await page.getByLabel('CSV file').setInputFiles({ name: 'ru.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Letters of the file').selectOption('Cyrillic')
  await expect(page.getByLabel('Letters of the file')).toHaveValue('windows-1251')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 1 label')).toBeVisible()
  await expect(page.getByLabel('Letters of the file')).toBeHidden()
  await page.goto('/components/A-1')
  await expect(page.getByText('Гайка').first()).toBeVisible()
})

test('what is missing of lines and copies and what of them cannot be taken is named until it is corrected, and nothing is written', async ({
  admin: page,
}) => {
  await goTo(page, 'Generate Labels')
  const lines = page.getByLabel('Manual entry')
  const copies = page.getByLabel('Copies of each label')
  const button = page.getByRole('button', { name: 'Generate Labels & Sync' })
  const missing = 'Please provide input data (manual entry or CSV file).'
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription(missing)
  await expect(page.getByText(missing)).toBeVisible()
  await lines.fill('A-1')
  await expect(page.getByText(missing)).toBeHidden()
  await button.click()
  await expect(page.getByRole('alert')).toContainText('Error: Invalid format at line 1.')
  await lines.fill(`${'A'.repeat(48)},3`)
  await expect(page.getByText('Error: Invalid format at line 1.')).toBeHidden()
  await expect(button).toBeDisabled()
  await expect(page.getByRole('alert')).toContainText('1 label cannot be printed:')
  await expect(button).toHaveAccessibleDescription(/^1 label cannot be printed:/)

  await lines.fill('A-1,1\nA-2,2\nA-3,3')
  await copies.fill('20')
  await expect(page.getByText('60 labels', { exact: true })).toBeVisible()
  for (const wrong of ['0', '-2', '1.5', '500']) {
    await copies.fill(wrong)
    await expect(copies).toHaveAccessibleDescription('Give a whole number from 1 to 100.')
    await expect(button).toBeDisabled()
  }
  await copies.fill('100')
  await expect(page.getByText('300 labels', { exact: true })).toBeVisible()
  await expect(button).toBeEnabled()
  await copies.fill('1')

  await lines.fill(Array.from({ length: 1200 }, () => '5.57E+92,Nut,1').join('\n'))
  await expect(page.getByText('1,200 lines cannot be taken:')).toBeVisible()
  await expect(page.getByText('in scientific notation')).toHaveCount(1200)

  await lines.fill('A-1,Bolt,3\nA-1,Bolt,4\n5.57E+92,Nut,1')
  await expect(page.getByText('2 lines cannot be taken:')).toBeVisible()
  await expect(
    page.getByText('Typed, line 2: the ID stands already at line 1 of the typed lines.'),
  ).toBeVisible()
  await expect(page.getByText('line 3: the ID is in scientific notation')).toBeVisible()
  await button.click()
  await expect(page.getByRole('alert')).toHaveText(
    'Error: Invalid format at line 2. Expected "ID,Description,Quantity", "ID,Quantity", "(ID,Description,Quantity)" or "(ID,Quantity)" with valid ID and numeric quantity.',
  )
  await goTo(page, 'Print Labels')
  await expect(page.getByText('No components available')).toBeVisible()
})

test('a click that leaves the field of the copies meets its button, whatever is said of so many', async ({
  admin: page,
}) => {
  await goTo(page, 'Generate Labels')
  const lines = Array.from({ length: 21 }, (_, index) => `A-${index},Bolt,3`)
  await page.getByLabel('Manual entry').fill(lines.join('\n'))
  await expect(page.getByText('2,000 of 2,000 labels are left this month.')).toBeVisible()
  await page.getByLabel('Copies of each label').fill('100')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('These are 100 more than are left this month.')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('2,000 labels a month')
})

test('a component may have its own number of copies, on a desk and a handheld', async ({ admin: page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 30 }, { barcode: 'A-2' }, { barcode: 'A-3' }])
  await page.goto('/print-settings')
  await expect(page.getByLabel('Copies of A-1')).toBeHidden()
  for (const barcode of ['A-1', 'A-2']) await page.getByLabel(`Select ${barcode}`).check()
  await page.getByLabel('Copies of each label').fill('2')
  await expect(page.getByText('4 labels', { exact: true })).toBeVisible()
  const own = page.getByLabel('Copies of A-1')
  await own.click()
  await own.fill('5')
  await expect(page.getByText('7 labels', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Select A-1')).toBeChecked()
  await own.fill('0')
  await expect(page.getByText('Copies of A-1: Give a whole number from 1 to 100.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Print \d+ Labels?$/ })).toBeDisabled()
  await own.fill('5')
  const print = page.getByRole('button', { name: 'Print 7 Labels' })
  await expect(print).toBeEnabled()
  expect(await barriersOf(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(own).toHaveValue('5')
  await expect(print).toBeEnabled()
  expect(await barriersOf(page)).toEqual([])
  await stopClock(page)
  const download = page.waitForEvent('download')
  await print.click()
  await download
  await expect(page.getByText('✅ Successfully generated 7 labels!')).toBeVisible()
  await page.getByLabel('Select A-1').check()
  await expect(own).toHaveValue('')
  const again = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download again' }).click()
  expect((await again).suggestedFilename()).toBe((await download).suggestedFilename())
})

test('a page of somebody else in place of a label file is no label file', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  await answerInstead(page, '/api/generate-labels', { status: 200, body: '<h1>Welcome to our guests</h1>' })
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByRole('alert')).toContainText('The server sent a reply that cannot be read.')
  await expect(page.getByText('Success!')).toHaveCount(0)
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
  const setsExisting = page.getByLabel('Also set the stock of existing components')
  await setsExisting.check()
  await generate('A-1,Bolt M8,9')
  await expect(setsExisting).not.toBeChecked()
  await goTo(page, 'Print Labels')
  await expect(page.getByRole('row', { name: /A-1 .*Bolt M8 9/ })).toBeVisible()
})

const products = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `SKU-${1000 + index},Hex bolt M8 ${index * 7919},${index}`,
  ).join('\n')

test('the label, the sheet and the cost are shown before anything is printed', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill(products(20))
  await expect(page.getByRole('img', { name: 'Label of SKU-1000' })).toContainText('Hex bolt M8 0')
  await expect(page.getByText('20 labels', { exact: true })).toBeVisible()
  await expect(page.getByText('2,000 of 2,000 labels are left this month.')).toBeVisible()
  await page.getByLabel('Print on').selectOption('letter')
  await expect(page.getByText('14 labels fit on a page.')).toBeVisible()
  await page.getByRole('radio', { name: 'Position 9', exact: true }).check({ force: true })
  await page.getByLabel('Copies of each label').fill('2')
  await page.getByLabel('Copies of each label').press('Enter')
  await expect(page.getByLabel('Copies of each label')).toBeFocused()
  await expect(page.getByText('40 labels on 4 pages')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  const file = await readFile(await (await download).path(), 'latin1')
  expect(file).toContain('%Labels: 40\n')
  await expect(
    page.getByText('✅ Success! Generated 40 labels and synced to Primary Warehouse.'),
  ).toBeVisible()
  await expect(page.getByText('1,960 of 2,000 labels are left this month.')).toBeVisible()
})

test('after labels are made the first free position is the one behind them', async ({ admin: page }) => {
  const position = (place: number) => page.getByRole('radio', { name: `Position ${place}`, exact: true })
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill(products(4))
  await page.getByLabel('Print on').selectOption('letter')
  await position(9).check({ force: true })
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 4 labels')).toBeVisible()
  await expect(position(13)).toBeChecked()

  await goTo(page, 'Print Labels')
  await position(13).check({ force: true })
  await page.getByRole('button', { name: 'Select All (4)' }).click()
  await stopClock(page)
  await page.getByRole('button', { name: 'Print 4 Labels' }).click()
  await expect(page.getByText('✅ Successfully generated 4 labels!')).toBeVisible()
  await expect(position(3)).toBeChecked()
  // The command barcodes of three locations are seven.
  await page.getByRole('button', { name: 'Download Command Barcodes' }).click()
  await expect(position(10)).toBeChecked()
})

test('a ZPL file is shown as the printer sets it, in its own font', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Łożysko 2” – Болт' }])
  await goTo(page, 'Print Labels')
  const label = page.getByRole('img', { name: 'Label of A-1' })
  await expect(label).toContainText('Łożysko 2” – Болт')
  await page.getByLabel('File', { exact: true }).selectOption('zpl')
  await expect(label).toContainText('Łożysko 2” – ????')
  await expect(
    page.getByText("In the printer's own font: Latin letters, '?' for others; no logo."),
  ).toBeVisible()
})

test('what does not fit is refused while it is typed, with the size that fits', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('ABCDEFGHIJKLMN,Bolt,3\nGRÖSSE,Nut,1\nA-1,Washer,1')
  await expect(page.getByRole('alert')).toContainText('1 label cannot be printed:')
  await expect(page.getByRole('alert')).toContainText('Barcode "GRÖSSE" contains "Ö" (U+00D6)')
  await expect(page.getByRole('button', { name: 'Generate Labels & Sync' })).toBeDisabled()
  await page.getByLabel('Manual entry').fill('ABCDEFGHIJKLMN,Bolt,3\nA-1,Washer,1')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 2 labels')).toBeVisible()

  await goTo(page, 'Print Labels')
  await page.getByRole('button', { name: 'Select All (2)' }).click()
  await page.getByLabel('Label size').selectOption('2x1')
  await expect(page.getByRole('alert')).toContainText('Use the compact 3 x 1 in label or shorten the barcode')
  await expect(page.getByRole('button', { name: 'Print 2 Labels' })).toBeDisabled()
  await page.getByRole('button', { name: 'Leave It Out' }).click()
  await expect(page.getByRole('button', { name: 'Print 1 Label' })).toBeEnabled()
  await page.getByRole('button', { name: 'Select All (2)' }).click()
  await page.getByLabel('Symbol').selectOption('datamatrix')
  await expect(page.getByRole('img', { name: 'Label of A-1' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print 2 Labels' })).toBeEnabled()
})

test('components that need a label are found and printed in one go', async ({ admin: page }) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3\nA-2,Nut,4')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 2 labels')).toBeVisible()
  await page.request.post('/api/components/import', {
    headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('jwt_token'))}` },
    data: [
      { barcode: 'A-2', description: 'Nut M8' },
      { barcode: 'A-3', description: 'Washer' },
    ],
  })
  await goTo(page, 'Print Labels')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('2 components need a label: never labelled, or changed since.')).toBeVisible()
  await page.getByLabel('Needs a label').check()
  await expect(page.getByRole('row', { name: /A-2/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /A-1/ })).toBeHidden()
  await page.getByRole('button', { name: 'Select These 2' }).click()
  await stopClock(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Print 2 Labels' }).click()
  await download
  await expect(page.getByText('✅ Successfully generated 2 labels!')).toBeVisible()
  await expect(page.getByText('No components while "Needs a label" is ticked')).toBeVisible()
  await expect(page.getByText(/need a label: never/)).toBeHidden()
})

test('what no font of the labels has is said before it is printed, and ZPL is not said to look like its preview', async ({
  admin: page,
}) => {
  const same = page.getByText('What you see is what the printer gets.')
  const boxes = page.getByText('The printer has no letters for “ส ก ร”: they become boxes.')
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,1')
  await expect(same).toBeVisible()
  await page.getByLabel('Manual entry').fill('A-1,Bolt,1\nA-2,สกรู,1')
  await expect(same).toBeVisible()
  await expect(boxes).toBeVisible()
  await page.getByLabel('Manual entry').fill('A-2,สกรู,1')
  await expect(same).toBeHidden()
  await expect(boxes).toHaveCount(2)
  await page.getByLabel('Manual entry').fill('A-2,बोल्ट,1')
  await expect(same).toBeHidden()
  await expect(
    page.getByText('The printer sets its letters and vowel signs side by side, not joined.'),
  ).toBeVisible()
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt' },
    { barcode: 'A-2', description: 'สกรู' },
  ])
  await goTo(page, 'Print Labels')
  await page.getByLabel('Select A-1').check()
  await expect(same).toBeVisible()
  await page.getByLabel('Select A-2').check()
  await expect(boxes).toBeVisible()
  await page.getByLabel('File').selectOption('ZPL, for thermal printers')
  await expect(page.getByText('The printer sets the text in its own font.')).toBeVisible()
  await expect(same).toBeHidden()
  await expect(boxes).toBeHidden()
})

test('labels are found by every barcode of a component and by its bin, and a scanned code selects what it means', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'BOLT-8', description: 'Hex bolt' },
    { barcode: 'NUT-8', description: 'Nut' },
    { barcode: '4006381333931', description: 'Washer' },
  ])
  await postFrom(page, '/api/components/add-barcode', { barcode: 'NUT-8', alias: 'CASE-8', pieces: 12 })
  const components = [{ barcode: 'BOLT-8', bin: 'K-07' }]
  await postFrom(page, '/api/components/place', { location: 'PRIMARY', components })
  await goTo(page, 'Print Labels')
  const search = page.getByLabel('Search', { exact: true })
  const listed = page.getByRole('checkbox', { name: /^Select / })
  const expectOnly = async (barcode: string) => {
    await expect(listed).toHaveCount(1)
    await expect(listed).toHaveAccessibleName(`Select ${barcode}`)
  }
  await test.step('typed', async () => {
    await search.fill('case')
    await expectOnly('NUT-8')
    await search.fill('k-07')
    await expectOnly('BOLT-8')
    await search.press('Enter')
    await expect(page.getByText('0 selected')).toBeVisible()
    await search.fill('GHOST')
    await expect(page.getByText('No components found matching "GHOST"')).toBeVisible()
  })
  await test.step('scanned, one after the other', async () => {
    await search.selectText()
    await scanLines(page, ['CASE-8'])
    await expect(page.getByText('1 selected')).toBeVisible()
    await expect(page.getByLabel('Select NUT-8')).toBeChecked()
    await scanLines(page, ['(01)04006381333931(10)L7'])
    await expect(page.getByText('2 selected')).toBeVisible()
    await expect(search).toHaveValue('(01)04006381333931(10)L7')
    await expectOnly('4006381333931')
    await scanLines(page, ['CASE-8'])
    await expect(page.getByLabel('Select NUT-8')).toBeChecked()
    await scanLines(page, [']C0K-07'])
    await expectOnly('BOLT-8')
    await expect(listed).not.toBeChecked()
    expect(await barriersOf(page)).toEqual([])
  })
})

test('the page of a component leads to its own label, whatever signs its barcode has', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: '100%ACETONE', description: 'Solvent' },
    { barcode: 'A%41', description: 'Seal' },
    { barcode: 'AA', description: 'Battery' },
  ])
  for (const barcode of ['A%41', '100%ACETONE']) {
    await page.goto(`/components/${encodeURIComponent(barcode)}`)
    await page.getByRole('link', { name: 'Print label', exact: true }).click()
    await expect(page.getByLabel('Search', { exact: true })).toHaveValue(barcode)
    await expect(page.getByRole('checkbox', { name: `Select ${barcode}` })).toBeChecked()
    await expect(page.getByRole('img', { name: `Label of ${barcode}` })).toBeVisible()
  }
  await page.goto('/print-settings?sku=GHOST')
  await expect(page.getByText('0 selected')).toBeVisible()
})

test('that the components are loaded is said for a while when they come first and when somebody asks for them, which moves nothing, and what needs a label is known before the list is there', async ({
  admin: page,
}) => {
  await goTo(page, 'Overview')
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  const letThrough = await hold(page, '/api/labels/labelled')
  const loaded = page.waitForResponse(/\/api\/components(\?|$)/)
  await stopClock(page)
  await goTo(page, 'Print Labels')
  await loaded
  const row = page.getByRole('row', { name: /A-1/ })
  await expect(page.getByText('Loading components...')).toBeVisible()
  await expect(row).toBeHidden()
  letThrough()
  await expect(page.getByText('✅ Loaded 1 components')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Select It' })).toBeVisible()
  await expect(page.getByText('Primary Warehouse, 1 component.')).toBeVisible()
  const before = await row.boundingBox()
  await page.clock.runFor(3_100)
  await expect(page.getByText('✅ Loaded 1 components')).toBeHidden()
  expect(await row.boundingBox()).toEqual(before)

  await page.clock.resume()
  // A colleague's change comes by itself.
  await importRows(page, [{ barcode: 'A-2', description: 'Nut' }])
  await expect(page.getByRole('row', { name: /A-2/ })).toBeVisible({ timeout: 15_000 })
  expect(await page.getByText(/✅ Loaded/).count()).toBe(0)
  await stopClock(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('✅ Loaded 2 components')).toBeVisible()
})

test('without any component staff are told how to add some', async ({ staff: page }) => {
  await goTo(page, 'Print Labels')
  await expect(page.getByText('Generate labels for your products to add them.')).toBeVisible()
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByLabel('Search').fill('nut')
  await expect(page.getByText('No components found matching "nut"')).toBeVisible()
  await expect(page.getByText('Generate labels for your products to add them.')).toBeHidden()
})

test('a printer is adjusted on this device, with a calibration page, and command barcodes that do not fit on the label say which and why', async ({
  admin: page,
}) => {
  await goTo(page, 'Print Labels')
  const size = page.getByLabel('Label size')
  const usual = await size.inputValue()
  await size.selectOption('2x1')
  await page.getByRole('button', { name: 'Download Command Barcodes' }).click()
  await expect(
    page.getByText(/^Some labels cannot be printed\. Barcode "IM:[A-Z:]+" is too long for a 2 x 1 in label/),
  ).toBeVisible()
  await size.selectOption(usual)

  await page.getByLabel('Print on').selectOption('a4')
  await page.getByRole('button', { name: 'Adjust for Printer' }).click()
  await page.getByLabel('Move to the right (mm)').fill('99')
  await expect(page.getByText('A number from -12.7 to 12.7.')).toBeVisible()
  await page.getByLabel('Move to the right (mm)').fill('1.5')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Calibration Page' }).click()
  expect((await download).suggestedFilename()).toBe('calibration_page.pdf')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.reload()
  await expect(page.getByLabel('Print on')).toHaveValue('a4')
  await page.getByRole('button', { name: 'Adjust for Printer' }).click()
  await expect(page.getByLabel('Move to the right (mm)')).toHaveValue('1.5')
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await expect(page.getByText('14 labels fit on a page.')).toBeVisible()
  await page.getByRole('button', { name: 'Adjust for Printer' }).click()
  await page.getByLabel('The sheet has margins of its own').check()
  // Those of the middle of the page, to be corrected by what was measured.
  await expect(page.getByLabel('Left margin (mm)')).toHaveValue('3.38')
  await expect(page.getByLabel('Top margin (mm)')).toHaveValue('15.14')
  await page.getByLabel('Left margin (mm)').fill('101.6')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('7 labels fit on a page.')).toBeVisible()
  await expect(page.getByText('Tip: 7 standard labels fit on a page (A4 sheet).')).toBeVisible()
  const sheet = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Command Barcodes' }).click()
  expect((await sheet).suggestedFilename()).toBe('command_barcodes.pdf')
})

test('a printer stays adjusted when another tab chooses something else', async ({ admin: page }) => {
  await goTo(page, 'Print Labels')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Adjust for Printer' }).click()
  await other.getByLabel('Move to the right (mm)').fill('1.5')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('labelPrinter'))).toContain('1.5')
  await page.getByRole('button', { name: 'Adjust for Printer' }).click()
  await expect(page.getByLabel('Move to the right (mm)')).toHaveValue('1.5')
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await page.getByLabel('Symbol').selectOption('qr')
  await other.reload()
  await other.getByRole('button', { name: 'Adjust for Printer' }).click()
  await expect(other.getByLabel('Move to the right (mm)')).toHaveValue('1.5')
  await other.getByRole('button', { name: 'Close dialog' }).click()
  await expect(other.getByLabel('Symbol')).toHaveValue('qr')
  await page.getByRole('button', { name: 'Adjust for Printer' }).click()
  await expect(page.getByLabel('Move to the right (mm)')).toHaveValue('1.5')
})

/** Labels too different from one another to be compressed into what a slow line takes at once. */
const unlike = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const hash = createHash('sha256').update(String(index)).digest('base64url')
    return `${hash.slice(0, 28)},${hash},${index}`
  }).join('\n')

test('a long job shows how far it is, and a cancelled one gives its labels back', async ({
  page,
  program,
}) => {
  await signIn(page, await register(program, 'enterprise'))
  await chooseLocation(page, 'Primary Warehouse')
  await goTo(page, 'Generate Labels')
  await page.getByLabel('CSV file').setInputFiles({
    name: 'catalogue.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(unlike(10_000)),
  })
  const slowLine = { offline: false, latency: 0, downloadThroughput: 400_000, uploadThroughput: -1 }
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', slowLine)
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText(/^[\d,]+ of 10,000 labels$/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('progressbar', { name: 'Labels made' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Cancelled. The products are stored;')).toBeVisible()
  await session.send('Network.emulateNetworkConditions', { ...slowLine, downloadThroughput: -1 })
  await goTo(page, 'Overview')
  await expect(page.getByText('0 / ∞', { exact: true })).toBeVisible()
})

test('while it is not known what is labelled, nothing is said to need a label', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  // News of what was imported would have it asked for again by itself.
  await stall(page, '/api/events*')
  await answerInstead(page, '/api/labels/labelled', { status: 500, body: 'Out of order.' })
  await goTo(page, 'Print Labels')
  await expect(page.getByText('❌ Error loading what needs a label:')).toBeVisible()
  await expect(page.getByText('❌ Error loading components:')).toHaveCount(0)
  await expect(page.getByRole('row', { name: /A-1/ })).toBeVisible()
  await expect(page.getByLabel('Needs a label')).toBeDisabled()
  await page.unroute('**/api/labels/labelled')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Needs a label')).toBeEnabled()
  await page.getByLabel('Only with stock').check()
  await expect(page.getByText('No components while "Only with stock" is ticked')).toBeVisible()
})

test('a component that labels bring back is labelled with the description it had', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  await postFrom(page, '/api/components/retire', { barcode: 'A-1' })
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,5')
  const asked = page.waitForRequest('**/api/generate-labels')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ components: [{ description: 'Bolt' }] })
  await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
})
