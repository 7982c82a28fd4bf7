import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  afterTries,
  answerInstead,
  asTimePasses,
  chooseLocation,
  cut,
  expect,
  goTo,
  hold,
  importRows,
  loseAnswer,
  postFrom,
  pressInBar,
  stall,
  takeInNews,
  test,
} from './fixtures.ts'
import { askAs, goOn } from './people.ts'
import { scanLines } from './scanner.ts'

test('a component is found and shown with its stock, movements and counts, and an address that leads to none says so', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: '00012', description: 'Hex bolt', primary_quantity: 5, secondary_quantity: 2 },
    { barcode: 'A/1 %?#', description: 'Seal', primary_quantity: 1 },
  ])
  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: /00012 Hex bolt 5 here 7 in all/ })).toBeVisible()
  await page.getByLabel('Search').fill('nothing')
  await expect(page.getByText('Nothing found for "nothing"')).toBeVisible()
  await expect(page.getByText('0 found')).toHaveRole('status')
  await page.getByLabel('Search').fill('HEX')
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('link', { name: /Hex bolt/ }).click()
  await expect(page.getByRole('heading', { name: '00012', level: 1 })).toBeVisible()
  await expect(page.getByRole('row', { name: /Primary Warehouse 5/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Secondary Warehouse \+2 2 Import/ })).toBeVisible()
  await expect(page.getByText('Not counted yet')).toBeVisible()
  await expect(page.locator('.recharts-line').first()).toBeAttached()
  expect(await barriersOf(page)).toEqual([])

  await page.goto(`/components/${encodeURIComponent('A/1 %?#')}`)
  await expect(page.getByRole('heading', { name: 'A/1 %?#', level: 1 })).toBeVisible()
  await page.goto('/components/GHOST')
  await expect(page.getByText('There is no component with this barcode.')).toBeVisible()
  await page.goto('/components/%E0%A4%A')
  await expect(page.getByText('There is nothing at this address.')).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await expect(page.getByRole('heading', { name: 'Components', exact: true })).toBeVisible()
})

test('a code that is scanned while a dialog is open leaves it open, and Tab goes on from its title', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  await page.goto('/components')
  await expect(page.getByRole('link', { name: /A-1/ })).toBeVisible()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys.getByRole('heading', { name: 'Keys' })).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
  await scanLines(page, ['A-1'])
  await scanLines(page, ['036000291452'], 'twoEnters')
  await expect(keys).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(keys.getByRole('button', { name: 'Close dialog' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(keys).toBeHidden()
})

test('a slash goes to the search, a question mark lists the keys, and Enter opens what has exactly the barcode', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: '036000291452', description: 'Soap' }, { barcode: '0360' }])
  for (const [path, label] of [
    ['/components', 'Search'],
    ['/print-settings', 'Search'],
    ['/audit-trail', 'SKU or number'],
    ['/exports', 'Barcode or description'],
    ['/discrepancies', 'Search'],
  ] as const) {
    await page.goto(path)
    const field = page.getByLabel(label, { exact: true }).first()
    await expect(field).toBeVisible()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await expect(keys).toContainText('/search')
    await page.keyboard.press('Escape')
    await expect(keys).toBeHidden()
    await page.keyboard.press('/')
    await expect(field).toBeFocused()
    await page.keyboard.type('a/?b')
    await expect(field).toHaveValue('a/?b')
    await expect(keys).toBeHidden()
  }

  await page.goto('/components')
  await expect(page.getByLabel('Search')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search')).toBeFocused()
  await page.keyboard.type('036')
  await expect(page.getByLabel('Search')).toHaveValue('036')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /Soap/ })).toBeVisible()
  await page.getByLabel('Search').fill('0036000291452')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '036000291452', level: 1 })).toBeVisible()
})

test('a code with a slash or a question mark is not taken apart where no field has the focus', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'BOLT/8' }, { barcode: '8' }])
  await page.goto('/components')
  await expect(page.getByRole('link', { name: /BOLT/ })).toBeVisible()
  await scanLines(page, ['BOLT/8', 'BOLT?8'])
  await page.waitForTimeout(1_000)
  await expect(page.getByRole('heading', { name: 'Components', level: 1 })).toBeVisible()
  await expect(page.getByLabel('Search')).toHaveValue('')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search')).toBeFocused()
})

test('a barcode that is found late leads nowhere for who has gone on meanwhile', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  await goTo(page, 'Components')
  const search = page.getByLabel('Search')
  const lookup = '**/api/components/detail?*'
  async function meanwhile(goOn: () => Promise<unknown>): Promise<void> {
    await search.fill('A-1')
    const letThrough = await hold(page, '/api/components/detail?*')
    await search.press('Enter')
    await goOn()
    letThrough()
    await page.waitForTimeout(1_000)
    await page.unroute(lookup)
  }

  await meanwhile(() => search.fill('A-12'))
  await expect(search).toHaveValue('A-12')
  await meanwhile(() => page.getByRole('link', { name: 'Export', exact: true }).focus())
  await expect(search).toHaveValue('A-1')
  await meanwhile(() => goTo(page, 'Audit Trail'))
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Trail' })).toBeVisible()
  await goTo(page, 'Components')
  await meanwhile(async () => undefined)
  await expect(page.getByRole('heading', { level: 1, name: 'A-1' })).toBeVisible()
})

test('an administrator receives and issues stock by an amount, and never more than there is', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  await page.goto('/components/A-1')
  const open = async () => {
    await page.getByRole('button', { name: 'Receive or issue' }).click()
    return page.getByRole('dialog', { name: 'Receive or issue A-1' })
  }
  const receiving = await open()
  await expect(receiving.getByLabel('Amount')).toBeFocused()
  await scanLines(page, ['40123'])
  await expect(receiving.getByRole('alert')).toHaveText(
    '40,123 may be a scanned code. If it is the quantity, press the button once more.',
  )
  await receiving.getByLabel('Amount').fill('12')
  await expect(receiving.getByText('Primary Warehouse: 10 → 22')).toBeVisible()
  await receiving.getByLabel('Note').fill('Order 77')
  expect(await barriersOf(page)).toEqual([])
  await receiving.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Received: +12 at Primary Warehouse, where 22 are now.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive or issue' })).toBeFocused()

  const issuing = await open()
  await issuing.getByLabel('Reason').selectOption('Damaged')
  await issuing.getByLabel('Amount').fill('30')
  await issuing.getByRole('button', { name: 'Save' }).click()
  await expect(issuing.getByRole('alert')).toHaveText(
    'Only 22 of A-1 are in stock at Primary Warehouse. Nothing was changed.',
  )
  await issuing.getByLabel('Amount').fill('3')
  await issuing.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Damaged: −3 at Primary Warehouse, where 19 are now.')).toBeVisible()

  const other = await open()
  await other.getByLabel('Reason').selectOption('Other')
  await other.getByLabel('Amount').fill('2')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByLabel('Amount')).toBeFocused()
  await expect(other.getByLabel('Amount')).toHaveAccessibleDescription(
    /Enter a whole number with its sign: \+12 or -3\.$/,
  )
  await other.getByLabel('Amount').fill('-2')
  await page.setViewportSize({ width: 360, height: 480 })
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByLabel('Note')).toBeFocused()
  await expect(other.getByText('Say in the note why the stock changes.')).toBeInViewport({ ratio: 1 })
  await other.getByLabel('Note').fill('Sample for a customer')
  await other.getByRole('button', { name: 'Save' }).click()
  const movements = page.getByRole('table', { name: 'Movements' })
  await expect(movements.getByRole('row', { name: /−2 17 Other Sample for a customer/ })).toBeVisible()
  await expect(movements.getByRole('row', { name: /\+12 22 Received Order 77/ })).toBeVisible()
})

