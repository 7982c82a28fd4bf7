import { env, stdout } from 'node:process'
import { listHistory } from '@inventory-manager/contract/counting/history-endpoints'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, goTo, test } from './fixtures.ts'
import { scanAtPace } from './scanner.ts'

/** How long each tab scans; the suite's is short, the proof of a release is 60. */
const seconds = Number(env['SCAN_SECONDS'] ?? 4)
const codesPerSecond = 20
const perTab = seconds * codesPerSecond
const countCall = '**/api/components/update-with-tracking'

// Pictures of each moment would cost more than the scanning.
test.use({ trace: 'off' })

const token = (page: Page) => page.evaluate(() => localStorage.getItem('jwt_token') ?? '')

async function call(url: string, bearer: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return await response.json()
}

/** All counts of the company, oldest last. */
async function storedCounts(url: string, bearer: string): Promise<{ sku: string; quantity: number }[]> {
  const found: { sku: string; quantity: number }[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = listHistory.reply.json.parse(
      await call(`${url}/api/count-history?limit=1000${query}`, bearer),
    )
    found.push(...page.history)
    cursor = page.next_cursor
  }
  return found
}

/** Stalls, loses answers, drops and comes back, in shares of the time that the tabs scan. */
async function spoilNetwork(context: BrowserContext): Promise<void> {
  const wait = (share: number) => new Promise((resolve) => setTimeout(resolve, share * seconds * 1000))
  await wait(0.15)
  await context.route(countCall, async (route) => {
    await wait(0.1)
    await route.continue()
  })
  await wait(0.15)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  // The server takes the count, and its answer gets lost on the way back.
  await context.route(countCall, async (route) => {
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await wait(0.15)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(true)
  await wait(0.3)
  await context.setOffline(false)
}

test(`three tabs scan ${codesPerSecond} codes a second for ${seconds} s through a bad network; all are stored, each once`, async ({
  staff: first,
  program,
}) => {
  test.setTimeout(180_000 + seconds * 20_000)
  const bearer = await token(first)
  const context = first.context()
  const tabs = [first, await context.newPage(), await context.newPage()]
  const codes = tabs.map((_, tab) =>
    Array.from({ length: perTab }, (__, index) => `${'ABC'[tab]}${String(index).padStart(3, '0')}`),
  )
  const quantityOf = (code: string) => Number(code.at(-1))
  const rows = codes.flat().map((barcode) => ({ barcode, primary_quantity: quantityOf(barcode) }))
  await call(`${program.url}/api/components/import`, bearer, rows)

  for (const tab of tabs) {
    if (tab !== first) await tab.goto('/overview')
    await goTo(tab, 'Monthly Count')
    await tab.getByRole('button', { name: 'Start Monthly Count' }).click()
    await expect(tab.getByLabel('Barcode')).toBeFocused()
  }

  const [took] = await Promise.all([
    Promise.all(
      tabs.map((tab, index) =>
        scanAtPace(
          tab,
          (codes[index] ?? []).flatMap((code) => [code, String(quantityOf(code))]),
          codesPerSecond * 2,
        ),
      ),
    ),
    spoilNetwork(context),
  ])
  const scannedAt = performance.now()

  const timeout = 90_000 + seconds * 10_000
  for (const tab of tabs) {
    await expect(tab.getByText(`All ${perTab.toLocaleString('en-US')} scans stored`)).toBeVisible({ timeout })
  }
  const caughtUp = (performance.now() - scannedAt) / 1000
  const stored = await storedCounts(program.url, bearer)
  expect(stored).toHaveLength(rows.length)
  expect(new Map(stored.map(({ sku, quantity }) => [sku, quantity]))).toEqual(
    new Map(rows.map(({ barcode, primary_quantity: quantity }) => [barcode, quantity])),
  )
  const total = rows.length.toLocaleString('en-US')
  await first.reload()
  await expect(first.getByText(`${total} of ${total} counted, 100% complete`)).toBeVisible()
  await expect(first.getByText(`All ${perTab.toLocaleString('en-US')} scans stored`)).toBeVisible()
  stdout.write(
    `${rows.length} codes on ${tabs.length} tabs: typed in ${took.map((time) => time.toFixed(1)).join(', ')} s, ` +
      `stored, each once, ${caughtUp.toFixed(1)} s after the last.\n`,
  )
})
