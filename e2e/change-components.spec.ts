import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  chooseLocation,
  cut,
  divert,
  expect,
  goTo,
  hold,
  importRows,
  loseAnswer,
  postFrom,
  pressInBar,
  test,
} from './fixtures.ts'
import { askAs } from './people.ts'
import { scanLines } from './scanner.ts'

const notDone = (page: Page) => page.getByRole('table', { name: 'Not done' })

async function open(page: Page, change: string, lines: string[]): Promise<void> {
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await page.getByLabel('What to do').selectOption(change)
  await page.getByLabel('Barcodes').fill(lines.join('\n'))
}

const made = (codes: string[], quantity = 0) =>
  codes.map((barcode) => ({ barcode, description: 'Bolt', primary_quantity: quantity }))

test('several components are retired by a list, and what cannot be stays in it with the reason', async ({
  admin: page,
}) => {
  await importRows(page, [...made(['OLD-1', 'OLD-2', 'OLD-3']), ...made(['NEW-1'], 4)])
  await open(page, 'Retire', ['OLD-1', 'NEW-1', '', 'GHOST-1', 'OLD-2', 'OLD-1'])
  await page.getByRole('button', { name: 'Retire: 4 components' }).click()
  await expect(page.getByText('2 components retired. 2 left in the list.')).toBeVisible()
  await expect(page.getByLabel('Barcodes')).toHaveValue('NEW-1\nGHOST-1')
  await expect(notDone(page).getByRole('row')).toHaveText([
    /Line.*Reason/,
    /NEW-1.*There is still stock of it\. Correct it to 0 first, or count 0 and accept the difference\./,
    /GHOST-1.*There is no component with this barcode\./,
  ])
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('link', { name: 'All components' }).click()
  const list = page.getByRole('list', { name: 'Components' })
  await expect(list.getByRole('listitem')).toHaveText([/NEW-1/, /OLD-3/])

  await open(page, 'Bring back', ['OLD-1', 'OLD-2'])
  // What is not done yet is there again, with what was to be done.
  await page.getByRole('link', { name: 'All components' }).click()
  await page.getByRole('link', { name: 'Change several' }).click()
  await expect(page.getByLabel('Barcodes')).toHaveValue('OLD-1\nOLD-2')
  await page.getByRole('button', { name: 'Bring back: 2 components' }).click()
  await expect(page.getByText('2 components brought back.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Barcodes')).toHaveValue('')
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(4)
})

