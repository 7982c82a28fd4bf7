import type { Page } from '@playwright/test'
import { chooseLocation, dayOf, expect, importRows, postFrom, signIn, test } from './fixtures.ts'

const long = (letter: string, length: number) => letter.repeat(length)
const password = 'correct horse'
const sku = long('S', 48)

/** A handheld, a desk at 200 %, and the least that has the links in a bar. */
const sizes = [
  [360, 640],
  [720, 450],
  [900, 600],
] as const

const company = long('C', 60)
const person = long('N', 60)

/** Each screen, and what on it has a name without a space. */
const screens = {
  first: [
    ['/overview', sku],
    ['/graphs', company],
    ['/generate-labels', company],
    ['/print-settings', sku],
    ['/monthly-count', sku],
    ['/weekly-count', sku],
    ['/components', sku],
  ],
  second: [
    [`/components/${sku}`, long('T', 100)],
    [`/components/${long('X', 48)}`, long('X', 48)],
    ['/change-components', company],
    ['/transfers', long('T', 100)],
    [`/audit-trail?sku=${sku}`, sku],
    ['/discrepancies', sku],
    ['/accuracy', sku],
    ['/unknown-codes', long('U', 48)],
  ],
  last: [
    ['/count-room', sku],
    ['/import', long('F', 100)],
    ['/exports', company],
    ['/team', person],
    ['/plan', company],
    ['/settings', company],
    ['/api-access', long('K', 100)],
    ['/account', company],
  ],
} as const

/** A component, and of each list that a screen shows what stands in it, each with names that are long. */
async function plant(page: Page): Promise<void> {
  const names = { PRIMARY: long('P', 40), SECONDARY: long('Q', 40), FULFILLMENT: long('R', 40) }
  await postFrom(page, '/api/company/settings', { location_names: names })
  await expect(page.getByRole('banner')).toContainText(names.PRIMARY)
  await importRows(page, [{ barcode: sku, description: long('D', 120), primary_quantity: 3 }])
  const weekly = { barcode: sku, assignments: { Monday: ['PRIMARY'] } }
  await postFrom(page, '/api/components/configure-high-volume', weekly)
  const count = (barcode: string) =>
    postFrom(page, '/api/components/update-with-tracking', {
      barcode,
      quantity: 2,
      location: 'PRIMARY',
      session: long('W', 60),
      timestamp: new Date().toISOString(),
    })
  await count(sku)
  await count(sku)
  await expect(count(long('U', 48))).rejects.toThrow('answered 404')
  const moved = { barcode: sku, from: 'PRIMARY', quantity: 1, note: long('T', 100) }
  for (const to of ['SECONDARY', 'QUARANTINE']) await postFrom(page, '/api/transfers', { ...moved, to })
  await postFrom(page, '/api/api-keys', { name: long('K', 100), scopes: ['read'] })
  const url = `https://receiver.invalid/${long('w', 100)}`
  await postFrom(page, '/api/webhooks', { url, events: ['count.recorded'] })
  await postFrom(page, '/api/imports', { name: `${long('F', 100)}.csv`, fields: ['barcode'] })
}

for (const third of ['first', 'second', 'last'] as const) {
  test(`names without a space make no screen of the ${third} third wider than it is`, async ({
    page,
    program,
  }) => {
    const email = `${third}${long('e', 50)}@nordlager.example`
    const registered = await fetch(`${program.url}/api/auth/register-tenant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        companyName: company,
        contactEmail: email,
        contactName: person,
        adminPasscode: password,
        plan: 'professional',
        timeZone: 'Europe/Berlin',
      }),
    })
    expect(registered.status).toBe(201)
    await signIn(page, { email, password })
    await chooseLocation(page, 'Primary Warehouse')
    await plant(page)
    const tooWide: string[] = []
    for (const [path, name] of screens[third]) {
      await page.goto(path)
      if (path === '/weekly-count') await dayOf(page).selectOption('Monday')
      await expect(page.getByText(name).first()).toBeVisible()
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      // What comes after the rest without saying that it loads is there by then.
      await page.waitForTimeout(300)
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height })
        const needed = () => page.evaluate(() => document.documentElement.scrollWidth)
        // What is drawn anew in another width is so a moment later.
        for (let look = 0; look < 20 && (await needed()) > width; look += 1) await page.waitForTimeout(100)
        if ((await needed()) > width) tooWide.push(`${path} at ${width}: ${await needed()}`)
      }
    }
    expect(tooWide).toEqual([])
  })
}

test('names without a space keep every dialog, and its way out, within a handheld', async ({
  page,
  program,
}) => {
  const email = `${long('h', 50)}@nordlager.example`
  const registered = await fetch(`${program.url}/api/auth/register-tenant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      companyName: 'Nordlager AG',
      contactEmail: email,
      contactName: long('N', 60),
      adminPasscode: password,
      plan: 'professional',
      timeZone: 'Europe/Berlin',
    }),
  })
  expect(registered.status).toBe(201)
  await page.setViewportSize({ width: 360, height: 640 })
  await signIn(page, { email, password })
  await chooseLocation(page, 'Primary Warehouse')
  const tooWide: string[] = []
  const look = async (dialog: string) => {
    const inside = await page.evaluate(() => {
      const close = document
        .querySelector('dialog[open] [aria-label="Close dialog"]')
        ?.getBoundingClientRect()
      const parts = [...document.querySelectorAll('dialog[open], dialog[open] > *, dialog[open] [role]')]
      const wide = parts.filter((part) => part.scrollWidth > part.clientWidth + 1)
      return { right: close?.right ?? Infinity, wide: wide.map(({ outerHTML }) => outerHTML.slice(0, 80)) }
    })
    if (inside.right > 360 || inside.wide.length > 0) tooWide.push(`${dialog}: ${JSON.stringify(inside)}`)
  }

  await page.goto('/team')
  await page.getByRole('button', { name: 'Manage NNN' }).click()
  await look('somebody')
  await page.getByRole('button', { name: 'Make a user' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Make a password link' }).click()
  await expect(page.getByLabel('Link for')).toBeVisible()
  await look('password link')

  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill(long('K', 100))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Key for')).toBeFocused()
  await look('new key')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke KKK' }).click()
  await look('revoking')
  expect(tooWide).toEqual([])
})

