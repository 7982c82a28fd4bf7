import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import { expect, goTo, hold, importRows, postFrom, stall, test } from './fixtures.ts'
import { askAs } from './people.ts'

const rows = [
  { barcode: 'A-1', description: 'washer', primary_quantity: 5, secondary_quantity: 30 },
  { barcode: 'A-2', primary_quantity: 8 },
  { barcode: 'B-1', description: 'Bolt', primary_quantity: 7 },
]

const regionOf = (page: Page) => page.getByRole('region', { name: 'Components' })

/** Expects the list to have these rows, in this order. */
async function expectList(page: Page, texts: (string | RegExp)[]): Promise<void> {
  await expect(regionOf(page).getByRole('listitem')).toHaveText(texts)
}

test('the list of components is sorted as chosen, also after it is loaded again and on the way back', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Components')
  const sort = page.getByLabel('Sort by')
  await expectList(page, [/A-1/, /A-2/, /B-1/])
  await sort.selectOption('Most here')
  await expectList(page, [/A-2.*8 here/, /B-1.*7 here/, /A-1.*5 here/])
  await sort.selectOption('Most in all')
  await expectList(page, [/A-1.*35 in all/, /A-2.*8 in all/, /B-1.*7 in all/])
  await sort.selectOption('Description')
  await expectList(page, [/Bolt/, /washer/, /No Description/])
  await page.getByLabel('Search').fill('-1')
  await expectList(page, [/Bolt/, /washer/])
  await expect(page).toHaveURL(/\/components\?text=-1&sort=description$/)
  expect(await barriersOf(page)).toEqual([])

  await page.reload()
  await expect(sort).toHaveValue('description')
  await expectList(page, [/Bolt/, /washer/])
  await page.getByRole('link', { name: /Bolt/ }).click()
  await expect(page.getByRole('heading', { name: 'Stock over time' })).toBeVisible()
  await page.goBack()
  await expect(sort).toHaveValue('description')
  await expectList(page, [/Bolt/, /washer/])
  await goTo(page, 'Components')
  await expect(sort).toHaveValue('barcode')
  await expectList(page, [/A-1/, /A-2/, /B-1/])
  await page.goto('/components?sort=colour')
  await expect(sort).toHaveValue('barcode')
})

test('what was not counted for longest comes first, and goes to the end as somebody counts it', async ({
  staff: page,
  program,
  company,
}) => {
  const count = (barcode: string, quantity: number, hoursAgo: number) =>
    askAs(program, company, {
      path: '/api/components/update-with-tracking',
      body: {
        barcode,
        quantity,
        location: 'PRIMARY',
        session: 's',
        source: 'monthly',
        timestamp: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
      },
    })
  await askAs(program, company, { path: '/api/components/import', body: rows })
  await count('A-1', 5, 1)
  await count('B-1', 7, 2)
  await goTo(page, 'Components')
  await page.getByLabel('Sort by').selectOption('Oldest count')
  // Shortly after midnight that was on the day before.
  await expectList(page, [
    /A-2.*8 here.*Not counted/,
    /B-1.*7 here.*Counted .*\d/,
    /A-1.*5 here.*Counted .*\d/,
  ])
  await count('A-2', 8, 0)
  await expectList(page, [/B-1.*Counted/, /A-1.*Counted/, /A-2.*8 here.*Counted/])
})

test('a barcode of thirteen digits is read whole on a handheld, in whichever order', async ({
  admin: page,
}) => {
  const barcode = '4006381333931'
  await importRows(page, [{ barcode, description: 'Bolt', primary_quantity: 1_200 }])
  await postFrom(page, '/api/components/update-with-tracking', {
    barcode,
    quantity: 1_200,
    location: 'PRIMARY',
    session: 's',
    source: 'monthly',
    timestamp: new Date().toISOString(),
  })
  await page.setViewportSize({ width: 360, height: 640 })
  // So that the day is said with the time.
  await page.clock.setFixedTime(new Date(Date.now() + 36 * 3_600_000))
  for (const [sort, beside] of [
    ['total', /1,200 in all$/],
    ['counted', /Counted .*\d$|Counted .*[AP]M$/],
  ] as const) {
    await page.goto(`/components?sort=${sort}`)
    await expectList(page, [beside])
    const code = regionOf(page).getByText(barcode, { exact: true })
    expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
})

test('a list in another order begins at its top, and nothing else is shown as if it were in that order', async ({
  admin: page,
}) => {
  // What it hears of stock that changes would load the list once more.
  await stall(page, '/api/events*')
  const codes = Array.from({ length: 400 }, (_, index) => ({
    barcode: `A-${String(index).padStart(3, '0')}`,
    primary_quantity: 1_000 - index,
  }))
  await importRows(page, codes)
  await goTo(page, 'Components')
  const region = regionOf(page)
  const items = region.getByRole('listitem')
  await expect(items.first()).toContainText('A-000')
  await region.evaluate((list) => list.scrollTo(0, 6_000))
  await expect(region.getByText('A-000')).toBeHidden()

  const letThrough = await hold(page, '/api/components/search*sort=total*')
  await page.getByLabel('Sort by').selectOption('Most in all')
  await expect(page.getByText('Loading components...')).toBeVisible()
  await expect(region).toBeHidden()
  letThrough()
  await expect(items.first()).toContainText('A-000')
  expect(await region.evaluate((list) => list.scrollTop)).toBe(0)

  // Listed on the first page, and on the next one again.
  const moved = { barcode: 'A-010', location: 'PRIMARY', amount: -985, reason: 'damaged', note: '' }
  await postFrom(page, '/api/components/adjust-quantity', moved)
  await region.evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect(items.first()).toHaveAttribute('aria-setsize', '400')
  await region.evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect(items.last()).toContainText('A-399')
  await page.getByLabel('Sort by').selectOption('Barcode')
  await expect(items.first()).toContainText('A-000')
  expect(await region.evaluate((list) => list.scrollTop)).toBe(0)
})

test('search, camera and both choices take two lines on a handheld, and one at a desk', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  for (const [width, height, lines] of [
    [360, 640, 2],
    [800, 900, 2],
    [1024, 768, 1],
    [1440, 900, 1],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/components?sort=counted')
    await expectList(page, [/A-1/, /A-2/, /B-1/])
    const controls = page.getByRole('search').locator('input, select, button')
    await expect(controls).toHaveCount(4)
    const tops = await controls.evaluateAll((all) =>
      all.map((control) => Math.round(control.getBoundingClientRect().top)),
    )
    expect(new Set(tops).size).toBe(lines)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})