test('a list that was scanned is read without what the company’s scanners add', async ({
  admin: page,
  program,
  company,
}) => {
  await askAs(program, company, { path: '/api/company/settings', body: { scanner_prefix: ']C1' } })
  await importRows(page, made(['OLD-1', ']C1OLD-2', 'OLD-3']))
  await Promise.all([page.waitForResponse('**/api/company/settings'), goTo(page, 'Overview')])
  await open(page, 'Retire', [']C1OLD-1', ']C1OLD-2'])
  await page.getByRole('button', { name: 'Retire: 2 components' }).click()
  await expect(page.getByText('2 components retired.', { exact: true })).toBeVisible()
  await open(page, 'Add other barcodes', [']C1OLD-3;]C14012345'])
  await page.getByRole('button', { name: 'Add other barcodes: 1 component' }).click()
  await expect(page.getByText('Other barcodes added to 1 component.', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('list', { name: 'Components' }).getByRole('listitem')).toHaveText([
    /OLD-3 4012345/,
  ])
  await open(page, 'Set bins', [']C1OLD-3;]C1A-03'])
  await page.getByRole('button', { name: 'Set bins: 1 component' }).click()
  await expect(page.getByText('Bins of 1 component set at Primary Warehouse.', { exact: true })).toBeVisible()
  await open(page, 'Set unit costs', [']C1OLD-3;12.50'])
  await page.getByRole('button', { name: 'Set unit costs: 1 component' }).click()
  await expect(page.getByText('Unit costs of 1 component set.', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await page.getByRole('link', { name: /OLD-3 4012345 Bin A-03 · Bolt/ }).click()
  await page.getByRole('button', { name: 'Bins and minimums' }).click()
  await expect(page.getByLabel('Bin', { exact: true })).toBeFocused()
  await scanLines(page, [']C1B-7'])
  await expect(page.getByLabel('Bin', { exact: true })).toHaveValue('B-7')
})

test('other barcodes are pasted from a spreadsheet, several to a component', async ({ admin: page }) => {
  await importRows(page, made(['A-1', 'A-2', 'A-3']))
  await open(page, 'Add other barcodes', ['A-1\t4012345\t4012346', 'A-2'])
  await expect(page.getByText('One line has no other barcode.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add other barcodes: 2 components' })).toBeDisabled()
  await page.getByLabel('Barcodes').fill('A-1\t4012345\t4012346\nA-2;A-3')
  await page.getByRole('button', { name: 'Add other barcodes: 2 components' }).click()
  await expect(page.getByText('Other barcodes added to 1 component. 1 left in the list.')).toBeVisible()
  await expect(notDone(page).getByRole('row').nth(1)).toHaveText(/A-2;A-3.*already/)
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('list', { name: 'Components' }).getByRole('listitem').first()).toHaveText(
    /A-1 4012345, 4012346/,
  )
})

test('packs are added by a list, with their pieces behind their barcodes', async ({ admin: page }) => {
  await importRows(page, made(['A-1', 'A-2']))
  await open(page, 'Add other barcodes', ['A-1\t4012345 x12; OLD-77', 'A-2;CASE-2 x20000'])
  await expect(page.getByText('After the barcode of a pack, its pieces: 4012345;4012346 x12.')).toBeVisible()
  await expect(
    page.getByText('"A-2;CASE-2 x20000" is not a barcode and other ones of 1 to 10,000 pieces.'),
  ).toBeVisible()
  await page.getByLabel('Barcodes').fill('A-1\t4012345 X12; OLD-77\nA-2;A-1 x6')
  await page.getByRole('button', { name: 'Add other barcodes: 2 components' }).click()
  await expect(page.getByText('Other barcodes added to 1 component. 1 left in the list.')).toBeVisible()
  await expect(notDone(page).getByRole('row').nth(1)).toHaveText(/A-2;A-1 x6.*already/)
  await page.goto('/components/A-1')
  const codes = page.getByRole('list', { name: 'Other barcodes' }).getByRole('listitem')
  await expect(codes).toHaveText([/^4012345Pack of 12/, /^OLD-77(?!Pack)/])

  // Added once more without its pieces, it is the pack that it was.
  await open(page, 'Add other barcodes', ['A-1;4012345'])
  await page.getByRole('button', { name: 'Add other barcodes: 1 component' }).click()
  await expect(page.getByText('Other barcodes added to 1 component.', { exact: true })).toBeVisible()
  await page.goto('/components/A-1')
  await expect(codes).toHaveText([/^4012345Pack of 12/, /^OLD-77(?!Pack)/])
})

test('a delivery is received by a list, each line once, also where its answer was lost and the screen was left', async ({
  admin: page,
}) => {
  await importRows(page, [...made(['A-1'], 2), ...made(['A-2', 'A-3'])])
  await open(page, 'Receive', ['A-1;5', 'A-2', 'Barcode\tAmount'])
  await expect(
    page.getByText('2 lines are not a barcode and an amount from 1 to 2,147,483,647, the first is "A-2".'),
  ).toBeVisible()
  await expect(page.getByText('They are added to the stock at Primary Warehouse.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive: 3 lines' })).toBeDisabled()
  await page.getByLabel('Barcodes and amounts').fill('A-1;5\nGHOST-1;3\nA-2\t12\nA-1;5')
  expect(await barriersOf(page)).toEqual([])
  await loseAnswer(page, '/api/components/adjust-quantity')
  await page.getByRole('button', { name: 'Receive: 4 lines' }).click()
  await expect(
    page.getByText(
      'The server cannot be reached. 0 lines received at Primary Warehouse. 4 left in the list. Sent again, nothing is booked twice.',
    ),
  ).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('link', { name: /A-1 Bolt 7 here/ })).toBeVisible()
  await page.reload()
  await page.getByRole('link', { name: 'Change several' }).click()
  await page.getByRole('button', { name: 'Receive: 4 lines' }).click()
  await expect(page.getByText('3 lines received at Primary Warehouse. 1 left in the list.')).toBeVisible()
  await expect(page.getByLabel('Barcodes and amounts')).toHaveValue('GHOST-1;3')
  await expect(notDone(page).getByRole('row').nth(1)).toHaveText(
    /GHOST-1;3.*There is no component with this barcode\./,
  )

  // What is done is done also where the page is loaded again while the next line is on its way.
  await page.getByLabel('Barcodes and amounts').fill('A-3;4\nA-3;2')
  let received = 0
  await divert(page, '**/api/components/adjust-quantity', async (route) => {
    received += 1
    if (received < 2) await route.continue()
    else await route.fetch()
  })
  await page.getByRole('button', { name: 'Receive: 2 lines' }).click()
  await expect(page.getByText('1 of 2')).toBeVisible()
  await expect.poll(() => received).toBe(2)
  // What this tab keeps by now, as another one has it that is opened from it.
  const [copy] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      window.open(location.href)
    }),
  ])
  await expect(copy.getByLabel('Barcodes and amounts')).toHaveValue('A-3;2')
  await copy.close()
  await page.reload()
  await page.unroute('**/api/components/adjust-quantity')
  await page.getByRole('button', { name: 'Receive: 1 line' }).click()
  await expect(page.getByText('1 line received at Primary Warehouse.', { exact: true })).toBeVisible()

  // A line that was cut out, and pasted in other writing, is the same delivery.
  const lines = page.getByLabel('Barcodes and amounts')
  await loseAnswer(page, '/api/components/adjust-quantity')
  await lines.fill('A-2;1')
  await page.getByRole('button', { name: 'Receive: 1 line' }).click()
  await expect(page.getByText('The server cannot be reached. 0 lines received')).toBeVisible()
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await expect(page.getByText('This list was begun at Primary Warehouse.')).toHaveText(
    'This list was begun at Primary Warehouse. What is left of it is now added to the stock at Secondary Warehouse.',
  )
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Primary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await expect(page.getByText('It is not known whether')).toHaveText(
    'It is not known whether 1 of A-2 arrived at Primary Warehouse. If the next list received there has it, it is not booked twice.',
  )
  await lines.fill('')
  await lines.fill('A-2; 1')
  await page.getByRole('button', { name: 'Receive: 1 line' }).click()
  await expect(page.getByText('1 line received at Primary Warehouse.', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('link', { name: /A-1 Bolt 12 here/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-3 Bolt 6 here/ })).toBeVisible()
  await page.getByRole('link', { name: /A-2 Bolt 13 here/ }).click()
  await expect(page.getByRole('row', { name: /\+12 12 Received/ })).toBeVisible()
})

