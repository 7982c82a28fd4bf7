import type { Page } from '@playwright/test'
import {
  answerInstead,
  chooseLocation,
  divert,
  expect,
  goTo,
  hold,
  importRows,
  pressInBar,
  register,
  signIn,
  stall,
  test,
  type Company,
} from './fixtures.ts'
import { addColleague, beginSession, goOn, type Person } from './people.ts'
import type { Program } from './program.ts'
import { scanLines } from './scanner.ts'

/** Another company with somebody who counts there. */
async function registerOthers(program: Program): Promise<Person> {
  const company = await register(program)
  const person = { email: `kim-${company.email}`, name: 'Kim Counter', password: 'third horse' }
  await addColleague(program, company, person)
  return person
}

async function goToMonthlyCount(page: Page): Promise<void> {
  await chooseLocation(page, 'Primary Warehouse')
  await goTo(page, 'Monthly Count')
}

/** Signs in where a page asks for it, which then leads on to what was opened. */
async function signInHere(page: Page, { email, password }: Company): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

test('a deep link survives signing in, with what it asks for, and so does the page of a component, whatever signs its barcode has', async ({
  page,
  program,
}) => {
  const company = await register(program, 'starter')
  await page.goto('/audit-trail?sku=A-1')
  await expect(page).toHaveURL(/\/login$/)
  await signInHere(page, company)
  await expect(page.getByRole('radio', { name: /Primary Warehouse/ })).toBeChecked()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page).toHaveURL(/\/audit-trail\?sku=A-1$/)
  await expect(page.getByLabel('SKU')).toHaveValue('A-1')

  await importRows(page, [{ barcode: '100%ACETONE', description: 'Solvent' }])
  await page.goto(`/components/${encodeURIComponent('100%ACETONE')}`)
  await expect(page.getByRole('heading', { name: '100%ACETONE', level: 1 })).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await signInHere(page, company)
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  await expect(page.getByRole('heading', { name: '100%ACETONE', level: 1 })).toBeVisible()
})

test('signing out before a location is chosen ends the session on the server, too', async ({
  page,
  company,
}) => {
  await signIn(page, company)
  await expect(page.getByText('Select your location')).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
  const ended = page.waitForResponse('**/api/auth/logout')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await ended
  const refused = await page.request.get('/api/auth/user', { headers: { authorization: `Bearer ${token}` } })
  expect(refused.status()).toBe(401)
})

test('an error that names a SKU called TOKEN-RING ends no session, one of something between browser and server that speaks of a token does', async ({
  admin: page,
}) => {
  await page.goto('/import')
  const file = { name: 'rings.csv', mimeType: 'text/csv', buffer: Buffer.from('SKU,Qty\nTOKEN-RING,9\n') }
  await page.getByLabel('CSV or XLSX file').setInputFiles(file)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('rings.csv is imported: 1 new')).toBeVisible()
  await importRows(page, [{ barcode: 'TOKEN-RING', primary_quantity: 4 }])
  await page.goto('/import')
  await page.getByRole('button', { name: 'Undo rings.csv' }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('alert')).toContainText('the stock of TO…N-RING has moved since')
  await expect(page).toHaveURL(/\/import$/)

  const body = JSON.stringify({ error: 'The token has expired.' })
  await answerInstead(page, '/api/team', { status: 403, body })
  await page.goto('/team')
  await expect(page).toHaveURL(/\/login$/)
})

