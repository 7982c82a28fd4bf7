import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { chooseLocation, dayOf, expect, signIn, test } from '../fixtures.ts'
import { scanLines } from '../scanner.ts'

const folder = join(import.meta.dirname, '..', '..', 'test-results', 'screenshots')

const sizes = [
  { name: '360x640', width: 360, height: 640 },
  { name: '768x1024', width: 768, height: 1024 },
  { name: '1440x900', width: 1440, height: 900 },
]

/** The people of the demo company. */
const password = 'demo-warehouse'
const ada = { email: 'ada@demo.example', password }
const mia = { email: 'mia@demo.example', password }

type Shot = { name: string; path: string; prepare?: (page: Page) => Promise<void>; windowOnly?: true }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Components of the location with their stock, as an administrator's list has them. */
async function someStock(page: Page): Promise<{ barcode: string; quantity: number }[]> {
  return await page.evaluate(async () => {
    const bearer = localStorage.getItem('jwt_token')
    const reply = await fetch('/api/components?limit=40', { headers: { authorization: `Bearer ${bearer}` } })
    const { components }: { components: { barcode: string; primary_quantity: number }[] } = await reply.json()
    return components
      .map((item) => ({ barcode: item.barcode, quantity: item.primary_quantity }))
      .filter(({ quantity }) => quantity > 0)
  })
}

async function countSome(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Start|Resume) (Monthly Count|Admin View)$/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const [first, second] = await someStock(page)
  if (first === undefined || second === undefined) throw new Error('There are too few components.')
  await scanLines(page, [first.barcode, String(first.quantity + 3)])
  await scanLines(page, ['GHOST-1', '2'])
  await scanLines(page, [second.barcode, String(second.quantity)])
  await expect(page.getByText(second.barcode).first()).toBeVisible()
  await page.waitForTimeout(800)
}

const signedOut: Shot[] = [
  { name: 'login', path: '/login' },
  { name: 'login-error', path: '/login', prepare: press('Sign In') },
  { name: 'register', path: '/register' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'register-errors', path: '/register', prepare: press('Start Free Trial') },
  { name: 'link-used', path: '/invitation#nothing' },
]

const everybody: Shot[] = [
  { name: 'overview', path: '/overview' },
  { name: 'analytics-progress', path: '/graphs' },
  { name: 'analytics-top-skus', path: '/graphs', prepare: press('Top SKUs') },
  { name: 'analytics-heatmap', path: '/graphs', prepare: press('Location Heatmap') },
  { name: 'analytics-weekly-trends', path: '/graphs', prepare: press('Weekly Trends') },
  {
    name: 'generate-labels',
    path: '/generate-labels',
    prepare: (page) => page.getByLabel('Manual entry').fill('SKU-9001,Hex bolt M8,250\nSKU-9002,Washer,x'),
  },
  { name: 'print-labels', path: '/print-settings', prepare: (page) => page.getByRole('row').nth(2).click() },
  { name: 'monthly-count-ready', path: '/monthly-count' },
  { name: 'monthly-count', path: '/monthly-count', prepare: countSome },
  {
    name: 'weekly-count',
    path: '/weekly-count',
    async prepare(page) {
      await dayOf(page).selectOption('Wednesday')
      await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()
    },
  },
  { name: 'audit-trail', path: '/audit-trail' },
  { name: 'account', path: '/account' },
  {
    name: 'menu',
    path: '/overview',
    windowOnly: true,
    async prepare(page) {
      const menu = page.getByRole('button', { name: 'Open menu' })
      if (await menu.isVisible()) await menu.click()
    },
  },
]

/** Before any other screen has loaded its parts. */
const notLoaded: Shot = {
  name: 'not-loaded',
  path: '/overview',
  windowOnly: true,
  async prepare(page) {
    // As in a warehouse without a network: a part that was never loaded cannot be.
    await page.route('**/assets/graphs-*', (route) => route.abort('internetdisconnected'))
    await page.evaluate(() => {
      history.pushState(null, '', '/graphs')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible()
  },
}

const administrators: Shot[] = [
  {
    name: 'high-volume',
    path: '/weekly-count',
    windowOnly: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Manage High Volume' }).click()
      await page.getByLabel('Counted on').selectOption('Wednesday')
      await expect(page.getByRole('button', { name: 'Remove' }).first()).toBeVisible()
    },
  },
  { name: 'components', path: '/components' },
  {
    name: 'component',
    path: '/components',
    async prepare(page) {
      await page.locator('main a[href^="/components/"]').first().click()
      await expect(page.getByRole('heading', { name: 'Stock over time' })).toBeVisible()
      await expect(page.locator('.recharts-surface').first()).toBeVisible()
    },
  },
  { name: 'change-components', path: '/change-components' },
  { name: 'transfers', path: '/transfers' },
  {
    name: 'import',
    path: '/import',
    async prepare(page) {
      await page.locator('input[type=file]').setInputFiles({
        name: 'stock.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Barcode,Description,Primary\nSKU-9001,Hex bolt M8,250\nSKU-9002,Washer,many\n'),
      })
      await page.waitForTimeout(800)
    },
  },
  { name: 'exports', path: '/exports' },
  { name: 'accuracy', path: '/accuracy' },
  { name: 'discrepancies', path: '/discrepancies' },
  { name: 'unknown-codes', path: '/unknown-codes' },
  { name: 'count-room', path: '/count-room' },
  { name: 'team', path: '/team' },
  { name: 'invite', path: '/team', windowOnly: true, prepare: press('Invite') },
  { name: 'plan', path: '/plan' },
  { name: 'settings', path: '/settings' },
  { name: 'api-access', path: '/api-access' },
]

type Scene = { page: Page; shots: Shot[]; who: string }

async function shoot({ page, shots, who }: Scene): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of sizes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      for (const shot of shots) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.evaluate(() => sessionStorage.clear())
        await page.goto(shot.path)
        await page.waitForLoadState('load')
        await expect(page.locator('h1')).toBeVisible()
        await page.waitForTimeout(600)
        await shot.prepare?.(page)
        const file = `${shot.name}-${who}-${size.name}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, file), fullPage: shot.windowOnly !== true })
      }
    }
  }
}

async function signedInPage(browser: Browser, origin: string, person: { email: string; password: string }) {
  const page = await browser.newPage({ baseURL: origin })
  await signIn(page, person)
  await expect(page.getByText('Select your location')).toBeVisible()
  return page
}

test('every screen of the demo company, in three sizes, light and dark', async ({ browser, program }) => {
  await mkdir(folder, { recursive: true })
  await program.makeDemoCompany()
  const visitor = await browser.newPage({ baseURL: program.url })
  await visitor.goto('/login')
  await shoot({ page: visitor, shots: signedOut, who: 'visitor' })

  const admin = await signedInPage(browser, program.url, ada)
  await shoot({ page: admin, shots: [{ name: 'locations', path: '/' }], who: 'admin' })
  await chooseLocation(admin, 'Primary Warehouse')
  await shoot({ page: admin, shots: [notLoaded], who: 'admin' })
  await shoot({ page: admin, shots: [...everybody, ...administrators], who: 'admin' })

  const staff = await signedInPage(browser, program.url, mia)
  await chooseLocation(staff, 'Primary Warehouse')
  await shoot({ page: staff, shots: everybody.slice(-7, -1), who: 'staff' })
})