test('what is scanned line by line comes in and goes out, and packs are asked about', async ({
  admin: page,
}) => {
  await importRows(page, made(['A-1', 'A-2']))
  await postFrom(page, '/api/components/add-barcode', { barcode: 'A-1', alias: 'CASE-1', pieces: 12 })
  await open(page, 'Receive', [])
  await page.getByLabel('Barcodes and amounts').focus()
  await scanLines(page, ['CASE-1', '3', 'A-2', '5'])
  await page.getByRole('button', { name: 'Receive: 2 lines' }).click()
  await expect(
    page.getByText(
      'CASE-1 is a pack of 12: 3 is taken as 3 pieces, not as packs. Write packs as 3 x12. If pieces are right, press the button once more.',
    ),
  ).toBeVisible()
  await page.getByLabel('Barcodes and amounts').fill('CASE-1\n3 x12\nA-2\n5')
  await page.getByRole('button', { name: 'Receive: 2 lines' }).click()
  await expect(page.getByText('2 lines received at Primary Warehouse.', { exact: true })).toBeVisible()
  await page.getByLabel('What to do').selectOption('Issue')
  await page.getByLabel('Barcodes and amounts').fill('A-1;4\nA-2;6')
  await page.getByRole('button', { name: 'Issue: 2 lines' }).click()
  await expect(
    page.getByText('1 line issued from Primary Warehouse. 1 left in the list.', { exact: true }),
  ).toBeVisible()
  await page.getByLabel('Barcodes and amounts').fill('')
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('link', { name: /A-1 CASE-1 Bolt 32 here/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-2 Bolt 5 here/ })).toBeVisible()
})

