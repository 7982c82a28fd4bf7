import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  asItIsAsked,
  asTimePasses,
  chooseLocation,
  cut,
  divert,
  expect,
  hold,
  loseAnswer,
  register,
  signIn,
  stall,
  stopClock,
  test,
} from './fixtures.ts'
import { addColleague, beginSession, goOn } from './people.ts'

/** Makes an invitation and gives its link. */
async function invite(page: Page, email: string): Promise<string> {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  const link = await page.getByLabel(`Link for ${email}`).inputValue()
  await page.keyboard.press('Escape')
  return link
}

test('an invitation: made by an administrator, accepted with name and password, signed in at once', async ({
  admin: page,
  openElsewhere,
}) => {
  const email = `nia-${randomUUID()}@nordlager.example`
  const link = await invite(page, email)
  await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(email)

  const other = await openElsewhere({ viewport: { width: 360, height: 640 } })
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Join Nordlager AG' })).toBeVisible()
  await other.getByRole('button', { name: 'Join and sign in' }).click()
  await expect(other.getByText('Your name is required')).toBeVisible()
  await expect(other.getByLabel('Your name')).toBeFocused()
  await other.getByLabel('Your name').fill('Nia New')
  await other.getByLabel('Choose a password').fill('a new horse')
  await other.getByRole('button', { name: 'Join and sign in' }).click()
  await chooseLocation(other, 'Primary Warehouse')
  await expect(other.getByRole('heading', { name: 'Welcome to Inventory Manager, Nia New' })).toBeVisible()
  expect(other.url()).not.toContain('#')

  await other.goto(link)
  await expect(other.getByRole('alert')).toHaveText(
    'This link is no longer valid. Ask an administrator for a new one.',
  )

  // Whoever made it sees it without asking again.
  await expect(page.getByRole('table', { name: 'Users' })).toContainText('Nia New', { timeout: 15_000 })
  await expect(page.getByRole('table', { name: 'Open invitations' })).toBeHidden()
})

