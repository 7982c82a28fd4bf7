import { expect, test } from '@playwright/test'
import { register, signIn } from './fixtures.ts'
import { startProgram } from './program.ts'

test('a server that fails inside says so at sign-in and registration', async ({ page }) => {
  const program = await startProgram()
  const company = await register(program)
  await program.sql('alter table users rename to users_lost', [])
  await program.sql('alter table companies rename to companies_lost', [])
  await page.goto(program.url)
  await signIn(page, company, program.url)
  await expect(page.getByRole('alert')).toHaveText('Server error. Please try again in a few minutes.')

  await page.goto(`${program.url}/register`)
  await page.getByLabel('Company name').fill('Hopper Parts Ltd')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Work email').fill('grace@example.com')
  await page.getByLabel('Create password').fill('correct horse')
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await expect(page.getByRole('alert')).toHaveText('Server error. Please try again in a few minutes.')
  await program.stop()
})