test('a list is sent to another location, each line once, and what is not there stays in it', async ({
  admin: page,
}) => {
  await importRows(page, [...made(['A-1'], 8), ...made(['A-2'], 3)])
  await open(page, 'Send to Secondary Warehouse', ['A-1;5', 'A-2;4', 'GHOST-1;1'])
  await expect(
    page.getByText(
      'On each line: a barcode, then how many pieces leave Primary Warehouse, behind a tab, semicolon or comma, or on the line below: 4012345;12, or 3 x12 for 3 packs of 12. They are on their way to Secondary Warehouse until they are received there.',
    ),
  ).toBeVisible()
  await loseAnswer(page, '/api/transfers')
  await page.getByRole('button', { name: 'Send to Secondary Warehouse: 3 lines' }).click()
  await expect(page.getByText('0 lines sent from Primary Warehouse to Secondary Warehouse.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('It is not known whether')).toHaveText(
    'It is not known whether 5 of A-1 left Primary Warehouse for Secondary Warehouse. If the next list sent there has it, it is not booked twice.',
  )
  await page.getByRole('button', { name: 'Send to Secondary Warehouse: 3 lines' }).click()
  await expect(
    page.getByText('1 line sent from Primary Warehouse to Secondary Warehouse. 2 left in the list.'),
  ).toBeVisible()
  await expect(notDone(page).getByRole('row')).toHaveText([
    /Line/,
    /A-2;4.*Primary Warehouse has less stock than that\. Nothing was moved\./,
    /GHOST-1;1.*There is no component with this barcode\./,
  ])
  // Where the rest of it would go, it is the same list still.
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await expect(page.getByText('This list was begun at Primary Warehouse.')).toHaveText(
    'This list was begun at Primary Warehouse. To send what is left of it, change back to that location.',
  )
  await page.getByRole('button', { name: 'Send to Secondary Warehouse: 2 lines' }).click()
  await expect(notDone(page).getByRole('row').nth(1)).toHaveText(
    /A-2;4.*Choose two different places to move stock between\./,
  )
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Primary Warehouse')
  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: /A-1 Bolt 3 here/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-2 Bolt 3 here/ })).toBeVisible()

  await open(page, 'Send to Quarantine', ['A-2;1'])
  await page.getByRole('button', { name: 'Send to Quarantine: 1 line' }).click()
  await expect(
    page.getByText('1 line sent from Primary Warehouse to Quarantine.', { exact: true }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('link', { name: /A-2 Bolt 2 here/ })).toBeVisible()
})

