import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  asTimePasses,
  cut,
  expect,
  goTo,
  hold,
  importRows,
  pressWithoutSession,
  stopClock,
  test,
} from './fixtures.ts'

const rows = [
  { barcode: 'B-2', description: 'Anchor plate', primary_quantity: 5 },
  { barcode: 'A-1', description: 'Zinc bolt', primary_quantity: 40 },
  { barcode: 'C-3', primary_quantity: 0 },
]

async function openGenerate(page: Page): Promise<void> {
  await goTo(page, 'Generate Labels')
  await expect(page.getByLabel('Manual entry')).toBeVisible()
}

async function openPrint(page: Page): Promise<void> {
  await goTo(page, 'Print Labels')
  await expect(page.getByRole('heading', { name: 'Print Component Labels' })).toBeVisible()
}

const generate = (page: Page) => page.getByRole('button', { name: 'Generate Labels & Sync' })

async function upload(page: Page, text: string): Promise<void> {
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

test('generating shows its formats, says what cannot be taken or sent, keeps the inputs then, and clears them when labels are made', async ({
  staff: page,
}) => {
  await openGenerate(page)
  const typed = page.getByLabel('Manual entry')
  const alert = page.getByRole('alert')
  await expect(generate(page)).toBeDisabled()
  await expect(
    page.getByText('One product a line: ID, description and quantity, or ID and quantity.'),
  ).toBeVisible()
  await expect(page.getByText('Audit information:')).toBeVisible()
  await typed.fill('A-1,3')
  await expect(generate(page)).toBeEnabled()

  await typed.fill('   ')
  await generate(page).click()
  await expect(alert).toHaveText('Please provide input data (manual entry or CSV file).')
  await typed.fill('ID,Description,Quantity')
  await generate(page).click()
  await expect(alert).toHaveText(
    'No valid components found. Please use format "ID,Description,Quantity" or "ID,Quantity".',
  )
  await typed.fill('')
  await upload(page, 'ID,Description,Quantity\r\n')
  await generate(page).click()
  await expect(alert).toHaveText('No valid components found in CSV.')
  await upload(page, 'A-1,Bolt,3\r\nA-2,Nut,many\r\n')
  await generate(page).click()
  await expect(alert).toHaveText(
    'Error: Invalid CSV format at line 2. Expected "ID,Description,Quantity" or "ID,Quantity" with valid ID and numeric quantity.',
  )
  await page.getByRole('button', { name: 'Leave the file out' }).click()

  await typed.fill('A-1,Bolt,3')
  await cut(page, '/api/components/import*')
  await generate(page).click()
  await expect(alert).toHaveText('❌ Error: The server cannot be reached.')
  await expect(typed).toHaveValue('A-1,Bolt,3')
  await page.unroute('**/api/components/import*')

  await typed.fill('A-1,Bolt,3\n(A-2,4)')
  await upload(page, 'A-3,Washer,7\n')
  await generate(page).click()
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: '✅ Success! Generated 3 labels and synced to Primary Warehouse.' }),
  ).toBeVisible()
  await expect(typed).toHaveValue('')
  await expect(page.getByText('No file is chosen.')).toBeVisible()
})

test('typed products are still there after a reload or another screen, until labels are made of them', async ({
  staff: page,
}) => {
  await openGenerate(page)
  const typed = page.getByLabel('Manual entry')
  await typed.fill('A-1,Bolt,3\nA-2,Nut,4')
  await goTo(page, 'Overview')
  await openGenerate(page)
  await expect(typed).toHaveValue('A-1,Bolt,3\nA-2,Nut,4')
  await page.reload()
  await expect(page.getByText('2 products: 2 new, 0 known already.')).toBeVisible()
  await generate(page).click()
  await expect(
    page.getByText('✅ Success! Generated 2 labels and synced to Primary Warehouse.'),
  ).toBeVisible()
  await page.reload()
  await expect(generate(page)).toBeDisabled()
  await expect(typed).toHaveValue('')
})

