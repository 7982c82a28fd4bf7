import type { Page } from '@playwright/test'
import {
  chooseLocation,
  expect,
  goTo,
  hold,
  pressInBar,
  register,
  signIn,
  stopClock,
  test,
} from './fixtures.ts'
import { scanLines } from './scanner.ts'

test('the Starter plan has its one location chosen already, shows its limits and says what begins with larger plans', async ({
  page,
  program,
}) => {
  await signIn(page, await register(program, 'starter'))
  await expect(page.getByText('Starter plan')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(1)
  await expect(page.getByRole('radio', { name: /Primary Warehouse Weekly Counts .* PRIMARY/ })).toBeChecked()
  await expect(page.getByText('Upgrade your plan to count in more locations.')).toBeVisible()
  await page.getByRole('radio').press('Enter')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()

  await expect(page.getByText('Starter', { exact: true })).toBeVisible()
  await expect(page.getByText('0 / 500', { exact: true })).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Labels used' })).toHaveCount(1)
  await page.goto('/settings')
  await expect(
    page.getByText('Your logo and your colour on every screen begin with the Professional plan.'),
  ).toBeVisible()
  await page.goto('/api-access')
  await expect(
    page.getByText('API access comes with the Professional plan and up. Your company has the Starter plan.'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'See the plans' }).click()
  await expect(page).toHaveURL(/\/plan$/)
})

/** Of several locations none is chosen, and going on without one is refused. */
async function offersLocations(page: Page, plan: string, count: number): Promise<void> {
  await expect(page.getByText(`${plan} plan`)).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(count)
  await expect(page.getByText('Upgrade your plan')).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please select a location.')
}

test('the Professional plan offers 3 locations, none chosen, and Change Location leads back to the choice and forgets the old one', async ({
  page,
  program,
}) => {
  await signIn(page, await register(program, 'professional'))
  await offersLocations(page, 'Professional', 3)
  await chooseLocation(page, 'Primary Warehouse')
  await pressInBar(page, 'Change Location')
  await expect(page.getByText('Select your location')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('selectedLocation'))).toBeNull()
})

test('the Enterprise plan offers 4 locations, none chosen, each with an icon of its own, and shows its limits', async ({
  page,
  program,
}) => {
  await signIn(page, await register(program, 'enterprise'))
  await offersLocations(page, 'Enterprise', 4)
  for (const [code, icon] of [
    ['PRIMARY', 'warehouse'],
    ['SECONDARY', 'boxes'],
    ['FULFILLMENT', 'package-check'],
    ['DISTRIBUTION', 'truck'],
  ] as const) {
    const card = page.locator('label').filter({ hasText: code })
    await expect(card.locator(`svg.lucide-${icon}`)).toBeVisible()
  }
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByText('Enterprise', { exact: true })).toBeVisible()
  await expect(page.getByText('0 / ∞', { exact: true })).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Labels used' })).toHaveCount(0)
})

test('the choice is stored, and every path leads to it before', async ({ page, program }) => {
  await signIn(page, await register(program))
  await expect(page.getByText('Select your location')).toBeVisible()
  for (const path of ['/monthly-count', '/team', '/no/such/screen', '/audit-trail']) {
    await page.goto(path)
    await expect(page.getByText('Select your location')).toBeVisible()
  }
  const letThrough = await hold(page, '/api/audit/log')
  await page.getByRole('radio', { name: /Fulfillment Center/ }).check()
  await stopClock(page)
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page.getByRole('button', { name: 'Setting up...' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Setting up...' })).toBeFocused()
  await expect(page.getByRole('radio', { name: /Primary Warehouse/ })).toBeDisabled()
  letThrough()
  await expect(page.getByRole('heading', { name: 'Audit Trail' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('selectedLocation'))).toBe('FULFILLMENT')
})

test('a location the plan no longer offers is refused', async ({ page, program, context }) => {
  await signIn(page, await register(program, 'professional'))
  await page.getByRole('radio', { name: /Fulfillment Center/ }).check()
  // In another tab of this browser, the session has learnt of a smaller plan.
  const other = await context.newPage()
  await other.goto('/')
  await other.evaluate(() => {
    const user = String(localStorage.getItem('user_data'))
    localStorage.setItem('user_data', user.replace('"professional"', '"starter"'))
  })
  await expect(page.getByText('Starter plan')).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid location selected.')
})

test('a browser whose storage is full says so', async ({ page, program }) => {
  await signIn(page, await register(program))
  await page.getByRole('radio', { name: /Primary Warehouse/ }).check()
  await page.evaluate(() => {
    const fits = (size: number) => {
      try {
        localStorage.setItem(`filler-${localStorage.length}`, 'x'.repeat(size))
        return true
      } catch (error) {
        if (error instanceof DOMException) return false
        throw error
      }
    }
    for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) while (fits(size)) continue
  })
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Error selecting location: .*quota/)
})

test('a page stays where it counts while another tab works elsewhere, and its person gets another name', async ({
  staff: page,
  context,
}) => {
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByRole('button', { name: 'Submit' })).toBeVisible()

  const other = await context.newPage()
  await other.goto('/account')
  await pressInBar(other, 'Change Location')
  await expect(other.getByText('Select your location')).toBeVisible()
  await chooseLocation(other, 'Fulfillment Center')
  await other.getByLabel('Your name').fill('Samuel Staff')
  await other.getByRole('button', { name: 'Save name' }).click()
  await expect(other.getByText('Your name is saved.')).toBeVisible()

  await scanLines(page, ['A-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await goTo(page, 'Overview')
  await expect(
    page.getByRole('heading', { name: 'Welcome to Inventory Manager, Samuel Staff' }),
  ).toBeVisible()
  await expect(page.getByText('Nordlager AG · Primary Warehouse')).toBeVisible()
})