test('names of locations without a space are read whole on a handheld where something is left out there', async ({
  admin: page,
}) => {
  const names = { PRIMARY: long('P', 40), SECONDARY: long('Q', 40), FULFILLMENT: long('R', 40) }
  await postFrom(page, '/api/company/settings', { location_names: names })
  await importRows(page, [{ barcode: 'A-1' }])
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/change-components')
  for (const change of ['Leave out here', 'Keep here again', 'Receive']) {
    await page.getByLabel('What to do').selectOption(change)
    await expect(page.getByRole('main').getByText(names.PRIMARY)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  }
  await page.goto('/components/A-1')
  await page.getByRole('button', { name: 'Where it is kept' }).click()
  const label = page.getByRole('dialog').getByText(names.SECONDARY)
  await expect(label).toBeVisible()
  expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('at a desk, long names of locations leave bins and values in one line, and a search to be typed into', async ({
  admin: page,
}) => {
  const names = {
    PRIMARY: 'Hauptlager Hamburg-Wilhelmsburg Halle 3b',
    SECONDARY: long('W', 40),
  }
  await postFrom(page, '/api/company/settings', { location_names: names })
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 300, secondary_quantity: 3 }])
  const placed = { location: 'PRIMARY', components: [{ barcode: 'A-1', bin: 'A-01-1', minimum: 2 }] }
  await postFrom(page, '/api/components/place', placed)
  await postFrom(page, '/api/components/set-costs', { components: [{ barcode: 'A-1', unit_cost: 4.2 }] })
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto('/components/A-1')
  const row = page.getByRole('table', { name: 'Stock' }).getByRole('row', { name: names.PRIMARY })
  for (const text of ['A-01-1', '$1,260.00']) {
    const lines = await row.getByText(text).evaluate((element) => {
      const written = document.createRange()
      written.selectNodeContents(element)
      return new Set([...written.getClientRects()].map(({ top }) => top)).size
    })
    expect(lines, text).toBe(1)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/discrepancies')
  const { width = 0 } = (await page.getByLabel('Search').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(200)
})

test('the long name of a file is read whole on a handheld, at each step of its import', async ({
  admin: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/import')
  const name = `${long('n', 60)}.csv`
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from('SKU,Qty\nA-1,9\n') }
  await page.getByLabel('File').setInputFiles(file)
  const isWhole = async () =>
    await page
      .getByText(name)
      .evaluateAll((all) =>
        all.every(
          (element) =>
            element.getBoundingClientRect().right <= window.innerWidth &&
            element.scrollWidth <= element.clientWidth,
        ),
      )
  await expect(page.getByRole('heading', { name })).toBeVisible()
  expect(await isWhole()).toBe(true)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await page.getByRole('button', { name: `Cancel ${name}` }).click()
  await expect(page.getByText(`${name} is no longer open: it was cancelled.`)).toBeVisible()
  expect(await isWhole()).toBe(true)
})

/** The choices that are longer than what shows them, by the label of their field. */
function cutChoices(): string[] {
  return [...document.querySelectorAll('select')].flatMap((select) => {
    const asWideAsItsWords = document.createElement('select')
    asWideAsItsWords.append(...[...select.options].map((option) => new Option(option.text)))
    asWideAsItsWords.className = select.className
    asWideAsItsWords.style.width = 'max-content'
    document.body.append(asWideAsItsWords)
    const needed = asWideAsItsWords.getBoundingClientRect().width
    asWideAsItsWords.remove()
    const isCut = select.getBoundingClientRect().width < needed - 0.5
    return isCut ? [select.labels[0]?.textContent ?? 'without a label'] : []
  })
}

/** Filters that stand behind a button on a handheld are read once it is pressed. */
async function unfoldFilters(page: Page): Promise<void> {
  const folded = page.getByRole('button', { name: /^Filters/, expanded: false })
  if (await folded.isVisible()) await folded.click()
}

test('what is chosen above a list is read whole, on a handheld and at a desk', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 3 }])
  await postFrom(page, '/api/components/set-costs', { components: [{ barcode: 'A-1', unit_cost: 2 }] })
  const lists = [
    ['/discrepancies', 'Order'],
    ['/unknown-codes', 'Status'],
    ['/accuracy', 'Span'],
    ['/audit-trail', 'Action Type'],
    ['/components', 'Show'],
    ['/exports', 'Low or not kept at'],
  ] as const
  const cut: string[] = []
  for (const [address, field] of lists) {
    await page.goto(address)
    await expect(page.getByLabel(field)).toBeVisible()
    for (const [width, height] of [
      [360, 640],
      [640, 800],
      [1024, 768],
      [1280, 800],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await unfoldFilters(page)
      const labels = await page.evaluate(cutChoices)
      cut.push(...labels.map((label) => `${address} at ${width}: ${label}`))
    }
  }
  expect(cut).toEqual([])
})
