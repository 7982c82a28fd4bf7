import type { Page } from '@playwright/test'
import { barriersOf, coveredOf, crampedOf } from './accessibility.ts'
import {
  answerInstead,
  asTimePasses,
  divert,
  expect,
  goTo,
  importRows,
  loseAnswer,
  postFrom,
  test,
} from './fixtures.ts'
import { addColleague, goOn } from './people.ts'
import { scanLines } from './scanner.ts'

/** Calls as the person signed in on a page, past its screens: for what others do meanwhile. */
async function ask(page: Page, path: string, { body, key = '' }: { body: object; key?: string }) {
  const reply = await page.evaluate(
    async ({ to, text, idempotencyKey }) => {
      const response = await fetch(to, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
          ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: text,
      })
      return { status: response.status, said: await response.text() }
    },
    { to: path, text: JSON.stringify(body), idempotencyKey: key },
  )
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.said}`)
}

let scans = 0

type Scan = { barcode?: string; quantity: number; source?: string; key?: string; timestamp?: string }

async function scan(page: Page, { key, ...part }: Scan): Promise<void> {
  scans += 1
  const timestamp = new Date(Date.now() - 10_000 + scans).toISOString()
  const body = { barcode: 'A-1', location: 'PRIMARY', session: 's', timestamp, ...part }
  await ask(page, '/api/components/update-with-tracking', { body, ...(key === undefined ? {} : { key }) })
}

const setStock = (page: Page, quantity: number) =>
  ask(page, '/api/components/update-quantity', {
    body: { barcode: 'A-1', quantity, location: 'PRIMARY' },
  })

const differencesOf = (page: Page) => page.getByRole('list', { name: 'Differences' })

/** Opens the screen, and waits until it can be decided on. */
async function openScreen(page: Page): Promise<void> {
  await page.goto('/discrepancies')
  await expect(page.getByText('None chosen')).toBeVisible()
}

/** Opens the screen with differences of, each 8 instead of 10. */
async function showTwo(page: Page): Promise<void> {
  await importRows(page, [
    { barcode: 'A-1', primary_quantity: 10 },
    { barcode: 'A-2', primary_quantity: 10 },
  ])
  for (const barcode of ['A-1', 'A-1', 'A-2', 'A-2']) await scan(page, { barcode, quantity: 8 })
  await openScreen(page)
}

async function acceptAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
}

test('a difference that is counted again while it is being accepted is not accepted unseen', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await acceptAll(page)
  const dialog = page.getByRole('dialog')
  const changes = dialog.getByRole('list', { name: 'What changes' })
  await expect(changes).toHaveText('A-1 Primary Warehousestock 10 → 8 (−2)')
  await scan(page, { quantity: 80 })
  await expect(differencesOf(page).getByText('3. Ada Admin counted 80')).toBeAttached()
  await expect(changes).toHaveText('A-1 Primary Warehousestock 10 → 8 (−2)')
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Nothing was decided: A-1 at Primary Warehouse was counted again since: 80 instead of 8.',
  )
  await expect(changes).toHaveText('A-1 Primary Warehousestock 10 → 80 (+70)')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('1 accepted and posted to today’s stock.')).toBeVisible()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
})

test('the note of what is accepted is seen whole as it is written, and Enter in it accepts, once a reason is chosen', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await acceptAll(page)
  const note = page.getByRole('dialog').getByLabel('Note')
  await note.fill('Two fell down as the shelf was moved. '.repeat(12))
  expect(await note.evaluate((area) => area.scrollHeight <= area.clientHeight)).toBe(true)
  await note.fill('Two fell down')
  await note.press('Enter')
  const reason = page.getByRole('dialog').getByLabel('Reason')
  await expect(reason).toBeFocused()
  await reason.selectOption('Damaged')
  await note.press('Enter')
  await expect(page.getByText('1 accepted and posted to today’s stock.')).toBeVisible()
  await page.getByLabel('Status').selectOption('Accepted')
  await expect(differencesOf(page)).toContainText('Damaged: Two fell down')
})

test('a pack that was counted as one piece is among the likely causes, and is the reason that is proposed', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 60 }])
  await postFrom(page, '/api/components/add-barcode', { barcode: 'A-1', alias: 'CASE-1', pieces: 11 })
  for (const quantity of [50, 50]) await scan(page, { quantity })
  await openScreen(page)
  await expect(page.getByRole('list', { name: 'Likely causes' }).getByRole('listitem')).toHaveText([
    /^Ada Admin entered 50 twice within/,
    'A pack of 11 may have been counted as one piece.',
    /^The difference is a multiple of ten/,
  ])
  expect(await barriersOf(page)).toEqual([])
  await acceptAll(page)
  await expect(page.getByRole('dialog').getByLabel('Reason')).toHaveValue('Wrong unit or pack size')
})

test('a difference that is counted again while its dismissal is asked about is not dismissed unseen', async ({
  admin: page,
}) => {
  await showTwo(page)
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await scan(page, { quantity: 80 })
  await expect(differencesOf(page).getByText('3. Ada Admin counted 80')).toBeAttached()
  await page.getByRole('button', { name: 'Dismiss 2 differences' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Nothing was decided: A-1 at Primary Warehouse was counted again since: 80 instead of 8.',
  )
  await expect(page.getByText('2 chosen')).toBeVisible()
})

test('what was decided is said beside what is next, until others are chosen', async ({ admin: page }) => {
  await showTwo(page)
  await page.getByRole('checkbox', { name: 'Choose A-2' }).check()
  await page.keyboard.press('j')
  const next = differencesOf(page).getByRole('listitem').filter({ hasText: 'A-1' })
  await expect(next).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Administration' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 chosen')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(page.getByText('None chosen: acts on A-1 at Primary Warehouse')).toBeVisible()
  const said = page.getByText('1 dismissed. Stock stays as it is.')
  await expect(said).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await expect(page.getByText('A-2 at Primary Warehouse waits again: to decide.')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Differences and decisions' })).toBeFocused()
  await page.getByRole('checkbox', { name: 'Choose A-2' }).check()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(said).toBeVisible()
  await page.getByRole('button', { name: 'Choose all' }).click()
  await expect(page.getByText('1 chosen')).toBeVisible()
  await expect(said).toBeHidden()
  await page.getByLabel('Count', { exact: true }).selectOption('Weekly')
  await expect(page.getByText('Nothing passes the filters.')).toBeVisible()
  await expect(page.getByText('0 found')).toHaveRole('status')
})

test('differences follow stock that is corrected and counts that are taken back', async ({ admin: page }) => {
  await page.clock.install()
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  await scan(page, { quantity: 8 })
  await scan(page, { quantity: 8, key: 'second' })
  await openScreen(page)
  await setStock(page, 20)
  const reads = (sentence: string) =>
    asTimePasses(page, 5_000, (soon) => expect(differencesOf(page)).toContainText(sentence, soon))
  await reads('Ada Admin entered a correction of the stock (+10)')
  await acceptAll(page)
  await expect(page.getByRole('list', { name: 'What changes' })).toHaveText(
    'A-1 Primary Warehousestock 20 → 18 (−2)',
  )
  await page.keyboard.press('Escape')
  await setStock(page, 8)
  await reads('Ada Admin entered a correction of the stock (−12)')
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(
    page.getByText(
      'The stock of A-1 is by now what was counted. If it was corrected to that, dismiss the difference instead: accepted, it is booked twice.',
    ),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await ask(page, '/api/components/undo-count', { body: { key: 'second' } })
  await asTimePasses(page, 5_000, (soon) => expect(page.getByText('Nothing to decide')).toBeVisible(soon))
})

test('a recount is asked for again as soon as the count that did it is taken back', async ({
  admin: page,
  openElsewhere,
  program,
  company,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Recount', exact: true }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
  const olga = { email: `olga-${company.email}`, name: 'Olga Other', password: 'another horse' }
  await addColleague(program, company, olga)
  const elsewhere = await openElsewhere()
  await goOn(elsewhere, program, olga)
  await goTo(elsewhere, 'Monthly Count')
  const asked = elsewhere.getByText('Recount requested: 1 SKU')
  await expect(asked).toBeVisible()
  await scan(page, { quantity: 10, key: 'recount' })
  await expect(asked).toBeHidden()
  await ask(page, '/api/components/undo-count', { body: { key: 'recount' } })
  await expect(asked).toBeVisible({ timeout: 10_000 })
})

test('what somebody else has decided meanwhile is said, and leaves the list', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  // Without news the screen does not know of it.
  await divert(page, '**/api/events*', (route) => route.abort())
  await openScreen(page)
  await page.getByRole('button', { name: 'Choose all' }).click()
  const ids = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('jwt_token')}` }
    const { discrepancies } = await (await fetch('/api/discrepancies', { headers })).json()
    return discrepancies.map(({ id }: { id: string }) => id)
  })
  await ask(page, '/api/discrepancies/decide', { body: { ids, decision: 'dismiss' } })
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Nothing was decided' })).toHaveText(
    'Nothing was decided: This difference was decided meanwhile: that of A-1 at Primary Warehouse, dismissed by Ada Admin.',
  )
  await expect(page.getByText('Nothing to decide')).toBeVisible()
})

