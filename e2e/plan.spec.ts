import { expect, chooseLocation, goTo, pressInBar, register, signIn, test } from './fixtures.ts'
import { addColleague, askAs, beginSession, goOn } from './people.ts'
import { scanLines } from './scanner.ts'

test('a larger plan begins at once and opens its locations', async ({ page, program }) => {
  await signIn(page, await register(program, 'starter'))
  await page.getByRole('button', { name: 'See the plans' }).click()
  await expect(page.getByRole('heading', { name: 'Plan and Billing' })).toBeVisible()
  await expect(page.getByText(/^Starter plan\. Your free trial ends on/)).toBeVisible()
  await page.getByRole('button', { name: 'Change to Professional' }).click()
  await expect(page.getByText('Nothing that you use now becomes read-only.')).toBeVisible()
  await expect(
    page.getByText(
      'Professional, $99/month: 2,000 labels per month, 3 locations, 10 users. Free of charge on this installation.',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Change plan' }).click()
  await expect(page.getByText(/^Professional plan\./)).toBeVisible()
  const menu = page.getByRole('button', { name: 'Open menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Change Location' }).first().click()
  await expect(page.getByRole('radio', { name: /Fulfillment Center/ })).toBeVisible()
})

test('the keyboard stays by the plans when one was taken, and by the logo when it was removed', async ({
  admin: page,
}) => {
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Change to Enterprise' }).click()
  await page.getByRole('button', { name: 'Change plan' }).click()
  await expect(page.getByText(/^Enterprise plan\./)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Plans' })).toBeFocused()

  await page.goto('/settings')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
  await page.getByRole('button', { name: 'Remove logo' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove logo' })).toBeHidden()
  await expect(page.getByRole('group', { name: 'Logo' })).toBeFocused()
})

test('a smaller plan names what becomes read-only before it is taken', async ({ page, program }) => {
  const company = await register(program, 'enterprise')
  await signIn(page, company)
  await chooseLocation(page, 'Distribution Center')
  await page.goto('/generate-labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
  for (const name of ['Ben', 'Cleo', 'Dan']) {
    const person = { email: `${name}-${company.email}`, name, password: 'a new horse' }
    await addColleague(program, company, person)
  }
  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Robot')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await expect(page.getByLabel('Key for Robot')).toBeVisible()
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Change to Starter' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Distribution Center: 1 SKU, 3 pieces.')
  await expect(dialog).toContainText('1 API key, until a larger plan.')
  await expect(dialog).toContainText('Dan')
  await expect(dialog).not.toContainText('Cleo')
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  // The chosen location is no longer part of the plan.
  await expect(page.getByText('Select your location')).toBeVisible()
  await chooseLocation(page, 'Primary Warehouse')
  await page.goto('/team')
  await expect(page.getByRole('row', { name: /Dan/ })).toContainText('Read-only, no seat')
})

test('a smaller plan is not taken with what has come since its dialog was opened, but says so', async ({
  admin: page,
  program,
  company,
}) => {
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Change to Starter' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Nothing that you use now becomes read-only.')).toBeVisible()
  for (const name of ['Ben', 'Cleo', 'Dan']) {
    const person = { email: `${name}-${company.email}`, name, password: 'a new horse' }
    await addColleague(program, company, person)
  }
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await expect(
    dialog.getByText('With the Starter plan this becomes read-only: Dan. Nothing is deleted.'),
  ).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Dan' })).toBeVisible()
  await expect(page.getByText(/^Professional plan\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await expect(page.getByText(/^Starter plan\./)).toBeVisible()
})

test('the end of the trial leads administrators to the plans, and where nothing is paid for nothing ends with it', async ({
  admin: page,
  program,
  company,
  openElsewhere,
}) => {
  await program.sql(
    `update companies set trial_ends_at = now() + interval '40 hours'
     where tenant_id = (select tenant_id from users where email = $1)`,
    [company.email],
  )
  await goTo(page, 'Overview')
  // Nothing is paid for here: nothing ends with the trial, and staff have nothing to ask for.
  const sentence =
    'Your free trial ends in 2 days. Your company then goes on with the Professional plan, free of charge.'
  await expect(page.getByText(sentence)).toBeVisible()
  await page.getByRole('link', { name: 'Upgrade Now' }).click()
  await expect(page).toHaveURL(/\/plan$/)
  await expect(
    page.getByText(/ends on .*\. Your company then goes on with the Professional plan, free of charge\./),
  ).toBeVisible()

  const person = { email: `sam-${company.email}`, name: 'Sam', password: 'a new horse' }
  await addColleague(program, company, person)
  const other = await openElsewhere()
  await other.goto(new URL('/login', page.url()).href)
  await other.getByLabel('Email').fill(person.email)
  await other.getByLabel('Password').fill(person.password)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await chooseLocation(other, 'Primary Warehouse')
  await expect(other.getByText(sentence)).toBeVisible()
  await expect(other.getByText('Ask an administrator of your company to choose a plan.')).toBeHidden()
  await other.goto(new URL('/plan', page.url()).href)
  await expect(other).toHaveURL(/\/overview$/)
})

test('whoever works at a location that a smaller plan closes is told why to choose another', async ({
  page,
  program,
}) => {
  const company = await register(program, 'enterprise')
  await signIn(page, company)
  await chooseLocation(page, 'Distribution Center')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await askAs(program, company, { path: '/api/company/plan', body: { plan: 'professional' } })
  const closed = 'Distribution Center is no longer part of your company’s plan: choose another location.'
  await expect(page.getByRole('heading', { name: 'Select your location' })).toBeVisible()
  await expect(page.getByText(closed)).toBeVisible()
  await chooseLocation(page, 'Primary Warehouse')
  await pressInBar(page, 'Change Location')
  await expect(page.getByRole('heading', { name: 'Select your location' })).toBeVisible()
  await expect(page.getByText(closed)).toHaveCount(0)
})

test('whoever has no seat in the plan is told so before they count, and counts as soon as one is free', async ({
  page,
  program,
  company,
}) => {
  const person = (name: string) => ({ email: `${name}-${company.email}`, name, password: 'a new horse' })
  for (const name of ['Ben', 'Cleo', 'Dan']) await addColleague(program, company, person(name))
  await goOn(page, program, person('Dan'))
  const notice = page.getByText(
    'You can read everything but change nothing: your company’s plan has no seat for you. Ask an administrator.',
  )
  await expect(page.getByRole('link', { name: 'Start Monthly Count' })).toBeVisible()
  await expect(notice).toBeHidden()
  const starter = { plan: 'starter', accept_read_only: true }
  await askAs(program, company, { path: '/api/company/plan', body: starter })
  await expect(notice).toBeVisible({ timeout: 15_000 })

  await page.getByRole('link', { name: 'Start Monthly Count' }).click()
  const reason = page.getByText(
    'You cannot count: your company’s plan has no seat for you. Ask an administrator.',
  )
  const start = page.getByRole('button', { name: 'Start Monthly Count' })
  await expect(reason).toHaveCount(1)
  await expect(start).toBeHidden()
  await scanLines(page, ['A-1'])
  // Said of the scan, and where a count is started.
  await expect(reason).toHaveCount(2)
  await page.reload()
  await expect(reason).toBeVisible()
  await expect(start).toBeHidden()

  const { user } = await beginSession(program, person('Ben'))
  const path = `/api/team/users/${String(Reflect.get(user, 'id'))}/deactivate`
  await askAs(program, company, { path, body: {} })
  await expect(reason).toBeHidden({ timeout: 15_000 })
  await start.click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
})

test('a smaller plan says how many open invitations will find no seat', async ({
  admin: page,
  program,
  company,
}) => {
  for (let number = 1; number <= 9; number += 1) {
    const invitation = { email: `invited${number}-${company.email}`, role: 'user', mail: false }
    await askAs(program, company, { path: '/api/team/invitations', body: invitation })
  }
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Change to Enterprise' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Nothing that you use now becomes read-only.')).toBeVisible()
  await expect(dialog.getByText('will find no seat')).toBeHidden()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Change to Starter' }).click()
  await expect(dialog.getByText('7 of 9 open invitations will find no seat.')).toBeVisible()
})
