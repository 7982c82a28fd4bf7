import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { answerInstead, expect, loseAnswer, stall, test } from './fixtures.ts'

async function fill(page: Page, values: { company?: string; email?: string; password?: string } = {}) {
  await page.goto('/register')
  await page.getByLabel('Company name').fill(values.company ?? 'Hopper Parts Ltd')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Work email').fill(values.email ?? `grace-${randomUUID()}@example.com`)
  await page.getByLabel('Create password').fill(values.password ?? 'correct horse')
}

const start = (page: Page) => page.getByRole('button', { name: 'Start Free Trial' }).click()

test.describe('registering', () => {
  test('shows the plans, starter chosen, and what is recommended', async ({ page }) => {
    await page.goto('/register')
    await expect(page.getByRole('radio', { name: /Starter \$29\/month/ })).toBeChecked()
    await expect(page.getByRole('radio', { name: /Professional Popular \$99\/month/ })).toBeVisible()
    await expect(page.getByRole('radio', { name: /Enterprise \$299\/month/ })).toBeVisible()
    await expect(page.getByText('8 or more characters are recommended.')).toBeVisible()
  })

  test('shows company, plan and the end of the trial, and goes on to sign-in', async ({ page }) => {
    await fill(page, { email: `  Grace-${randomUUID()}@EXAMPLE.com ` })
    await page.getByRole('radio', { name: /Enterprise/ }).check()
    await start(page)
    await expect(page.getByText('Hopper Parts Ltd')).toBeVisible()
    await expect(page.getByText('Enterprise', { exact: true })).toBeVisible()
    await expect(page.getByText('Trial ends')).toBeVisible()
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByLabel('Email')).toHaveValue(/^Grace-.+@EXAMPLE\.com$/)
  })

  test('says of a field no more what was wrong with it, once something else stands there', async ({
    page,
  }) => {
    await page.goto('/register')
    await start(page)
    await page.getByLabel('Company name').fill('Hopper Parts Ltd')
    await expect(page.getByText('Company name is required', { exact: true })).toBeHidden()
    await expect(page.getByText('Your name is required', { exact: true })).toBeVisible()
  })

  test('goes through where the browser does not know its time zone', async ({ page }) => {
    // Chrome says so by a name that is none.
    await page.addInitScript(() => {
      const unknown = { locale: 'en', calendar: 'gregory', numberingSystem: 'latn', timeZone: 'Etc/Unknown' }
      Intl.DateTimeFormat.prototype.resolvedOptions = () => unknown
    })
    await fill(page)
    await start(page)
    await expect(page.getByText('Trial ends')).toBeVisible()
  })

  test('says field by field what is missing or malformed, and goes to the first', async ({ page }) => {
    await page.goto('/register')
    await start(page)
    for (const sentence of [
      'Company name is required',
      'Your name is required',
      'Email address is required',
      'Password is required',
    ]) {
      await expect(page.getByText(sentence, { exact: true })).toBeVisible()
    }
    await expect(page.getByLabel('Company name')).toBeFocused()
    await fill(page, { email: 'bob@', password: 'abc' })
    await start(page)
    await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible()
    await expect(page.getByText('Password must be at least 4 characters long')).toBeVisible()
    await expect(page.getByLabel('Work email')).toBeFocused()
  })

  test('refuses an e-mail address that is taken', async ({ page, company }) => {
    await fill(page, { email: company.email })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'An account with this email already exists. Please try logging in instead.',
    )
  })

  test('says on the screen of a handheld what was refused, by the button and by the keyboard', async ({
    page,
    company,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await fill(page, { email: company.email })
    const refusal = page
      .getByRole('alert')
      .filter({ hasText: 'An account with this email already exists. Please try logging in instead.' })
    await start(page)
    await expect(refusal).toBeInViewport({ ratio: 1 })
    await page.getByLabel('Work email').fill(company.email)
    await page.getByLabel('Create password').press('Enter')
    await expect(refusal).toBeInViewport({ ratio: 1 })
  })

  test('shows terms and privacy as plain alerts', async ({ page }) => {
    await page.goto('/register')
    const said: string[] = []
    page.on('dialog', (dialog) => {
      said.push(dialog.message())
      dialog.accept().catch(() => said.push('could not be closed'))
    })
    await page.getByRole('link', { name: 'Terms of Service' }).click()
    await page.getByRole('link', { name: 'Privacy Policy' }).click()
    expect(said).toEqual([
      'The terms of service are set by the operator of this installation.',
      'The privacy policy is set by the operator of this installation.',
    ])
    await page.getByRole('link', { name: 'Already have an account? Sign in' }).click()
    await expect(page).toHaveURL(/\/login$/)
  })
})

test.describe('when registering does not get through', () => {
  test('a cut network is said', async ({ page, context }) => {
    await fill(page)
    await context.setOffline(true)
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Cannot connect to server. Please check your internet connection and try again.',
    )
  })

  test('a registration whose answer was lost is said to be done when it is tried again', async ({ page }) => {
    await fill(page)
    await loseAnswer(page, '/api/auth/register-tenant')
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Cannot connect to server. Please check your internet connection and try again.',
    )
    await start(page)
    await expect(page.getByText('Your company is registered. Your free trial has started.')).toBeVisible()
  })

  test('a registration that was done with another password is not said to have this one', async ({
    page,
  }) => {
    await fill(page)
    await loseAnswer(page, '/api/auth/register-tenant')
    await start(page)
    await expect(page.getByRole('alert')).toBeVisible()
    await page.getByLabel('Create password').fill('another horse')
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'An account with this email already exists. Please try logging in instead.',
    )
  })

  test('a proxy that does not reach the server blames no information', async ({ page }) => {
    await fill(page)
    for (const status of [502, 503, 413]) {
      await answerInstead(page, '/api/auth/register-tenant', { status, body: '<h1>Bad gateway</h1>' })
      const answered = page.waitForResponse((response) => response.status() === status)
      await start(page)
      await answered
      await expect(page.getByRole('alert')).toHaveText('Server error. Please try again later.')
    }
  })

  test('a silent network is given up after thirty seconds', async ({ page }) => {
    await fill(page)
    await stall(page, '/api/auth/register-tenant')
    await start(page)
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
    await expect(page.getByRole('alert')).toHaveText(
      'Registration is taking longer than expected. Please try again or check your internet connection.',
      { timeout: 40_000 },
    )
  })

  test('what only the server refuses is said', async ({ page }) => {
    await fill(page, { company: 'x'.repeat(201) })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Invalid registration data. Please check your information and try again.',
    )
  })

  test('a page of somebody else in place of a reply is an error', async ({ page }) => {
    await fill(page)
    await answerInstead(page, '/api/auth/register-tenant', { status: 200, body: '<h1>Hotel Wi-Fi</h1>' })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText('Server error. Please try again later.')
  })

  test('a refusal of any other kind is said', async ({ page }) => {
    await fill(page)
    await answerInstead(page, '/api/auth/register-tenant', { status: 451, body: '{}' })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Registration failed. Please check your information and try again.',
    )
  })
})
