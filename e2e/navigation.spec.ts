import type { Locator, Page, Route } from '@playwright/test'
import {
  chooseLocation,
  divert,
  expect,
  goTo,
  hold,
  importRows,
  postFrom,
  register,
  signIn,
  stopClock,
  test,
} from './fixtures.ts'
import { scanLines } from './scanner.ts'

test('signed out, every path but registration leads to sign-in', async ({ page }) => {
  for (const path of ['/', '/overview', '/monthly-count', '/no/such/screen']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'Start your free trial' })).toBeVisible()
})

async function followsLinksOfBar(page: Page): Promise<void> {
  for (const { link, path, heading } of [
    { link: 'Analytics', path: /\/graphs$/, heading: 'Analytics' },
    {
      link: 'Generate Labels',
      path: /\/generate-labels$/,
      heading: 'Generate Barcode Labels for New Products',
    },
    { link: 'Print Labels', path: /\/print-settings$/, heading: 'Print Component Labels' },
    { link: 'Monthly Count', path: /\/monthly-count$/, heading: 'Admin View, Primary Warehouse' },
    { link: 'Weekly Count', path: /\/weekly-count$/, heading: 'Weekly Count' },
    { link: 'Audit Trail', path: /\/audit-trail$/, heading: 'Audit Trail' },
    { link: 'Overview', path: /\/overview$/, heading: 'Welcome to Inventory Manager, Ada Admin' },
  ]) {
    await goTo(page, link)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
}

const ofAdministrators = [
  'Discrepancies',
  'Accuracy',
  'Unknown Codes',
  'Live Count Room',
  'Import',
  'Exports',
  'Team',
  'Plan and Billing',
  'Company Settings',
  'API Access',
]

test('the bar names company and location and links to every screen, which is called as its link is, in the page and in the title of the window', async ({
  admin: page,
  company,
}) => {
  await goTo(page, 'Overview')
  await expect(page.getByRole('banner').getByText('Inventory Manager')).toBeVisible()
  await expect(page.getByRole('banner').getByText(company.name)).toBeVisible()
  await expect(page.getByRole('banner').getByText('Primary Warehouse')).toBeVisible()
  await followsLinksOfBar(page)

  const menu = page.getByRole('button', { name: 'Administration' })
  async function bears(name: string) {
    await goTo(page, name)
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await expect(page).toHaveTitle(`${name} | Inventory Manager`)
  }
  for (const name of ['Analytics', 'Weekly Count', 'Components', 'Audit Trail']) await bears(name)
  for (const name of ofAdministrators) {
    await menu.click()
    await bears(name)
  }
})

test('who counts reaches no screen of administrators', async ({ staff: page }) => {
  await goTo(page, 'Components')
  await expect(page.getByRole('link', { name: 'Export' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Change several' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New component' })).toHaveCount(0)
  await goTo(page, 'Audit Trail')
  await expect(page.getByText(/^Showing/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Verify the trail' })).toBeHidden()

  // Without a count nobody is offered a certificate.
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 3 }])
  const at = { location: 'PRIMARY', session: 's', timestamp: new Date().toISOString() }
  await postFrom(page, '/api/components/update-with-tracking', { barcode: 'A-1', quantity: 3, ...at })
  for (const path of ['/change-components', '/api-access', '/accuracy?certificate=PRIMARY']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/overview$/)
    await expect(page.getByText('1 of 1 counted at Primary Warehouse')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Count certificate' })).toBeHidden()
  }
})

test('the link to the components is marked where one is shown, several are changed, or transfers are listed', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 3 }])
  const marked = page
    .getByRole('navigation', { name: 'Screens' })
    .locator('[aria-current]:not([aria-current="false"])')
  for (const [path, heading] of [
    ['/components/A-1', 'A-1'],
    ['/change-components', 'Change Several Components'],
    ['/transfers', 'Transfers'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(marked).toHaveText(['Components'])
    await expect(marked).toHaveAttribute('aria-current', 'true')
  }
  await goTo(page, 'Components')
  await expect(marked).toHaveText(['Components'])
  await expect(marked).toHaveAttribute('aria-current', 'page')
})

