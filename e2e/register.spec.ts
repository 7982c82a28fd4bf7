import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { answerInstead, expect, loseAnswer, shortenPatience, stall, test } from './fixtures.ts'

async function fill(page: Page, values: { email?: string; password?: string } = {}) {
  await page.goto('/register')
  await page.getByLabel('Company name').fill('Hopper Parts Ltd')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Work email').fill(values.email ?? `grace-${randomUUID()}@example.com`)
  await page.getByLabel('Create password').fill(values.password ?? 'correct horse')
}

const start = (page: Page) => page.getByRole('button', { name: 'Start Free Trial' }).click()

test.describe('registering', () => {
  test('shows the plans, starter chosen, what is recommended, and terms and privacy as plain alerts', async ({
    page,
  }) => {
    await page.goto('/register')
    await expect(page.getByRole('radio', { name: /Starter \$29\/month/ })).toBeChecked()
    await expect(page.getByRole('radio', { name: /Professional Popular \$99\/month/ })).toBeVisible()
    await expect(page.getByRole('radio', { name: /Enterprise \$299\/month/ })).toBeVisible()
    await expect(page.getByText('8 or more characters are recommended.')).toBeVisible()

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

  test('shows company, plan and the end of the trial, and goes on to sign-in, whatever the browser knows of its time zone', async ({
    page,
  }) => {
    await fill(page, { email: `  Grace-${randomUUID()}@EXAMPLE.com ` })
    await page.getByRole('radio', { name: /Enterprise/ }).check()
    await start(page)
    await expect(page.getByText('Hopper Parts Ltd')).toBeVisible()
    await expect(page.getByText('Enterprise', { exact: true })).toBeVisible()
    await expect(page.getByText('Trial ends')).toBeVisible()
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByLabel('Email')).toHaveValue(/^Grace-.+@EXAMPLE\.com$/)

    // Chrome says that it does not know the zone by a name that is none.
    await page.addInitScript(() => {
      const unknown = { locale: 'en', calendar: 'gregory', numberingSystem: 'latn', timeZone: 'Etc/Unknown' }
      Intl.DateTimeFormat.prototype.resolvedOptions = () => unknown
    })
    await fill(page)
    await start(page)
    await expect(page.getByText('Trial ends')).toBeVisible()
  })

  test('says field by field what is missing or malformed, goes to the first, and says it no more once something else stands there', async ({
    page,
  }) => {
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
    await page.getByLabel('Company name').fill('Hopper Parts Ltd')
    await expect(page.getByText('Company name is required', { exact: true })).toBeHidden()
    await expect(page.getByText('Your name is required', { exact: true })).toBeVisible()
    await fill(page, { email: 'bob@', password: 'abc' })
    await start(page)
    await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible()
    await expect(page.getByText('Password must be at least 4 characters long')).toBeVisible()
    await expect(page.getByLabel('Work email')).toBeFocused()
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
})

test.describe('when registering does not get through', () => {
  test('a registration whose answer was lost is said to be done when it is tried again, but not with another password', async ({
    page,
  }) => {
    await fill(page)
    await loseAnswer(page, '/api/auth/register-tenant')
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Cannot connect to server. Please check your internet connection and try again.',
    )
    await page.getByLabel('Create password').fill('another horse')
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'An account with this email already exists. Please try logging in instead.',
    )
    await page.getByLabel('Create password').fill('correct horse')
    await start(page)
    await expect(page.getByText('Your company is registered. Your free trial has started.')).toBeVisible()
  })

  test('what stands between browser and server, what the server refuses, a cut network and a silent network are each said, and blame no information', async ({
    page,
    context,
  }) => {
    const path = '/api/auth/register-tenant'
    await fill(page)
    for (const status of [502, 503, 413]) {
      await answerInstead(page, path, { status, body: '<h1>Bad gateway</h1>' })
      const answered = page.waitForResponse((response) => response.status() === status)
      await start(page)
      await answered
      await expect(page.getByRole('alert')).toHaveText('Server error. Please try again later.')
    }
    await answerInstead(page, path, { status: 451, body: '{}' })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Registration failed. Please check your information and try again.',
    )
    await answerInstead(page, path, { status: 200, body: '<h1>Hotel Wi-Fi</h1>' })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText('Server error. Please try again later.')

    await page.unroute(`**${path}`)
    await page.getByLabel('Company name').fill('x'.repeat(201))
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Invalid registration data. Please check your information and try again.',
    )
    await expect(page.getByLabel('Company name')).toHaveAccessibleDescription(
      'Company name must have at most 200 characters.',
    )
    await expect(page.getByLabel('Company name')).toBeFocused()
    await page.getByLabel('Company name').fill('Hopper Parts Ltd')
    await context.setOffline(true)
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'Cannot connect to server. Please check your internet connection and try again.',
    )

    await context.setOffline(false)
    await stall(page, path)
    const patience = await shortenPatience(page)
    await start(page)
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
    await expect(page.getByRole('alert')).toHaveText(
      'Registration is taking longer than expected. Please try again or check your internet connection.',
    )
    expect(await patience()).toContain(30_000)
  })

  test('who finds registering closed is told whom to ask', async ({ page }) => {
    await fill(page)
    const error = 'New companies are not registered here. Ask whoever runs this installation.'
    const body = JSON.stringify({ success: false, code: 'registration_closed', error })
    await answerInstead(page, '/api/auth/register-tenant', { status: 403, body })
    await start(page)
    await expect(page.getByRole('alert')).toHaveText(
      'New companies are not registered here. Ask whoever runs this installation.',
    )
  })
})
