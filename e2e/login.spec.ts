import { answerInstead, cut, expect, goTo, hold, shortenPatience, stall, test } from './fixtures.ts'

test.describe('the sign-in screen', () => {
  test('asks for what is missing or malformed, and says what the product is and does', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/login$/)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Please enter both email and password.')
    await page.getByLabel('Email').fill('nobody')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Please enter a valid email address.')

    await expect(page).toHaveTitle('Inventory Manager')
    await expect(page.getByText('Professional Inventory Management')).toBeVisible()
    for (const feature of [
      'Real-time inventory tracking',
      'Barcode generation and printing',
      'Multi-location support',
      'Advanced analytics and reporting',
    ]) {
      await expect(page.getByText(feature)).toBeVisible()
    }
    await page.getByRole('link', { name: "Don't have an account? Sign up" }).click()
    await expect(page).toHaveURL(/\/register$/)
    await expect(page.getByRole('heading', { name: 'Start your free trial' })).toBeFocused()
    await expect(page).toHaveTitle('Start your free trial | Inventory Manager')
  })

  test('keeps what it said of a wrong password until the next answer, and does not move', async ({
    page,
    company,
  }) => {
    await page.goto('/login')
    await page.getByLabel('Email').fill(company.email)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    const before = await page.getByLabel('Password').boundingBox()
    const letThrough = await hold(page, '/api/auth/login')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password. Please try again.')
    expect(await page.getByLabel('Password').boundingBox()).toEqual(before)
    letThrough()
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  })

  test('goes from e-mail to password and signs in by Enter alone, also when the password is there already', async ({
    page,
    company,
  }) => {
    await page.goto('/login')
    await page.getByLabel('Email').focus()
    await page.keyboard.type(company.email)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Password')).toBeFocused()
    await page.keyboard.type(company.password)
    await page.getByLabel('Email').press('Enter')
    await expect(page.getByLabel('Password')).toBeFocused()
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Select your location')).toBeVisible()
    const stored = await page.evaluate(() => Object.entries(localStorage))
    expect(stored.map(([key]) => key).toSorted()).toEqual(['jwt_token', 'user_data'])
    expect(JSON.parse(new Map(stored).get('user_data') ?? '')).toMatchObject({
      role: 'admin',
      email: company.email,
    })
  })
})

test.describe('when signing in does not get through', () => {
  test.beforeEach(async ({ page, company }) => {
    await page.goto('/login')
    await page.getByLabel('Email').fill(company.email)
    await page.getByLabel('Password').fill(company.password)
  })

  test('a proxy, a page of somebody else, any other refusal, a cut network and a silent network are each said, and blame no credentials', async ({
    page,
    company,
    context,
  }) => {
    const signIn = () => page.getByRole('button', { name: 'Sign In' }).click()
    const alert = page.getByRole('alert')
    for (const status of [502, 503, 504]) {
      await answerInstead(page, '/api/auth/login', { status, body: '<h1>Bad gateway</h1>' })
      const answered = page.waitForResponse((response) => response.status() === status)
      await signIn()
      await answered
      await expect(alert).toHaveText('Server error. Please try again in a few minutes.')
    }
    await answerInstead(page, '/api/auth/login', { status: 200, body: '<h1>Hotel Wi-Fi</h1>' })
    await signIn()
    await expect(alert).toHaveText('Login failed. Please check your credentials.')

    await page.unroute('**/api/auth/login')
    await page.getByLabel('Password').fill('x'.repeat(201))
    await signIn()
    await expect(alert).toHaveText('Login failed. Please check your credentials and try again.')

    await page.getByLabel('Password').fill(company.password)
    await context.setOffline(true)
    await signIn()
    await expect(alert).toHaveText('Cannot connect to server. Please check your internet connection.')

    await context.setOffline(false)
    await stall(page, '/api/auth/login')
    const patience = await shortenPatience(page)
    await signIn()
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled()
    await expect(alert).toHaveText('Request timeout. Please check your connection and try again.')
    expect(await patience()).toContain(10_000)

    await page.evaluate(() => Object.assign(AbortSignal, { timeout: undefined }))
    await signIn()
    await expect(alert).toHaveText('This browser failed. Reload the page, or use a newer browser.')
  })
})

test('a session the server has ended leads to sign-in, which says why', async ({
  admin: page,
  program,
  company,
}) => {
  // An open page may hear of it before it is loaded again.
  await page.goto('/health/live')
  await program.sql(
    `update sessions set ended_at = now() from users
     where users.tenant_id = sessions.tenant_id and users.id = sessions.user_id and users.email = $1`,
    [company.email],
  )
  await page.goto('/overview')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('alert')).toHaveText('Authentication required. Please log in again.')
})

test('signing out clears what the browser has stored', async ({ admin: page }) => {
  await goTo(page, 'Overview')
  const menu = page.getByRole('button', { name: 'Open menu' })
  if (await menu.isVisible()) await menu.click()
  await cut(page, '/api/auth/logout')
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/login$/)
  const keys = ['jwt_token', 'user_data', 'selectedLocation']
  const left = await page.evaluate((names) => names.map((name) => localStorage.getItem(name)), keys)
  expect(left).toEqual([null, null, null])
})