test('the focus goes to the heading of a screen that was open before, back and forward move between screens, and a reload keeps the session, the location and the screen', async ({
  admin: page,
}) => {
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  await goTo(page, 'Overview')
  await goTo(page, 'Audit Trail')
  await expect(heading('Audit Trail')).toBeFocused()
  await expect(page).toHaveTitle('Audit Trail | Inventory Manager')
  await goTo(page, 'Overview')
  await expect(heading(/Welcome/)).toBeFocused()
  await goTo(page, 'Audit Trail')
  await expect(heading('Audit Trail')).toBeFocused()

  await goTo(page, 'Analytics')
  await goTo(page, 'Audit Trail')
  await page.goBack()
  await expect(heading('Analytics')).toBeVisible()
  await page.goForward()
  await expect(heading('Audit Trail')).toBeVisible()

  await page.reload()
  await expect(page).toHaveURL(/\/audit-trail$/)
  await expect(heading('Audit Trail')).toBeVisible()
})

test('the way back of the browser to a count, past pages that were loaded anew, leads to how far it is by now', async ({
  staff: page,
}) => {
  await importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'B-1', description: 'Nut', primary_quantity: 7 },
  ])
  // News would tell of the last seconds again.
  await page.addInitScript(() => {
    const ask = fetch
    window.fetch = (asked, options) =>
      new Request(asked, options).url.includes('/api/events')
        ? new Promise(() => undefined)
        : ask(asked, options)
  })
  await page.goto('/overview')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goto('/monthly-count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '5'])
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()

  await page.goBack()
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goForward()
  await expect(page.getByText('1 of 2 counted, 50% complete')).toBeVisible()
})

/** Holds back the program of a screen until it is let through. */
async function holdBack(page: Page, screen: string): Promise<() => void> {
  let letThrough: () => void = () => undefined
  const held = new Promise<void>((done) => {
    letThrough = done
  })
  await divert(page, `**/assets/${screen}-*.js`, async (route) => {
    await held
    await route.continue()
  })
  return letThrough
}

test('a screen that is slow to arrive is announced, then shown', async ({ admin: page }) => {
  await goTo(page, 'Overview')
  const letThrough = await holdBack(page, 'audit-screen')
  await goTo(page, 'Audit Trail')
  await expect(page.getByText('Loading...')).toBeVisible()
  letThrough()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Trail' })).toBeFocused()
})

test('a screen that arrives soon takes the place of the one before, with nothing between', async ({
  admin: page,
}) => {
  await goTo(page, 'Overview')
  // After a moment without the screen it would be announced.
  await stopClock(page)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const { textContent } = document.body
      if (textContent.includes('Loading...')) seen.push('Loading...')
    }).observe(document.body, { childList: true, subtree: true })
  })
  await goTo(page, 'Audit Trail')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Trail' })).toBeFocused()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'seen'))).toEqual([])
})

test('of two links pressed at once the later is followed', async ({ admin: page }) => {
  await goTo(page, 'Overview')
  const letThrough = await holdBack(page, 'audit-screen')
  await page.evaluate(() => {
    for (const path of ['/audit-trail', '/graphs'])
      document.querySelector<HTMLElement>(`nav a[href="${path}"]`)?.click()
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics' })).toBeVisible()
  letThrough()
  await page.waitForTimeout(400)
  await expect(page).toHaveURL(/\/graphs$/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: /Welcome/ })).toBeVisible()
})

test('a link that is still waited for is forgotten by going back', async ({ admin: page }) => {
  await goTo(page, 'Overview')
  await goTo(page, 'Analytics')
  const letThrough = await holdBack(page, 'audit-screen')
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('nav a[href="/audit-trail"]')?.click()
    history.back()
  })
  await expect(page.getByRole('heading', { level: 1, name: /Welcome/ })).toBeVisible()
  letThrough()
  await page.waitForTimeout(400)
  await expect(page).toHaveURL(/\/overview$/)
})

