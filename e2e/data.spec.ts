import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  answerInstead,
  cut,
  divertOnce,
  expect,
  goTo,
  hold,
  importRows,
  loseAnswer,
  postFrom,
  stall,
  stopClock,
  test,
} from './fixtures.ts'
import { workbookOf } from './workbook.ts'

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('CSV or XLSX file').setInputFiles({ name, mimeType: 'text/csv', buffer })

test('a file is mapped, looked at, imported and undone', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 5 }])
  await page.goto('/import')
  await expect(page.getByText('Nothing was imported here yet')).toBeVisible()
  const text =
    'SKU;Description;Qty;Colour;Bin;EK\r\nA-1;Hex bolt;9;red;A-03;2,50 €\r\n00012;Washer;3;;;1.234\r\nB;Nut;many;blue\r\n'
  await choose(page, 'stock.csv', Buffer.from(`\uFEFF${text}`))
  await expect(page.getByLabel('SKU')).toHaveValue('barcode')
  await expect(page.getByLabel('Qty')).toHaveValue('primary_quantity')
  await expect(page.getByLabel('Colour')).toHaveValue('')
  await expect(page.getByLabel('Bin', { exact: true })).toHaveValue('primary_bin')
  await expect(page.getByLabel('EK', { exact: true })).toHaveValue('unit_cost')
  await expect(
    page.getByText('Unit costs are taken as US dollars (USD). Change that in Company Settings.'),
  ).toBeVisible()
  // Stock that is there already changes only where that is asked for.
  await expect(page.getByLabel('Also set the stock of existing components')).not.toBeChecked()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(
    page.getByText(
      '1 row says other stock than there is; it is left as it is. To set it, go back to the columns and tick “Also set the stock of existing components”.',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Changed: 1' }).click()
  await expect(page.getByText('Primary Warehouse 5, in the file 9')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await page.getByLabel('Also set the stock of existing components').check()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Check the rows' }).click()

  await expect(page.getByRole('button', { name: 'Cannot be taken: 1' })).toBeVisible()
  await expect(
    page.getByText('the quantity of Primary Warehouse is not a whole number from 0 up: many'),
  ).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Changed: 1' }).click()
  await expect(page.getByText('until now: Bolt')).toBeVisible()
  await expect(page.getByText('Primary Warehouse 5 → 9')).toBeVisible()
  await expect(page.getByText('Primary Warehouse bin none → A-03')).toBeVisible()
  await expect(page.getByText('none → $2.50')).toBeVisible()
  await page.getByRole('button', { name: 'New: 1' }).click()
  await expect(page.getByText('Primary Warehouse 0 → 3')).toBeVisible()
  await expect(page.getByText('none → $1,234.00')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  const refused = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save what cannot be taken as CSV' }).click()
  const refusedFile = await refused
  expect(refusedFile.suggestedFilename()).toBe('not taken of stock.csv')
  expect(await readFile(await refusedFile.path(), 'utf8')).toBe(
    '\uFEFFLine,Barcode,Description,Reason\r\n4,B,Nut,the quantity of Primary Warehouse is not a whole number from 0 up: many\r\n',
  )
  await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeDisabled()
  await page.getByLabel('Leave out the 1 that cannot be taken').check()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(
    page.getByText('stock.csv is imported: 1 new, 1 changed, 0 unchanged, 1 left out.'),
  ).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await page.getByRole('link', { name: 'See components' }).click()
  await expect(page.getByRole('link', { name: /00012 Washer 3 here/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /A-1 Bin A-03 · Hex bolt 9 here/ })).toBeVisible()
  await page.goto('/import')
  await page.getByRole('button', { name: 'Undo stock.csv' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'Descriptions, bins, minimums and unit costs are again what they were, except those changed since.',
  )
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText(/undone by Ada Admin\. 1 component is retired\./)).toBeVisible()
  await expect(page.getByText('stock.csv is undone.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Latest imports' })).toBeFocused()
  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: /A-1 Bolt 5 here/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /00012/ })).toBeHidden()
  await page.goto('/audit-trail?sku=A-1')
  await expect(page.getByText('Unit cost changed, stock.csv, none → 2.50')).toBeVisible()
  await expect(page.getByText('Unit cost changed, stock.csv, 2.50 → none')).toBeVisible()
})

