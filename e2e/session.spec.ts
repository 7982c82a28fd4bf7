import { expect, goTo, register, signIn, test } from './fixtures.ts'

test('signing in says what is wrong', async ({ page, company }) => {
  await page.goto('/login')
  const say = async (email: string, password: string, sentence: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText(sentence)
  }
  await say('', '', 'Please enter both email and password.')
  await say('nobody', 'secret', 'Please enter a valid email address.')
  await say(company.email, 'wrong', 'Invalid email or password. Please try again.')
})

test('registering says what is wrong, field by field', async ({ page, company }) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  for (const sentence of [
    'Company name is required',
    'Your name is required',
    'Email address is required',
    'Password is required',
  ]) {
    await expect(page.getByText(sentence, { exact: true })).toBeVisible()
  }
  await page.getByLabel('Company name').fill('Another company')
  await page.getByLabel('Your name').fill('Bob')
  await page.getByLabel('Work email').fill('bob@')
  await page.getByLabel('Create password').fill('abc')
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible()
  await expect(page.getByText('Password must be at least 4 characters long')).toBeVisible()
  await page.getByLabel('Work email').fill(company.email)
  await page.getByLabel('Create password').fill('abcd')
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'An account with this email already exists. Please try logging in instead.',
  )
})

test('without a network, signing in says so', async ({ page, context, company }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(company.email)
  await page.getByLabel('Password').fill(company.password)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Cannot connect to server. Please check your internet connection.',
  )
})

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