test('a corrected file of the same name is taken, and one that cannot be read is said', async ({
  staff: page,
}) => {
  await openGenerate(page)
  await upload(page, 'A-1;Bolt;many\n')
  await expect(page.getByText('File, line 1:')).toBeVisible()
  await expect(page.getByText('products.csv', { exact: true })).toBeVisible()
  await expect(page.getByLabel('CSV file')).toHaveValue('')
  await upload(page, 'A-1;Bolt;3\nA-2;Nut;4\n')
  await expect(page.getByText('2 products: 2 new, 0 known already.')).toBeVisible()
  await expect(page.getByText('File, line 1:')).toBeHidden()
  expect(await barriersOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Leave the file out' }).click()
  await expect(page.getByText('No file is chosen.')).toBeVisible()
  await expect(page.getByText('2 products')).toBeHidden()

  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new Error('It was moved.'))
  })
  await upload(page, 'A-1;Bolt;3\n')
  await expect(page.getByText('products.csv cannot be read: It was moved.')).toBeVisible()
})

test('what cannot be made into one file is refused before anything is stored', async ({ staff: page }) => {
  await page.evaluate(() => {
    const margins = { left: 1, top: 0, columnGap: 0, rowGap: 0 }
    const profiles = { '4x6 4x1.5': { offset: { x: 0, y: 0 }, margins } }
    localStorage.setItem('labelPrinter', JSON.stringify({ profiles }))
  })
  await openGenerate(page)
  await expect(page.getByText('2,000 of 2,000 labels are left this month.')).toBeVisible()
  await page
    .getByLabel('Manual entry')
    .fill(Array.from({ length: 101 }, (_, index) => `SKU-${index},1`).join('\n'))
  await page.getByLabel('Copies of each label').fill('100')
  await page.getByLabel('Copies of each label').press('Enter')
  await generate(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    '❌ Error: Too many labels: 10,100. The limit is 10,000 in one file.',
  )
  await page.getByLabel('Copies of each label').fill('20')
  await page.getByLabel('Copies of each label').press('Enter')
  await generate(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    '❌ Error: The Professional plan includes 2,000 labels a month. 0 are used and these would be 2,020 more. The count starts again on the first of next month.',
  )
  await page.getByLabel('Copies of each label').fill('1')
  await page.getByLabel('Copies of each label').press('Enter')
  await page.getByLabel('Print on').selectOption('4x6')
  await generate(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    '❌ Error: No label of this size fits on the page with these margins.',
  )
  await openPrint(page)
  await expect(page.getByText('No components available')).toBeVisible()
})

test('products are said to be stored when only their labels fail, and follow a corrected quantity', async ({
  staff: page,
}) => {
  await importRows(page, rows)
  await openGenerate(page)
  let stored = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/components/import')) stored += 1
  })
  await cut(page, '/api/generate-labels')
  await page.getByLabel('Manual entry').fill('N-1,Bolt,3\nA-1,Bolt M8,3\nB-2,Anchor,9')
  await expect(
    page.getByText('3 products: 1 new, 2 known already. Of the known ones, 2 get another description.'),
  ).toBeVisible()
  await page.getByLabel('Manual entry').fill('N-1,Bolt,3\nA-1,Bolt M8,3\nB-2,,9')
  await expect(
    page.getByText('3 products: 1 new, 2 known already. Of the known ones, 1 gets another description.'),
  ).toBeVisible()
  await page.getByLabel('Manual entry').fill('N-1,Bolt,3\nB-2,Anchor plate,9')
  const failure =
    '❌ Error: The server cannot be reached. The products are stored; only their labels are missing.'
  await generate(page).click()
  await expect(page.getByRole('alert')).toHaveText(failure)
  await expect(page.getByText('2 products: 0 new, 2 known already.')).toBeVisible()
  await generate(page).click()
  await expect(page.getByText('Generating 2 labels...')).toBeHidden()
  await expect(page.getByRole('alert')).toHaveText(failure)
  expect(stored).toBe(1)

  await page.unroute('**/api/generate-labels')
  await page.getByLabel('Manual entry').fill('N-1,Bolt,30\nB-2,Anchor plate,90')
  await generate(page).click()
  await expect(page.getByText('✅ Success! Generated 2 labels')).toBeVisible()
  await openPrint(page)
  await expect(page.getByRole('row', { name: /N-1 .*Bolt 30/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /B-2 .*Anchor plate 5/ })).toBeVisible()
})