test('an administrator makes a component of a code that nothing was found for, and never a second one of a barcode', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Seal', primary_quantity: 5 },
    { barcode: 'OLD-1', description: 'Old seal' },
  ])
  await postFrom(page, '/api/components/add-barcode', { barcode: 'A-1', alias: '4006381333931' })
  await postFrom(page, '/api/components/retire', { barcode: 'OLD-1' })
  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'New component' }).click()
  const dialog = page.getByRole('dialog', { name: 'New component' })
  await expect(dialog.getByLabel('Barcode')).toBeFocused()
  const create = dialog.getByRole('button', { name: 'Create' })
  await create.click()
  await expect(dialog.getByText('Scan or type a barcode.')).toBeVisible()
  await expect(dialog.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1'])
  await expect(dialog.getByLabel('Description')).toBeFocused()
  await dialog.getByLabel('Description').fill('Another seal')
  for (const [code, words] of [
    ['A-1', 'This barcode belongs to A-1 already.'],
    ['4006381333931', 'This barcode belongs to A-1 already.'],
    ['OLD-1', 'This barcode belongs to OLD-1 already. It is retired: bring it back on its page.'],
  ] as const) {
    await dialog.getByLabel('Barcode').fill(code)
    await create.click()
    await expect(dialog.getByText(words, { exact: true })).toBeVisible()
  }
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByLabel('Barcode').fill('LATE-1')
  const letThrough = await hold(page, '/api/components/import*')
  await create.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'New component' })).toBeFocused()
  letThrough()
  await expect(page.getByRole('link', { name: /LATE-1/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Components', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-1.* Seal 5 here/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /OLD-1/ })).toHaveCount(0)

  await page.getByLabel('Search').fill('Rubber seal')
  await page.getByRole('button', { name: 'Make it a component' }).click()
  await expect(dialog.getByLabel('Barcode')).toBeFocused()
  await expect(dialog.getByLabel('Barcode')).toHaveValue('')
  await expect(dialog.getByLabel('Description')).toHaveValue('Rubber seal')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Search').fill('NEW-1')
  await expect(page.getByText('Nothing found for "NEW-1"')).toBeVisible()
  await page.getByRole('button', { name: 'Make it a component' }).click()
  await expect(dialog.getByLabel('Barcode')).toHaveValue('NEW-1')
  await expect(dialog.getByLabel('Description')).toBeFocused()
  await dialog.getByLabel('Description').fill('New seal')
  const stock = dialog.getByLabel('Stock at Primary Warehouse')
  await stock.fill('7.5')
  await create.click()
  await expect(dialog.getByText('Give a whole number from 0 to 2,147,483,647, or nothing.')).toBeVisible()
  await expect(stock).toBeFocused()
  await stock.fill('7')
  await loseAnswer(page, '/api/components/import*')
  await create.click()
  await expect(dialog.getByRole('alert')).toContainText('Sent again as it stands, it is done once.')
  await create.click()
  await expect(page.getByRole('heading', { name: 'NEW-1', level: 1 })).toBeVisible()
  await expect(page.getByText('New seal')).toBeVisible()
  await expect(page.getByRole('row', { name: /Primary Warehouse 7/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Primary Warehouse \+7 7 Import/ })).toBeVisible()
})

test('a new component gets a bin, a minimum and a unit cost, and what could not be saved of it is said and saved again', async ({
  admin: page,
}) => {
  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'New component' }).click()
  const dialog = page.getByRole('dialog', { name: 'New component' })
  const create = dialog.getByRole('button', { name: 'Create' })
  const more = dialog.getByText('More: bin, minimum, unit cost')
  const cost = dialog.getByLabel('Unit cost')
  await expect(cost).toBeHidden()
  await dialog.getByLabel('Barcode').fill('NEW-1')
  await dialog.getByLabel('Stock at Primary Warehouse').fill('7')
  await more.click()
  await dialog.getByLabel('Bin at Primary Warehouse').focus()
  await scanLines(page, ['A-03-2'])
  await expect(dialog.getByLabel('Minimum at Primary Warehouse')).toBeFocused()
  await dialog.getByLabel('Minimum at Primary Warehouse').fill('10')
  await cost.fill('five')
  await more.click()
  await create.click()
  // What is wrong is not left folded away.
  await expect(
    dialog.getByText('Unit cost must be an amount from 0 to 9,999,999.9999, such as 1,234.50.'),
  ).toBeVisible()
  await expect(cost).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
  await cost.fill('12,5')
  await expect(cost).toHaveAccessibleDescription(/\$12\.50 a piece$/)
  await cut(page, '/api/components/place')
  await create.click()
  await expect(dialog.getByText('NEW-1 was created, with 7 at Primary Warehouse.')).toHaveText(
    'NEW-1 was created, with 7 at Primary Warehouse. Still to be saved: bin and minimum, unit cost.',
    afterTries,
  )
  await expect(dialog.getByRole('alert')).toContainText('Sent again as it stands, it is done once.')
  await expect(dialog.getByLabel('Barcode')).toBeDisabled()
  expect(await barriersOf(page)).toEqual([])
  await page.unroute('**/api/components/place')
  await loseAnswer(page, '/api/components/set-costs')
  const rest = dialog.getByRole('button', { name: 'Save the rest' })
  await rest.click()
  await expect(dialog.getByText('NEW-1 was created, with 7 at Primary Warehouse.')).toHaveText(
    'NEW-1 was created, with 7 at Primary Warehouse. Still to be saved: unit cost.',
  )
  await rest.click()
  await expect(page.getByRole('heading', { name: 'NEW-1', level: 1 })).toBeVisible()
  await expect(page.getByRole('row', { name: /Primary Warehouse A-03-2 Low 7 10 \$87\.50/ })).toBeVisible()
  await expect(
    page.getByRole('table', { name: 'Movements' }).getByRole('row', { name: /\+7 7 Import/ }),
  ).toHaveCount(1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Components', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'New component' }).click()
  await dialog.getByLabel('Barcode').fill('NEW-2')
  await more.click()
  await cost.fill('3')
  await answerInstead(page, '/api/components/set-costs', { status: 502, body: '<html>' })
  await create.click()
  await expect(dialog.getByText('NEW-2 was created. Still to be saved: unit cost.')).toBeVisible(afterTries)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'NEW-2', level: 1 })).toBeVisible()
  await expect(page.getByText('No unit cost yet.')).toBeVisible()
})

test('on a phone the first field behind More is in sight when it is opened, and so is what is wrong with the last', async ({
  admin: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/components')
  await page.getByRole('button', { name: 'New component' }).click()
  const dialog = page.getByRole('dialog', { name: 'New component' })
  await dialog.getByLabel('Barcode').fill('NEW-1')
  await dialog.getByText('More: bin, minimum, unit cost').click()
  await expect(dialog.getByLabel('Bin at Primary Warehouse')).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByText('Optional: where it lies, such as A-03-2.')).toBeInViewport({ ratio: 1 })
  await dialog.getByLabel('Unit cost').fill('five')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByLabel('Unit cost')).toBeFocused()
  await expect(dialog.getByLabel('Unit cost')).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByText('Unit cost must be an amount from 0')).toBeInViewport({ ratio: 1 })
})

