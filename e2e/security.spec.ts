import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { chooseLocation, expect, signIn, test } from './fixtures.ts'
import { barcodes, hostileEmail, hostileFile, payloads, plant } from './hostile-texts.ts'

/** Waits until a screen shows all it has to show. */
async function settled(page: Page): Promise<void> {
  let before = ''
  await expect(async () => {
    const now = await page.locator('body').innerText()
    const same = now === before
    before = now
    expect(same).toBe(true)
  }).toPass({ intervals: [250] })
}

/** Counts what the payloads would do: call `xss`, or open a dialog. */
async function watch(page: Page): Promise<() => Promise<number>> {
  const dialogs: Promise<void>[] = []
  let calls = 0
  page.on('dialog', (dialog) => dialogs.push(dialog.dismiss()))
  await page.exposeFunction('xss', () => {
    calls += 1
  })
  return async () => {
    // A call from the page itself arrives: the detector works.
    await page.evaluate('xss()')
    await Promise.all(dialogs)
    return calls - 1 + dialogs.length
  }
}

/** Every screen behind sign-in, and one component's. */
const screens = [
  '/overview',
  '/graphs',
  '/generate-labels',
  '/print-settings',
  '/monthly-count',
  '/weekly-count',
  '/audit-trail',
  '/discrepancies',
  '/accuracy',
  '/unknown-codes',
  '/count-room',
  '/team',
  '/plan',
  '/settings',
  '/account',
  '/components',
  `/components/${encodeURIComponent(barcodes[0] ?? '')}`,
  '/change-components',
  '/transfers',
  '/import',
  '/exports',
  '/api-access',
]

/** Registers a company whose every name is a script, signs in on the page and gives the session. */
async function openHostileCompany(page: Page, url: string) {
  const person = { email: hostileEmail, password: 'correct horse' }
  const registered = await fetch(`${url}/api/auth/register-tenant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      companyName: payloads[0],
      contactEmail: person.email,
      contactName: payloads[0],
      adminPasscode: person.password,
      plan: 'professional',
      timeZone: 'Europe/Berlin',
    }),
  })
  expect(registered.status).toBe(201)
  await signIn(page, person)
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('banner')).toContainText('<img src onerror=xss()>')
  const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
  return { ...person, token: token ?? '' }
}

test.describe('texts that are scripts', () => {
  test('run on no screen, whatever field they stand in', async ({ page, program }) => {
    test.setTimeout(240_000)
    await plant(program.url, await openHostileCompany(page, program.url))
    const executions = await watch(page)
    for (const path of screens) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await settled(page)
    }
    await page.goto('/print-settings')
    await expect(page.getByText('--><img src onerror=xss()>', { exact: true }).first()).toBeVisible()

    await page.goto('/import')
    await page.getByLabel('CSV or XLSX file').setInputFiles(hostileFile)
    await expect(page.getByLabel('SKU')).toHaveValue('barcode')
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page
      .getByRole('button', { name: /^(New|Changed|Unchanged): \d/ })
      .first()
      .click()
    await settled(page)
    expect(await executions()).toBe(0)
  })
})

test('the page itself comes with every protecting header', async ({ page }) => {
  const reply = await page.goto('/login')
  expect(reply?.headers()).toMatchObject({
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
  })
  // The last is for TLS alone, which this connection has not.
  for (const absent of ['x-powered-by', 'strict-transport-security'])
    expect(Object.keys(reply?.headers() ?? {})).not.toContain(absent)
})

test('markup that a mistake would write into the page is refused, and the refusal is seen', async ({
  browser,
  program,
}) => {
  const page = await browser.newPage()
  await page.goto(`${program.url}/login`)
  const outcome = await page.evaluate(async () => {
    const seen: string[] = []
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective))
    const tries = [
      () => (document.body.innerHTML = '<b>x</b>'),
      () => document.body.setAttribute('onclick', 'x()'),
      () => document.head.append(Object.assign(document.createElement('script'), { text: 'x()' })),
      () => document.createRange().createContextualFragment('<b>x</b>'),
    ]
    const refused = tries.filter((attempt) => {
      try {
        attempt()
        return false
      } catch {
        return true
      }
    }).length
    await new Promise((resolve) => setTimeout(resolve, 100))
    return { refused, seen: [...new Set(seen)].toSorted() }
  })
  expect(outcome).toEqual({ refused: 4, seen: ['require-trusted-types-for'] })
  await page.close()
})

test('the files of the browser name no secret and no way to the database', async () => {
  const folder = join(import.meta.dirname, '../web/dist')
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(js|css|html|json|map)$/.test(name),
  )
  const telling =
    /postgres(ql)?:\/\/|JWT_SECRET|DATABASE_URL|SMTP_URL|STRIPE_SECRET_KEY|[sr]k_(live|test)_|whsec_|PRIVATE KEY/
  const found: string[] = []
  for (const name of files) {
    if (telling.test(await readFile(join(folder, name), 'utf8'))) found.push(name)
  }
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(10)
})
