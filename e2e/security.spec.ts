import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { chooseLocation, expect, signIn, test } from './fixtures.ts'

/** Texts that would call `xss` in a page that takes text for markup, script, address or style. */
const payloads = [
  '<img src onerror=xss()>',
  '<script>xss()</script>',
  '"><script>xss()</script>',
  "'><img src onerror=xss()>",
  '</title><script>xss()</script>',
  '</textarea><img src onerror=xss()>',
  '</style><script>xss()</script>',
  '--><img src onerror=xss()>',
  '<svg onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><animate onbegin=xss() attributeName=x>',
  '<body onload=xss()>',
  '<iframe srcdoc="<script>xss()</script>">',
  '<iframe src="javascript:parent.xss()">',
  '<a href="javascript:xss()">x</a>',
  'javascript:xss()',
  'data:text/html,<script>xss()</script>',
  '<input autofocus onfocus=xss()>',
  '<details open ontoggle=xss()>',
  '<video><source onerror=xss()></video>',
  '<math><mtext><img src onerror=xss()></mtext>',
  '" onmouseover="xss()" x="',
  '`${xss()}`',
  '{{constructor.constructor("xss()")()}}',
  '${xss()}',
  '<object data="javascript:xss()">',
  '<embed src="javascript:xss()">',
  '<form action="javascript:xss()"><button>',
  '<meta http-equiv=refresh content=0;javascript:xss()>',
  '<noscript><p title="</noscript><img src onerror=xss()>">',
]

/** A SKU has at most 48 characters. */
const barcodes = payloads.map((payload) => payload.slice(0, 48).trim())

const screens = [
  '/overview',
  '/graphs',
  '/generate-labels',
  '/print-settings',
  '/monthly-count',
  '/weekly-count',
  '/audit-trail',
  '/discrepancies',
  '/unknown-codes',
  '/count-room',
  '/team',
  '/plan',
  '/settings',
  '/account',
]

type Ask = (path: string, body: unknown, status?: number) => Promise<unknown>

/** Calls the API as the person signed in on the page; every call must succeed, but with the status named. */
async function askerOf(page: Page, url: string): Promise<Ask> {
  const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
  return async (path, body, status) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    })
    const reply: unknown = await response.json()
    const taken = status === undefined ? response.ok : response.status === status
    if (!taken) throw new Error(`${path} answered ${response.status} ${JSON.stringify(reply)}`)
    return reply
  }
}

const scanOf = (barcode: string, payload: string) => ({
  barcode,
  quantity: 1,
  location: 'PRIMARY',
  source: 'monthly',
  session: payload,
  timestamp: new Date().toISOString(),
})

/** Puts every payload into every field that takes text. */
async function plant(ask: Ask) {
  const rows = payloads.map((payload, index) => ({
    barcode: barcodes[index],
    description: payload,
    primary_quantity: 5,
    high_volume_config: { Monday: ['PRIMARY'] },
  }))
  await ask('/api/components/import', rows)
  for (const [index, payload] of payloads.entries()) {
    const sku = barcodes[index] ?? ''
    await ask('/api/components/update-with-tracking', scanOf(sku, payload))
    await ask('/api/components/update-with-tracking', scanOf(sku, `${payload} again`))
    await ask('/api/components/update-with-tracking', scanOf(`?${sku}`.slice(0, 48), payload), 404)
    await ask('/api/count-history', {
      sku,
      quantity: 5,
      location: 'PRIMARY',
      source: payload,
      count_session: payload,
    })
    await ask('/api/audit/log', {
      sku,
      source: payload,
      location: payload,
      user_type: payload,
      user_name: payload,
      metadata: { type: payload, [payload]: payload },
    })
    await ask('/api/cycle-counts', {
      id: payload,
      location: 'PRIMARY',
      user_type: 'admin',
      progress: { [sku]: payload },
    })
  }
}

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

test.describe('texts that are scripts', () => {
  test('run on no screen, whatever field they stand in', async ({ admin: page, company, program }) => {
    test.setTimeout(240_000)
    const ask = await askerOf(page, program.url)
    await plant(ask)
    await ask('/api/company/settings', {
      name: payloads[0],
      scanner_prefix: '"><svg/',
      scanner_suffix: '</a>',
    })
    await ask('/api/account/name', { name: payloads[0] })
    // Names are read when somebody signs in.
    await page.evaluate(() => localStorage.clear())
    await signIn(page, company)
    await chooseLocation(page, 'Primary Warehouse')
    await expect(page.getByRole('banner')).toContainText('<img src onerror=xss()>')
    const executions = await watch(page)
    for (const path of screens) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await settled(page)
    }
    await page.goto('/print-settings')
    await expect(page.getByText('--><img src onerror=xss()>', { exact: true }).first()).toBeVisible()
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
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
  })
  expect(Object.keys(reply?.headers() ?? {})).not.toContain('x-powered-by')
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