test('a component that is kept no more is retired, leaves the lists, and comes back', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'OLD-1', description: 'Old bolt', primary_quantity: 2 },
    { barcode: 'NEW-1', description: 'New bolt', primary_quantity: 5 },
  ])
  await page.goto('/components/OLD-1')
  const retire = page.getByRole('dialog', { name: 'Retire OLD-1?' })
  await page.getByRole('button', { name: 'Retire' }).click()
  await retire.getByRole('button', { name: 'Retire' }).click()
  await expect(retire).toContainText('There is still stock of it.')
  await retire.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Correct stock' }).click()
  await page.getByLabel('Note').fill('sold off')
  await page.getByLabel('New quantity').focus()
  await scanLines(page, ['40123'])
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    '40,123 may be a scanned code. If it is the quantity, press the button once more.',
  )
  await page.getByLabel('New quantity').fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Stock at Primary Warehouse was set to 0.')).toBeVisible()
  await page.getByRole('button', { name: 'Retire' }).click()
  await retire.getByRole('button', { name: 'Retire' }).click()
  await expect(page.getByText('OLD-1 is retired.')).toBeVisible()
  await expect(
    page.getByText(/Retired by Ada Admin on .* it is in no list and is not counted\./),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Correct stock' })).toBeHidden()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: /NEW-1/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /OLD-1/ })).toBeHidden()
  await page.getByLabel('Search').fill('OLD-1')
  await page.getByLabel('Search').press('Enter')
  await expect(page.getByRole('heading', { name: 'OLD-1', level: 1 })).toBeVisible()
  await goTo(page, 'Components')
  await page.getByLabel('Show').selectOption('Retired')
  await page.getByRole('link', { name: /OLD-1/ }).click()
  await page.getByRole('button', { name: 'Bring back' }).click()
  const back = page.getByRole('dialog', { name: 'Bring OLD-1 back?' })
  await back.getByRole('button', { name: 'Bring back' }).click()
  await expect(page.getByText('OLD-1 is back in the lists.')).toBeVisible()
  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: /OLD-1/ })).toBeVisible()
})

test('a component has a bin and a minimum at each location, is found by its bin, and listed where it is low', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 4, secondary_quantity: 2 },
    { barcode: 'A-2', description: 'Seal', primary_quantity: 5 },
  ])
  await page.goto('/components/A-1')
  const open = page.getByRole('button', { name: 'Bins and minimums' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Bins and minimums of A-1' })
  await expect(dialog.getByLabel('Bin')).toBeFocused()
  // The second Enter of a scanner that sends two saves nothing.
  await scanLines(page, ['B-7'], 'twoEnters')
  await expect(dialog.getByLabel('Minimum')).toBeFocused()
  await expect(dialog.getByLabel('Bin')).toHaveValue('B-7')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
  // What is scanned over a bin takes its place.
  await dialog.getByLabel('Bin').focus()
  await scanLines(page, ['A-1'])
  await expect(dialog.getByLabel('Bin')).toHaveValue('A-1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'A-1 is a barcode of this component. If it is the bin, press the button once more.',
  )
  await dialog.getByLabel('Bin').focus()
  await scanLines(page, ['4'.repeat(41)])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('A bin has at most 40 characters, this one has 41.')).toBeVisible()
  await expect(dialog.getByLabel('Bin')).toBeFocused()
  await scanLines(page, ['A-03-2'])
  await expect(dialog.getByLabel('Minimum')).toBeFocused()
  await scanLines(page, ['40123'], 'twoEnters')
  await expect(dialog.getByRole('alert')).toHaveText(
    '40,123 may be a scanned code. If it is the minimum, press the button once more.',
  )
  await dialog.getByLabel('Minimum').fill('1.5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Give a whole number from 0 to 2,147,483,647, or nothing.')).toBeVisible()
  await expect(dialog.getByLabel('Minimum')).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByLabel('Minimum').fill('10')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Bin and minimum at Primary Warehouse saved.')).toBeVisible()
  await expect(open).toBeFocused()
  const stock = page.getByRole('table', { name: 'Stock' })
  await expect(stock.getByRole('row', { name: /Primary Warehouse A-03-2 Low 4 10/ })).toBeVisible()
  await open.click()
  await expect(dialog.getByLabel('Bin')).toHaveValue('A-03-2')
  await dialog.getByLabel('Location').selectOption('Secondary Warehouse (2)')
  await expect(dialog.getByLabel('Bin')).toHaveValue('')
  await expect(dialog.getByLabel('Minimum')).toHaveValue('')
  // What is not touched stays as somebody else has it by then.
  const placedMeanwhile = { location: 'SECONDARY', components: [{ barcode: 'A-1', bin: 'S-1' }] }
  await postFrom(page, '/api/components/place', placedMeanwhile)
  await dialog.getByLabel('Minimum').fill('3')
  await expect(dialog.getByLabel('Location')).toBeDisabled()
  await expect(dialog.getByText('Save before you choose another.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(stock.getByRole('row', { name: /Secondary Warehouse S-1 Low 2 3/ })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Components')
  const rows = page.getByRole('list', { name: 'Components' }).getByRole('listitem')
  await expect(page.getByRole('link', { name: /A-1 Bin A-03-2 · Bolt Low 4 here 6 in all$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-2 Seal 5 here 5 in all$/ })).toBeVisible()
  await page.getByLabel('Search').fill('a-03')
  await expect(rows).toHaveText([/A-1/])
  await page.getByLabel('Search').fill('')
  await expect(rows).toHaveCount(2)
  // What stood there before is not said to be low, not even until it is known what is.
  const answer = await hold(page, '/api/components/search*')
  await page.getByLabel('Show').selectOption('Low')
  await expect(page.getByText('Loading components...')).toBeVisible()
  await expect(rows).toHaveCount(0)
  answer()
  await expect(rows).toHaveText([/Primary 4 of 10, Secondary 2 of 3$/])
  await expect(page).toHaveURL('/components?state=low')
  expect(await barriersOf(page)).toEqual([])
  await page.getByLabel('Show').selectOption('Low here')
  await expect(rows).toHaveText([/Primary 4 of 10$/])
  await expect(page).toHaveURL('/components?state=low_here')
  // The scanner has done its part.
  await page.clock.install()
  await page.getByRole('link', { name: 'Export' }).click()
  await expect(page.getByLabel('Low or not kept at')).toHaveValue('PRIMARY')
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText('Low stock')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Low stock as CSV' }).click()
  expect(await readFile(await (await file).path(), 'utf8')).toMatch(
    /,Primary Warehouse below minimum,Primary Warehouse on its way,Unit cost \(USD\),Value \(USD\),Other barcodes\r\nA-1,.*,6,,,,\r\n$/,
  )
  await page.goBack()
  await expect(page.getByLabel('Show')).toHaveValue('low_here')
  const received = { barcode: 'A-1', location: 'PRIMARY', amount: 6, reason: 'received' }
  await postFrom(page, '/api/components/adjust-quantity', received)
  await asTimePasses(page, 5_000, (soon) => expect(page.getByText('Nothing is low here')).toBeVisible(soon))
  await expect(
    page.getByText(
      'A component is low where it has less stock than its minimum, which is set on its own page.',
    ),
  ).toBeVisible()

  await goTo(page, 'Overview')
  const low = page.getByRole('link', { name: '1 component is low' })
  await expect(low).toBeVisible()
  await low.click()
  await expect(page).toHaveURL('/components?state=low')
  await expect(page.getByLabel('Show')).toHaveValue('low')
  await expect(rows).toHaveText([/Secondary 2 of 3$/])
  await goTo(page, 'Overview')
  await expect(low).toBeVisible()
  const emptied = { location: 'SECONDARY', components: [{ barcode: 'A-1', minimum: null }] }
  await postFrom(page, '/api/components/place', emptied)
  await asTimePasses(page, 5_000, (soon) => expect(low).toBeHidden(soon))
})