test('a screen that cannot be drawn says so, and a reload mends it', async ({ admin: page }) => {
  await goTo(page, 'Overview')
  // A tab of its own: what React says of the crash on the console belongs to it.
  const tab = await page.context().newPage()
  const contentType = 'text/javascript'
  const body = `export function GraphsScreen() { throw new Error('a fault of the program') }`
  await divert(tab, '**/assets/graphs-screen-*.js', (route) => route.fulfill({ contentType, body }))
  await tab.goto('/graphs')
  await expect(
    tab.getByRole('heading', { name: 'Something went wrong. Please try again later.' }),
  ).toBeVisible()
  await tab.getByRole('link', { name: 'Reload' }).click()
  await expect(tab.getByRole('heading', { name: /Welcome/ })).toBeVisible()
})

test('a screen that does not arrive says so in its frame, and comes when there is a network', async ({
  admin: page,
  context,
}) => {
  await goTo(page, 'Overview')
  await context.setOffline(true)
  await goTo(page, 'Analytics')
  const heading = page.getByRole('heading', { level: 1, name: 'This screen could not be loaded' })
  await expect(heading).toBeFocused()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(heading).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics' })).toBeFocused()
})

test('a screen that does not arrive is asked for again by hand, by its link, by itself, and by who comes back', async ({
  admin: page,
}) => {
  await goTo(page, 'Overview')
  const notLoaded = page.getByRole('button', { name: 'Reload the page' })
  const arrives = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  async function cutAndGoTo(screen: string, label: string) {
    await divert(page, `**/assets/${screen}-*.js`, (route) => route.abort())
    await goTo(page, label)
    await expect(notLoaded).toBeVisible()
  }
  const mend = (screen: string) => page.unroute(`**/assets/${screen}-*.js`)
  await stopClock(page)

  await cutAndGoTo('graphs-screen', 'Analytics')
  await mend('graphs-screen')
  await page.getByRole('button', { name: 'Try again' }).click()
  await arrives('Analytics')

  await cutAndGoTo('print-labels-screen', 'Print Labels')
  await mend('print-labels-screen')
  await goTo(page, 'Print Labels')
  await arrives('Print Component Labels')

  await cutAndGoTo('generate-labels-screen', 'Generate Labels')
  await mend('generate-labels-screen')
  await page.clock.runFor(5_000)
  await arrives('Generate Barcode Labels for New Products')

  await cutAndGoTo('audit-screen', 'Audit Trail')
  await page.goBack()
  await arrives('Generate Barcode Labels for New Products')
  await mend('audit-screen')
  await page.goForward()
  await arrives('Audit Trail')
})

async function pressUntilFocused(page: Page, key: string, target: Locator): Promise<void> {
  // What has gone meanwhile would be waited for until the test ends.
  const isFocused = () =>
    target.evaluate((element) => element === document.activeElement, undefined, { timeout: 10_000 })
  for (let presses = 0; presses < 40 && !(await isFocused()); presses += 1) await page.keyboard.press(key)
  await expect(target).toBeFocused()
}

test('every screen can be reached and left by the keyboard alone', async ({ page, program }) => {
  await signIn(page, await register(program))
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('link').first()).toBeFocused()

  const bar = page.getByRole('navigation', { name: 'Screens' })
  const follow = async (key: string, name: string) => {
    const link = bar.getByRole('link', { name, exact: true })
    const address = await link.getAttribute('href')
    await pressUntilFocused(page, key, link)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === address)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  }
  const ofEverybody = ['Analytics', 'Generate Labels', 'Print Labels', 'Monthly Count', 'Weekly Count']
  for (const name of [...ofEverybody, 'Components', 'Audit Trail', 'Overview'])
    await follow('Shift+Tab', name)
  for (const name of ofAdministrators) {
    await pressUntilFocused(page, 'Shift+Tab', bar.getByRole('button', { name: 'Administration' }))
    await page.keyboard.press('Enter')
    await follow('Tab', name)
  }
})

const partMissing =
  'This part could not be loaded. Check your connection. It is tried again as soon as there is one.'

