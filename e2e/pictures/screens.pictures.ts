import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { chooseLocation, expect, register, scanLines, signIn, test } from '../fixtures.ts'
import { fillCompany, rows } from './company.ts'

const folder = join(import.meta.dirname, '..', '..', 'test-results', 'screenshots')

const sizes = [
  { name: '360x640', width: 360, height: 640 },
  { name: '768x1024', width: 768, height: 1024 },
  { name: '1440x900', width: 1440, height: 900 },
]

type Shot = { name: string; path: string; prepare?: (page: Page) => Promise<void> }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click()

async function countSome(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Start|Resume) (Monthly Count|Admin View)$/ }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const [, , right, wrong] = rows.slice(-4)
  if (right === undefined || wrong === undefined) throw new Error('There are too few components.')
  await scanLines(page, [wrong.barcode, String(wrong.primary_quantity + 3)])
  await scanLines(page, ['GHOST-1', '2'])
  await scanLines(page, [right.barcode, String(right.primary_quantity)])
  await expect(page.getByText('All 3 scans stored')).toBeVisible()
}

const signedOut: Shot[] = [
  { name: 'login', path: '/login' },
  { name: 'login-error', path: '/login', prepare: press('Sign In') },
  { name: 'register', path: '/register' },
  { name: 'register-errors', path: '/register', prepare: press('Start Free Trial') },
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
  {
    name: 'print-labels',
    path: '/print-settings',
    async prepare(page) {
      await page.getByRole('checkbox', { name: 'Select SKU-1001' }).check()
      await page.getByRole('checkbox', { name: 'Select SKU-1002' }).check()
    },
  },
  { name: 'monthly-count-ready', path: '/monthly-count' },
  { name: 'monthly-count', path: '/monthly-count', prepare: countSome },
  {
    name: 'weekly-count',
    path: '/weekly-count',
    async prepare(page) {
      await page.getByLabel('Day').selectOption('Wednesday')
      await expect(page.getByRole('heading', { name: 'Ready to Count Wednesday' })).toBeVisible()
    },
  },
  { name: 'audit-trail', path: '/audit-trail' },
]

const administrators: Shot[] = [
  {
    name: 'high-volume',
    path: '/weekly-count',
    async prepare(page) {
      await page.getByRole('button', { name: 'Manage High Volume' }).click()
      await page.getByLabel('Counted on').selectOption('Wednesday')
      await expect(page.getByRole('button', { name: 'Remove' }).first()).toBeVisible()
    },
  },
]

type Scene = { page: Page; shots: Shot[]; who: string }

async function shoot({ page, shots, who }: Scene): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    for (const size of sizes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      for (const shot of shots) {
        await page.evaluate(() => sessionStorage.clear())
        await page.goto(shot.path)
        await page.waitForLoadState('networkidle')
        await shot.prepare?.(page)
        const file = `${shot.name}-${who}-${size.name}-${scheme}.png`
        await page.screenshot({ path: join(folder, file), fullPage: shot.name !== 'high-volume' })
      }
    }
  }
}

async function signedInPage(browser: Browser, person: { url: string; email: string; password: string }) {
  const page = await browser.newPage({ baseURL: person.url })
  await signIn(page, person)
  return page
}

test('every screen, in three sizes, light and dark', async ({ browser, program }) => {
  await mkdir(folder, { recursive: true })
  const company = await register(program)
  const visitor = await browser.newPage({ baseURL: program.url })
  await visitor.goto('/login')
  await shoot({ page: visitor, shots: signedOut, who: 'visitor' })

  const admin = await signedInPage(browser, { url: program.url, ...company })
  await expect(admin.getByText('Select your location')).toBeVisible()
  await shoot({ page: admin, shots: [{ name: 'locations', path: '/' }], who: 'admin' })
  await chooseLocation(admin, 'Primary Warehouse')
  await fillCompany(program, admin)
  await shoot({ page: admin, shots: [...everybody, ...administrators], who: 'admin' })

  const sam = { email: `sam-${company.email}`, name: 'Sam Staff', password: 'another horse' }
  await program.addUser({ companyOf: company.email, ...sam })
  const staff = await signedInPage(browser, { url: program.url, ...sam })
  await chooseLocation(staff, 'Primary Warehouse')
  await shoot({ page: staff, shots: everybody.slice(-4), who: 'staff' })
})