test('an administrator says what a component costs and sees what its stock is worth, and staff see nothing of it', async ({
  admin: page,
  openElsewhere,
  program,
  company,
  sam,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 1000, quarantine_quantity: 20 }])
  await page.goto('/components/A-1')
  await expect(page.getByText('No unit cost yet.')).toBeVisible()
  const open = page.getByRole('button', { name: 'Unit cost' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Unit cost of A-1' })
  const field = dialog.getByLabel('Unit cost', { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(/^USD Optional: what one piece costs/)
  await expect(
    dialog.getByText('Unit costs are taken as US dollars (USD). Change that in Company Settings.'),
  ).toBeVisible()
  for (const wrong of ['-1', '10000000', 'five']) {
    await field.fill(wrong)
    await save.click()
    await expect(
      dialog.getByText('Unit cost must be an amount from 0 to 9,999,999.9999, such as 1,234.50.'),
    ).toBeVisible()
    await expect(field).toBeFocused()
  }
  await scanLines(page, ['40123'])
  await field.fill('')
  await scanLines(page, ['40123'])
  await expect(dialog.getByRole('alert')).toHaveText(
    '40,123.00 may be a scanned code. If it is the unit cost, press the button once more.',
  )
  await field.fill('')
  await scanLines(page, ['12345,50'])
  await expect(dialog.getByRole('alert')).toHaveText(
    '12,345.50 may be a scanned code. If it is the unit cost, press the button once more.',
  )
  for (const [typed, read] of [
    ['1.234', '1,020 in stock at $1.234: $1,258.68'],
    ['1,234', '1,020 in stock at $1,234.00: $1,258,680.00'],
    ['1.234,50', '1,020 in stock at $1,234.50: $1,259,190.00'],
    ['1,234.56789', '1,020 in stock at $1,234.5679: $1,259,259.26'],
  ] as const) {
    await field.fill(typed)
    await expect(field).toHaveAccessibleDescription(
      `USD Optional: what one piece costs, with up to four decimals. ${read}`,
    )
  }
  await field.fill('0,0125')
  await expect(dialog.getByText('1,020 in stock at $0.0125: $12.75')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await cut(page, '/api/components/set-costs')
  await save.click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.', afterTries)
  await expect(field).toHaveValue('0,0125')
  await page.unroute('**/api/components/set-costs')
  await save.click()
  await expect(page.getByText('One piece costs $0.0125 now.')).toBeVisible()
  await expect(open).toBeFocused()
  const stock = page.getByRole('table', { name: 'Stock' })
  await expect(stock.getByRole('row', { name: /Primary Warehouse 1,000 \$12\.50/ })).toBeVisible()
  await expect(stock.getByRole('row', { name: /Quarantine 20 \$0\.25/ })).toBeVisible()
  await expect(page.getByText('One piece costs $0.0125. The stock is worth $12.75.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  // What others set meanwhile is shown, in whichever currency.
  await page.clock.install()
  await page.reload()
  await expect(open).toBeVisible()
  const set = (barcode: string, cost: number) =>
    askAs(program, company, {
      path: '/api/components/set-costs',
      body: { components: [{ barcode, unit_cost: cost }] },
    })
  const reads = (sentence: string) =>
    asTimePasses(page, 5_000, (soon) => expect(page.getByText(sentence)).toBeVisible(soon))
  await set('A-1', 2)
  await reads('One piece costs $2.00. The stock is worth $2,040.00.')
  await askAs(program, company, { path: '/api/company/settings', body: { currency: 'EUR' } })
  await reads('One piece costs €2.00. The stock is worth €2,040.00.')
  await page.getByRole('link', { name: 'Audit trail', exact: true }).click()
  await expect(page.getByText('Unit cost changed, none → 0.0125')).toBeVisible()
  await page.goBack()

  const ofSam = await openElsewhere()
  await goOn(ofSam, program, sam)
  await goTo(ofSam, 'Components')
  await ofSam.getByRole('link', { name: /A-1/ }).click()
  await expect(ofSam.getByRole('row', { name: /Primary Warehouse 1,000 – / })).toBeVisible()
  await expect(ofSam.getByText('cost')).toHaveCount(0)
  await expect(ofSam.getByText('€')).toHaveCount(0)

  await open.click()
  await expect(field).toHaveValue('2')
  await expect(field).toBeFocused()
  await expect(dialog.getByText('Unit costs are taken as')).toBeHidden()
  // What stands there is chosen, so that the next key takes its place.
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Unit cost removed. It was €2.00.')).toBeVisible()
  await expect(page.getByText('No unit cost yet.', { exact: true })).toBeVisible()
  await expect(stock.getByRole('columnheader', { name: 'Value' })).toHaveCount(0)
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await cut(page, '/api/components/set-costs')
  await undo.click()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible(afterTries)
  await page.unroute('**/api/components/set-costs')
  expect(await barriersOf(page)).toEqual([])
  await undo.click()
  await expect(page.getByText('One piece costs €2.00 again.')).toBeVisible()
  await reads('One piece costs €2.00. The stock is worth €2,040.00.')
  await expect(undo).toBeHidden()
  await importRows(page, [{ barcode: 'OLD-1' }])
  await set('OLD-1', 4)
  await postFrom(page, '/api/components/retire', { barcode: 'OLD-1' })
  await page.goto('/components/OLD-1')
  await expect(page.getByText('One piece costs €4.00. The stock is worth €0.00.')).toBeVisible()
  await expect(open).toBeHidden()
})

test.describe('in a browser that writes numbers as German does', () => {
  test.use({ locale: 'de-DE' })

  test('a unit cost is read, shown and opened as it is written there', async ({ admin: page }) => {
    await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
    await postFrom(page, '/api/components/set-costs', {
      components: [{ barcode: 'A-1', unit_cost: 1234.5 }],
    })
    await page.goto('/components/A-1')
    const open = page.getByRole('button', { name: 'Unit cost' })
    await open.click()
    const dialog = page.getByRole('dialog', { name: 'Unit cost of A-1' })
    const field = dialog.getByLabel('Unit cost', { exact: true })
    const save = dialog.getByRole('button', { name: 'Save' })
    await expect(field).toHaveValue('1234,5')
    await save.click()
    await expect(page.getByText('The unit cost stays as it is.')).toBeVisible()
    await open.click()
    await field.fill('viel')
    await save.click()
    await expect(
      dialog.getByText('Unit cost must be an amount from 0 to 9.999.999,9999, such as 1.234,50.'),
    ).toBeVisible()
    await field.fill('1,234')
    await expect(dialog.getByText('10 in stock at 1,234 $: 12,34 $')).toBeVisible()
    await field.fill('1.234')
    await expect(dialog.getByText('10 in stock at 1.234,00 $: 12.340,00 $')).toBeVisible()
    await save.click()
    await expect(page.getByText('One piece costs 1.234,00 $ now.')).toBeVisible()

    await page.goto('/components')
    await page.getByRole('button', { name: 'New component' }).click()
    const creating = page.getByRole('dialog', { name: 'New component' })
    await creating.getByLabel('Barcode').fill('A-2')
    await creating.getByText('More: bin, minimum, unit cost').click()
    await creating.getByLabel('Unit cost').fill('2.500')
    await expect(creating.getByText('2.500,00 $ a piece')).toBeVisible()
    await creating.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('One piece costs 2.500,00 $.')).toBeVisible()
  })
})

test('a unit cost that somebody else sets while it is typed is said, and not overwritten unasked', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  const set = (cost: number | null) =>
    askAs(program, company, {
      path: '/api/components/set-costs',
      body: { components: [{ barcode: 'A-1', unit_cost: cost }] },
    })
  await set(9)
  await page.clock.install()
  await page.goto('/components/A-1')
  const open = page.getByRole('button', { name: 'Unit cost' })
  const dialog = page.getByRole('dialog', { name: 'Unit cost of A-1' })
  const field = dialog.getByLabel('Unit cost', { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  await open.click()
  const reads = (sentence: string) =>
    asTimePasses(page, 5_000, (soon) => expect(page.getByText(sentence)).toBeVisible(soon))
  await set(5)
  await reads('One piece costs $5.00.')
  await expect(field).toHaveValue('9')
  await save.click()
  await expect(page.getByText('It was set to $5.00 meanwhile.')).toBeVisible()
  await expect(page.getByText('One piece costs $5.00. The stock is worth $50.00.')).toBeVisible()

  await open.click()
  await field.fill('6')
  await set(7)
  await reads('One piece costs $7.00.')
  await save.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'It was set to $7.00 meanwhile. If it is to be $6.00, press the button once more.',
  )
  await set(null)
  await reads('No unit cost yet.')
  await save.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'The unit cost was removed meanwhile. If it is to be $6.00, press the button once more.',
  )
  await save.click()
  await expect(page.getByText('One piece costs $6.00 now.')).toBeVisible()
  await expect(page.getByText('One piece costs $6.00. The stock is worth $60.00.')).toBeVisible()
})

test('what a component costs is said and typed though the settings of the company do not arrive, without what is on its way, and whole on a phone', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 2_000_000_000 }])
  await postFrom(page, '/api/company/settings', { currency: 'KWD' })
  const costs = { components: [{ barcode: 'A-1', unit_cost: 9_999_999.9999 }] }
  await postFrom(page, '/api/components/set-costs', costs)
  await stall(page, '/api/company/settings')
  await page.goto('/components/A-1')
  const worth = page.getByText('One piece costs')
  await expect(worth).toContainText(/The stock is worth KWD.19,999,999,999,800,000\.000\.$/)
  await postFrom(page, '/api/transfers', { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 24 })
  await expect(worth).toContainText(/, without 24 on the way\.$/)
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 640 })
    const wide = page.getByRole('main').evaluate((main) =>
      [...main.querySelectorAll('p, span, td, table, dd')]
        .filter((part) => getComputedStyle(part).display !== 'inline')
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent),
    )
    expect(await wide).toEqual([])
    // What is drawn anew for another width is there a frame later.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await page.getByRole('button', { name: 'Unit cost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unit cost of A-1' })
  await expect(dialog.getByLabel('Unit cost', { exact: true })).toHaveAccessibleDescription(/^KWD Optional/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'New component' }).click()
  await page.getByText('More: bin, minimum, unit cost').click()
  const field = page.getByRole('dialog', { name: 'New component' }).getByLabel('Unit cost')
  await expect(field).toHaveAccessibleDescription(/^Optional: what one piece costs/)
})