test('an entry that was taken back is shown as such and does not make its difference the newest', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  for (const quantity of [7, 7]) await scan(page, { quantity, source: 'admin' })
  for (const key of ['third', 'fourth']) {
    await scan(page, { quantity: 6, key })
    await ask(page, '/api/components/undo-count', { body: { key } })
  }
  await openScreen(page)
  await expect(differencesOf(page).getByText(/3\. Ada Admin counted 6.*taken back/)).toHaveCount(2)
  await acceptAll(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'What changes' })).toHaveText(
    'A-1 Primary Warehousestock 10 → 7 (−3)',
  )
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
})

/** Differences of 501 SKUs, all of them shown and chosen. */
async function chooseMoreThanOneCallTakes(page: Page): Promise<void> {
  const codes = Array.from({ length: 501 }, (_, index) => `A-${String(index).padStart(3, '0')}`)
  await importRows(
    page,
    codes.map((barcode) => ({ barcode, primary_quantity: 10 })),
  )
  while (codes.length > 0) {
    const some = codes.splice(0, 32)
    for (const quantity of [8, 8]) {
      await Promise.all(some.map((barcode) => scan(page, { barcode, quantity })))
    }
  }
  await openScreen(page)
  const boxes = page.getByRole('checkbox', { name: /^Choose / })
  for (const shown of [200, 300, 400, 500, 501]) {
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(boxes).toHaveCount(shown, { timeout: 20_000 })
  }
  await page.getByRole('button', { name: 'Choose all' }).click()
  await expect(page.getByText('501 chosen')).toBeVisible()
}