test('a count that does not arrive says so, and so hears who scans; it goes on once it is there', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  const chunk = '**/assets/active-count-*.js'
  await divert(page, chunk, (route) => route.abort())
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await page.goto('/monthly-count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByText(partMissing)).toBeVisible()
  await scanLines(page, ['A-1', '3'])
  await expect(
    page.getByText('Not counted: the count could not be loaded. Try again, then scan it once it has loaded.'),
  ).toBeVisible()
  await page.unroute(chunk)
  await expect(page.getByLabel('Barcode')).toBeFocused({ timeout: 20_000 })
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
})

test('a running count on a slow network says while it loads that nothing is counted yet', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const letThrough = await hold(page, '/assets/active-count-*.js')
  await page.reload()
  await expect(page.getByText('Loading the count...')).toBeVisible()
  await scanLines(page, ['A-1', '3'])
  await expect(
    page.getByText('Not counted: the count is still loading. Scan it again once it has loaded.'),
  ).toBeVisible()
  letThrough()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
})

test('a count is started once what counts is there, and counts what is scanned at once', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  const letThrough = await hold(page, '/assets/active-count-*.js')
  await page.goto('/monthly-count')
  const start = page.getByRole('button', { name: 'Start Monthly Count' })
  await expect(page.getByText('components to count')).toBeVisible()
  await expect(start).toBeDisabled()
  letThrough()
  await start.click()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 1 counted, 100% complete')).toBeVisible()
})

test('a camera that does not arrive says so in its place, and the count around it goes on', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  const chunk = '**/assets/camera-panel-*.js'
  await divert(page, chunk, (route) => route.abort())
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  const button = page.getByRole('button', { name: 'Camera', exact: true })
  const camera = page.getByRole('region', { name: 'Camera' })
  // It would be asked for again by itself.
  await stopClock(page)
  await button.click()
  await expect(camera).toContainText(partMissing)
  await camera.getByRole('button', { name: 'Close camera' }).click()
  await expect(camera).toHaveCount(0)
  await button.click()
  await page.getByLabel('Barcode').focus()
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  await page.unroute(chunk)
  await camera.getByRole('button', { name: 'Try again' }).click()
  await expect(camera).not.toContainText(partMissing)
})

test('rows of a count that do not arrive say so in their place, and the count around them goes on', async ({
  staff: page,
}) => {
  await goTo(page, 'Overview')
  const chunk = '**/assets/whole-list-*.js'
  await divert(page, chunk, (route) => route.abort())
  await importRows(
    page,
    Array.from({ length: 17 }, (_, index) => ({ barcode: `A-${index}`, primary_quantity: 3 })),
  )
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Show All 17 Components' }).click()
  await expect(page.getByText(partMissing)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Monthly Count')
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 of 17 counted, 5% complete')).toBeVisible()
  await page.unroute(chunk)
  await expect(
    page.getByRole('list', { name: 'Components to count' }).getByRole('listitem').first(),
  ).toHaveAttribute('aria-setsize', '17', { timeout: 20_000 })
})

test('a chart that does not arrive says so in its place on the page of its component', async ({
  admin: page,
}) => {
  await goTo(page, 'Overview')
  const chunk = '**/assets/ledger-chart-*.js'
  await divert(page, chunk, (route) => route.abort())
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  // It would be asked for again by itself.
  await stopClock(page)
  await goTo(page, 'Components')
  await page.getByRole('link', { name: /A-1/ }).click()
  await expect(page.getByText(partMissing)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'A-1' })).toBeVisible()
  await page.unroute(chunk)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('.recharts-line').first()).toBeAttached()
})

test('where a link leads does not arrive at first, and its secret is not lost by a reload', async ({
  page,
}) => {
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1
  })
  // It arrives for the reload alone: it would be asked for again by itself.
  const handle = (route: Route) => (documents === 1 ? route.abort() : route.fallback())
  await divert(page, '**/assets/link-screen-*.js', handle)
  await page.goto('/invitation#not-a-secret')
  await expect(page.getByRole('heading', { level: 1, name: 'This screen could not be loaded' })).toBeVisible()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'This link cannot be used' })).toBeVisible()
  await expect(page).toHaveURL(/#not-a-secret$/)
})