test('where a component is low is read whole on a phone, however many locations and pieces there are', async ({
  admin: page,
  program,
  company,
}) => {
  await program.sql(
    `update companies set plan = 'enterprise'
     where tenant_id = (select tenant_id from users where email = $1)`,
    [company.email],
  )
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 2_147_483_646 },
    { barcode: 'A-2', description: 'Nut' },
  ])
  for (const [location, minimum] of [
    ['PRIMARY', 2_147_483_647],
    ['SECONDARY', 1200],
    ['FULFILLMENT', 7],
    ['DISTRIBUTION', 5000],
  ] as const) {
    const components = [{ barcode: 'A-1', minimum }, ...(minimum === 7 ? [{ barcode: 'A-2', minimum }] : [])]
    await postFrom(page, '/api/components/place', { location, components })
  }
  await page.goto('/components?state=low')
  const rows = page.getByRole('list', { name: 'Components' }).getByRole('listitem')
  const places =
    'Primary 2,147,483,646 of 2,147,483,647, Secondary 0 of 1,200, Fulfillment 0 of 7, Distribution 0 of 5,000'
  await expect(rows.first()).toContainText(places)
  const heights = () => rows.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))
  const cutOff = () =>
    rows.evaluateAll(
      (all) =>
        all.filter((row) =>
          [row, ...row.querySelectorAll('span')].some(
            (part) =>
              getComputedStyle(part).display !== 'inline' &&
              (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1),
          ),
        ).length,
    )
  expect(await heights()).toEqual([83, 83])
  expect(await cutOff()).toBe(0)
  await page.setViewportSize({ width: 360, height: 640 })
  await expect.poll(heights).toEqual([183, 103])
  expect(await cutOff()).toBe(0)
  await expect(rows.first()).toContainText(places)
  expect(await barriersOf(page)).toEqual([])
})

test('a count that was taken back is told from a count', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Seal', primary_quantity: 5 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: /Start/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '5'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
  await page.getByRole('button', { name: 'Undo last' }).click()
  await expect(page.getByText('Took back: A-1.').first()).toBeVisible()
  await expect(page.getByText('0 of 1 counted, 0% complete')).toBeVisible()
  await page.goto('/components/A-1')
  const counts = page.getByRole('table', { name: 'Counts' })
  await expect(counts.getByRole('row', { name: / 5 Admin Taken back Ada Admin$/ })).toHaveCount(1)
  await expect(counts.getByRole('row', { name: / 5 Admin Taken back .+ [AP]M Ada Admin$/ })).toHaveCount(1)
})

test('a movement that is kept from staff is listed without its change and cause', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Seal', primary_quantity: 5 }])
  const movement = {
    id: '018f0000-0000-7000-8000-000000000000',
    location: 'PRIMARY',
    delta: null,
    quantity_after: 4,
    cause: 'hidden',
    note: '',
    user_name: 'Sam Staff',
    timestamp: '2026-11-23T10:00:00.000Z',
  }
  const body = JSON.stringify({ movements: [movement], next_cursor: null })
  await answerInstead(page, '/api/components/movements*', { status: 200, body })
  await page.goto('/components/A-1')
  const row = page.getByRole('row', { name: /Primary Warehouse Not shown 4 Not shown Sam Staff/ })
  await expect(row).toBeVisible()
})

test('the list is loaded again as soon as the network is back', async ({
  admin: page,
  context,
  program,
  company,
}) => {
  await goTo(page, 'Components')
  await expect(page.getByText('No components yet')).toBeVisible()
  await context.setOffline(true)
  const body = [{ barcode: 'A-1', description: 'Bolt' }]
  await askAs(program, company, { path: '/api/components/import', body })
  await context.setOffline(false)
  await expect(page.getByRole('link', { name: /A-1/ })).toBeVisible()
})

test('a further page of components that fails is said, and asked for again only when somebody wants it', async ({
  admin: page,
}) => {
  const codes = Array.from({ length: 450 }, (_, index) => ({
    barcode: `A-${String(index).padStart(3, '0')}`,
  }))
  // What it hears of the import would load the list once more, and take away what was said.
  await stall(page, '/api/events*')
  await goTo(page, 'Overview')
  await importRows(page, codes)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('cursor=')) asked += 1
  })
  await answerInstead(page, '/api/components/search*cursor=*', { status: 502, body: '<html>' })
  await goTo(page, 'Components')
  await page.getByRole('link', { name: /A-000/ }).waitFor()
  const region = page.getByRole('region', { name: 'Components' })
  await region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(page.getByRole('alert')).toContainText(
    'The components could not be loaded: HTTP error! status: 502',
  )
  await page.waitForTimeout(1_000)
  expect(asked).toBe(1)
  await expect(page.getByRole('link', { name: /A-199/ })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.unroute('**/api/components/search*cursor=*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
  await region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(page.getByRole('link', { name: /A-399/ })).toBeVisible()
})

test('what another search finds is seen from its beginning, however far the list was scrolled', async ({
  admin: page,
}) => {
  const codes = Array.from({ length: 400 }, (_, index) => ({
    barcode: `A-${String(index).padStart(3, '0')}`,
    description: index % 2 === 0 ? 'Bolt' : 'Nut',
  }))
  await importRows(page, codes)
  for (const [path, label, list] of [
    ['/components', 'Search', 'Components'],
    ['/print-settings', 'Search', 'Components'],
    ['/monthly-count', 'Find in the list', 'SKUs to count'],
  ] as const) {
    await page.goto(path)
    const region = page.getByRole('region', { name: list })
    if (label === 'Find in the list') await page.getByRole('button', { name: 'Show All 400 SKUs' }).click()
    await expect(region.getByText('A-000')).toBeVisible()
    await region.evaluate((element) => element.scrollTo(0, 6_000))
    await expect(region.getByText('A-000')).toBeHidden()
    await page.getByLabel(label, { exact: true }).fill('nut')
    await expect(region.getByText('A-001')).toBeInViewport()
    await expect(region.getByText('A-002')).toBeHidden()
    expect(await region.evaluate((element) => element.scrollTop)).toBe(0)
  }
})

