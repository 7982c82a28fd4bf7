import {
  afterTries,
  chooseLocation,
  cut,
  expect,
  goTo,
  hold,
  importRows,
  register,
  signIn,
  test,
} from './fixtures.ts'
import { scanLines } from './scanner.ts'

test('a new company sees its plan, its limits and that nothing has happened yet', async ({
  admin: page,
  company,
}) => {
  await expect(page.getByRole('heading', { name: 'Welcome to Inventory Manager, Ada Admin' })).toBeVisible()
  await expect(page.getByText(`${company.name} · Primary Warehouse`)).toBeVisible()
  await expect(page.getByText('Administrator', { exact: true })).toBeVisible()
  await expect(page.getByText('Weekly counting available')).toBeVisible()
  await expect(page.getByText('Professional', { exact: true })).toBeVisible()
  await expect(page.getByText('0 / 2,000')).toBeVisible()
  await expect(page.getByText('1 / 3')).toBeVisible()
  await expect(page.getByText('14 days')).toBeVisible()
  await expect(page.getByText('No recent activity')).toBeVisible()
  await expect(page.getByText('Your free trial ends')).toHaveCount(0)
})

test('a company without components is led to adding them first', async ({ admin: page }) => {
  await expect(page.getByRole('heading', { name: 'Add your products' })).toBeVisible()
  await page.getByRole('link', { name: 'Import a file' }).click()
  await expect(page).toHaveURL(/\/import$/)
  await goTo(page, 'Overview')
  await page.getByRole('link', { name: 'Type products and print labels' }).click()
  await expect(page).toHaveURL(/\/generate-labels$/)
  await importRows(page, [{ barcode: 'A-1' }])
  await goTo(page, 'Overview')
  await expect(page.getByText('0 of 1 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Add your products' })).toBeHidden()
})

test('staff of a company without components add them with labels', async ({ staff: page }) => {
  await expect(page.getByRole('link', { name: 'Type products and print labels' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Import a file' })).toHaveCount(0)
})

test('staff are called users, and see no count of differences', async ({ staff: page }) => {
  await expect(page.getByText('User', { exact: true })).toBeVisible()
  await expect(page.getByText('0 of 0 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('for a decision')).toHaveCount(0)
})

test('every tile and quick action leads to its screen', async ({ admin: page }) => {
  const main = page.getByRole('main')
  const follow = async (name: string | RegExp, path: RegExp) => {
    await main.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await goTo(page, 'Overview')
    await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  }
  await follow(/^Analytics/, /\/graphs$/)
  await follow(/^Generate Labels/, /\/generate-labels$/)
  await follow(/^Print Labels/, /\/print-settings$/)
  await follow(/^Monthly Count/, /\/monthly-count$/)
  await follow(/^Weekly Count/, /\/weekly-count$/)
  await follow(/^Audit Trail/, /\/audit-trail$/)
  await follow('Create Labels', /\/generate-labels$/)
  await follow('Start Monthly Count', /\/monthly-count$/)
  await follow('Start Weekly Count', /\/weekly-count$/)
  await follow('View Analytics', /\/graphs$/)
})

test('the newest five things people did stand under recent activity', async ({ admin: page }) => {
  const rows = Array.from({ length: 6 }, (_, index) => ({ barcode: `A-${index}`, primary_quantity: index }))
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(
    page,
    rows.flatMap(({ barcode, primary_quantity: quantity }) => [barcode, String(quantity)]),
  )
  await expect(page.getByText('All 6 scans stored')).toBeVisible()
  await goTo(page, 'Overview')
  await page.reload()
  await expect(page.getByText('Ada Admin completed the cycle count')).toBeVisible()
  await expect(page.getByText('Ada Admin counted A-5 at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('Ada Admin counted A-2 at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('Ada Admin counted A-1 at Primary Warehouse')).toHaveCount(0)
  await expect(page.getByText('6 of 6 counted at Primary Warehouse')).toBeVisible()
  await expect(page.getByText('Complete', { exact: true })).toBeVisible()
})

for (const { plan, name, limit } of [
  { plan: 'starter', name: 'Starter', limit: '0 / 500' },
  { plan: 'enterprise', name: 'Enterprise', limit: '0 / ∞' },
]) {
  test(`the limits of the ${plan} plan are shown`, async ({ page, program }) => {
    await signIn(page, await register(program, plan))
    await chooseLocation(page, 'Primary Warehouse')
    await expect(page.getByText(name, { exact: true })).toBeVisible()
    await expect(page.getByText(limit)).toBeVisible()
    const bars = page.getByRole('progressbar', { name: 'Labels used' })
    await expect(bars).toHaveCount(plan === 'enterprise' ? 0 : 1)
  })
}

test('from three days before its end the trial is warned of, not before, and after it nothing is said', async ({
  admin: page,
  program,
  company,
}) => {
  const setTrial = (hours: number) =>
    program.sql(
      `update companies set trial_ends_at = now() + make_interval(hours => $2)
       where tenant_id = (select tenant_id from users where email = $1)`,
      [company.email, hours],
    )
  await setTrial(95)
  await page.reload()
  await expect(page.getByText('4 days', { exact: true })).toBeVisible()
  await expect(page.getByText('Your free trial ends')).toHaveCount(0)
  for (const { hours, days } of [
    { hours: 71, days: '3 days' },
    { hours: 2, days: '1 day' },
  ]) {
    await setTrial(hours)
    await page.reload()
    await expect(page.getByText(`Your free trial ends in ${days}.`)).toBeVisible()
  }
  await setTrial(-1)
  await page.reload()
  await expect(page.getByText('Active Locations')).toBeVisible()
  await expect(page.getByText('Trial Remaining')).toHaveCount(0)
})

test('an overview that stays open follows the days of its month', async ({ admin: page }) => {
  await expect(page.getByText('Current Plan')).toBeVisible()
  await page.clock.install()
  await page.reload()
  await expect(page.getByText('Current Plan')).toBeVisible()
  const again = page.waitForResponse(/\/api\/dashboard$/)
  await page.clock.runFor(61_000)
  await again
})

test('the overview waits with a spinner and says when its figures cannot be loaded', async ({
  admin: page,
}) => {
  const letThrough = await hold(page, '/api/dashboard')
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  letThrough()
  await expect(page.getByText('Current Plan')).toBeVisible()
  await cut(page, '/api/dashboard')
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(
    'Error loading dashboard data: The server cannot be reached.',
    afterTries,
  )
  await expect(page.getByText('Free Trial', { exact: true })).toBeVisible()
  await page.unroute('**/api/dashboard')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Professional', { exact: true })).toBeVisible()
})