test('who joins on a device where somebody else is signed in chooses their own location', async ({
  admin: page,
}) => {
  const email = `mia-${randomUUID()}@nordlager.example`
  const link = await invite(page, email)
  const tab = await page.context().newPage()
  await tab.goto(link)
  await tab.getByLabel('Your name').fill('Mia New')
  await tab.getByLabel('Choose a password').fill('a new horse')
  await tab.getByRole('button', { name: 'Join and sign in' }).click()
  await expect(tab.getByRole('heading', { name: 'Select your location' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Select your location' })).toBeVisible()
  await chooseLocation(tab, 'Secondary Warehouse')
  await expect(tab.getByRole('heading', { name: 'Welcome to Inventory Manager, Mia New' })).toBeVisible()
})

test('an invitation whose link no other device can open says so, and has no code to scan', async ({
  admin: page,
}) => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill(`pia-${randomUUID()}@nordlager.example`)
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await expect(page.getByLabel('Link for pia-')).toBeFocused()
  await expect(page.getByRole('dialog')).toContainText(
    'This link opens on this machine only. Open the program here by this machine’s address in your network and make the link there. Where it does not open, see “In your network” in docs/operating.md.',
  )
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeHidden()
})

test('a second link that is opened in the same tab is the one that is used', async ({
  admin: page,
  openElsewhere,
  program,
  company,
}) => {
  const [first, second] = [`nia-${randomUUID()}@nordlager.example`, `olga-${randomUUID()}@nordlager.example`]
  const links = [await invite(page, first), await invite(page, second)]
  const other = await openElsewhere()
  await other.goto(links[0] ?? '')
  await expect(other.getByText(first)).toBeVisible()
  await other.getByLabel('Your name').fill('Nia New')
  await other.getByLabel('Choose a password').fill('a new horse')
  await other.goto(links[1] ?? '')
  await expect(other.getByText(second)).toBeVisible()
  await expect(other.getByLabel('Your name')).toHaveValue('')
  await expect(other.getByLabel('Choose a password')).toHaveValue('')
  await other.getByLabel('Your name').fill('Olga New')
  await other.getByLabel('Choose a password').fill('a new horse')
  await other.getByRole('button', { name: 'Join and sign in' }).click()
  await chooseLocation(other, 'Primary Warehouse')
  await expect(other.getByRole('heading', { name: 'Welcome to Inventory Manager, Olga New' })).toBeVisible()

  const bea = { email: `bea-${company.email}`, name: 'Bea', password: 'a new horse' }
  await addColleague(program, company, bea)
  const passwordLinks: string[] = []
  for (const [name, email] of [
    ['Olga New', second],
    ['Bea', bea.email],
  ] as const) {
    await page.goto('/team')
    await page.getByRole('button', { name: `Manage ${name}` }).click()
    await page.getByRole('button', { name: 'Make a password link' }).click()
    passwordLinks.push(await page.getByLabel(`Link for ${email}`).inputValue())
  }
  const third = await openElsewhere()
  await third.goto(passwordLinks[0] ?? '')
  await expect(third.getByText(second)).toBeVisible()
  await third.goto(passwordLinks[1] ?? '')
  await expect(third.getByText(bea.email)).toBeVisible()
})

test('an invitation that is taken back by two presses is taken back once', async ({ admin: page }) => {
  const [first, second] = [`nia-${randomUUID()}@nordlager.example`, `olga-${randomUUID()}@nordlager.example`]
  for (const email of [first, second]) await invite(page, email)
  const letThrough = await hold(page, '/api/team/invitations/*')
  await page.getByRole('button', { name: `Withdraw the invitation of ${first}` }).dblclick({ force: true })
  letThrough()
  const open = page.getByRole('table', { name: 'Open invitations' })
  await expect(open.getByText(first)).toBeHidden()
  await expect(open.getByText(second)).toBeVisible()
  await page.waitForTimeout(700)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('an invitation that nobody accepted in time is listed, and made again without typing its address', async ({
  admin: page,
  program,
}) => {
  const email = `nia-${randomUUID()}@nordlager.example`
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Role').selectOption('Administrator')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await expect(page.getByLabel(`Link for ${email}`)).toBeVisible()
  await program.sql(`update one_time_links set expires_at = now() - interval '2 days' where email = $1`, [
    email,
  ])
  await page.goto('/team')
  const expired = page.getByRole('table', { name: 'Expired invitations' })
  await expect(expired).toContainText(email)
  await expect(expired).toContainText('Administrator')
  await expect(page.getByRole('table', { name: 'Open invitations' })).toBeHidden()
  expect(await barriersOf(page)).toEqual([])

  await page.getByRole('button', { name: `Invite ${email} again` }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Role')).toHaveValue('admin')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await expect(page.getByLabel(`Link for ${email}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(expired).toBeHidden()
  await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(email)
  await expect(page.getByRole('heading', { name: 'Team' })).toBeFocused()
})

test('the keyboard stays where an invitation was taken back and where a colleague was changed', async ({
  admin: page,
  program,
  company,
}) => {
  const bea = { email: `bea-${company.email}`, name: 'Bea', password: 'a new horse' }
  await addColleague(program, company, bea)
  for (const name of ['nia', 'olga']) await invite(page, `${name}-${randomUUID()}@nordlager.example`)
  const press = async (name: RegExp | string) => {
    const button = page.getByRole('button', { name })
    await expect(button).toBeEnabled()
    await button.focus()
    await page.keyboard.press('Enter')
  }
  await press(/Withdraw the invitation of nia/)
  await expect(page.getByRole('group', { name: 'Open invitations' })).toBeFocused()
  await press(/Withdraw the invitation of olga/)
  await expect(page.getByRole('heading', { name: 'Team' })).toBeFocused()

  await press('Manage Bea')
  await press('Make an administrator')
  await expect(page.getByText('Bea is an administrator now.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'What you can do' })).toBeFocused()
  await press('Sign out everywhere')
  await expect(page.getByText(/sessions? ended/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'What you can do' })).toBeFocused()
})

test('that an invitation could not be taken back nor a colleague be changed for want of a network is said at once, before the team is asked for again', async ({
  admin: page,
  program,
  company,
}) => {
  const bea = { email: `bea-${company.email}`, name: 'Bea', password: 'a new horse' }
  await addColleague(program, company, bea)
  await page.clock.install()
  await invite(page, `nia-${randomUUID()}@nordlager.example`)
  // The team would be asked for again by itself.
  await stopClock(page)
  for (const path of ['/api/team/invitations/*', '/api/team/users/*/role']) await cut(page, path)
  await stall(page, '/api/team')
  const askedAgain = page.waitForRequest('**/api/team')
  const takeBack = page.getByRole('button', { name: /Withdraw the invitation of nia/ })
  await takeBack.click()
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached.')
  await expect(takeBack).toBeEnabled()
  await askedAgain

  await page.getByRole('button', { name: 'Manage Bea' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bea' })
  const promote = dialog.getByRole('button', { name: 'Make an administrator' })
  await promote.click()
  await expect(dialog.getByRole('alert')).toHaveText('The server cannot be reached.')
  await expect(promote).toBeEnabled()
})

test('a role is changed once by a double click, not back again', async ({
  admin: page,
  program,
  company,
}) => {
  await addColleague(program, company, {
    email: `bea-${company.email}`,
    name: 'Bea',
    password: 'a new horse',
  })
  await page.goto('/team')
  await page.getByRole('button', { name: 'Manage Bea' }).click()
  // With what was said of it above, nothing moves any more when another thing is done.
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText(/sessions? ended/)).toBeVisible()
  const promote = page.getByRole('button', { name: 'Make an administrator' })
  await expect(promote).toBeEnabled()
  const box = await promote.boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 20, (box?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.up()
  // As long as a system waits at most for the second press, the answer is there already.
  await expect(page.getByText('Bea is an administrator now.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make a user' })).toBeEnabled()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await page.waitForTimeout(700)
  await expect(page.getByText('Bea is an administrator now.')).toBeVisible()
  await page.getByRole('button', { name: 'Make a user' }).click()
  await expect(page.getByText('Bea is a user now.')).toBeVisible()
})

test('what another administrator changes in the team is shown on a page that is open', async ({
  admin: page,
  program,
  company,
  openElsewhere,
}) => {
  const bea = { email: `bea-${company.email}`, name: 'Bea', password: 'a new horse', role: 'admin' }
  await addColleague(program, company, bea)
  await addColleague(program, company, { ...bea, email: `cid-${company.email}`, name: 'Cid' })
  await page.clock.install()
  await page.goto('/team')
  const cid = page.getByRole('row', { name: /Cid/ })
  await expect(cid).toContainText('Active')
  const other = await openElsewhere()
  await goOn(other, program, bea)
  await other.goto('/team')
  await invite(other, `nia-${randomUUID()}@nordlager.example`)
  await other.getByRole('button', { name: 'Manage Cid' }).click()
  await other.getByRole('button', { name: 'Deactivate' }).click()
  await asItIsAsked(page, 10_000, (soon) => expect(cid).toContainText('Deactivated', soon))

  // Whoever is deactivated or demoted leaves invitations behind that lead nowhere.
  await page.getByRole('button', { name: 'Manage Bea' }).click()
  await page.getByRole('button', { name: 'Make a user' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /nia-/ })).toContainText(
    'Not valid: Bea is no longer an administrator. Invite this address again.',
  )
})

test('an administrator signs a colleague out, deactivates them, and cannot be demoted as the last one', async ({
  admin: page,
  openElsewhere,
}) => {
  const link = await invite(page, `sam-${randomUUID()}@nordlager.example`)
  const other = await openElsewhere()
  await other.goto(link)
  await other.getByLabel('Your name').fill('Sam')
  await other.getByLabel('Choose a password').fill('a new horse')
  await other.getByRole('button', { name: 'Join and sign in' }).click()
  await expect(other.getByText('Select your location')).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: 'Manage Sam' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('1 session ended.')).toBeVisible()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('Sam can no longer sign in.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /Sam/ })).toContainText('Deactivated')

  await page.getByRole('button', { name: 'Manage Ada Admin' }).click()
  await page.getByRole('button', { name: 'Make a user' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'A company needs an active administrator. Make somebody else an administrator first.',
  )
})

test('whoever gives up being an administrator is a user at once, and asks for nothing that is refused', async ({
  admin: page,
  program,
  company,
}) => {
  const bea = { email: `bea-${company.email}`, name: 'Bea', password: 'a new horse', role: 'admin' }
  await addColleague(program, company, bea)
  await page.clock.install()
  await page.goto('/team')
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url())
  })
  // What is asked for every few seconds could cross the answer.
  await stopClock(page)
  await page.getByRole('button', { name: 'Manage Ada Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make a user' }).click()
  await expect(page).toHaveURL(/\/overview$/)
  await page.clock.runFor(15_000)
  await expect(page.getByText('User', { exact: true })).toBeVisible()
  expect(refused).toEqual([])
})

test('another tab of whoever gives up being an administrator loads anew what it shows', async ({
  admin: page,
  program,
  company,
}) => {
  const bea = { email: `bea-${company.email}`, name: 'Bea', password: 'a new horse', role: 'admin' }
  await addColleague(program, company, bea)
  const tab = await page.context().newPage()
  // What it hears of the server by itself is another matter.
  await cut(tab, '/api/events*')
  await tab.goto('/overview')
  await expect(tab.getByText('Administrator', { exact: true })).toBeVisible()
  await page.goto('/team')
  await page.getByRole('button', { name: 'Manage Ada Admin' }).click()
  const loaded = tab.waitForResponse('**/api/dashboard*')
  await page.getByRole('dialog').getByRole('button', { name: 'Make a user' }).click()
  await expect(tab.getByText('User', { exact: true })).toBeVisible()
  expect((await loaded).status()).toBe(200)
})

test('an address that is none is said where it stands, and what was made or changed is said whenever the list behind it arrives', async ({
  admin: page,
  company,
}) => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill('nia')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Please enter a valid email address/)

  await page.getByLabel('Email').fill(`nia-${randomUUID()}@nordlager.example`)
  await stall(page, '/api/team')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await expect(page.getByLabel('Link for nia-')).toBeVisible()

  await page.goto('/account')
  await expect(page.getByText('This device')).toBeVisible()
  await stall(page, '/api/account/sessions')
  await page.getByLabel('Current password').fill(company.password)
  await page.getByLabel('New password').fill('brand new')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is changed. There was no other session.')).toBeVisible()
})

test('the seats of the plan are shown, and there is no fourth on starter', async ({ page, program }) => {
  await signIn(page, await register(program, 'starter'))
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await invite(page, `one-${randomUUID()}@nordlager.example`)
  await invite(page, `two-${randomUUID()}@nordlager.example`)
  await expect(page.getByText('3 of 3 seats taken, 2 of them by open invitations.')).toBeVisible()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill('three@nordlager.example')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'The Starter plan has 3 users and all seats are taken, 2 of them by open invitations.',
  )
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'See the plans' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plan and Billing' })).toBeVisible()
})

test('without a mail server, a forgotten password leads to an administrator, and their link back in', async ({
  admin: page,
  openElsewhere,
  company,
}) => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Manage Ada Admin' }).click()
  await page.getByRole('button', { name: 'Make a password link' }).click()
  const link = await page.getByLabel(`Link for ${company.email}`).inputValue()

  const other = await openElsewhere()
  await other.goto(new URL('/login', link).href)
  await other.getByRole('link', { name: 'Forgot password?' }).click()
  await other.getByLabel('Email').fill(company.email)
  await other.getByRole('button', { name: 'Get a new password' }).click()
  await expect(other.getByRole('status')).toHaveText(
    'Ask an administrator of your company: under Team they can make a link by which you set a new password. If you are its only administrator, ask whoever runs this installation for one.',
  )
  await other.goto(link)
  await other.getByLabel('Choose a password').fill('brand new')
  await other.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(other.getByText('Select your location')).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
})