test('more differences than one call takes are decided at once, and it is said how many where the rest fails', async ({
  admin: page,
}) => {
  test.setTimeout(180_000)
  await chooseMoreThanOneCallTakes(page)
  let calls = 0
  await divert(page, '**/api/discrepancies/decide', async (route) => {
    calls += 1
    await (calls === 2 ? route.fulfill({ status: 502, body: '<html>' }) : route.continue())
  })
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByRole('button', { name: 'Accept 501' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    '500 were decided, the others were not: HTTP error! status: 502',
    { timeout: 30_000 },
  )
  await expect(dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible({ timeout: 20_000 })
})

test('a scan on the screen decides nothing, whatever letters are in its code', async ({ admin: page }) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await expect(page.getByRole('heading', { name: '1 difference', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('None chosen: acts on A-1 at Primary Warehouse')).toBeVisible()
  await scanLines(page, ['drum-red-7', 'card', 'xr'])
  await page.waitForTimeout(400)
  await expect(page.getByRole('heading', { name: '1 difference', exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('None chosen: acts on A-1 at Primary Warehouse')).toBeVisible()
  await page.getByRole('button', { name: 'Keys' }).focus()
  await page.keyboard.press('d')
  await page.waitForTimeout(400)
  await expect(page.getByText('None chosen: acts on A-1 at Primary Warehouse')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('group', { name: 'Differences and decisions' })).toBeFocused()
  await page.waitForTimeout(400)
  await page.keyboard.press('d')
  await expect(page.getByText('1 dismissed. Stock stays as it is.')).toBeVisible()
})

test('the keys go on at the next difference where one was decided, and a failure is said beside what it is about', async ({
  admin: page,
}) => {
  const codes = ['A-1', 'A-2', 'A-3']
  await importRows(
    page,
    codes.map((barcode) => ({ barcode, primary_quantity: 10 })),
  )
  for (const barcode of codes) for (const quantity of [8, 8]) await scan(page, { barcode, quantity })
  await openScreen(page)
  await expect(page.getByRole('heading', { name: '3 differences', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('None chosen: acts on A-3 at Primary Warehouse')).toBeVisible()
  // At once, it would be a scanner's.
  await page.waitForTimeout(400)
  await page.keyboard.press('j')
  await expect(page.getByText('None chosen: acts on A-2 at Primary Warehouse')).toBeVisible()
  await answerInstead(page, '/api/discrepancies/decide', { status: 502, body: '<html>' })
  await page.keyboard.press('d')
  await expect(page.getByRole('alert')).toContainText('HTTP error! status: 502')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.keyboard.press('d')
  await expect(page.getByText('1 dismissed. Stock stays as it is.')).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
  await page.keyboard.press('j')
  await expect(page.getByText('None chosen: acts on A-1 at Primary Warehouse')).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 480 })
  expect(await coveredOf(page)).toEqual([])
  expect(await crampedOf(page)).toEqual([])
})

test('a difference says when it was counted, and after a recount no more that somebody decided it', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  for (const minutes of [4, 3]) await scan(page, { quantity: 8, timestamp: minutesAgo(minutes) })
  await openScreen(page)
  const item = differencesOf(page).getByRole('listitem').first()
  const counted = () => item.getByRole('list', { name: 'Attempts' }).locator('time').last().textContent()
  await expect(item).toContainText(`Primary Warehouse, Monthly, Ada Admin, ${await counted()}`)
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Recount', exact: true }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
  await page.getByLabel('Status').selectOption('Recount requested')
  await expect(item.getByText(/^Recount requested by Ada Admin, \d/)).toBeVisible()
  await expect(item).toContainText(`Primary Warehouse, Monthly, Ada Admin, ${await counted()}`)
  await acceptAll(page)
  await expect(
    page.getByText('1 waits to be counted again and cannot be accepted. Left out here.'),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await scan(page, { quantity: 7 })
  await page.getByLabel('Status').selectOption('To decide')
  await expect(item.getByText('Recount requested by Ada Admin', { exact: true })).toBeVisible()
  await expect(item.getByText('To decide by')).toHaveCount(0)
})

test('several differences are counted again, or dismissed, after a question', async ({ admin: page }) => {
  await importRows(
    page,
    ['A-1', 'A-2'].map((barcode) => ({ barcode, primary_quantity: 10 })),
  )
  for (const barcode of ['A-1', 'A-2']) for (const quantity of [8, 8]) await scan(page, { barcode, quantity })
  await openScreen(page)
  const decideAfterAsking = async (decision: string) => {
    const question = page.getByRole('dialog', { name: `${decision} 2 differences?` })
    await page.getByRole('button', { name: 'Choose all' }).click()
    await page.getByRole('button', { name: decision, exact: true }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('2 chosen')).toBeVisible()
    await page.getByRole('button', { name: decision, exact: true }).click()
    await question.getByRole('button', { name: `${decision} 2 differences` }).click()
  }
  await decideAfterAsking('Recount')
  await expect(page.getByText('Nothing to decide')).toBeVisible()
  await page.getByLabel('Status').selectOption('Recount requested')
  await expect(differencesOf(page).getByRole('listitem').first()).toContainText('Recount requested')
  await decideAfterAsking('Dismiss')
  await expect(page.getByText('No recount is waiting')).toBeVisible()
  await page.getByLabel('Status').selectOption('Dismissed')
  await expect(differencesOf(page).getByRole('listitem').first()).toContainText('Dismissed')
})

test('the focus stays with the differences when those that were decided, or the one that was reopened, are gone', async ({
  admin: page,
}) => {
  const codes = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']
  await importRows(
    page,
    codes.map((barcode) => ({ barcode, primary_quantity: 10 })),
  )
  for (const barcode of codes) for (const quantity of [8, 8]) await scan(page, { barcode, quantity })
  await openScreen(page)
  const differences = page.getByRole('group', { name: 'Differences and decisions' })
  const left = (title: string) => page.getByRole('heading', { name: title, exact: true })
  async function choose(...skus: string[]) {
    for (const sku of skus) await page.getByLabel(`Choose ${sku} at Primary Warehouse`).press('Space')
  }
  async function press(name: string) {
    const button = page.getByRole('button', { name, exact: true })
    await expect(button).toBeEnabled()
    await button.press('Enter')
  }

  await choose('A-1', 'A-2')
  await press('Dismiss')
  await press('Dismiss 2 differences')
  await expect(left('4 differences')).toBeVisible()
  await expect(differences).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Choose all' })).toBeFocused()

  await choose('A-3', 'A-4')
  await press('Recount')
  await press('Recount 2 differences')
  await expect(left('2 differences')).toBeVisible()
  await expect(differences).toBeFocused()

  await press('Choose all')
  await press('Accept')
  await page.getByLabel('Reason').selectOption('Damaged')
  await press('Accept 2')
  await expect(left('0 differences')).toBeVisible()
  await expect(differences).toBeFocused()

  await page.getByLabel('Status').selectOption('All')
  const reopen = page.getByRole('button', { name: 'Reopen A-1 at Primary Warehouse' })
  await reopen.press('Enter')
  await press('Reopen')
  await expect(reopen).toHaveCount(0)
  await expect(differences).toBeFocused()
})

test('a difference leads to its component, and the way back to the list as it was filtered', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await page.getByLabel('Status').selectOption('All')
  await page.getByLabel('Search').fill('a-1')
  await expect(page).toHaveURL(/\/discrepancies\?(search=a-1&status=all|status=all&search=a-1)$/)
  await differencesOf(page).getByRole('link', { name: 'A-1' }).click()
  await expect(page.getByRole('heading', { name: 'Stock over time' })).toBeVisible()
  await page.getByRole('button', { name: 'Correct stock' }).click()
  await expect(
    page.getByText('Ada Admin counted 8 here, −2, and that waits to be decided. Accept it in Discrepancies'),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('a-1')
  await expect(page.getByLabel('Status')).toHaveValue('')
})

test('on a phone the filters of differences stand behind a button, which says how many are set', async ({
  admin: page,
}) => {
  await showTwo(page)
  const filters = page.getByRole('button', { name: 'Filters' })
  const status = page.getByLabel('Status')
  await expect(filters).toBeHidden()
  await expect(status).toBeVisible()
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(page.getByLabel('Search')).toBeVisible()
  await expect(status).toBeHidden()
  await expect(filters).toHaveAccessibleName('Filters')
  await expect(filters).toHaveAttribute('aria-expanded', 'false')

  await filters.press('Enter')
  await expect(filters).toHaveAttribute('aria-expanded', 'true')
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.press('Tab')
  await expect(status).toBeFocused()
  await status.selectOption('All')
  await page.getByLabel('Location').selectOption('Primary Warehouse')
  await expect(page).toHaveURL(/\?location=PRIMARY&status=all$/)
  await filters.click()
  await expect(status).toBeHidden()
  await expect(filters).toHaveAccessibleName('Filters 2 set')
  await page.reload()
  await expect(filters).toHaveAccessibleName('Filters 2 set')
  await expect(status).toBeHidden()
  await expect(status).toHaveValue('')
  await page.goto('/discrepancies?search=a-1&sort=oldest')
  await expect(filters).toHaveAccessibleName('Filters 1 set')
})

test('of a decision whose answer was lost it is not said that nothing was decided', async ({
  admin: page,
}) => {
  await importRows(
    page,
    ['A-1', 'A-2'].map((barcode) => ({ barcode, primary_quantity: 10 })),
  )
  for (const barcode of ['A-1', 'A-2']) for (const quantity of [8, 8]) await scan(page, { barcode, quantity })
  await openScreen(page)
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Recount', exact: true }).click()
  await page.getByRole('button', { name: 'Recount 2 differences' }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
  await page.getByLabel('Status').selectOption('Recount requested')
  await expect(differencesOf(page).getByRole('link', { name: 'A-2' })).toBeVisible()
  await loseAnswer(page, '/api/discrepancies/decide')
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await page.getByRole('button', { name: 'Dismiss 2 differences' }).click()
  await expect(page.getByText('No recount is waiting')).toBeVisible()
  await expect(
    page.getByText(
      'The server cannot be reached. It is not known whether this arrived. The list shows the current state.',
    ),
  ).toBeVisible()
})

/** Shows the filters, which stand behind a button on a handheld. */
async function showFilters(page: Page): Promise<void> {
  const filters = page.getByRole('button', { name: 'Filters' })
  if (await filters.isVisible()) await filters.click()
}

/** Dismisses the only difference, and shows it among those that were. */
async function dismissOne(page: Page): Promise<void> {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
  await showFilters(page)
  await page.getByLabel('Status').selectOption('Dismissed')
}

/** A-1 was found to be 8 of 10, and that is in the stock. */
async function acceptOne(page: Page) {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const quantity of [8, 8]) await scan(page, { quantity })
  await openScreen(page)
  await acceptAll(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await page.getByLabel('Status').selectOption('Accepted')
}

const reopenOne = (page: Page) => page.getByRole('button', { name: 'Reopen A-1 at Primary Warehouse' })

const desk = { width: 1440, height: 900 }
const handheld = { width: 360, height: 640 }

test('a difference that was dismissed by mistake is reopened after a question, on a desk and a handheld', async ({
  admin: page,
}) => {
  await dismissOne(page)
  const question = page.getByRole('dialog', { name: 'Reopen A-1?' })
  for (const viewport of [desk, handheld]) {
    await page.setViewportSize(viewport)
    await reopenOne(page).click()
    await expect(question.getByText(/^The difference of A-1/)).toHaveText(
      'The difference of A-1 at Primary Warehouse (expected 10, counted 8, −2) waits again as it did before it was dismissed. Stock stays as it is.',
    )
    await question.getByRole('button', { name: 'Cancel' }).click()
  }
  await reopenOne(page).click()
  await question.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('A-1 at Primary Warehouse waits again: to decide.')).toBeVisible()
  await expect(page.getByText('Nothing was dismissed')).toBeVisible()
  await showFilters(page)
  await page.getByLabel('Status').selectOption('To decide')
  await expect(differencesOf(page).getByText('2. Ada Admin counted 8')).toBeAttached()
  await expect(differencesOf(page).getByText(/ by Ada Admin/)).toHaveCount(0)
  await expect(reopenOne(page)).toHaveCount(0)
})

test('a difference that was accepted by mistake is reopened, and its stock moved back', async ({
  admin: page,
}) => {
  await acceptOne(page)
  await reopenOne(page).click()
  const question = page.getByRole('dialog', { name: 'Reopen A-1?' })
  await expect(question.getByText(/^The difference of A-1/)).toHaveText(
    'The difference of A-1 at Primary Warehouse (expected 10, counted 8, −2) waits again as it did before it was accepted. Its stock is moved back by +2: 8 → 10.',
  )
  await question.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('A-1 at Primary Warehouse waits again: to decide.')).toBeVisible()
  await page.goto('/components/A-1')
  await expect(page.getByText('Reopened, was accepted as: Damaged')).toBeVisible()
})

test('a decision is taken back beside what is said of it, and the next one begins with its reason', async ({
  admin: page,
}) => {
  await showTwo(page)
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const reason = page.getByLabel('Reason')
  async function openOf(sku: string): Promise<void> {
    await page.getByRole('checkbox', { name: `Choose ${sku}` }).check()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
  }
  const accept = () => page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click()
  await openOf('A-1')
  await expect(reason).toHaveValue('')
  await reason.selectOption('Damaged')
  await accept()
  await expect(page.getByText('1 accepted and posted to today’s stock.')).toBeVisible()
  await loseAnswer(page, '/api/discrepancies/reopen')
  await undo.click()
  await expect(
    page.getByText('The server cannot be reached. It is not known whether this arrived.'),
  ).toBeVisible()
  await undo.click()
  await expect(page.getByText('A-1 at Primary Warehouse waits again: to decide.')).toBeVisible()
  await expect(undo).toBeHidden()
  await openOf('A-1')
  await expect(page.getByRole('list', { name: 'What changes' })).toHaveText(
    'A-1 Primary Warehousestock 10 → 8 (−2)',
  )
  await expect(reason).toHaveValue('Damaged')
  await expect(page.getByText('As you chose it last.')).toBeVisible()
  await accept()
  // Taken back without an answer, and decided again: to take that back is something else.
  await loseAnswer(page, '/api/discrepancies/reopen')
  await undo.click()
  await openOf('A-1')
  await accept()
  await undo.click()
  await expect(page.getByText('A-1 at Primary Warehouse waits again: to decide.')).toBeVisible()
  await openOf('A-1')
  await accept()
  await expect(undo).toBeVisible()
  await scan(page, { quantity: 8 })
  await undo.click()
  await expect(
    page.getByText('Nothing was reopened: A-1 at Primary Warehouse was counted again since'),
  ).toBeVisible()
  await expect(undo).toBeHidden()
})

test('why a dismissed difference is not reopened is said in its question', async ({ admin: page }) => {
  await dismissOne(page)
  await scan(page, { quantity: 10 })
  await reopenOne(page).click()
  const question = page.getByRole('dialog', { name: 'Reopen A-1?' })
  await question.getByRole('button', { name: 'Reopen' }).click()
  await expect(question.getByRole('alert')).toHaveText(
    'Nothing was reopened: A-1 at Primary Warehouse was counted again since this difference was dismissed: the newer count says what is there.',
  )
})

test('of a reopening whose answer was lost it is not said that nothing was reopened, and another try tells', async ({
  admin: page,
}) => {
  await dismissOne(page)
  await loseAnswer(page, '/api/discrepancies/reopen')
  await reopenOne(page).click()
  const question = page.getByRole('dialog', { name: 'Reopen A-1?' })
  await question.getByRole('button', { name: 'Reopen' }).click()
  await expect(question.getByRole('alert')).toHaveText(
    'The server cannot be reached. It is not known whether this arrived. The list shows the current state.',
  )
  await expect(page.getByText('Nothing was dismissed')).toBeAttached()
  await page.unroute('**/api/discrepancies/reopen')
  await question.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('A-1 at Primary Warehouse waits again: to decide.')).toBeVisible()
})

const setCosts = (page: Page, costs: Record<string, number>) =>
  ask(page, '/api/components/set-costs', {
    body: {
      components: Object.entries(costs).map(([barcode, cost]) => ({ barcode, unit_cost: cost })),
    },
  })

test('what differences are worth stands with them, sorts them and is said of those chosen, on a desk and a handheld', async ({
  admin: page,
}) => {
  await page.setViewportSize(handheld)
  await importRows(
    page,
    ['A-1', 'A-2', 'A-3'].map((barcode) => ({ barcode, primary_quantity: 10 })),
  )
  const counts = { 'A-1': 7, 'A-2': 14, 'A-3': 5 }
  for (const [barcode, quantity] of Object.entries(counts)) {
    for (const _ of [1, 2]) await scan(page, { barcode, quantity })
  }
  await openScreen(page)
  await showFilters(page)
  const order = page.getByLabel('Order')
  const rows = differencesOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox') })
  await expect(rows).toHaveCount(3)
  await expect(order.getByRole('option')).toHaveText([
    'Newest first',
    'Oldest first',
    'Largest difference first',
    'By SKU',
  ])
  await expect(differencesOf(page)).not.toContainText('$')

  await setCosts(page, { 'A-1': 12.5, 'A-2': 0.25 })
  await expect(rows.filter({ hasText: 'A-1' })).toContainText('−$37.50')
  await order.selectOption('Largest value first')
  await expect(page).toHaveURL(/sort=value/)
  await expect(rows.getByRole('link')).toHaveText(['A-1', 'A-2', 'A-3'])
  await expect(rows.nth(1)).toContainText('+$1.00')
  await expect(rows.nth(2)).not.toContainText('$')
  await page.setViewportSize(desk)
  await expect(rows.nth(0)).toContainText('−$37.50')
  await expect(rows.nth(1)).toContainText('+$1.00')
  await page.setViewportSize(handheld)

  await page.getByRole('button', { name: 'Choose all' }).click()
  await expect(page.getByRole('toolbar', { name: 'Decide' }).getByRole('status')).toHaveText(
    '3 chosen: −$37.50 and +$1.00, 1 without a unit cost',
  )
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem')).toHaveText([
    'A-1 Primary Warehousestock 10 → 7 (−3, −$37.50)',
    'A-2 Primary Warehousestock 10 → 14 (+4, +$1.00)',
    'A-3 Primary Warehousestock 10 → 5 (−5)',
  ])
  await expect(dialog.getByText('They differ by −$37.50 and +$1.00, 1 without a unit cost.')).toBeVisible()
  for (const viewport of [handheld, desk]) {
    await page.setViewportSize(viewport)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  }
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByRole('button', { name: 'Accept 3' }).click()
  await expect(page.getByText('3 accepted and posted to today’s stock.')).toBeVisible()

  await setCosts(page, { 'A-1': 99 })
  await page.goto('/discrepancies?status=accepted&sort=value')
  await expect(rows.first()).toContainText('−$37.50')
})

test('those who dismiss several differences are told what they come to in money', async ({ admin: page }) => {
  await showTwo(page)
  await setCosts(page, { 'A-1': 2, 'A-2': 3.5 })
  await expect(differencesOf(page)).toContainText('−$7.00')
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Dismiss 2 differences?' })
  await expect(question.getByText('They differ by −$11.00.')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('checkbox', { name: 'Choose A-1' }).uncheck()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByRole('list', { name: 'What changes' })).toHaveText(
    'A-2 Primary Warehousestock 10 → 8 (−2, −$7.00)',
  )
  await expect(page.getByRole('dialog').getByText('They differ by')).toHaveCount(0)
})

test.describe('in a browser that writes numbers as German does', () => {
  test.use({ locale: 'de-DE' })

  test('a difference is written like the stock beside it', async ({ admin: page }) => {
    await importRows(page, [{ barcode: 'A-1', primary_quantity: 4_000 }])
    for (const quantity of [1_500, 1_500]) await scan(page, { quantity })
    await openScreen(page)
    await acceptAll(page)
    await expect(page.getByRole('list', { name: 'What changes' })).toHaveText(
      'A-1 Primary Warehousestock 4.000 → 1.500 (−2.500)',
    )
  })
})

test('figures of millions stand beside or below each other, and none over another', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 9_876_543 }])
  for (const _ of [1, 2]) await scan(page, { quantity: 1_234_567 })
  await openScreen(page)
  const figures = differencesOf(page).getByRole('definition')
  await expect(figures).toHaveText(['9,876,543', '1,234,567', '−8,641,976'])
  for (const viewport of [desk, handheld]) {
    await page.setViewportSize(viewport)
    const covered = await figures.evaluateAll((all) => {
      const boxes = all.map((figure) => {
        const text = document.createRange()
        text.selectNodeContents(figure)
        return text.getBoundingClientRect()
      })
      return boxes.filter((box, index) =>
        boxes
          .slice(0, index)
          .some((before) => before.right > box.left && before.bottom > box.top && before.top < box.bottom),
      ).length
    })
    expect(covered).toBe(0)
  }
})

test('a name that is read from the right leaves the time behind it where it is read from the left', async ({
  admin: page,
}) => {
  await postFrom(page, '/api/account/name', { name: 'عبد الرحمن' })
  await importRows(page, [{ barcode: 'A-1', primary_quantity: 10 }])
  for (const _ of [1, 2]) await scan(page, { quantity: 8 })
  await openScreen(page)
  const line = differencesOf(page).getByRole('paragraph').filter({ hasText: 'Primary Warehouse' })
  await expect(line).toContainText('عبد الرحمن')
  const gap = await line.evaluate((element) => {
    const boxOf = (sought: RegExp) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (texts.nextNode() !== null) {
        const found = sought.exec(texts.currentNode.textContent ?? '')
        if (found === null) continue
        const part = document.createRange()
        part.setStart(texts.currentNode, found.index)
        part.setEnd(texts.currentNode, found.index + found[0].length)
        return part.getBoundingClientRect()
      }
      return new DOMRect()
    }
    return boxOf(/\d+:\d\d/).left - boxOf(/عبد الرحمن/).right
  })
  expect(gap).toBeGreaterThan(0)
})