test('a list with a line for each location, an item number and an EAN becomes a component with stock at both and two codes', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const text =
    'Item no.,EAN,Warehouse,On Hand Quantity\nN-1,4006381333931,Secondary,5\nN-1,4006381333931,Primary,7\nN-1,,Berlin,1\n'
  await choose(page, 'stock.csv', Buffer.from(text))
  await expect(page.getByLabel('Item no.')).toHaveValue('barcode')
  await expect(page.getByLabel('EAN')).toHaveValue('other_barcodes')
  await expect(page.getByLabel('Warehouse')).toHaveValue('location')
  await expect(page.getByLabel('On Hand Quantity')).toHaveValue('quantity_there')
  await page.getByLabel('Warehouse').selectOption('Not imported')
  await expect(page.getByText('Say which column is the location.')).toBeVisible()
  await page.getByLabel('On Hand Quantity').selectOption('Stock at Primary Warehouse')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('choose which of them is the Location.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await page.getByLabel('Warehouse').selectOption('Location')
  await page.getByLabel('On Hand Quantity').selectOption('Quantity there')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('the location is not one of yours: Berlin')).toBeVisible()
  await page.getByRole('button', { name: 'New: 1' }).click()
  await expect(page.getByText('Primary Warehouse 0 → 7')).toBeVisible()
  await expect(page.getByText('Secondary Warehouse 0 → 5')).toBeVisible()
  await expect(page.getByText('4006381333931')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByLabel('Leave out the 1 that cannot be taken').check()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(
    page.getByText('stock.csv is imported: 1 new, 0 changed, 0 unchanged, 1 left out.'),
  ).toBeVisible()
})

test('unit costs that may be thousands as well as decimals are read as the column shows, or as somebody says', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'costs.csv', Buffer.from('SKU,Unit cost\nA-1,1.234\nB-2,950\n'))
  const written = page.getByLabel('How unit costs are written')
  await expect(written).toHaveValue('')
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('1.234 is read as 1.234, as the column of unit costs shows.')).toBeVisible()
  await expect(page.getByText('none → $1.234')).toBeVisible()
  await expect(page.getByText('none → $950.00')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await expect(written).toHaveAccessibleDescription(
    'Decides whether 1.234 is a thousand and more, or one and a bit.',
  )
  await written.selectOption('1.234,56')
  await expect(written).toHaveAccessibleDescription('1.234 is read as 1,234.00.')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('none → $1,234.00')).toBeVisible()
  await expect(page.getByText('as the column of unit costs shows')).toBeHidden()
  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await expect(written).toHaveValue(',')
  await page.getByLabel('Unit cost', { exact: true }).selectOption('Not imported')
  await expect(written).toBeHidden()
})

test('quantities with thousands set apart, and with decimals that say nothing, are read as the columns show, or as somebody says', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const file = 'Artikelnummer;Bestand;EK-Preis\nA-1;1.250;0,89\nB-2;12,00;4,50\nC-3;2,5;1,20\n'
  await choose(page, 'bestand.csv', Buffer.from(file))
  const written = page.getByLabel('How quantities are written')
  await expect(written).toHaveValue('')
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('1.250 is read as 1250, as the columns of numbers show.')).toBeVisible()
  const row = page.getByRole('region', { name: 'Rows' }).getByRole('row')
  await expect(row.filter({ hasText: 'C-3' })).toContainText(
    'the quantity of Primary Warehouse is not a whole number from 0 up: 2,5',
  )
  await page.getByRole('button', { name: 'New: 2' }).click()
  await expect(row.filter({ hasText: 'A-1' })).toContainText('0 → 1,250')
  await expect(row.filter({ hasText: 'B-2' })).toContainText('0 → 12')

  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await written.selectOption('1,234.56')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(row.filter({ hasText: 'A-1' })).toContainText(
    'the quantity of Primary Warehouse is not a whole number from 0 up: 1.250',
  )
})

test('of two imports that are open, each is decided by itself, and neither while the columns of another file are chosen', async ({
  admin: page,
}) => {
  await page.goto('/import')
  for (const name of ['one.csv', 'two.csv']) {
    await choose(page, name, Buffer.from(`SKU,Qty\n${name}-1,9\n${name}-2,many\n`))
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await expect(page.getByLabel('Leave out the 1 that cannot be taken')).not.toBeChecked()
    await page.reload()
  }
  await page.getByRole('button', { name: 'Go on with one.csv' }).click()
  await page.getByLabel('Leave out the 1 that cannot be taken').check()
  await expect(page.getByText('Shown above')).toBeVisible()
  await page.getByRole('button', { name: 'Go on with two.csv' }).click()
  await expect(page.getByRole('region', { name: 'Rows' }).getByText('two.csv-2')).toBeVisible()
  await expect(page.getByLabel('Leave out the 1 that cannot be taken')).not.toBeChecked()
  await page.getByRole('button', { name: 'Cancel import' }).click()

  await choose(page, 'three.csv', Buffer.from('SKU,Qty\nA-1,9\n'))
  await expect(page.getByLabel('SKU')).toHaveValue('barcode')
  await expect(page.getByRole('button', { name: 'Go on with one.csv' })).toBeDisabled()
})