test('the chart of a stock of millions writes its numbers whole', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3_000_000 }])
  await page.goto('/components/A-1')
  const chart = page.locator('.recharts-wrapper')
  const numbers = chart.locator('.recharts-yAxis-tick-labels text')
  await expect(numbers).toHaveText(['0', '750K', '1.5M', '2.25M', '3M'])
  const edge = await chart.evaluate((svg) => svg.getBoundingClientRect().left)
  const lefts = await numbers.evaluateAll((all) => all.map((text) => text.getBoundingClientRect().left))
  expect(Math.min(...lefts)).toBeGreaterThanOrEqual(edge)
})

test('a count that matches, and a reset, reach the screen of the component while it is open', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 9 }])
  await page.clock.install()
  await page.goto('/components/A-1')
  const stock = page.getByRole('table', { name: 'Stock' }).getByRole('row').nth(1)
  await expect(stock).toContainText('Not counted')
  await expect(page.getByText('Not counted yet')).toBeVisible()
  // So that what is loaded again can only be for the count.
  await takeInNews(page)
  const at = { location: 'PRIMARY', session: 's', source: 'monthly', timestamp: new Date().toISOString() }
  const count = { barcode: 'A-1', quantity: 9, ...at }
  await askAs(program, company, { path: '/api/components/update-with-tracking', body: count })
  const counts = page.getByRole('table', { name: 'Counts' }).getByRole('row')
  await expect(counts).toHaveCount(2)
  await expect(stock).toContainText(', monthly')
  await askAs(program, company, { path: '/api/components/reset-counts', body: { location: 'PRIMARY' } })
  await asTimePasses(page, 5_000, (soon) => expect(stock).toContainText('Not counted', soon))
})

test('stock moves to another location, where it is received', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 10 }])
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Move stock' }).click()
  await page.getByLabel('To', { exact: true }).selectOption('SECONDARY')
  await page.getByLabel('Quantity to move').fill('11')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Primary Warehouse has less stock than that. Nothing was moved.',
  )
  expect(await barriersOf(page)).toEqual([])
  await page.getByLabel('Quantity to move').fill('4')
  await page.getByLabel('Quantity to move').press('Enter')
  await expect(
    page.getByText(
      '4 on their way to Secondary Warehouse. They count as stock there when somebody receives them.',
    ),
  ).toBeVisible()
  await expect(page.getByRole('row', { name: /Primary Warehouse 6/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /Secondary Warehouse 0 4/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive 4 × A-1' })).toBeHidden()

  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await expect(page.getByRole('heading', { name: 'On its way to Secondary Warehouse' })).toBeVisible()
  const letThrough = await hold(page, '/api/transfers?*')
  await page.getByRole('button', { name: 'Receive 4 × A-1' }).click()
  await expect(page.getByText('4 × A-1 received.', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive 4 × A-1' })).toBeDisabled()
  letThrough()
  await expect(page.getByRole('heading', { name: 'On its way to Secondary Warehouse' })).toBeHidden()
  await expect(page.getByText('4 × A-1 received.', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeFocused()
  await expect(page.getByRole('link', { name: /A-1 Bolt 4 here 10 in all/ })).toBeVisible()
})

test('what arrives of a transfer is received in parts, and the rest is written off', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 10 }])
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Move stock' }).click()
  await page.getByLabel('To', { exact: true }).selectOption('SECONDARY')
  await page.getByLabel('Quantity to move').fill('4')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'Receive part of 4 × A-1' }).click()
  await page.getByLabel('Quantity that arrived').fill('5')
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Less than that is still on its way. Nothing was received.',
  )
  expect(await barriersOf(page)).toEqual([])
  await page.getByLabel('Quantity that arrived').fill('3')
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await expect(page.getByText('3 × A-1 received. 1 still on the way.')).toBeVisible()
  await expect(page.getByText('3 of 4 received')).toBeVisible()
  await expect(page.getByRole('list', { name: 'On its way' })).toBeFocused()
  await expect(page.getByRole('link', { name: /A-1 Bolt 3 here 9 in all/ })).toBeVisible()
  await page.getByRole('button', { name: 'Write off 1 × A-1' }).click()
  await page.getByLabel('Reason').fill('Broken on the way')
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Write off', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'On its way to Secondary Warehouse' })).toBeHidden()
  await expect(page.getByText('1 × A-1 written off.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeFocused()
  await goTo(page, 'Audit Trail')
  await expect(page.getByText(/Transfer written off, quantity 1.*reason: Broken on the way/)).toBeVisible()
})

test('who receives a part of what a colleague has just received is told so', async ({
  admin: page,
  openElsewhere,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', secondary_quantity: 4 }])
  const sending = { barcode: 'A-1', from: 'SECONDARY', to: 'PRIMARY', quantity: 4 }
  await askAs(program, company, { path: '/api/transfers', body: sending })
  const colleague = await openElsewhere()
  await goOn(colleague, program, company)
  await colleague.goto(`${program.url}/components/A-1`)
  await page.clock.install()
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Receive part of 4 × A-1' }).click()
  await page.getByLabel('Quantity that arrived').fill('3')
  await colleague.getByRole('button', { name: 'Receive 4 × A-1' }).click()
  await expect(colleague.getByText('4 × A-1 received.', { exact: true })).toBeVisible()
  const arrived = page.getByRole('row', { name: /Primary Warehouse 4/ }).first()
  await asTimePasses(page, 5_000, (soon) => expect(arrived).toBeVisible(soon))
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This stock is no longer on its way: it was received, cancelled or written off.',
  )
})

test('who writes off what has partly arrived meanwhile is told how much was written off', async ({
  admin: page,
  openElsewhere,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', secondary_quantity: 4 }])
  const sending = { barcode: 'A-1', from: 'SECONDARY', to: 'PRIMARY', quantity: 4 }
  await askAs(program, company, { path: '/api/transfers', body: sending })
  const colleague = await openElsewhere()
  await goOn(colleague, program, company)
  await colleague.goto(`${program.url}/components/A-1`)
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Write off 4 × A-1' }).click()
  await colleague.getByRole('button', { name: 'Receive part of 4 × A-1' }).click()
  await colleague.getByLabel('Quantity that arrived').fill('3')
  await colleague.getByRole('button', { name: 'Receive', exact: true }).click()
  await expect(colleague.getByText('3 × A-1 received. 1 still on the way.')).toBeVisible()
  await page.getByRole('button', { name: 'Write off', exact: true }).click()
  await expect(page.getByText('1 × A-1 written off.', { exact: true })).toBeVisible()
})

/** Sends quantities of A-1 from the primary warehouse, one after the other. */
async function sendEach(page: Page, sending: { to: string; quantities: number[] }): Promise<void> {
  await page.evaluate(async ({ to, quantities }) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
    }
    for (const quantity of quantities) {
      const body = JSON.stringify({ barcode: 'A-1', from: 'PRIMARY', to, quantity })
      const { ok } = await fetch('/api/transfers', { method: 'POST', headers, body })
      if (!ok) throw new Error('A transfer was refused.')
    }
  }, sending)
}