test('who leaves while products are being stored finds them again, and is charged for no labels', async ({
  staff: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  const letThrough = await hold(page, '/api/components/import?*')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByRole('button', { name: 'Generating...' })).toBeVisible()
  await goTo(page, 'Overview')
  const stored = page.waitForResponse('**/api/components/import?*')
  letThrough()
  expect((await stored).status()).toBe(200)
  await page.waitForTimeout(1_000)
  expect(asked).not.toContain('/api/generate-labels')
  await goTo(page, 'Generate Labels')
  await expect(page.getByText('1 product: 0 new, 1 known already.')).toBeVisible()
})

test('a known product without a description is labelled with the one it has', async ({ staff: page }) => {
  await importRows(page, rows)
  await openGenerate(page)
  await page.getByLabel('Manual entry').fill('A-1,3')
  await expect(page.getByRole('img', { name: 'Label of A-1' })).toContainText('Zinc bolt')
  await generate(page).click()
  await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
  await openPrint(page)
  await expect(page.getByText('2 components need a label: never labelled, or changed since.')).toBeVisible()
})

test('without a live session nothing is generated or printed', async ({ staff: page }) => {
  await importRows(page, rows)
  await openPrint(page)
  await page.getByRole('checkbox', { name: 'Select A-1' }).check()
  await pressWithoutSession(page.getByRole('button', { name: 'Print 1 Label' }))
  await expect(page.getByText('❌ Not authenticated. Please log in again.', { exact: true })).toBeVisible()
  await openGenerate(page)
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  await generate(page).click()
  await expect(
    page.getByText('Error: Not authenticated. Please log in again.', { exact: true }),
  ).toBeVisible()
})

test('without a location nothing is generated', async ({ staff: page, context }) => {
  await openGenerate(page)
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  // In another tab the person has pressed Change Location.
  const other = await context.newPage()
  await other.goto('/')
  await other.evaluate(() => localStorage.removeItem('selectedLocation'))
  await generate(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Error: No location selected. Please select a location before generating labels.',
  )
})

/** Chooses components by row, by checkbox and all that a search finds. */
async function chooseInEachWay(page: Page): Promise<void> {
  await page.getByRole('row', { name: /A-1/ }).click()
  await page.getByRole('checkbox', { name: 'Select B-2' }).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print 2 Labels' })).toBeVisible()
  await page.getByRole('row', { name: /A-1/ }).click()
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Selection' }).click()
  await page.getByLabel('Search').fill('-1')
  await page.getByRole('button', { name: 'Select All (1)' }).click()
  await page.getByLabel('Search').fill('')
  await expect(page.getByRole('checkbox', { name: 'Select A-1' })).toBeChecked()
  await expect(page.getByText('1 selected')).toBeVisible()
}

/** Sorts the list to print, keeps it to what is in stock and searches it, and shows it whole again. */
async function sortAndSearch(page: Page): Promise<void> {
  const table = page.getByRole('region', { name: 'Components' }).getByRole('row')
  const codes = async () => (await table.allInnerTexts()).slice(1).map((text) => /[ABC]-\d/.exec(text)?.[0])
  await expect(table.filter({ hasText: 'C-3' })).toContainText('No Description')
  expect(await codes()).toEqual(['A-1', 'B-2', 'C-3'])
  await page.getByLabel('Sort by').selectOption('Description A-Z')
  await expect.poll(codes).toEqual(['C-3', 'B-2', 'A-1'])
  await page.getByLabel('Sort by').selectOption('Quantity High-Low')
  await expect.poll(codes).toEqual(['A-1', 'B-2', 'C-3'])
  await page.getByLabel('Only with stock').check()
  await expect.poll(codes).toEqual(['A-1', 'B-2'])
  const logged = page.waitForRequest(
    (request) => request.postData()?.includes('"search_term":"ANCHOR"') === true,
  )
  await page.getByLabel('Search').fill('ANCHOR')
  await expect.poll(codes).toEqual(['B-2'])
  await logged
  await page.getByLabel('Search').fill('nothing')
  await expect(page.getByText('No components found matching "nothing"')).toBeVisible()
  await expect(
    page.getByText('3 standard labels fit on a page').or(page.getByText('4 standard labels fit on a page')),
  ).toBeVisible()
  await page.getByLabel('Search').fill('')
  await page.getByLabel('Only with stock').uncheck()
}