test('a session that has ended elsewhere meanwhile is gone when it is signed out', async ({
  admin: page,
  program,
  company,
}) => {
  const { token } = await beginSession(program, company)
  const listed = page.waitForResponse('**/api/account/sessions')
  await page.goto('/account')
  const [headers, body] = [(await listed).headers(), await (await listed).body()]
  const button = page.getByRole('button', { name: /^Sign out (?!all others)/ })
  await expect(button).toBeVisible()
  // The list, which loads again by itself, does not know of it until the button was pressed.
  let isPressed = false
  page.on('request', (request) => (isPressed ||= request.method() === 'DELETE'))
  await divert(page, '**/api/account/sessions', (route) =>
    isPressed ? route.continue() : route.fulfill({ headers, body }),
  )
  const ended = await fetch(`${program.url}/api/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(ended.status).toBe(200)
  const answered = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await button.click()
  expect((await answered).status()).toBe(404)
  await expect(button).toBeHidden()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('signing out other sessions, all or one, says how many and keeps the keyboard, whoever signs in elsewhere afterwards is shown, and a changed password whose answer was lost is said to be changed when it is tried again', async ({
  admin: page,
  program,
  company,
}) => {
  await beginSession(program, company)
  await beginSession(program, company)
  await page.clock.install()
  await page.goto('/account')
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('button', { name: /^Sign out .+, last used .+/ })).toHaveCount(2)
  const button = page.getByRole('button', { name: 'Sign out all others' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 other sessions ended.')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(button).toBeFocused()

  await beginSession(program, company)
  await asItIsAsked(page, 10_000, (soon) => expect(sessions.getByRole('listitem')).toHaveCount(2, soon))
  await page.getByRole('button', { name: /^Sign out [^a]/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Sign out [^a]/ })).toBeHidden()
  await expect(sessions).toBeFocused()

  const change = page.getByRole('button', { name: 'Change password' })
  await page.getByLabel('Current password').fill(company.password)
  await page.getByLabel('New password').fill('abc')
  await change.click()
  await expect(page.getByLabel('New password')).toBeFocused()

  await page.getByLabel('New password').fill('brand new')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await loseAnswer(page, '/api/auth/change-password')
  await change.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await change.click()
  await expect(page.getByText(/Your password is changed/)).toBeVisible()
})

test('a name that is changed in another tab is not offered to be changed back', async ({ admin: page }) => {
  await page.goto('/account')
  await expect(page.getByLabel('Your name')).toHaveValue('Ada Admin')
  const tab = await page.context().newPage()
  await tab.goto('/account')
  await tab.getByLabel('Your name').fill('Ada L.')
  await tab.getByRole('button', { name: 'Save name' }).click()
  await expect(tab.getByText('Your name is saved.')).toBeVisible()
  await expect(page.getByLabel('Your name')).toHaveValue('Ada L.')
  await expect(page.getByRole('button', { name: 'Save name' })).toBeDisabled()
})

test('the account: name, password and the other devices', async ({ admin: page, openElsewhere, company }) => {
  const other = await openElsewhere()
  await other.goto(new URL('/login', page.url()).href)
  await other.getByLabel('Email').fill(company.email)
  await other.getByLabel('Password').fill(company.password)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await chooseLocation(other, 'Primary Warehouse')

  await page.goto('/account')
  await expect(page.getByText('This device')).toBeVisible()
  await page.getByLabel('Your name').fill('Ada L.')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Your name is saved.')).toBeVisible()
  await page.getByLabel('Your name').fill('Ada')
  await expect(page.getByText('Your name is saved.')).toBeHidden()

  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill('brand new')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert')).toHaveText('The current password is wrong.')
  await page.getByLabel('Current password').fill(company.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is changed. One other session ended.')).toBeVisible()
  await other.reload()
  await expect(other).toHaveURL(/\/login$/)

  await page.goto('/overview')
  await expect(page.getByRole('heading', { name: 'Welcome to Inventory Manager, Ada L.' })).toBeVisible()
})

test('joining again after the answer was lost signs in, and the network is not taken for a dead link', async ({
  admin: page,
  openElsewhere,
}) => {
  const link = await invite(page, `lea-${randomUUID()}@nordlager.example`)
  const other = await openElsewhere()
  await cut(other, '/api/auth/link')
  await other.clock.install()
  await other.goto(link)
  const again = other.getByRole('button', { name: 'Try again' })
  await asTimePasses(other, 3_000, (soon) => expect(again).toBeVisible(soon))
  await expect(other.getByText('This link cannot be used')).toBeHidden()
  await other.unroute('**/api/auth/link')
  await again.click()

  await other.getByLabel('Your name').fill('Lea Lost')
  await other.getByLabel('Choose a password').fill('a new horse')
  await loseAnswer(other, '/api/auth/accept-invitation')
  const join = other.getByRole('button', { name: 'Join and sign in' })
  await join.click()
  await expect(other.getByRole('alert')).toBeVisible()
  await join.click()
  await expect(other.getByText('Select your location')).toBeVisible()
})

test('a new password by a link is set by the second try when the answer to the first was lost', async ({
  admin: page,
  openElsewhere,
  company,
}) => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Manage Ada Admin' }).click()
  await page.getByRole('button', { name: 'Make a password link' }).click()
  const link = await page.getByLabel(`Link for ${company.email}`).inputValue()
  const other = await openElsewhere()
  await other.goto(link)
  await other.getByLabel('Choose a password').fill('brand new')
  await loseAnswer(other, '/api/auth/reset-password')
  const save = other.getByRole('button', { name: 'Save and sign in' })
  await save.click()
  await expect(other.getByRole('alert')).toBeVisible()
  await save.click()
  await expect(other.getByText('Select your location')).toBeVisible()
})