test('bins and minimums are set by a list where one works, and lines that name nothing in use stay in it', async ({
  admin: page,
}) => {
  await importRows(page, [...made(['A-1', 'A-2'], 4), ...made(['OLD-1'])])
  await postFrom(page, '/api/components/retire', { barcode: 'OLD-1' })
  await open(page, 'Set bins', ['A-1;A-03-2', 'A-2;', 'A-2\tAisle 3, left'])
  await expect(page.getByText('"A-2;" is not a barcode and a bin of up to 40 characters.')).toBeVisible()
  await expect(page.getByText('That is where it lies at Primary Warehouse.')).toBeVisible()
  const lines = page.getByLabel('Barcodes and bins')
  await lines.fill('A-1;A-03-2\nOLD-1;A-04\nA-2\tAisle 3, left')
  expect(await barriersOf(page)).toEqual([])
  const placing = page.waitForRequest('**/api/components/place')
  await page.getByRole('button', { name: 'Set bins: 3 components' }).click()
  expect((await placing).postDataJSON()).toEqual({
    location: 'PRIMARY',
    components: [
      { barcode: 'A-1', bin: 'A-03-2' },
      { barcode: 'OLD-1', bin: 'A-04' },
      { barcode: 'A-2', bin: 'Aisle 3, left' },
    ],
  })
  await expect(
    page.getByText('Bins of 2 components set at Primary Warehouse. 1 left in the list.'),
  ).toBeVisible()
  await expect(notDone(page).getByRole('row').nth(1)).toHaveText(
    /OLD-1;A-04.*There is no component in use with this barcode\./,
  )
  await lines.fill('A-1;B-7')
  await cut(page, '/api/components/place')
  await page.getByRole('button', { name: 'Set bins: 1 component' }).click()
  await expect(page.getByText('The server cannot be reached. Bins of 0 components set')).toBeVisible()
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await page.unroute('**/api/components/place')
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await expect(page.getByText('This list was begun at Primary Warehouse.')).toHaveText(
    'This list was begun at Primary Warehouse. What is left of it is now set at Secondary Warehouse.',
  )
  // Nothing else was begun there.
  const whatToDo = page.getByLabel('What to do')
  await whatToDo.selectOption('Set minimums')
  await expect(page.getByText('This list was begun at')).toBeHidden()
  await whatToDo.selectOption('Set bins')
  await page.getByRole('button', { name: 'Set bins: 1 component' }).click()
  await expect(page.getByText('Bins of 1 component set at Secondary Warehouse.')).toBeVisible()

  await open(page, 'Set minimums', ['A-1;40123', 'A-1;4012345', 'A-2;0'])
  await page.getByRole('button', { name: 'Set minimums: 3 components' }).click()
  await expect(
    page.getByText(
      '"A-1;4012345" may have a scanned code in place of its minimum. If it is the minimum, press the button once more.',
    ),
  ).toBeVisible()
  await page.getByLabel('Barcodes and minimums').fill('A-1;12\nA-2;0')
  await page.getByRole('button', { name: 'Set minimums: 2 components' }).click()
  await expect(page.getByText('Minimums of 2 components set at Secondary Warehouse.')).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('link', { name: /A-1 Bin B-7 · Bolt Low 0 here 4 in all$/ })).toBeVisible()
  await page.getByRole('link', { name: /A-2 Bolt 0 here 4 in all$/ }).click()
  const stock = page.getByRole('table', { name: 'Stock' })
  await expect(stock.getByRole('row', { name: /Primary Warehouse Aisle 3, left 4 –/ })).toBeVisible()
  await expect(stock.getByRole('row', { name: /Secondary Warehouse – 0 0/ })).toBeVisible()
})

