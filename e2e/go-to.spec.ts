import { barriersOf } from './accessibility.ts'
import { cut, expect, goTo, hold, importRows, test } from './fixtures.ts'
import { scanLines } from './scanner.ts'

test('one key goes to any screen and to any component, and another lists the keys of every screen', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: '036000291452', description: 'Soap' },
    { barcode: 'A-1', description: 'Hex bolt' },
    { barcode: 'A-2', description: 'Hex nut' },
  ])
  await goTo(page, 'Overview')
  const dialog = page.getByRole('dialog', { name: 'Go to' })
  const field = dialog.getByRole('combobox', { name: 'Screen or component' })

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('OverviewScreen')
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.type('tr')
  await expect(dialog.getByRole('option')).toHaveText(['Audit TrailScreen'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Audit Trail', level: 1 })).toBeFocused()
  await expect(dialog).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('hex')
  await expect(dialog.getByRole('option')).toHaveText(['A-1Hex bolt', 'A-2Hex nut'])
  await expect(dialog.getByText('2 found')).toHaveRole('status')
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('A-2Hex nut')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'A-2', level: 1 })).toBeVisible()

  // By a mouse, too, which says its key; and what is entered before it is found.
  await page.getByRole('button', { name: 'Go to Ctrl K' }).click()
  await expect(field).toBeFocused()
  await scanLines(page, ['0036000291452'])
  await expect(page.getByRole('heading', { name: '036000291452', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await scanLines(page, ['GHOST-1'])
  await expect(dialog).toContainText('Nothing found for "GHOST-1".')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys.getByRole('term')).toHaveText(['Ctrl K', '?'])
  await page.keyboard.press('Control+k')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Escape')
  await goTo(page, 'Discrepancies')
  await page.keyboard.press('?')
  await expect(keys.getByRole('term')).toHaveText(['↓', '↑', 'x', 'a', 'r', 'd', 'Esc', '/', 'Ctrl K', '?'])
})

test('staff go to their own screens alone, and are told where nothing can be looked up', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Go to' })
  await expect(dialog.getByRole('option')).toHaveText([
    'OverviewScreen',
    'AnalyticsScreen',
    'Generate LabelsScreen',
    'Print LabelsScreen',
    'Monthly CountScreen',
    'Weekly CountScreen',
    'ComponentsScreen',
    'Audit TrailScreen',
    'AccountScreen',
  ])
  await cut(page, '/api/components/*')
  await page.keyboard.type('A-1')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('The server cannot be reached.')
})

test('who enters a code and then another goes to the second', async ({ staff: page }) => {
  await importRows(page, [{ barcode: 'A-1' }, { barcode: 'A-2' }])
  await goTo(page, 'Overview')
  const letThrough = await hold(page, '/api/components/detail?barcode=A-1')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Screen or component' })
  await expect(field).toBeFocused()
  await scanLines(page, ['A-1'])
  await field.fill('')
  await scanLines(page, ['A-2'])
  await expect(page.getByRole('heading', { name: 'A-2', level: 1 })).toBeVisible()
  letThrough()
  await page.waitForTimeout(500)
  await expect(page.getByRole('heading', { name: 'A-2', level: 1 })).toBeVisible()
})

test('on a phone a component is found from any screen by scanning it, but not where a scan counts', async ({
  staff: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await importRows(page, [{ barcode: 'A-1', description: 'Hex bolt' }])
  await goTo(page, 'Overview')
  const menu = page.getByRole('button', { name: 'Open menu' })
  await menu.click()
  await page.getByRole('button', { name: 'Find a component' }).click()
  await expect(page.getByRole('combobox', { name: 'Screen or component' })).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
  await scanLines(page, ['A-1'])
  await expect(page.getByRole('heading', { name: 'A-1', level: 1 })).toBeVisible()

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await menu.click()
  await expect(page.getByRole('link', { name: 'Components' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Find a component' })).toBeHidden()
})

test('while a count runs every key is a code of the scanner', async ({ staff: page }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.getByRole('heading', { name: 'Monthly Count', level: 1 }).focus()
  await page.keyboard.press('?')
  // A dialog would be there by then.
  await page.waitForTimeout(300)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Go to' })).toHaveCount(0)
})