test('transfers are listed that are on their way, and past ones with what became of them, page by page', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 500 }])
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Move stock' }).click()
  await page.getByLabel('To', { exact: true }).selectOption('SECONDARY')
  await page.getByLabel('Quantity to move').fill('4')
  await page.getByLabel('Note').fill('Van 7')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Transfers' }).click()
  await expect(page.getByText('No past transfers')).toBeVisible()
  await expect(page.getByRole('list', { name: 'On its way' })).toContainText(
    'Primary Warehouse to Secondary Warehouse, sent by Ada Admin',
  )
  await page.getByRole('button', { name: 'Cancel the transfer of 4 × A-1' }).click()
  await expect(page.getByText('4 × A-1 given back to Primary Warehouse.')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Past transfers' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toHaveText(
    /A-1Bolt.*Primary Warehouse to Secondary WarehouseVan 7.*4.*0.*Cancelled.*Ada Admin.*Ada Admin$/,
  )
  expect(await barriersOf(page)).toEqual([])
  await sendEach(page, { to: 'QUARANTINE', quantities: Array.from({ length: 52 }, () => 1) })
  await page.reload()
  await expect(rows).toHaveCount(51)
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(rows).toHaveCount(54)
  await expect(rows.last()).toContainText('Cancelled')
})

test('what is on its way and cannot be loaded is said, with a way to ask again', async ({ admin: page }) => {
  // News would have it asked for again by themselves.
  await stall(page, '/api/events*')
  await goTo(page, 'Overview')
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', secondary_quantity: 5 }])
  await postFrom(page, '/api/transfers', { barcode: 'A-1', from: 'SECONDARY', to: 'PRIMARY', quantity: 2 })
  await answerInstead(page, '/api/transfers?*', { status: 502, body: '<html>' })
  await goTo(page, 'Components')
  await expect(page.getByRole('alert')).toContainText(
    'What is on its way could not be loaded: HTTP error! status: 502',
  )
  await page.unroute('**/api/transfers?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Receive 2 × A-1' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('what is on its way is there before what stands below it, so that nothing moves away under a finger', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', secondary_quantity: 5 }])
  await postFrom(page, '/api/transfers', { barcode: 'A-1', from: 'SECONDARY', to: 'PRIMARY', quantity: 2 })
  const letThrough = await hold(page, '/api/transfers?*')
  const found = page.waitForResponse(/api\/components\/search/)
  await goTo(page, 'Components')
  await found
  await expect(page.getByText('Loading what is on its way...')).toBeVisible()
  await expect(page.getByRole('link', { name: /A-1 Bolt/ })).toBeHidden()
  letThrough()
  await expect(page.getByRole('button', { name: 'Receive 2 × A-1' })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-1 Bolt/ })).toBeVisible()
})

/** Sends 7 of A-1, and then 2 a hundred times, and goes to where they arrive. */
async function sendMany(page: Page): Promise<Locator> {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 500 }])
  await sendEach(page, { to: 'SECONDARY', quantities: [7, ...Array.from({ length: 100 }, () => 2)] })
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  return page.getByRole('list', { name: 'On its way' })
}

test('all that is on its way can be received, however many transfers there are, also where stock moves before a further page is there', async ({
  admin: page,
}) => {
  await page.clock.install()
  const arrivals = await sendMany(page)
  await expect(arrivals.getByRole('listitem')).toHaveCount(100)
  // However many they are, the components stand below them on the same screen.
  const component = await page
    .getByRole('link', { name: /A-1 Bolt/ })
    .last()
    .boundingBox()
  expect(component?.y).toBeLessThan(900)
  // News of what was sent have been taken in.
  await takeInNews(page)
  const letThrough = await hold(page, '/api/transfers?*cursor=*')
  await page.getByRole('button', { name: 'Show older' }).click()
  await importRows(page, [{ barcode: 'B-1' }])
  await asTimePasses(page, 5_000, (soon) => expect(page.getByRole('link', { name: /B-1/ })).toBeVisible(soon))
  letThrough()
  await expect(arrivals.getByRole('listitem')).toHaveCount(101)
  await page.getByRole('button', { name: 'Receive 7 × A-1' }).click()
  await expect(arrivals.getByRole('listitem')).toHaveCount(100)
  await expect(arrivals).toBeFocused()
  const here = page.getByRole('link', { name: /A-1 Bolt 7 here 300 in all/ })
  await asTimePasses(page, 5_000, (soon) => expect(here).toBeVisible(soon))
})

test('of transfers of as much of one SKU each has buttons with a name of their own', async ({
  admin: page,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 50, fulfillment_quantity: 5 }])
  await sendEach(page, { to: 'SECONDARY', quantities: [5, 5] })
  const sending = { barcode: 'A-1', from: 'FULFILLMENT', to: 'SECONDARY', quantity: 5 }
  await askAs(program, company, { path: '/api/transfers', body: sending })
  await program.sql(
    `update transfers set created_at = '2025-11-19T12:00:00Z'
     where tenant_id = (select tenant_id from login_emails where email = $1)`,
    [company.email],
  )
  await page.goto('/components/A-1')
  const buttons = (name: RegExp) =>
    page.getByRole('list', { name: 'On its way' }).getByRole('button', { name })
  await expect(buttons(/^Cancel/)).toHaveCount(3)
  const names = await buttons(/^Cancel/).evaluateAll((all) => all.map((button) => button.ariaLabel))
  expect(names).toEqual([
    'Cancel the transfer of 5 × A-1 from Fulfillment Center to Secondary Warehouse, sent Nov 19, 2025',
    'Cancel the transfer of 5 × A-1 from Primary Warehouse to Secondary Warehouse, sent Nov 19, 2025',
    'Cancel the transfer of 5 × A-1 from Primary Warehouse to Secondary Warehouse, sent Nov 19, 2025, number 2',
  ])
  await buttons(/number 2$/)
    .first()
    .click()
  await expect(page.getByText('5 × A-1 given back to Primary Warehouse.')).toBeVisible()
  await expect(buttons(/^Cancel/)).toHaveCount(2)
})

test('all that has come to a location is received at once after a question', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 50 }])
  await sendEach(page, { to: 'SECONDARY', quantities: [7, 2, 3] })
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'Receive all' }).click()
  const question = page.getByRole('dialog', { name: 'Receive 3 transfers?' })
  await expect(question).toContainText(
    'All 12 pieces still to arrive then count as stock in Secondary Warehouse.',
  )
  expect(await barriersOf(page)).toEqual([])
  await sendEach(page, { to: 'SECONDARY', quantities: [5] })
  await question.getByRole('button', { name: 'Receive 3' }).click()
  await expect(page.getByText('3 transfers with 12 pieces received.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'On its way' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('link', { name: /A-1 Bolt 12 here 45 in all/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive all' })).toBeHidden()
})

test('of several that are received at once it is said how many had ended before', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 50 }])
  await sendEach(page, { to: 'SECONDARY', quantities: [7, 2] })
  await pressInBar(page, 'Change Location')
  await chooseLocation(page, 'Secondary Warehouse')
  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'Receive all' }).click()
  const question = page.getByRole('dialog', { name: 'Receive 2 transfers?' })
  await expect(question).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto('/components')
  await tab.getByRole('button', { name: 'Receive 2 × A-1' }).click()
  await expect(tab.getByText('2 × A-1 received.', { exact: true })).toBeVisible()
  await question.getByRole('button', { name: 'Receive 2' }).click()
  await expect(page.getByText('1 transfer with 7 pieces received. 1 was no longer on its way.')).toBeVisible()
})

test('a transfer whose answer was lost is shown, and moved once when it is tried again', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 150 }])
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Move stock' }).click()
  await page.getByLabel('To', { exact: true }).selectOption('SECONDARY')
  await page.getByLabel('Quantity to move').fill('50')
  await loseAnswer(page, '/api/transfers')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'The server cannot be reached. It is not known whether this arrived. Sent again as it stands, it is done once.',
  )
  await expect(page.getByLabel('From').locator('option').first()).toHaveText('Primary Warehouse (100)')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(
    page.getByText(
      '50 on their way to Secondary Warehouse. They count as stock there when somebody receives them.',
    ),
  ).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: /Primary Warehouse 100/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /Secondary Warehouse 0 50/ })).toBeVisible()
})