test('unit costs are set by a list, wherever one works, and lines that name nothing in use stay in it', async ({
  admin: page,
}) => {
  await importRows(page, made(['A-1', 'A-2', 'OLD-1']))
  await postFrom(page, '/api/components/retire', { barcode: 'OLD-1' })
  await open(page, 'Set unit costs', ['A-1;12,50', 'A-2', 'Barcode\tCost'])
  await expect(
    page.getByText(
      '2 lines are not a barcode and an amount from 0 to 9,999,999.9999, or none, the first is "A-2".',
    ),
  ).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  const lines = page.getByLabel('Barcodes and unit costs')
  await expect(lines).toHaveAccessibleDescription(/what one piece costs in USD, .* to remove what was set\./)
  await lines.fill('A-1;12,50\nOLD-1;3\nA-2\t$0.0125')
  const setting = page.waitForRequest('**/api/components/set-costs')
  await page.getByRole('button', { name: 'Set unit costs: 3 components' }).click()
  expect((await setting).postDataJSON()).toEqual({
    components: [
      { barcode: 'A-1', unit_cost: 12.5 },
      { barcode: 'OLD-1', unit_cost: 3 },
      { barcode: 'A-2', unit_cost: 0.0125 },
    ],
  })
  await expect(page.getByText('Unit costs of 2 components set. 1 left in the list.')).toBeVisible()
  await expect(notDone(page).getByRole('row').nth(1)).toHaveText(
    /OLD-1;3.*There is no component in use with this barcode\./,
  )

  await lines.fill('A-1;1.234')
  await cut(page, '/api/components/set-costs')
  await page.getByRole('button', { name: 'Set unit costs: 1 component' }).click()
  await expect(
    page.getByText(
      '"A-1;1.234" is read as 1.234, not as 1,234.00. If that is right, press the button once more.',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Set unit costs: 1 component' }).click()
  await expect(page.getByText('The server cannot be reached. Unit costs of 0 components set')).toBeVisible()
  await page.unroute('**/api/components/set-costs')
  // They are those of the component, wherever it lies.
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Change several' }).click()
  await expect(lines).toHaveValue('A-1;1.234')
  await expect(page.getByText('This list was begun at')).toBeHidden()
  await lines.fill('A-1;1.234\nA-2;0,5')
  await page.getByRole('button', { name: 'Set unit costs: 2 components' }).click()
  await expect(
    page.getByText(
      '"A-1;1.234" is read as 1,234.00 because of "A-2;0,5", not as 1.234. If that is right, press the button once more.',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Set unit costs: 2 components' }).click()
  await expect(
    page.getByText('Unit costs of 2 components set. 1.234 was read as 1,234.00.', { exact: true }),
  ).toBeVisible()
  await lines.fill('A-2;none')
  await page.getByRole('button', { name: 'Set unit costs: 1 component' }).click()
  await expect(page.getByText('Unit costs of 1 component set.', { exact: true })).toBeVisible()
  await page.goto('/audit-trail?sku=A-2')
  await expect(page.getByText('Unit cost changed, 0.50 → none')).toBeVisible()
  await page.goto('/audit-trail?sku=A-1')
  await expect(page.getByText('Unit cost changed, none → 12.50')).toBeVisible()
  await expect(page.getByText('Unit cost changed, 12.50 → 1,234.00')).toBeVisible()
})

test('where the server is not reached, what was not done stays in the list and is done later', async ({
  admin: page,
}) => {
  await importRows(page, made(['A-1', 'A-2', 'A-3']))
  await open(page, 'Retire', ['A-1', 'A-2', 'A-3'])
  let calls = 0
  await divert(page, '**/api/components/retire', async (route) => {
    calls += 1
    await (calls > 1 ? route.abort('internetdisconnected') : route.continue())
  })
  await page.getByRole('button', { name: 'Retire: 3 components' }).click()
  await expect(
    page.getByText('The server cannot be reached. 1 component retired. 2 left in the list.'),
  ).toBeVisible()
  await expect(page.getByLabel('Barcodes')).toHaveValue('A-2\nA-3')
  await page.unroute('**/api/components/retire')
  await page.getByRole('button', { name: 'Retire: 2 components' }).click()
  await expect(page.getByText('2 components retired.', { exact: true })).toBeVisible()
})

test('what was retired without an answer, and brought back on the same screen, is retired again', async ({
  admin: page,
}) => {
  await importRows(page, made(['A-1']))
  await open(page, 'Retire', ['A-1'])
  await loseAnswer(page, '/api/components/retire')
  await page.getByRole('button', { name: 'Retire: 1 component' }).click()
  await expect(page.getByText('The server cannot be reached. 0 components retired.')).toBeVisible()
  for (const [change, told] of [
    ['Bring back', '1 component brought back.'],
    ['Retire', '1 component retired.'],
  ] as const) {
    await page.getByLabel('What to do').selectOption(change)
    await page.getByLabel('Barcodes').fill('A-1')
    await page.getByRole('button', { name: `${change}: 1 component` }).click()
    await expect(page.getByText(told, { exact: true })).toBeVisible()
  }
  await page.getByRole('link', { name: 'All components' }).click()
  await page.getByLabel('Show').selectOption('Retired')
  await expect(page.getByRole('link', { name: /A-1/ })).toBeVisible()
})

test('the focus goes to Stop while a list is worked through, and back where the list goes on', async ({
  admin: page,
}) => {
  await importRows(page, made(['A-1', 'A-2']))
  await open(page, 'Receive', ['A-1;1', 'A-2;1'])
  const letThrough = await hold(page, '/api/components/adjust-quantity')
  // A code that was scanned where an amount belongs is asked about, once.
  await page.getByLabel('Barcodes').fill('A-1;40123455\nA-2;1')
  await page.getByRole('button', { name: 'Receive: 2 lines' }).click()
  await expect(
    page.getByText(
      '"A-1;40123455" may have a scanned code in place of its amount. If it is the amount, press the button once more.',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Receive: 2 lines' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('0 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(
    page.getByText(
      '0 lines received at Primary Warehouse. 2 left in the list. One line was under way and may have been booked. Sent again, nothing is booked twice.',
    ),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive: 2 lines' })).toBeFocused()
  letThrough()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 lines received at Primary Warehouse.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Barcodes')).toBeFocused()
})
