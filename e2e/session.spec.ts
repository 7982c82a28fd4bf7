import { expect, goTo, register, signIn, test } from './fixtures.ts'

test('a reload keeps the session, the location and the screen', async ({ admin: page }) => {
  await goTo(page, 'Audit Trail')
  await page.reload()
  await expect(page).toHaveURL(/\/audit-trail$/)
  await expect(page.getByRole('heading', { name: 'Audit Trail' })).toBeVisible()
})

test('a deep link survives signing in', async ({ page, program }) => {
  const company = await register(program, 'starter')
  await page.goto('/print-settings')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(company.email)
  await page.getByLabel('Password').fill(company.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('radio', { name: /Primary Warehouse/ })).toBeChecked()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page).toHaveURL(/\/print-settings$/)
})

test('signing out in one tab ends the session in the other', async ({ admin: page, context }) => {
  const other = await context.newPage()
  await other.goto('/overview')
  await expect(other.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await other.evaluate(() => localStorage.removeItem('jwt_token'))
  await expect(page).toHaveURL(/\/login$/)
})

test('rubbish in the stored session signs out instead of breaking', async ({ page, company }) => {
  await signIn(page, company)
  await expect(page.getByText('Select your location')).toBeVisible()
  await page.evaluate(() => localStorage.setItem('user_data', '{"half'))
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
})

test('a path that is none leads to the overview, and changing the location to its choice', async ({
  admin: page,
}) => {
  await page.goto('/no/such/screen')
  await expect(page).toHaveURL(/\/overview$/)
  const menu = page.getByRole('button', { name: 'Open menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Change Location' }).first().click()
  await expect(page.getByText('Select your location')).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please select a location.')
})

test('a session stored by another version is taken up under its own names', async ({ staff: page }) => {
  await page.evaluate(() => {
    const { id, tenantId, companyName, role, ...rest } = JSON.parse(String(localStorage.getItem('user_data')))
    const older = {
      ...rest,
      user_id: id,
      tenant: { id: tenantId },
      company_name: companyName,
      userType: role,
    }
    localStorage.setItem('user_data', JSON.stringify(older))
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome to Inventory Manager, Sam Staff' })).toBeVisible()
})

test('a session without its user waits for the server to say who it is', async ({ staff: page }) => {
  await page.route('**/api/auth/user', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    await route.continue()
  })
  for (const { path, heading } of [
    { path: '/audit-trail', heading: 'Audit Trail' },
    { path: '/generate-labels', heading: 'Generate Barcode Labels for New Products' },
    { path: '/monthly-count', heading: 'Monthly Count' },
  ]) {
    await page.evaluate(() => localStorage.removeItem('user_data'))
    await page.goto(path)
    await expect(page.getByText('Loading user information...')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
})

test('a location that is none is forgotten at the start', async ({ staff: page }) => {
  await page.evaluate(() => localStorage.setItem('selectedLocation', 'THE_MOON'))
  await page.reload()
  await expect(page.getByText('Select your location')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('selectedLocation'))).toBeNull()
})

test('restoring and closing a session stand in the audit trail', async ({ staff: page, context }) => {
  const health = page.waitForRequest('**/health')
  await page.reload()
  await health
  await page.close({ runBeforeUnload: true })
  const other = await context.newPage()
  await other.goto('/audit-trail')
  await other.getByLabel('Action Type').selectOption('Authentication')
  await expect(async () => {
    await other.getByRole('button', { name: 'Refresh' }).click()
    for (const event of ['AUTH_SESSION_RESTORED', 'AUTH_SESSION_INACTIVE', 'AUTH_SESSION_ENDED']) {
      await expect(other.getByText(event).first()).toBeVisible({ timeout: 1_000 })
    }
  }).toPass()
})

test('no service worker is left registered', async ({ page, program }) => {
  await page.goto(program.url)
  await page.waitForLoadState('networkidle')
  const registered = await page.evaluate(
    async () => (await navigator.serviceWorker.getRegistrations()).length,
  )
  expect(registered).toBe(0)
})