test('the list to print is chosen from, searched and sorted, nothing chosen is nothing printed, and what fails is said', async ({
  staff: page,
}) => {
  await importRows(page, rows)
  await openPrint(page)
  await expect(
    page.getByText(
      'Primary Warehouse, 3 components. Quantities are those of this location (primary_quantity).',
    ),
  ).toBeVisible()
  const button = page.getByRole('button', { name: 'Print 0 Labels' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription('❌ Please select at least one component to print.')
  await expect(page.getByText('❌ Please select at least one component to print.')).toBeVisible()
  const bolt = page.getByRole('checkbox', { name: 'Select A-1' })
  await bolt.check()
  await expect(page.getByRole('button', { name: 'Print 1 Label' })).toBeEnabled()
  await expect(page.getByText('❌ Please select at least one component to print.')).toBeHidden()
  await page.getByRole('button', { name: 'Clear Selection' }).click()
  await chooseInEachWay(page)
  await sortAndSearch(page)

  await cut(page, '/api/generate-labels')
  await page.getByRole('button', { name: 'Print 1 Label' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    '❌ Error generating labels: The server cannot be reached.',
  )
  await cut(page, '/api/components')
  await page.clock.install()
  await page.reload()
  await asTimePasses(page, 3_000, (soon) =>
    expect(page.getByRole('alert')).toContainText(
      '❌ Error loading components: The server cannot be reached.',
      soon,
    ),
  )
  await expect(page.getByText('No components available')).toHaveCount(0)
  // It would go by itself.
  expect(await page.getByText('✅ Loaded').count()).toBe(0)
  await page.unroute('**/api/components')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(bolt).toBeVisible()
})

test('messages of the print screen go by themselves', async ({ staff: page }) => {
  await goTo(page, 'Overview')
  await importRows(page, rows)
  await stopClock(page)
  await openPrint(page)
  const loaded = page.getByText('✅ Loaded 3 components')
  await expect(loaded).toBeVisible()
  await page.clock.runFor(2_900)
  await expect(loaded).toBeVisible()
  await page.clock.runFor(200)
  await expect(loaded).toBeHidden()
  await page.getByRole('checkbox', { name: 'Select A-1' }).check()
  await page.getByRole('button', { name: 'Print 1 Label' }).click()
  const generated = page.getByText('✅ Successfully generated 1 labels!')
  await expect(generated).toBeVisible()
  await expect(page.getByText('0 selected')).toBeVisible()
  await page.clock.runFor(4_900)
  await expect(generated).toBeVisible()
  await page.clock.runFor(200)
  await expect(generated).toBeHidden()
})

test('what came of labels is said beside their button, which stays in its place', async ({ staff: page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await importRows(page, rows)
  await openPrint(page)
  await page.getByRole('checkbox', { name: 'Select A-1' }).check()
  const print = page.getByRole('button', { name: /^Print \d Labels?$/ })
  await print.scrollIntoViewIfNeeded()
  await cut(page, '/api/generate-labels')
  await print.click()
  await expect(page.getByText('❌ Error generating labels: The server cannot be reached.')).toBeInViewport({
    ratio: 1,
  })
  await page.unroute('**/api/generate-labels')
  const above = (await print.boundingBox())?.y
  await stopClock(page)
  await print.click()
  await expect(page.getByText('✅ Successfully generated 1 labels!')).toBeInViewport({ ratio: 1 })
  expect((await print.boundingBox())?.y).toBe(above)
  await expect(page.getByText('❌ Please select at least one component to print.')).toBeHidden()

  await openGenerate(page)
  await page.getByLabel('Manual entry').fill('A-9,Washer,3')
  await generate(page).click()
  await expect(page.getByText('✅ Success! Generated 1 labels and synced to')).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Please provide input data (manual entry or CSV file).')).toBeHidden()
})