test('what an import would bring back is said before, or left out, and what its undo retires after', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'OLD-1', description: 'Old bolt' }])
  await postFrom(page, '/api/components/retire', { barcode: 'OLD-1' })
  const file = Buffer.from('SKU,Qty\nOLD-1,4\nNEW-1,2\n')
  await page.goto('/import')
  await choose(page, 'left.csv', file)
  await page.getByLabel('Leave retired components out').check()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Unchanged: 1' }).click()
  await expect(page.getByText('is retired, stays so')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel import' }).click()

  await choose(page, 'back.csv', file)
  await expect(page.getByLabel('Leave retired components out')).not.toBeChecked()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('1 of the changed is retired and comes back.')).toBeVisible()
  await page.getByRole('button', { name: 'Changed: 1' }).click()
  await expect(page.getByText('is retired, comes back')).toBeVisible()
  await expect(page.getByText('Primary Warehouse 0 → 4')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(
    page.getByText('back.csv is imported: 1 new, 1 changed, 1 of them brought back, 0 unchanged.'),
  ).toBeVisible()

  await postFrom(page, '/api/components/add-barcode', { barcode: 'NEW-1', alias: 'SUPPLIED-1' })
  await page.getByRole('button', { name: 'Undo back.csv' }).click()
  await expect(
    page.getByText('The 2 components it added are retired, except those used since.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(
    page.getByText(/undone by Ada Admin\. 1 component is retired\. 1 component stays\./),
  ).toBeVisible()
})

test('an import whose answer was lost is said to be done when it is tried again, beside its button', async ({
  admin: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/import')
  const rows = Array.from({ length: 40 }, (_, index) => `A-${index},9\n`)
  await choose(page, 'stock.csv', Buffer.from(`SKU,Qty\n${rows.join('')}`))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await loseAnswer(page, '/commit')
  await page.getByRole('button', { name: 'Import 40 rows' }).click()
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached.')
  await expect(page.getByRole('alert')).toBeInViewport()
  await page.getByRole('button', { name: 'Import 40 rows' }).click()
  await expect(page.getByText('stock.csv is imported: 40 new, 0 changed, 0 unchanged.')).toBeVisible()
})

test('what an import would do is shown with its first rows, so that no button moves away under a finger', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'stock.csv', Buffer.from('SKU,Qty\nA-1,9\n'))
  const letThrough = await hold(page, '/api/imports/*/rows?kind=*')
  const compared = page.waitForResponse(/imports\/[^/]+\/preview$/)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await compared
  await expect(page.getByText('Comparing the rows with what there is...')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeHidden()
  letThrough()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rows' }).getByText('A-1')).toBeVisible()
})

test('an undo or a cancel whose answer was lost is done when it is tried again', async ({ admin: page }) => {
  await page.goto('/import')
  await choose(page, 'stock.csv', Buffer.from('SKU,Qty\nA-1,9\n'))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('button', { name: 'Undo stock.csv' }).click()
  await loseAnswer(page, '/undo')
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached.')
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText(/undone by Ada Admin\./)).toBeVisible()

  await choose(page, 'more.csv', Buffer.from('SKU,Qty\nA-2,9\n'))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await loseAnswer(page, '/cancel')
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached.')
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await expect(page.getByRole('heading', { name: '3. What the import would do' })).toBeHidden()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
})

/** Cancels an open import in another tab. */
async function cancelElsewhere(page: Page, name: string): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto('/import')
  await tab.getByRole('button', { name: `Cancel ${name}` }).click()
  const history = tab.getByRole('list', { name: 'Latest imports' })
  await expect(history.getByRole('listitem').filter({ hasText: name })).toContainText('Cancelled')
}

test('an import that was cancelled elsewhere is put away where it is looked at, and one that somebody else has closed is said to be closed, and offers nothing of it any more', async ({
  admin: page,
}) => {
  const check = async (name: string) => {
    await page.goto('/import')
    await choose(page, name, Buffer.from('SKU,Qty\nA-1,9\n'))
    await page.getByRole('button', { name: 'Check the rows' }).click()
  }
  await check('stock.csv')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await cancelElsewhere(page, 'stock.csv')
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await expect(page.getByRole('heading', { name: '3. What the import would do' })).toBeHidden()
  await choose(page, 'more.csv', Buffer.from('SKU,Qty\nA-2,9\n'))
  await expect(page.getByRole('button', { name: 'Check the rows' })).toBeVisible()

  await check('other.csv')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await cancelElsewhere(page, 'other.csv')
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('other.csv is no longer open: it was cancelled.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Import|Cancel|New|Changed|Unchanged|Back)/ })).toHaveCount(
    0,
  )
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await expect(page.getByRole('heading', { name: '1. Choose a file' })).toBeVisible()
  await expect(page.getByText('is no longer open')).toBeHidden()

  const staged = page.waitForResponse(/imports\/[^/]+\/preview$/)
  await check('last.csv')
  const path = new URL((await staged).url()).pathname.replace('preview', 'commit')
  await expect(page.getByRole('button', { name: 'Cancel import' })).toBeVisible()
  await postFrom(page, path, {})
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await expect(page.getByText('last.csv is no longer open: it is finished.')).toBeVisible()
})

