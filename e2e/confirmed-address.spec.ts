import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { expect, test as base } from './fixtures.ts'
import { test } from './mailing-program.ts'

const sentence =
  'Mail about low stock goes to confirmed addresses only. Send yourself a link to confirm yours.'

/** Where the links lead that were mailed to an address, on the program's own host, once there are so many. */
async function linksTo(mails: readonly string[], email: string, count: number): Promise<string[]> {
  const links = () =>
    mails
      .filter((mail) => mail.includes(`To: ${email}`))
      .map((mail) => mail.replaceAll(/=\n/g, '').replaceAll('=3D', '='))
      .flatMap((mail) => /https:\/\/count\.example\.com(\/confirm-email#[\w-]+)/.exec(mail)?.[1] ?? [])
  await expect.poll(links).toHaveLength(count)
  return links()
}

const lowStock = (page: Page) => page.locator('section').filter({ hasText: 'Mail administrators when' })

test('an administrator sends a link from Account, opens it, and confirms the address by a press', async ({
  admin: page,
  openElsewhere,
  company,
  mailServer,
}) => {
  const [first = ''] = await linksTo(mailServer.mails, company.email, 1)
  await page.goto('/settings')
  await expect(lowStock(page)).toContainText('You will get none until you confirm your address: see Account.')
  await lowStock(page).getByRole('link', { name: 'Account' }).click()
  await expect(page.getByText(sentence)).toBeVisible()
  await page.getByRole('button', { name: 'Send confirmation' }).click()
  await expect(page.getByText(`A mail is on its way to ${company.email}.`)).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  const [, second = ''] = await linksTo(mailServer.mails, company.email, 2)

  const other = await openElsewhere({ viewport: { width: 360, height: 640 } })
  await other.goto(new URL(first, page.url()).href)
  await expect(other.getByRole('heading', { name: 'This link cannot be used' })).toBeVisible()
  await expect(other.getByRole('alert')).toHaveText(
    'This link is no longer valid. Sign in and send another one from Account.',
  )
  await other.goto(new URL(second, page.url()).href)
  await expect(other.getByRole('heading', { name: 'Confirm your address' })).toBeVisible()
  await expect(other.getByText(company.email)).toBeVisible()
  expect(await barriersOf(other)).toEqual([])
  // Opened, it has confirmed nothing.
  await openKnowing(page, '/account')
  await expect(page.getByText(sentence)).toBeVisible()
  await other.getByRole('button', { name: 'Confirm address' }).click()
  await expect(other.getByText('Your address is confirmed.')).toBeVisible()
  expect(await barriersOf(other)).toEqual([])

  // Whoever waits on the other screen sees it without asking again.
  await expect(page.getByText(sentence)).toBeHidden({ timeout: 15_000 })
  await page.goto('/settings')
  await expect(lowStock(page)).toContainText('Once a day at the most')
  await expect(lowStock(page)).not.toContainText('confirm your address')

  // Somebody taps the link in the mail once more.
  await other.reload()
  await other.getByRole('button', { name: 'Confirm address' }).click()
  await expect(other.getByText('Your address is confirmed.')).toBeVisible()
  await other.getByRole('link', { name: 'Continue' }).click()
  await expect(other.getByRole('button', { name: 'Sign In' })).toBeVisible()
})

test('a mail that the mail server does not take is said not to be on its way', async ({
  admin: page,
  company,
  mailServer,
}) => {
  await linksTo(mailServer.mails, company.email, 1)
  mailServer.faults.set(company.email, 'refuses')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Send confirmation' }).click()
  await expect(page.getByText('The mail could not be sent. Try again later.')).toBeVisible()
})

/** Opens a screen, and waits until it knows who is signed in, which news ask once more soon after, and shows what follows from it. */
async function openKnowing(page: Page, path: string): Promise<void> {
  const told = page.waitForResponse('**/api/auth/user')
  await page.goto(path)
  await told
  // What follows may be that nothing is shown, which no look can wait for.
  await page.waitForTimeout(300)
}

test('who counts is asked to confirm nothing', async ({ staff: page }) => {
  await openKnowing(page, '/account')
  await expect(page.getByText('You sign in as')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send confirmation' })).toBeHidden()
})

base('where no mails are sent, an administrator is asked to confirm nothing', async ({ admin: page }) => {
  await openKnowing(page, '/account')
  await expect(page.getByRole('button', { name: 'Save name' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send confirmation' })).toBeHidden()
  await openKnowing(page, '/settings')
  await expect(lowStock(page)).toContainText('Once a day at the most')
  await expect(lowStock(page)).not.toContainText('confirm your address')
})
