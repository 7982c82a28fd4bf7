import type { Page } from '@playwright/test'
import {
  asTimePasses,
  chooseLocation,
  expect,
  goTo,
  importRows,
  postFrom,
  pressInBar,
  register,
  signIn,
  test,
} from './fixtures.ts'
import { askAs, goOn } from './people.ts'

const namesOf = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Names of locations', exact: true }) })

const bar = (page: Page) => page.getByRole('banner')

test('a location that an administrator names is called so at once on every screen and device of the company', async ({
  admin: page,
  program,
  sam,
  openElsewhere,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 7 }])
  const other = await openElsewhere()
  await other.clock.install()
  await goOn(other, program, sam)
  await goTo(other, 'Monthly Count')
  await expect(bar(other)).toContainText('Primary Warehouse')

  await page.goto('/settings')
  const names = namesOf(page)
  await expect(names).toContainText('The names that people see. Codes in files and in the API stay the same.')
  await expect(names.getByRole('textbox')).toHaveCount(3)
  await names.getByLabel('Primary Warehouse').fill(' Hamburg ')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(names.getByText('Saved.')).toBeVisible()
  await expect(names.getByLabel('Primary Warehouse')).toHaveValue('Hamburg')
  await expect(bar(page)).toContainText('Hamburg')

  // By news, and after a reload from what is stored.
  const reads = (name: string) =>
    asTimePasses(other, 5_000, (soon) => expect(bar(other)).toContainText(name, soon))
  await reads('Hamburg')
  await expect(other.getByText('Primary Warehouse')).toHaveCount(0)
  await other.reload()
  await expect(bar(other)).toContainText('Hamburg')
  await expect(other.getByRole('main')).toContainText('Hamburg')

  await goTo(page, 'Monthly Count')
  await expect(page.getByRole('main')).toContainText('Hamburg')
  await goTo(page, 'Components')
  await expect(page.getByText('"Here" is Hamburg.')).toBeVisible()
  await goTo(page, 'Audit Trail')
  await expect(page.getByText('location name: Primary Warehouse → Hamburg')).toBeVisible()
  await pressInBar(page, 'Change Location')
  await expect(page.getByRole('radio', { name: /^Hamburg .*Primary Warehouse PRIMARY$/ })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Secondary Warehouse / })).toBeVisible()
  await chooseLocation(page, 'Hamburg')
  expect(await page.evaluate(() => localStorage.getItem('selectedLocation'))).toBe('PRIMARY')

  await page.goto('/settings')
  await names.getByLabel('Primary Warehouse').fill('')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(bar(page)).toContainText('Primary Warehouse')
  await reads('Primary Warehouse')
})

test('who signs in next, of another company, reads none of the names of the one before', async ({
  page,
  program,
  company,
}) => {
  const others = await register(program)
  await askAs(program, company, {
    path: '/api/company/settings',
    body: { location_names: { PRIMARY: 'Hamburg' } },
  })
  await signIn(page, company)
  await expect(page.getByRole('radio', { name: /^Hamburg / })).toBeVisible()
  await chooseLocation(page, 'Hamburg')
  await expect(bar(page)).toContainText('Hamburg')
  await pressInBar(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(others.email)
  await page.getByLabel('Password').fill(others.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('radio', { name: /^Primary Warehouse / })).toBeVisible()
  await expect(page.getByText('Hamburg')).toHaveCount(0)
  await chooseLocation(page, 'Primary Warehouse')
  await expect(bar(page)).toContainText('Primary Warehouse')
  await goTo(page, 'Monthly Count')
  await expect(page.getByText('Hamburg')).toHaveCount(0)
})

test('two locations are not given one name, and the screen says so', async ({ admin: page }) => {
  await page.goto('/settings')
  const names = namesOf(page)
  await names.getByLabel('Primary Warehouse').fill('Shop')
  await names.getByLabel('Secondary Warehouse').fill('shop')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(
    names.getByText('Two places would be called Shop. Give each location a name of its own.'),
  ).toBeVisible()
  await names.getByLabel('Secondary Warehouse').fill('Cold store')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(names.getByText('Saved.')).toBeVisible()
})

test('an exported list with names of the company is taken back: its columns are known', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 7 }])
  await postFrom(page, '/api/company/settings', { location_names: { PRIMARY: 'Hamburg' } })
  await page.goto('/exports')
  await expect(bar(page)).toContainText('Hamburg')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Components as CSV' }).click()
  const path = await (await downloading).path()
  await page.goto('/import')
  await page.getByLabel('CSV or XLSX file').setInputFiles(path)
  await expect(page.getByLabel('Hamburg', { exact: true })).toHaveValue('primary_quantity')
  await expect(page.getByLabel('Hamburg', { exact: true }).locator('option:checked')).toHaveText(
    'Stock at Hamburg',
  )
  await expect(page.getByLabel('Hamburg bin')).toHaveValue('primary_bin')
  await expect(page.getByLabel('Secondary Warehouse minimum')).toHaveValue('secondary_minimum')
})