test('an import is undone however many came after it', async ({ admin: page }) => {
  await page.goto('/import')
  await choose(page, 'first.csv', Buffer.from('SKU,Qty\nA-1,9\n'))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('first.csv is imported: 1 new, 0 changed, 0 unchanged.')).toBeVisible()
  await page.evaluate(async () => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
    }
    const post = async (path: string, body: object) => {
      const reply = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}.`)
      return await reply.json()
    }
    for (let index = 0; index < 20; index += 1) {
      const { import: begun } = await post('/api/imports', {
        name: `later-${index}.csv`,
        fields: ['barcode'],
      })
      await post(`/api/imports/${begun.id}/cancel`, {})
    }
  })
  await page.reload()
  await expect(page.getByText('later-0.csv')).toBeVisible()
  await page.getByRole('button', { name: 'Show older' }).click()
  await page.getByRole('button', { name: 'Undo first.csv' }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText(/undone by Ada Admin\./)).toBeVisible()
})

test('an import that was begun and not answered is begun once, and cancelled from the list once, and a failure is said', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'stock.csv', Buffer.from('SKU,Qty\nA-1,9\n'))
  await loseAnswer(page, '/api/imports')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached.')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('heading', { name: '3. What the import would do' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel stock.csv' })).toHaveCount(1)

  await page.goto('/import')
  const cancel = page.getByRole('button', { name: 'Cancel stock.csv' })
  await cut(page, '/cancel')
  await cancel.click()
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached.')
  await page.unroute('**/cancel')
  const letThrough = await hold(page, '/cancel')
  await cancel.click()
  await expect(cancel).toBeDisabled()
  letThrough()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
})

test('a long file is read in pieces and can be stopped', async ({ admin: page }) => {
  test.slow()
  await page.goto('/import')
  const rows = Array.from({ length: 8_000 }, (_, index) => `SKU-${index},Part ${index},${index % 100}`)
  await choose(page, 'titled.csv', Buffer.from('Item list 2026\nSKU,Name,Qty\nA-1,Bolt,3\n'))
  await expect(page.getByLabel('Line 2 is the heading; what stands above it is left out')).toBeChecked()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await choose(page, 'long.csv', Buffer.from(rows.join('\n')))
  await expect(page.getByLabel('The first line is a heading')).not.toBeChecked()
  // Slices that are never answered, so that there is time to stop.
  await stall(page, '/api/imports/*/rows')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('2. What the columns of long.csv mean')).toBeVisible()
  await expect(page.getByText('Cancelled')).toBeVisible()
  await page.unroute('**/api/imports/*/rows')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 8,000 rows' }).click()
  await expect(page.getByText('long.csv is imported: 8,000 new, 0 changed, 0 unchanged.')).toBeVisible()
})

test('a file is read on once the server is there again, and the keyboard stays at the screen', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'stock.csv', Buffer.from('SKU,Qty\nA-1,9\nA-2,3\n'))
  await divertOnce(page, '**/api/imports/*/rows', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter')
  await expect(page.getByText('The server does not answer. Trying again...')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Import', level: 1 })).toBeFocused()
})

const withSpoiltBarcodes = [
  ['EAN', 'Qty'],
  [{ number: '12345678905', style: 1 }, { number: '2.9999999999999996' }],
  [{ number: '4.00638E+12' }, { number: '5' }],
  [{ number: '340123450000000018' }, { number: '6' }],
  [{ number: '46094', style: 2 }, { number: '7' }],
]
const withFailedFormulas = [
  ['EAN', 'Description', 'Qty'],
  ['A-1', 'Bolt', { number: '5' }],
  [{ error: '#N/A' }, 'Nut', { number: '6' }],
  ['A-3', { error: '#REF!' }, { number: '7' }],
  ['A-4', 'Washer', { error: '#DIV/0!' }],
]

test('a text with separators is not cut off, numbers of a workbook are barcodes as they are seen in it, and a row of which a spreadsheet has lost something is refused, from a workbook as from a CSV file', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const text = 'SKU,Qty,Description\nA-1,9,"Bolt, M8"\nA-2,3,Nut, M8\nA-3,1,Washer,\n'
  await choose(page, 'stock.csv', Buffer.from(text))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Cannot be taken: 1' })).toBeVisible()
  await expect(
    page.getByText('the row has more cells than the heading: put texts that hold the separator in quotes'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'New: 2' }).click()
  await expect(page.getByText('Bolt, M8')).toBeVisible()
  await expect(page.getByText('Washer')).toBeVisible()

  await page.goto('/import')
  await choose(page, 'codes.xlsx', workbookOf({ Stock: withSpoiltBarcodes }))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('the barcode is in scientific notation')).toBeVisible()
  await expect(page.getByText('the barcode is a date: a spreadsheet has made one of it.')).toBeVisible()
  await page.getByRole('button', { name: 'New: 2' }).click()
  await expect(page.getByRole('row', { name: /0012345678905 Primary Warehouse 0 → 3/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /4006380000000 Primary Warehouse 0 → 5/ })).toBeVisible()

  await page.goto('/import')
  await choose(page, 'formulas.xlsx', workbookOf({ Stock: withFailedFormulas }))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await expect(page.getByText('the barcode is #N/A, an error of the spreadsheet')).toBeVisible()
  await expect(page.getByText('the description is #REF!, an error of the spreadsheet')).toBeVisible()
  await expect(
    page.getByText('the quantity of Primary Warehouse is not a whole number from 0 up: #DIV/0!'),
  ).toBeVisible()
})

test('a file in the encoding of older spreadsheets keeps its letters, and one in the code page of another country is read as somebody chooses', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'alt.csv', Buffer.from('SKU;Description\r\nA-9;Schlüssel 2 \u0080\r\n', 'latin1'))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('alt.csv is imported: 1 new, 0 changed, 0 unchanged.')).toBeVisible()
  await page.goto('/components/A-9')
  await expect(page.getByText('Schlüssel 2 €')).toBeVisible()

  await page.goto('/import')
  // In Windows-1250, as spreadsheets of a Polish system save it.
  const [a, s] = ['\u00b9', '\u009c']
  await choose(page, 'pl.csv', Buffer.from(`SKU;Description\r\nA-1;Wkr${a}t i ${s}ruba\r\n`, 'latin1'))
  const letters = page.getByLabel('Letters of the file')
  await expect(letters).toHaveValue('windows-1252')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('Wkr¹t i œruba')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await page.getByLabel('Leave retired components out').check()
  await letters.focus()
  await letters.selectOption('Central European')
  await expect(page.getByText('Wkrąt i śruba')).toBeVisible()
  await expect(letters).toBeFocused()
  await expect(page.getByLabel('Leave retired components out')).toBeChecked()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('pl.csv is imported: 1 new, 0 changed, 0 unchanged.')).toBeVisible()
  await page.goto('/components/A-1')
  await expect(page.getByText('Wkrąt i śruba')).toBeVisible()

  await page.goto('/import')
  await choose(page, 'utf.csv', Buffer.from('SKU;Description\r\nA-2;Wkrąt\r\n'))
  await expect(page.getByText('Wkrąt')).toBeVisible()
  await expect(letters).toBeHidden()
})

test('a file that is being opened is named, and takes the place of none that was chosen after it', async ({
  admin: page,
}) => {
  await page.goto('/import')
  // As of a file on a slow drive, until it goes on.
  await page.evaluate(() => {
    const goneOn = new Promise<void>((resolve) => addEventListener('go-on', () => resolve()))
    const isSlow = (file: Blob) => file instanceof File && file.name === 'slow.csv'
    const stream = Reflect.get(Blob.prototype, 'stream')
    Blob.prototype.stream = function read() {
      const bytes = stream.call(this)
      return isSlow(this) ? bytes.pipeThrough(new TransformStream({ start: () => goneOn })) : bytes
    }
  })
  await choose(page, 'slow.csv', Buffer.from('SKU,Name\nA-1,Bolt'))
  await expect(page.getByRole('status').filter({ hasText: 'Opening slow.csv...' })).toBeVisible()
  await choose(page, 'quick.csv', Buffer.from('SKU,Name\nA-2,Nut'))
  await expect(page.getByText('2. What the columns of quick.csv mean')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('go-on')))
  // Whatever would be shown of it is shown by then.
  await page.waitForTimeout(500)
  await expect(page.getByText('2. What the columns of quick.csv mean')).toBeVisible()
})

test('only places of the plan are offered for a column, a file that is none is refused with a sentence, and one is known by what is in it, whatever its name ends with', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'stock.csv', Buffer.from('SKU,Fulfillment,Distribution,On hold\nA-1,1,2,3\n'))
  await expect(page.getByLabel('Fulfillment')).toHaveValue('fulfillment_quantity')
  await expect(page.getByLabel('On hold')).toHaveValue('quarantine_quantity')
  // What is no place of the plan is not guessed.
  await expect(page.getByLabel('Distribution')).toHaveValue('')
  await expect(page.getByLabel('Distribution').getByRole('option')).toHaveText([
    'Not imported',
    'Barcode',
    'Description',
    'Unit cost',
    'Other barcodes',
    'Stock at Primary Warehouse',
    'Stock at Secondary Warehouse',
    'Stock at Fulfillment Center',
    'Stock in Quarantine',
    'Bin at Primary Warehouse',
    'Bin at Secondary Warehouse',
    'Bin at Fulfillment Center',
    'Minimum at Primary Warehouse',
    'Minimum at Secondary Warehouse',
    'Minimum at Fulfillment Center',
    'Location',
    'Quantity there',
    'Bin there',
    'Minimum there',
  ])

  await page.goto('/import')
  await choose(page, 'x.xlsx', Buffer.from('no workbook'))
  await expect(page.getByRole('alert')).toHaveText(
    'The workbook cannot be read. Save it again as XLSX or CSV.',
  )
  await choose(page, 'x.csv', Buffer.from('A,"1\nB,2'))
  await expect(page.getByRole('alert')).toHaveText(/The quotes at line \d do not match\./)
  await expect(page.getByText('x.csv', { exact: true })).toBeVisible()
  await expect(page.getByLabel('CSV or XLSX file')).toHaveValue('')
  await choose(page, 'x.csv', Buffer.from('A,1\nB,2'))
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Check the rows' })).toBeVisible()

  await page.goto('/import')
  await choose(page, 'stock.csv', workbookOf({ Stock: [['SKU'], ['A-1']] }))
  await expect(page.getByLabel('SKU')).toHaveValue('barcode')
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await choose(page, 'empty.xlsx', workbookOf({ Stock: [] }))
  await expect(page.getByRole('alert')).toHaveText('The workbook is empty.')
  await choose(page, 'locked.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  await expect(page.getByRole('alert')).toHaveText(
    'Save the workbook as XLSX without a password, or as CSV, first.',
  )
})

test('a long workbook is read', async ({ admin: page }) => {
  const rows = Array.from({ length: 20_000 }, (_, index) => [
    `SKU-${index}`,
    `Description of article number ${index}`,
    { number: String(index) },
  ])
  await page.goto('/import')
  await choose(page, 'long.xlsx', workbookOf({ Stock: [['SKU', 'Description', 'Qty'], ...rows] }))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Import 20,000 rows' })).toBeVisible({ timeout: 60_000 })
})

test('the sheet of a workbook is chosen, and its heading is found below a title', async ({ admin: page }) => {
  await page.goto('/import')
  const file = workbookOf({
    North: [['SKU'], ['A-1']],
    South: [['Stock list'], [], ['SKU', 'Qty'], ['B-1', { number: '4' }]],
    Empty: [],
  })
  await choose(page, 'two.xlsx', file)
  await expect(page.getByLabel('Sheet of the workbook')).toHaveValue('North')
  await page.getByLabel('Sheet of the workbook').selectOption('Empty')
  await expect(page.getByRole('alert')).toHaveText('The sheet Empty is empty.')
  await expect(page.getByLabel('Sheet of the workbook')).toHaveValue('North')
  await page.getByLabel('Sheet of the workbook').selectOption('South')
  await expect(page.getByLabel('Line 3 is the heading; what stands above it is left out')).toBeChecked()
  expect(await barriersOf(page)).toEqual([])
  // What was said of one sheet's columns is nothing for another.
  await page.getByLabel('Qty').selectOption('Not imported')
  await page.getByLabel('Sheet of the workbook').selectOption('North')
  await expect(page.getByLabel('The first line is a heading')).toBeChecked()
  await page.getByLabel('Sheet of the workbook').selectOption('South')
  await expect(page.getByLabel('Qty')).toHaveValue('primary_quantity')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('two.xlsx (South) is imported: 1 new, 0 changed, 0 unchanged.')).toBeVisible()
})

test('what is exported as CSV is unchanged when it is imported again', async ({ admin: page }) => {
  await importRows(page, [
    { barcode: '-7', description: 'Set:\n- 2 screws\n- 1 bolt; +1', primary_quantity: 5 },
    { barcode: "'=1", description: "'-5 to 10" },
    { barcode: '="00012"', description: '\uFF0D5' },
  ])
  const placed = [{ barcode: '-7', bin: '-A-01', minimum: 9 }]
  await postFrom(page, '/api/components/place', { location: 'PRIMARY', components: placed })
  await page.goto('/exports')
  const low = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Low stock as CSV' }).click()
  expect(await readFile(await (await low).path(), 'utf8')).toContain(",'-A-01,9,,,,,,,4,,,,,,,,\r\n")
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Components as CSV' }).click()
  const file = await readFile(await (await download).path())
  expect(file.toString()).toContain(",'-A-01,9,,,,,,,,,\r\n")
  await page.goto('/import')
  await choose(page, 'components.csv', file)
  await page.getByLabel('Also set the stock of existing components').check()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Unchanged: 3' })).toBeVisible()
})

test('what is exported as a workbook can be imported again', async ({ admin: page }) => {
  await importRows(page, [{ barcode: '00012', description: '=1+1', primary_quantity: 5 }])
  await page.goto('/exports')
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Components as XLSX' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^components_\d{4}-\d\d-\d\d\.xlsx$/)
  await expect(page.getByText(/components_.*\.xlsx is saved/)).toBeVisible()
  await page.goto('/import')
  await choose(page, 'components.xlsx', await readFile(await file.path()))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Unchanged: 1' })).toBeVisible()

  // As a spreadsheet makes of the same saved as CSV.
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await choose(
    page,
    'components.csv',
    Buffer.from(
      'Barcode;Description;Primary Warehouse\nScrews;;\n12;=1+1;5\n0000012;As another program writes it;5\n',
    ),
  )
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(
    page.getByText(
      '1 of the new differs from a component you have only by zeros in front (12, 00012): a spreadsheet has dropped them.',
    ),
  ).toBeVisible()
  await expect(
    page.getByText(
      '1 of the new has zeros in front that a component you have lacks (0000012, 00012): another program may have added them.',
    ),
  ).toBeVisible()
  await expect(
    page.getByText('1 new row has a code and no description, as headings and totals within a list have.'),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rows' })).toContainText('=1+1')

  // On a phone they would push the rows out of sight.
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(page.getByRole('region', { name: 'Rows' })).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Show it' })).toBeHidden()
  await page.getByRole('status').getByRole('button', { name: '3 notes on this import' }).click()
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect(page.getByRole('region', { name: 'Rows' })).toContainText('Screws')
  await expect(page.getByRole('region', { name: 'Rows' })).not.toContainText('=1+1')
  expect(await barriersOf(page)).toEqual([])
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toBeDisabled()
  await page.getByLabel('The 2 that differ by zeros are new components all the same').check()
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page.getByText('components.csv is imported: 3 new, 0 changed, 0 unchanged.')).toBeVisible()
})

test('what there was at the end of a day comes with what it was worth', async ({ admin: page }) => {
  await importRows(page, [{ barcode: '0012', description: 'Bolt', primary_quantity: 4 }])
  await postFrom(page, '/api/components/set-costs', { components: [{ barcode: '0012', unit_cost: 2.5 }] })
  await page.goto('/exports')
  const row = page.getByRole('button', { name: 'Stock and its value as CSV' })
  const [now] = await Promise.all([page.waitForEvent('download'), row.click()])
  expect(now.suggestedFilename()).toMatch(/^stock-at-\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await now.path(), 'utf8')).toContain('0012,Bolt,4,0,0,0,0,4,2.5,10')
  await page.getByLabel('At the end of').fill('2020-02-29')
  const [then] = await Promise.all([page.waitForEvent('download'), row.click()])
  expect(then.suggestedFilename()).toMatch(/^stock-at-2020-02-29_/)
  expect(await readFile(await then.path(), 'utf8')).toContain('0012,Bolt,0,0,0,0,0,0,2.5,0')
  await page.getByLabel('At the end of').fill('2199-01-01')
  await expect(page.getByText('That day has not come yet.')).toBeVisible()
  await expect(row).toBeHidden()
})

test('a download shows each piece and reads out how far it is only now and then, and its end', async ({
  admin: page,
}) => {
  await page.goto('/exports')
  await stopClock(page)
  await page.evaluate(() => {
    const piece = new Uint8Array(1_000)
    const usual = globalThis.fetch.bind(globalThis)
    globalThis.fetch = async (asked, init) => {
      const { url } = asked instanceof Request ? asked : new Request(asked)
      if (!url.includes('/api/exports/')) return await usual(asked, init)
      let left = 20
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          left -= 1
          if (left < 0) controller.close()
          else controller.enqueue(piece)
        },
      })
      return new Response(body, { headers: { 'content-disposition': 'attachment; filename="parts.csv"' } })
    }
  })
  const readOut = new Set<string>()
  const status = page.getByRole('status')
  await page.getByRole('button', { name: 'Components as CSV' }).click()
  for (let piece = 1; piece <= 20; piece += 1) {
    await page.clock.fastForward(piece === 11 ? 5_000 : 100)
    await expect(status).toContainText(`Components: ${piece} kB received...`)
    readOut.add(await status.ariaSnapshot())
  }
  await page.clock.fastForward(100)
  await expect(status).toContainText('is saved')
  readOut.add(await status.ariaSnapshot())
  expect([...readOut]).toEqual([
    '- status:\n  - text: "Components: 0 kB received..."\n  - button "Cancel"',
    '- status:\n  - text: "Components: 11 kB received..."\n  - button "Cancel"',
    '- status: parts.csv is saved (20 kB).',
  ])
})

test('administrators download history and the company', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 5 }])
  await page.goto('/exports')
  await page.getByLabel('SKU').fill('A-1')
  const movements = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Movements as CSV' }).click()
  const text = await readFile(await (await movements).path(), 'utf8')
  expect(text).toContain(',A-1,Primary Warehouse,5,5,Import,')
  const archive = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download archive' }).click()
  expect((await archive).suggestedFilename()).toMatch(/^Nordlager AG_.*\.zip$/)
})

test('staff export components only, all or those they searched for', async ({ staff: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Hex bolt' }, { barcode: 'B-2' }])
  await goTo(page, 'Components')
  await page.getByLabel('Search').fill('100%ACETONE')
  await page.getByRole('link', { name: 'Export' }).click()
  await expect(page.getByLabel('Barcode or description')).toHaveValue('100%ACETONE')
  await goTo(page, 'Components')
  await page.getByLabel('Search').fill('HEX')
  await page.getByRole('link', { name: 'Export' }).click()
  await expect(page.getByLabel('Barcode or description')).toHaveValue('HEX')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Components as CSV' }).click()
  const text = await readFile(await (await file).path(), 'utf8')
  expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['\uFEFFBarcode', 'A-1', ''])
  await expect(page.getByRole('button', { name: 'Components as CSV' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Low stock as CSV' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Movements as CSV' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Download archive' })).toBeHidden()
})

test('from what an import would do there is a way back to its columns, as they were chosen', async ({
  admin: page,
}) => {
  await page.goto('/import')
  await choose(page, 'stock.csv', Buffer.from('SKU,Name,Qty\nA-1,Bolt,9\n'))
  await page.getByLabel('Name').selectOption('')
  await page.getByLabel('Leave retired components out').check()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'New: 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the columns' }).click()
  await expect(page.getByRole('heading', { name: '2. What the columns of stock.csv mean' })).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page.getByLabel('Qty')).toHaveValue('primary_quantity')
  await expect(page.getByLabel('Leave retired components out')).toBeChecked()
  await page.getByLabel('Name').selectOption('description')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('stock.csv is imported: 1 new, 0 changed, 0 unchanged.')).toBeVisible()
  // What was checked first is not left open.
  await expect(page.getByRole('button', { name: /^Cancel/ })).toHaveCount(0)
})

test('rows of an import that cannot be loaded are asked for again, and those that are shown stay', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const rows = Array.from({ length: 150 }, (_, index) => `SKU-${index},Part ${index}`)
  await choose(page, 'stock.csv', Buffer.from(['SKU,Name', ...rows].join('\n')))
  const failed = { status: 502, body: '<html>' }
  await answerInstead(page, '/api/imports/*/preview', failed)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'The rows could not be compared: HTTP error! status: 502',
  )
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'New: 150' })).toBeVisible()

  await answerInstead(page, '/api/imports/*/rows*after=*', failed)
  await page.getByRole('button', { name: 'Show more' }).click()
  const table = page.getByRole('region', { name: 'Rows' })
  await expect(table.getByRole('alert')).toContainText(
    'The rows could not be loaded: HTTP error! status: 502',
  )
  await expect(table.getByText('SKU-99', { exact: true })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.unrouteAll()
  await table.getByRole('button', { name: 'Try again' }).click()
  await expect(table.getByText('SKU-149', { exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a file is read on while another screen is shown, and its rows are taken once all are read', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const rows = Array.from({ length: 3_000 }, (_, index) => `SKU-${index},Part ${index}`)
  await choose(page, 'long.csv', Buffer.from(['SKU,Name', ...rows].join('\n')))
  const letThrough = await hold(page, '/api/imports/*/rows')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  const history = page.getByRole('list', { name: 'Latest imports' })
  await expect(history.getByRole('listitem').filter({ hasText: 'long.csv' })).toContainText('Being read')
  await goTo(page, 'Components')
  await expect(page.getByText('No components yet')).toBeVisible()
  await page.getByRole('link', { name: 'Import', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Reading the file' })).toBeVisible()
  await expect(page.getByText('0 rows read. Nothing is changed yet.')).toBeVisible()
  await expect(history.getByRole('listitem').filter({ hasText: 'long.csv' })).toContainText('Being read')
  await expect(page.getByRole('button', { name: 'Go on with long.csv' })).toBeHidden()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Components')
  await expect(page.getByText('No components yet')).toBeVisible()
  letThrough()
  await page.getByRole('link', { name: 'Import', exact: true }).first().click()
  await page.getByRole('button', { name: 'Import 3,000 rows' }).click()
  await expect(page.getByText('long.csv is imported: 3,000 new, 0 changed, 0 unchanged.')).toBeVisible()

  await goTo(page, 'Components')
  await page.getByRole('link', { name: 'Import', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: '1. Choose a file' })).toBeVisible()
  await expect(page.getByText('long.csv is imported')).toBeHidden()
})

test('a file that is being read in another tab is not taken for the whole, and can be cancelled', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const rows = Array.from({ length: 3_000 }, (_, index) => `SKU-${index},Part ${index}`)
  await choose(page, 'long.csv', Buffer.from(['SKU,Name', ...rows].join('\n')))
  const letThrough = await hold(page, '/api/imports/*/rows')
  await divertOnce(page, '**/api/imports/*/rows', (route) => route.continue())
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('2,000 rows read. Nothing is changed yet.')).toBeVisible()

  const tab = await page.context().newPage()
  await tab.goto('/import')
  const history = tab.getByRole('list', { name: 'Latest imports' })
  const row = history.getByRole('listitem').filter({ hasText: 'long.csv' })
  await expect(row).toContainText('2,000 rows, not read to the end')
  await expect(tab.getByRole('button', { name: 'Go on with long.csv' })).toBeHidden()
  expect(await barriersOf(tab)).toEqual([])
  await tab.getByRole('button', { name: 'Cancel long.csv' }).click()
  await expect(row).toContainText('Cancelled')
  letThrough()
  await expect(
    page.getByText('This import is no longer open: it was finished, cancelled or expired.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Import 3,000 rows' })).toBeVisible()
})