test('staff see a component and change nothing of it', async ({ staff: page, program, company }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  const body = { location: 'PRIMARY', components: [{ barcode: 'A-1', bin: 'A-03', minimum: 12 }] }
  await askAs(program, company, { path: '/api/components/place', body })
  await page.goto('/components/A-1')
  await expect(page.getByRole('row', { name: /Primary Warehouse A-03 Low 10 12/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Bins and minimums' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Move stock' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Edit description' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Correct stock' })).toBeHidden()
  await page.goto('/import')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await expect(page.getByRole('link', { name: '1 component is low' })).toBeVisible()
})

test('stock is corrected with a note, which stands in its history', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10, secondary_quantity: 1200 }])
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Correct stock' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the stock of A-1' })
  await expect(dialog.getByLabel('Location')).toHaveValue('PRIMARY')
  await expect(dialog.getByLabel('Location').locator('option')).toHaveText([
    'Primary Warehouse (10)',
    'Secondary Warehouse (1,200)',
    'Fulfillment Center (0)',
  ])
  await dialog.getByLabel('Location').selectOption('SECONDARY')
  await dialog.getByLabel('New quantity').fill('2147483648')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('New quantity')).toBeFocused()
  await expect(dialog.getByLabel('New quantity')).toHaveAccessibleDescription(
    'Give a whole number from 0 to 2,147,483,647.',
  )
  await dialog.getByLabel('New quantity').fill('1197')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Note')).toHaveAccessibleDescription(
    /Say why: whoever checks the books asks about this first\./,
  )
  await dialog.getByLabel('Note').fill('three broken')
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Stock at Secondary Warehouse was set to 1,197.')).toBeVisible()
  await expect(
    page.getByRole('row', { name: /Secondary Warehouse −3 1,197 Correction three broken Ada Admin/ }),
  ).toBeVisible()
})

test('a description is edited', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Edit description' }).click()
  await page.getByLabel('Description', { exact: true }).fill('Hex bolt M8')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Description saved.')).toBeVisible()
  await expect(page.getByText('Hex bolt M8')).toBeVisible()
})

test('a component leads to its label and to its trail, which is exported as it is filtered', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 2 },
    { barcode: 'B-2', description: 'Nut' },
  ])
  await page.goto('/components/A-1')
  await expect(page.getByText('No label was printed yet')).toBeVisible()
  await page.getByRole('link', { name: 'Print label', exact: true }).click()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Print 1 Label' }).click()
  expect((await file).suggestedFilename()).toMatch(/^selected_labels_PRIMARY_.+\.pdf$/)
  await page.goBack()
  const printed = page.getByRole('table', { name: 'Labels printed' })
  await expect(printed.getByRole('row', { name: /1 4 x 1\.5 in, Code 128, PDF Bolt/ })).toBeVisible()
  await expect(page.getByText(/Its label was printed last on .+ and is up to date\./)).toBeVisible()
  await page.getByRole('link', { name: 'Audit trail', exact: true }).click()
  await expect(page.getByLabel('SKU')).toHaveValue('A-1')
  const asked = page.waitForRequest(/\/api\/exports\/audit\?/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV: Audit trail' }).click()
  expect(new URL((await asked).url()).searchParams.get('sku')).toBe('A-1')
  expect((await download).suggestedFilename()).toMatch(/^audit-trail_.+\.csv$/)

  await page.goto('/discrepancies')
  const wanted = page.waitForRequest(/\/api\/exports\/discrepancies\?/)
  const workbook = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export XLSX: Discrepancies' }).click()
  expect(new URL((await wanted).url()).searchParams.get('status')).toBe('open')
  expect((await workbook).suggestedFilename()).toMatch(/^discrepancies_.+\.xlsx$/)
})

test('the way back from a component leads to the list as it was searched, and the link to that list to the whole of it', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1' }, { barcode: 'B-1' }])
  await goTo(page, 'Components')
  const search = page.getByLabel('Search')
  await search.fill('B')
  await expect(page).toHaveURL(/\/components\?text=B$/)
  await page.getByRole('link', { name: /B-1/ }).click()
  await expect(page.getByRole('heading', { name: 'Stock over time' })).toBeVisible()
  await page.goBack()
  await expect(search).toHaveValue('B')
  await expect(page.getByRole('link', { name: /A-1/ })).toHaveCount(0)

  await goTo(page, 'Components')
  await expect(search).toHaveValue('')
  await expect(page.getByRole('link', { name: /A-1/ })).toBeVisible()
  await expect(page).toHaveURL(/\/components$/)
  await page.goBack()
  await expect(search).toHaveValue('B')
  await expect(page.getByRole('link', { name: /A-1/ })).toHaveCount(0)
  await page.reload()
  await expect(search).toHaveValue('B')
})

test('the way back from a component leads to where the list was', async ({ admin: page }) => {
  const names = Array.from({ length: 90 }, (_, index) => `A-${String(index).padStart(2, '0')}`)
  await importRows(
    page,
    names.map((barcode) => ({ barcode })),
  )
  await goTo(page, 'Components')
  const list = page.getByRole('region', { name: 'Components' })
  await expect(page.getByRole('link', { name: /A-00/ })).toBeVisible()
  await list.evaluate((box) => box.scrollTo({ top: 1_200 }))
  await expect.poll(() => page.evaluate(() => Number(history.state?.listPlace))).toBe(1_200)
  await list.getByRole('link').nth(12).click()
  await expect(page.getByRole('heading', { name: 'Stock over time' })).toBeVisible()
  await page.goBack()
  await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBe(1_200)
  await goTo(page, 'Overview')
  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: /A-00/ })).toBeVisible()
  expect(await list.evaluate((box) => box.scrollTop)).toBe(0)
})

test('the way back leads to a search that was left at once', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1' }, { barcode: 'B-1' }])
  await goTo(page, 'Overview')
  await goTo(page, 'Components')
  // Before any time passes.
  await page.getByLabel('Search').evaluate(async (field: HTMLInputElement) => {
    field.focus()
    document.execCommand('insertText', false, 'B')
    await new Promise((drawn) => requestAnimationFrame(drawn))
    document.querySelector<HTMLElement>('nav a[href="/overview"]')?.click()
  })
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('B')
})

test('what was typed of one component is not there at the next, however one came to it', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt' },
    { barcode: 'B-1', description: 'Nut' },
  ])
  await goTo(page, 'Components')
  await page.getByRole('link', { name: /A-1 Bolt/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'A-1' })).toBeVisible()
  await page.getByRole('link', { name: 'All components' }).click()
  await page.getByRole('link', { name: /B-1 Nut/ }).click()
  await page.getByRole('button', { name: 'Edit description' }).click()
  await page.getByLabel('Description', { exact: true }).fill('Nut M8')
  // As from the list of the browser's button for the way back.
  await page.evaluate(() => history.go(-2))
  await expect(page.getByRole('heading', { level: 1, name: 'A-1' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('the way back in the browser leaves a search that was just typed where it was', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1' }, { barcode: 'B-1' }])
  await goTo(page, 'Overview')
  await goTo(page, 'Components')
  // Before any time passes.
  await page.getByLabel('Search').evaluate(async (field: HTMLInputElement) => {
    field.focus()
    document.execCommand('insertText', false, 'B')
    document.execCommand('insertText', false, '-')
    await new Promise((drawn) => requestAnimationFrame(drawn))
    history.back()
  })
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goForward()
  await expect(page.getByLabel('Search')).toHaveValue('B-')
  await expect(page).toHaveURL(/\/components\?text=B-$/)
  await expect(page.getByRole('link', { name: /A-1/ })).toHaveCount(0)
  await goTo(page, 'Overview')
  await goTo(page, 'Components')
  await expect(page.getByLabel('Search')).toHaveValue('')
})
