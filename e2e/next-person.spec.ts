import type { Page } from '@playwright/test'
import { chooseLocation, divert, expect, goTo, importRows, pressInBar, register, test } from './fixtures.ts'
import { keptTexts } from './kept.ts'
import { goOn } from './people.ts'
import type { Program } from './program.ts'

const rows = [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 7 }]

const nameOn = (page: Page) =>
  page.evaluate(() => JSON.parse(String(localStorage.getItem('user_data'))) as unknown)

/** Signs in on the page as it is: to load it anew would end what is under way there. */
async function signInHere(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await chooseLocation(page, 'Primary Warehouse')
}

test('who logs out leaves no list on the device', async ({ admin: page }) => {
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await expect.poll(() => keptTexts(page)).toContain('"expected_quantity":7')
  await pressInBar(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => keptTexts(page)).toBe('')
})

test('who logs out in another tab leaves no list on the device', async ({ admin: page, context }) => {
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await expect.poll(() => keptTexts(page)).toContain('"expected_quantity":7')
  const other = await context.newPage()
  await other.goto('/login')
  await other.evaluate(() => localStorage.clear())
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => keptTexts(page)).toBe('')
})

test('who signs in after somebody whose session ran out finds no list of theirs, and keeps the own', async ({
  admin: page,
  program,
  sam,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await expect.poll(() => keptTexts(page)).toContain('"expected_quantity":7')
  await goOn(page, program, sam)
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await expect.poll(() => keptTexts(page)).toBe('')
  await goTo(page, 'Monthly Count')
  await expect.poll(() => keptTexts(page)).toContain('"A-1"')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ready to Count' })).toBeVisible()
  expect(await keptTexts(page)).toContain('"A-1"')
})

for (const { path, call, field, own, button } of [
  {
    path: '/settings',
    call: '/api/company/settings',
    field: 'Company name',
    own: 'Nordlager AG',
    button: 'Save',
  },
  {
    path: '/account',
    call: '/api/account/name',
    field: 'Your name',
    own: 'Ada Admin',
    button: 'Save name',
  },
]) {
  test(`what somebody saved at ${path} before they logged out changes nothing for who signs in next`, async ({
    admin: page,
    program,
  }) => {
    const others = await register(program)
    await page.goto(path)
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    let isSaved = false
    await divert(page, `**${call}`, async (route) => {
      if (route.request().method() === 'GET') return await route.continue()
      const response = await route.fetch()
      isSaved = true
      await answered
      return await route.fulfill({ response })
    })
    const answering = page.waitForResponse(
      (response) => response.url().endsWith(call) && response.request().method() === 'POST',
    )
    await page.getByLabel(field).fill('Somebody Else')
    await page.getByRole('button', { name: button }).first().click()
    await expect.poll(() => isSaved).toBe(true)
    await pressInBar(page, 'Logout')
    await expect(page).toHaveURL(/\/login$/)
    await signInHere(page, others)
    await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
    await page.evaluate((to) => history.pushState(null, '', to), path)
    await expect(page.getByLabel(field)).toBeVisible()
    answer()
    await (await answering).finished()
    await page.waitForTimeout(500)
    expect(await nameOn(page)).toMatchObject({ companyName: 'Nordlager AG', name: 'Ada Admin' })
    await expect(page.getByLabel(field)).toHaveValue(own)
  })
}

/** Ends whatever sessions a person has. */
async function endSessions(program: Program, { email }: { email: string }): Promise<void> {
  await program.sql(
    `update sessions set ended_at = now() where user_id in (select id from users where email = $1)`,
    [email],
  )
}

test('who signs in next begins at the overview, and who comes back goes on where they were', async ({
  admin: page,
  program,
  company,
  sam,
}) => {
  await goTo(page, 'Components')
  await pressInBar(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)
  await signInHere(page, company)
  await expect(page.getByRole('heading', { name: 'Components' })).toBeVisible()
  // Its session is over when the page is opened again.
  await endSessions(program, company)
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await signInHere(page, sam)
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await expect(page).toHaveURL(/\/overview$/)
})

test('the way back shows who signs in next nothing of what somebody else searched for', async ({
  admin: page,
  program,
  sam,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Components')
  await page.getByLabel('Search').fill('secret')
  await expect(page).toHaveURL(/\/components\?text=secret$/)
  await goOn(page, program, sam)
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(page.getByRole('link', { name: /A-1/ })).toBeVisible()
  await expect(page.getByLabel('Search')).toHaveValue('')
  await expect(page).toHaveURL(/\/components$/)
})