test('when somebody else signs in in another tab, nothing loaded for the first is shown', async ({
  admin: page,
  program,
  context,
}) => {
  const kim = await registerOthers(program)
  await importRows(page, [{ barcode: 'OURS-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Components')
  await expect(page.getByText('OURS-1')).toBeVisible()
  // What is shown from here on was loaded before.
  await stall(page, '/api/components/search**')
  const other = await context.newPage()
  await goOn(other, program, kim)
  await expect(other.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await expect(page.getByText('Loading components...')).toBeVisible()
  await expect(page.getByText('OURS-1')).toBeHidden()
})

test('the next person in a tab begins anew, and who counted there finds the own count again', async ({
  page,
  program,
  sam,
}) => {
  const kim = await registerOthers(program)
  await goOn(page, program, sam)
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
    { barcode: 'A-3', description: 'Washer', primary_quantity: 5 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3', 'A-2', '9', 'A-3'])
  await expect(page.getByText('All 2 scans stored, 1 to count again')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('A-3')
  await pressInBar(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)

  await signIn(page, kim)
  await goToMonthlyCount(page)
  await expect(page.getByRole('heading', { name: 'Ready to Count' })).toBeVisible()
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByText('No scans yet')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('')
  await expect(page.getByRole('list', { name: 'Scans to count again' })).toHaveCount(0)
  await pressInBar(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)

  await signIn(page, sam)
  await goToMonthlyCount(page)
  await expect(page.getByText('All 2 scans stored, 1 to count again')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Recent scans' }).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByLabel('Barcode')).toHaveValue('A-3')
  await page.getByLabel('Quantity').fill('5')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('✓ Washer - Quantity matches!')).toBeVisible()
})

test('the cycle counts of two companies have nothing of each other in a tab', async ({
  admin: page,
  program,
}) => {
  const rows = [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
  ]
  const others = await register(program)
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '9', 'A-2'])
  await expect(page.getByRole('list', { name: 'Recent scans' })).toContainText('A-1')
  await pressInBar(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)

  await signIn(page, others)
  await goToMonthlyCount(page)
  await importRows(page, rows)
  await page.reload()
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByText('No scans yet')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('')
  await expect(page.getByRole('list', { name: 'Recent scans' })).toHaveCount(0)
})

test('who opens an address of no screen is told so on the overview, once, also after signing in', async ({
  page,
  company,
}) => {
  const notice = page.getByText('There is no screen at the address you opened. This is the overview.')
  const isWelcomed = () => expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goto('/no/such/screen')
  await expect(page).toHaveURL(/\/login$/)
  await signInHere(page, company)
  await chooseLocation(page, 'Primary Warehouse')
  await isWelcomed()
  await expect(page).toHaveURL(/\/overview$/)
  await expect(notice).toBeVisible()
  await page.reload()
  await isWelcomed()
  await expect(notice).toHaveCount(0)

  await page.goto('/components/A/1')
  await isWelcomed()
  await expect(notice).toBeVisible()
  await page.goto('/')
  await isWelcomed()
  await expect(notice).toHaveCount(0)
})

/** Gives what is stored of who is signed in the names that an older version had for it. */
const ageSession = (page: Page) =>
  page.evaluate(() => {
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

async function asksWhoseSessionItIs(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('user_data'))
  const letThrough = await hold(page, '/api/auth/user')
  await page.goto(path)
  await expect(page.getByText('Loading user information...')).toBeVisible()
  letThrough()
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await page.unroute('**/api/auth/user')
}

test('whatever an older version, somebody else or rubbish left in the stored session is put right, asked for or signed out at the start', async ({
  staff: page,
}) => {
  const welcome = page.getByRole('heading', { name: 'Welcome to Inventory Manager, Sam Staff' })
  await ageSession(page)
  await goTo(page, 'Overview')
  await expect(welcome).toBeVisible()

  await asksWhoseSessionItIs(page, '/audit-trail', 'Audit Trail')
  await asksWhoseSessionItIs(page, '/generate-labels', 'Generate Barcode Labels for New Products')
  await asksWhoseSessionItIs(page, '/monthly-count', 'Monthly Count')

  await page.evaluate(() => {
    const kept: unknown = JSON.parse(localStorage.getItem('user_data') ?? '')
    const other = { ...Object(kept), id: '01900000-0000-7000-8000-000000000001', name: 'Olga Other' }
    localStorage.setItem('user_data', JSON.stringify(other))
  })
  await page.goto('/overview')
  await expect(welcome).toBeVisible()

  await page.evaluate(() => localStorage.setItem('selectedLocation', 'THE_MOON'))
  await page.reload()
  await expect(page.getByText('Select your location')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('selectedLocation'))).toBeNull()

  await page.evaluate(() => localStorage.setItem('user_data', '{"half'))
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await page.evaluate(() => localStorage.setItem('jwt_token', 'not.a.token'))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
})

test('who signs in while a tab still asks whose session it has is not taken for the one before', async ({
  admin: page,
  program,
  context,
}) => {
  const kim = await registerOthers(program)
  await page.evaluate(() => localStorage.removeItem('user_data'))
  const letThrough = await hold(page, '/api/auth/user')
  await page.goto('/overview')
  await expect(page.getByText('Loading user information...')).toBeVisible()
  const other = await context.newPage()
  await goOn(other, program, kim)
  const answer = page.waitForResponse('**/api/auth/user')
  letThrough()
  await (await answer).finished()
  const welcome = 'Welcome to Inventory Manager, Kim Counter'
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { name: welcome })).toBeVisible()
})

test('an answer from before a name was changed does not bring the old name back', async ({ staff: page }) => {
  let asked = 0
  let letThrough = (): void => undefined
  const opened = new Promise<void>((resolve) => (letThrough = resolve))
  // Where nothing asks of itself.
  await page.goto('/health/live')
  await divert(page, '**/api/auth/user', async (route) => {
    asked += 1
    const response = await route.fetch()
    if (asked === 1) await opened
    await route.fulfill({ response })
  })
  await page.goto('/account')
  // Once the page is there and has heard nothing for two seconds.
  await expect.poll(() => asked, { timeout: 30_000 }).toBe(1)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Your name is saved.')).toBeVisible()
  letThrough()
  await expect.poll(() => asked).toBe(2)
  await expect(page.getByLabel('Your name')).toHaveValue('Ada Lovelace')
  await page.goto('/overview')
  await expect(
    page.getByRole('heading', { name: 'Welcome to Inventory Manager, Ada Lovelace' }),
  ).toBeVisible()
})

test('a device whose clock is 16 hours ahead stays signed in until its session is over, which is said, and waits for no server that cannot say', async ({
  page,
  company,
  context,
}) => {
  await page.clock.setFixedTime(new Date(Date.now() + 16 * 3_600_000))
  const other = await context.newPage()
  await other.goto('/login')
  await expect(other.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await signIn(page, company)
  await chooseLocation(page, 'Primary Warehouse')
  await page.reload()
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await goTo(page, 'Analytics')
  await expect(page.getByText('Status: Connected')).toBeVisible()

  // An open page of the session would hear of its end.
  await other.close()
  await page.goto('/health/live')
  await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('jwt_token')}` }
    await fetch('/api/auth/logout', { method: 'POST', headers })
  })
  await page.goto('/overview')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('alert')).toHaveText('Authentication required. Please log in again.')

  await signIn(page, company)
  await chooseLocation(page, 'Primary Warehouse')
  await answerInstead(page, '/api/auth/user', { status: 503, body: '<h1>Service unavailable</h1>' })
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
})

test('a page that is come back to as it was, or that was asleep, is of whoever is signed in now', async ({
  admin: page,
  program,
}) => {
  await goTo(page, 'Overview')
  const { token, user } = await beginSession(program, await registerOthers(program))
  await page.evaluate(
    ({ token, user }) => {
      localStorage.setItem('jwt_token', token)
      localStorage.setItem('user_data', user)
    },
    { token, user: JSON.stringify(user) },
  )
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByRole('heading', { name: 'Welcome to Inventory Manager, Kim Counter' })).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page).toHaveURL(/\/login$/)
})

test('a browser that may keep nothing for this site is told so, and what helps', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
  })
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText('Allow cookies and data of this site')
})

test('a program of which only the beginning arrives says so', async ({ page }) => {
  await page.route('**/assets/frame-*.js', (route) => route.abort('connectionreset'))
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText(
    'Inventory Manager could not be loaded. Check your connection, then load the page again.',
  )
})

test('a program that fails at its beginning says so, and why to who looks for it', async ({
  browser,
  program,
}) => {
  const page = await browser.newPage({ baseURL: program.url })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.route('**/assets/frame-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new TypeError("nothing is no function")' }),
  )
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText('Something went wrong. Please try again later.')
  expect(errors).toEqual(['nothing is no function'])
  await page.close()
})

test('restoring and closing a session stand in the audit trail', async ({ staff: page, context }) => {
  const health = page.waitForRequest('**/health')
  await goTo(page, 'Overview')
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

test('a page that is closed as soon as it is there leaves its session in the audit trail as well', async ({
  staff: page,
  context,
}) => {
  await goTo(page, 'Overview')
  await page.close({ runBeforeUnload: true })
  const other = await context.newPage()
  await other.goto('/audit-trail')
  await other.getByLabel('Action Type').selectOption('Authentication')
  const rows = other.getByRole('row')
  await expect(async () => {
    await other.getByRole('button', { name: 'Refresh' }).click()
    // That of this page, too.
    await expect(rows.filter({ hasText: 'AUTH_SESSION_RESTORED' })).toHaveCount(2, { timeout: 1_000 })
    await expect(rows.filter({ hasText: 'AUTH_SESSION_ENDED' })).toHaveCount(1, { timeout: 1_000 })
  }).toPass()
})

test('a session that ends because its token was removed in another tab stands in the audit trail', async ({
  staff: page,
  context,
  program,
  company,
}) => {
  await goTo(page, 'Overview')
  const other = await context.newPage()
  await other.goto(`${program.url}/login`)
  const told = page.waitForResponse((response) => response.url().endsWith('/api/audit/log'))
  await other.evaluate(() => localStorage.removeItem('jwt_token'))
  await expect(page).toHaveURL(/\/login$/)
  expect((await told).status()).toBe(201)
  await goOn(other, program, company)
  await other.goto('/audit-trail')
  const entry = other.getByRole('row').filter({ hasText: 'AUTH_SESSION_EXPIRED' })
  await expect(entry).toContainText('reason: token removed')
  await expect(entry).toContainText('Sam Staff')
})

test('a page that something answers with in place of the news is asked for ever more seldom', async ({
  admin: page,
}) => {
  let asked = 0
  await page.context().route('**/api/events**', async (route) => {
    asked += 1
    await route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to our guest network</h1>' })
  })
  await page.clock.install()
  await goTo(page, 'Overview')
  await expect.poll(() => asked).toBeGreaterThan(0)
  // Eight seconds, in steps that leave each answer the time to come.
  for (let step = 0; step < 16; step += 1) {
    await page.clock.fastForward(500)
    await page.waitForTimeout(100)
  }
  expect(asked).toBeLessThan(8)
})

test('no service worker is left registered', async ({ page, program }) => {
  await page.goto(program.url)
  await page.waitForLoadState('networkidle')
  const registered = await page.evaluate(
    async () => (await navigator.serviceWorker.getRegistrations()).length,
  )
  expect(registered).toBe(0)
})
