import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  answerInstead,
  asTimePasses,
  cut,
  divert,
  divertOnce,
  expect,
  goTo,
  hold,
  register,
  test,
  type Company,
} from './fixtures.ts'
import { addColleague, goOn, type Person } from './people.ts'
import type { Program } from './program.ts'
import { scanLines } from './scanner.ts'

const rows = [
  { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
  { barcode: 'A-2', description: 'Nut', primary_quantity: 57 },
  { barcode: 'A-3', description: 'Washer', primary_quantity: 5 },
  { barcode: 'B-7', description: 'Screw', primary_quantity: 40 },
]

type Api = (path: string, body?: unknown) => Promise<unknown>

/** Calls as a person, past the browser: for what others did before. */
async function apiOf(program: Program, person: { email: string; password: string }): Promise<Api> {
  const ask = async (path: string, body: unknown, token = ''): Promise<unknown> => {
    const response = await fetch(`${program.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return await response.json()
  }
  const reply = await ask('/api/auth/login', { email: person.email, passcode: person.password })
  if (typeof reply !== 'object' || reply === null || !('token' in reply)) throw new Error('Nobody signed in.')
  return (path, body) => ask(path, body, `Bearer ${String(reply.token)}`)
}

let scans = 0

function scan(api: Api, barcode: string, quantity: number): Promise<unknown> {
  scans += 1
  const timestamp = new Date(Date.now() - 10_000 + scans).toISOString()
  const body = { barcode, quantity, location: 'PRIMARY', session: 's', timestamp }
  return api('/api/components/update-with-tracking', body)
}

type Crew = { admin: Api; sam: Api; samLogin: Person; olgaLogin: Person }

async function crewOf(program: Program, company: Company): Promise<Crew> {
  const samLogin = { email: `sam-${company.email}`, name: 'Sam Staff', password: 'another horse' }
  const olgaLogin = { email: `olga-${company.email}`, name: 'Olga Other', password: 'another horse' }
  for (const person of [samLogin, olgaLogin]) await addColleague(program, company, person)
  const admin = await apiOf(program, company)
  await admin('/api/components/import', rows)
  return { admin, sam: await apiOf(program, samLogin), samLogin, olgaLogin }
}

/** Signs a person in on a page, on one of the nodes. */
async function goOnAt(page: Page, node: { url: string }, person: Person): Promise<Page> {
  await goOn(page, node, person)
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  return page
}

test('who counts on one node sees within three seconds what is counted on another', async ({
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  const second = await program.startSecondNode()
  const sam = await goOnAt(await openElsewhere(), program, crew.samLogin)
  const olga = await goOnAt(await openElsewhere(), second, crew.olgaLogin)
  for (const page of [sam, olga]) {
    await goTo(page, 'Monthly Count')
    await page.getByRole('button', { name: 'Start Monthly Count' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()
    await expect(page.getByText('Nobody else is counting here now.')).toBeVisible()
  }

  const delays: number[] = []
  for (const [index, { barcode, primary_quantity: quantity }] of rows.entries()) {
    await scanLines(sam, [barcode, String(quantity)])
    const begun = Date.now()
    await olga.getByText(`${index + 1} of 4 counted`).waitFor()
    await olga.getByRole('list', { name: 'Others counting here' }).getByText(barcode).waitFor()
    delays.push(Date.now() - begun)
  }
  test
    .info()
    .annotations.push({ type: 'milliseconds until seen on the other node', description: delays.join(', ') })
  // News that are slow are slow each time; a machine that hesitates does so once.
  const [, usual = Infinity] = delays.toSorted((one, other) => one - other)
  expect(usual).toBeLessThan(3_000)
  await expect(olga.getByLabel('Others counting here').getByText('Sam Staff')).toBeVisible()

  await scanLines(olga, ['A-3', '5'])
  await expect(sam.getByLabel('Others counting here').getByText('Olga Other')).toBeVisible()
  await expect(sam.getByText('Expected')).toHaveCount(0)

  // Whoever clears the counts of all learns first who is at it.
  await olga.getByRole('button', { name: 'Reset Count' }).click()
  const question = olga.getByRole('dialog', { name: 'Reset Count' })
  await expect(question.getByText('1 other person is counting here now.')).toBeVisible()
  await question.getByRole('button', { name: 'Keep counting' }).click()
  await second.stop()
})

test('what was counted while a device was cut off is there as soon as it is back', async ({
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  const olga = await goOnAt(await openElsewhere(), program, crew.olgaLogin)
  await goTo(olga, 'Monthly Count')
  await expect(olga.getByText('Nobody else is counting here now.')).toBeVisible()
  await olga.context().setOffline(true)
  await expect(olga.getByText('Connecting to the others...')).toBeVisible()
  await scan(crew.sam, 'A-1', 3)
  await scan(crew.sam, 'A-2', 57)
  await olga.context().setOffline(false)
  await expect(olga.getByLabel('Others counting here').getByText('A-2')).toBeVisible()
  await olga.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(olga.getByText('2 of 4 counted, 50% complete')).toBeVisible()
})

test('what was counted long before news can be followed is there as soon as they can', async ({
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  const olga = await openElsewhere()
  await divert(olga, '**/api/events?*', (route) => route.abort())
  await goOnAt(olga, program, crew.olgaLogin)
  await goTo(olga, 'Monthly Count')
  await expect(olga.getByText('Connecting to the others...')).toBeVisible()
  await scan(crew.sam, 'A-1', 3)
  // Longer than the news of before that a first connection gives.
  await olga.waitForTimeout(11_000)
  await olga.unrouteAll()
  // As where the network is back: until then each try is further from the one before.
  await olga.evaluate(() => dispatchEvent(new Event('online')))
  const item = olga
    .getByRole('list', { name: 'Components to count' })
    .getByRole('listitem')
    .filter({ hasText: 'A-1' })
  await expect(item).not.toContainText('Pending')
})

test('whoever waits for an answer that got lost follows the others as soon as the network is back', async ({
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  const olga = await openElsewhere()
  await divertOnce(olga, '**/api/events?*', () => undefined)
  await goOnAt(olga, program, crew.olgaLogin)
  await goTo(olga, 'Monthly Count')
  await expect(olga.getByText('Connecting to the others...')).toBeVisible()
  await olga.evaluate(() => dispatchEvent(new Event('online')))
  // Silence alone ends such a wait after 40 seconds.
  await expect(olga.getByText('Connecting to the others...')).toBeHidden()
})

test('what did not match is no more to be counted again once a colleague has counted it, and is once that is cleared', async ({
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  const olga = await goOnAt(await openElsewhere(), program, crew.olgaLogin)
  await goTo(olga, 'Monthly Count')
  await olga.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(olga.getByLabel('Barcode')).toBeFocused()
  await scan(crew.sam, 'A-3', 5)
  await expect(olga.getByText('1 of 4 counted')).toBeVisible()
  const before = new Date().toISOString()
  await scanLines(olga, ['A-1', '9', 'A-2', '9', 'A-3', '9'])
  await expect(olga.getByText('All 3 scans stored, 3 to count again')).toBeVisible()
  const again = olga.getByRole('list', { name: 'Scans to count again' })
  // Longer than the news of these scans take: they say when the server has them scanned.
  await olga.waitForTimeout(1_000)
  await expect(again.getByRole('listitem')).toHaveCount(3)

  const count = '/api/components/update-with-tracking'
  const place = { location: 'PRIMARY', session: 's' }
  // Found before Olga was there: what she found since stands.
  await crew.sam(count, { ...place, timestamp: before, barcode: 'A-2', quantity: 57 })
  await expect(olga.getByText('2 of 4 counted')).toBeVisible()
  const now = { ...place, timestamp: new Date().toISOString() }
  await crew.admin(count, {
    ...now,
    barcode: 'A-3',
    quantity: 5,
    source: 'admin',
  })
  await crew.sam(count, { ...now, barcode: 'A-1', quantity: 3 })
  await expect(olga.getByText('All 3 scans stored, 2 to count again')).toBeVisible()
  await expect(again).toContainText(/A-3.*A-2/)
  await expect(again).not.toContainText('A-1')

  await crew.admin('/api/components/reset-counts', { location: 'PRIMARY' })
  await expect(olga.getByText('All 3 scans stored, 3 to count again')).toBeVisible()
  await expect(again).toContainText('A-1')
})

test('what did not match is no more to be counted again once it is retired, nor when a colleague counts it after one took a recount back', async ({
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  await crew.admin('/api/components/import', [{ barcode: 'C-1', description: 'Rivet', primary_quantity: 0 }])
  const olga = await goOnAt(await openElsewhere(), program, crew.olgaLogin)
  await goTo(olga, 'Monthly Count')
  await olga.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(olga.getByLabel('Barcode')).toBeFocused()
  await scanLines(olga, ['A-1', '9', 'C-1', '2'])
  await expect(olga.getByText('All 2 scans stored, 2 to count again')).toBeVisible()
  const again = olga.getByRole('list', { name: 'Scans to count again' })
  // Longer than the news of these scans take.
  await olga.waitForTimeout(1_000)

  await scanLines(olga, ['A-1', '3'])
  await expect(olga.getByText('All 3 scans stored, 1 to count again')).toBeVisible()
  await expect(olga.getByRole('list', { name: 'Recent scans' }).getByText('Right')).toBeVisible()
  await olga.getByRole('button', { name: 'Take back A-1' }).click()
  await expect(again).toContainText('A-1')
  await crew.sam('/api/components/update-with-tracking', {
    barcode: 'A-1',
    quantity: 3,
    location: 'PRIMARY',
    session: 's',
    timestamp: new Date().toISOString(),
  })
  await expect(again).not.toContainText('A-1')

  const found = await crew.admin('/api/discrepancies?status=attempted&search=C-1')
  const ids = Object(found).discrepancies.map(({ id }: { id: string }) => id)
  await crew.admin('/api/discrepancies/decide', { ids, decision: 'dismiss', note: '' })
  await expect(again).toContainText('C-1')
  await crew.admin('/api/components/retire', { barcode: 'C-1' })
  await expect(again).toHaveCount(0, { timeout: 15_000 })
})

test('an administrator decides differences, with what may explain them', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-2', 'A-2']) await scan(crew.sam, barcode, 75)
  for (const barcode of ['A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  await goTo(page, 'Discrepancies')
  const list = page.getByRole('list', { name: 'Differences' })
  await expect(list.getByText('Two digits may have been swapped.')).toBeVisible()
  await expect(list.getByText('1. Sam Staff counted 75')).toBeVisible()
  await expect(list.getByText('2. Sam Staff counted 75')).toBeVisible()
  await expect(list.getByText('+18')).toBeVisible()

  // A third one appears by itself.
  for (const barcode of ['B-7', 'B-7']) await scan(crew.sam, barcode, 41)
  await expect(page.getByRole('heading', { name: '3 differences' })).toBeVisible()

  await page.getByLabel('Search').fill('a-3')
  await expect(page.getByRole('heading', { name: '1 difference' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Choose A-3 at Primary Warehouse' }).check()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('stock 5 → 4 (−1)')).toBeVisible()
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(dialog.getByText('Choose a reason for accepting.')).toBeVisible()
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByLabel('Note').fill('fell down')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('1 accepted and posted to today’s stock.')).toBeVisible()
  await page.getByLabel('Search').fill('')

  // By the keys alone: the first, then both at once.
  await expect(page.getByRole('heading', { name: '2 differences' })).toBeVisible()
  await page.getByRole('heading', { name: 'Discrepancies' }).click()
  // A while apart, as people do: what comes at once before or behind another key is a scanner's.
  const press = async (key: string) => {
    await page.waitForTimeout(150)
    await page.keyboard.press(key)
  }
  // To the list from anywhere, whose letters act from then on.
  await press('ArrowDown')
  await expect(page.getByText('None chosen: acts on')).toBeVisible()
  await press('x')
  await expect(page.getByText('1 chosen')).toBeVisible()
  await press('j')
  await press('x')
  await expect(page.getByText('2 chosen')).toBeVisible()
  await press('r')
  await page
    .getByRole('dialog', { name: 'Recount 2 differences?' })
    .getByRole('button', { name: 'Recount 2 differences' })
    .click()
  await expect(
    page.getByText('Recount of 2 requested: shown to everyone except the first counter.'),
  ).toBeVisible()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
})

test('a difference low in the window is chosen by the first press, and what a decision is about is said', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  for (const { barcode } of rows) for (const quantity of [1, 1]) await scan(crew.sam, barcode, quantity)
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/discrepancies')
  const boxes = page.getByRole('checkbox', { name: /^Choose / })
  await expect(boxes).toHaveCount(4)
  for (const box of await boxes.all()) {
    // At the lower edge, where coming wholly into view would move it.
    await box.evaluate((element) => {
      scrollBy(0, element.getBoundingClientRect().bottom - innerHeight + 4)
    })
    const place = await box.boundingBox()
    if (place === null) throw new Error('The box is not shown.')
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
    await page.mouse.down()
    // As long as a finger stays.
    await page.waitForTimeout(100)
    await page.mouse.up()
    await expect(box).toBeChecked()
  }
  await expect(page.getByText('4 chosen')).toBeVisible()

  for (const box of await boxes.all()) await box.uncheck()
  await expect(page.getByText('None chosen', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toBeDisabled()

  // From where the pointer was.
  await page.getByRole('heading', { name: 'Discrepancies' }).click()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('None chosen: acts on A-2 at Primary Warehouse')).toBeVisible()
  await page.waitForTimeout(150)
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Accept A-2' })).toBeVisible()
})

test('differences stay shown when they cannot be loaded anew', async ({ admin: page, program, company }) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-2', 'A-2', 'A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  await goTo(page, 'Discrepancies')
  await page.getByRole('checkbox', { name: 'Choose A-3 at Primary Warehouse' }).check()
  await answerInstead(page, '/api/discrepancies*', { status: 502, body: '<html>' })
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Error loading differences: HTTP error! status: 502')
  await expect(page.getByText('1 dismissed. Stock stays as it is.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Choose A-2 at Primary Warehouse' })).toBeVisible()
})

test('a reason and a note stay when accepting fails', async ({ admin: page, program, company }) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  await goTo(page, 'Discrepancies')
  await page.getByRole('checkbox', { name: 'Choose A-3 at Primary Warehouse' }).check()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByLabel('Note').fill('fell down')
  await answerInstead(page, '/api/discrepancies/decide', { status: 502, body: '<html>' })
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was decided: HTTP error! status: 502')
  await expect(dialog.getByLabel('Reason')).toHaveValue('Damaged')
  await expect(dialog.getByLabel('Note')).toHaveValue('fell down')
  await page.unroute('**/api/discrepancies/decide')
  const letThrough = await hold(page, '/api/discrepancies/decide')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Accept', exact: true })).toBeDisabled()
  letThrough()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 accepted and posted to today’s stock.')).toBeVisible()
})

test('accepting what would bring the stock below 0 is said beforehand and left out', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-3', 'A-3', 'B-7', 'B-7']) await scan(crew.sam, barcode, 1)
  await crew.admin('/api/components/update-quantity', { barcode: 'A-3', quantity: 2, location: 'PRIMARY' })
  await goTo(page, 'Discrepancies')
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Accepting A-3 would bring its stock to −2.')).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Accept B-7' })).toBeVisible()
})

test('one shortage that two counts found is taken from the stock once', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  for (const session of ['first', 'second']) {
    await crew.admin('/api/components/update-with-tracking', {
      barcode: 'A-3',
      quantity: 4,
      location: 'PRIMARY',
      source: 'admin',
      session,
      timestamp: new Date().toISOString(),
    })
  }
  await goTo(page, 'Discrepancies')
  await expect(page.getByRole('heading', { name: '2 differences' })).toBeVisible()
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'What changes' })).toHaveText(
    'A-3 Primary Warehousestock 5 → 4 (−1)',
  )
  await expect(
    dialog.getByText('1 earlier difference of the same SKU and location is settled with this.'),
  ).toBeVisible()
  await dialog.getByLabel('Reason').selectOption('Damaged')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('Nothing to decide')).toBeVisible()
})

test('a recount is asked of somebody else than who counted', async ({ openElsewhere, program, company }) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  const sam = await goOnAt(await openElsewhere(), program, crew.samLogin)
  const olga = await goOnAt(await openElsewhere(), program, crew.olgaLogin)
  for (const page of [sam, olga]) {
    await goTo(page, 'Monthly Count')
    await expect(page.getByRole('button', { name: 'Start Monthly Count' })).toBeVisible()
  }
  const reply = await crew.admin('/api/discrepancies?status=open')
  const ids = JSON.stringify(reply).match(/(?<="id":")[0-9a-f-]{36}/) ?? []
  await crew.admin('/api/discrepancies/decide', { ids: [...ids], decision: 'recount' })
  await olga.getByText('Recount requested: 1 SKU').click()
  await expect(olga.getByRole('list', { name: 'Recounts' })).toHaveText(
    /^A-3.*Ada Admin, .* in the monthly count$/,
  )
  await olga.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(olga.getByLabel('Barcode')).toBeFocused()
  await scanLines(olga, ['A-3', '5'])
  await expect(olga.getByText('Recount requested: 1 SKU')).toBeHidden()
  await expect(sam.getByText('Recount requested')).toHaveCount(0)
})

test('a recount that an administrator calls off is asked of nobody any more', async ({
  admin,
  openElsewhere,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  const reply = await crew.admin('/api/discrepancies?status=open')
  const ids = [...(JSON.stringify(reply).match(/(?<="id":")[0-9a-f-]{36}/) ?? [])]
  await crew.admin('/api/discrepancies/decide', { ids, decision: 'recount' })
  const elsewhere = await openElsewhere()
  await elsewhere.clock.install()
  const olga = await goOnAt(elsewhere, program, crew.olgaLogin)
  for (const page of [admin, olga]) {
    await goTo(page, 'Monthly Count')
    await expect(page.getByText('Recount requested: 1 SKU')).toBeVisible()
  }
  await crew.admin('/api/discrepancies/decide', { ids, decision: 'dismiss' })
  await expect(admin.getByText('Recount requested: 1 SKU')).toBeHidden()
  await olga.clock.runFor(61_000)
  await expect(olga.getByText('Recount requested: 1 SKU')).toBeHidden()
})

test('an unknown code becomes a component or is ignored in two taps', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  await scan(crew.sam, 'A-1', 3)
  await scan(crew.sam, 'X-9', 1)
  await scan(crew.sam, 'X-8', 1)
  const listed = await hold(page, '/api/unknown-codes?*')
  await goTo(page, 'Unknown Codes')
  await expect(page.getByRole('heading', { name: 'Codes', exact: true })).toBeVisible()
  listed()
  await expect(page.getByRole('heading', { name: '2 codes' })).toBeVisible()
  const list = page.getByRole('list', { name: 'Unknown codes' })
  await expect(list.getByText('after A-1 Bolt').first()).toBeVisible()
  const row = list.getByRole('listitem').filter({ hasText: 'X-9' })
  await row.getByRole('button', { name: 'Make component' }).click()
  await expect(page.getByLabel('Description of X-9')).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByRole('button', { name: 'Make component' })).toBeFocused()
  await row.getByRole('button', { name: 'Add to component' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByRole('button', { name: 'Add to component' })).toBeFocused()
  await row.getByRole('button', { name: 'Make component' }).click()
  await page.getByLabel('Description of X-9').fill('Rivet')
  // What was counted under it is not lost.
  const stock = page.getByLabel('Stock at Primary Warehouse')
  await expect(stock).toHaveValue('1')
  await stock.fill('many')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Nothing was changed: Give a whole number from 0 to')).toBeVisible()
  await stock.fill('2')
  const letThrough = await hold(page, '/api/unknown-codes/component')
  await page.getByRole('button', { name: 'Create' }).dblclick({ force: true })
  letThrough()
  await expect(row).toBeHidden()
  await expect(page.getByText('X-9 is a component now, with the stock that you gave.')).toBeVisible()
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await expect(page.getByText('X-8 is ignored from now on.')).toBeVisible()
  await expect(page.getByText('No unknown codes')).toBeVisible()
  await expect(list).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: '1 code' })).toBeVisible()
  await expect(list.getByText('Decided by')).toHaveCount(0)

  // Another one appears by itself.
  await scan(crew.sam, 'X-7', 1)
  await expect(page.getByRole('heading', { name: '2 codes' })).toBeVisible()

  // One that is imported is none any more.
  await crew.admin('/api/components/import', [{ barcode: 'X-7' }])
  await expect(list.getByRole('listitem').filter({ hasText: 'X-7' })).toBeHidden()
  await expect(page.getByRole('heading', { name: '1 code' })).toBeVisible()
})

test('a code of a retired component says whose it is, and brings it back in one tap', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  await crew.admin('/api/components/import', [{ barcode: 'OLD-1', description: 'Old bolt' }])
  await crew.admin('/api/components/retire', { barcode: 'OLD-1' })
  await scan(crew.sam, 'OLD-1', 1)
  await goTo(page, 'Unknown Codes')
  const row = page
    .getByRole('list', { name: 'Unknown codes' })
    .getByRole('listitem')
    .filter({ hasText: 'OLD-1' })
  await expect(row.getByText('belongs to OLD-1, which is retired')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make component' })).toBeHidden()
  await row.getByRole('button', { name: 'Bring back' }).click()
  await expect(page.getByText('OLD-1 is back in the lists.')).toBeVisible()
  await expect(page.getByText('No unknown codes')).toBeVisible()
})

test('a description that is being typed stays when the codes cannot be loaded anew', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  await scan(crew.sam, 'X-9', 1)
  await scan(crew.sam, 'X-8', 1)
  await goTo(page, 'Unknown Codes')
  const list = page.getByRole('list', { name: 'Unknown codes' })
  const row = list.getByRole('listitem').filter({ hasText: 'X-9' })
  await row.getByRole('button', { name: 'Make component' }).click()
  await page.getByLabel('Description of X-9').fill('Rivet')
  await answerInstead(page, '/api/unknown-codes*', { status: 502, body: '<html>' })
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Error loading unknown codes: HTTP error! status: 502')
  await expect(page.getByLabel('Description of X-9')).toHaveValue('Rivet')
})

test('whoever goes on to the last page by keys stays where it begins, and is told that nothing is left', async ({
  admin: page,
  program,
  company,
}) => {
  await program.sql(
    `insert into unknown_codes (tenant_id, code, location, found_by, user_id, user_name)
     select tenant_id, 'X-' || n, 'PRIMARY', id, id, 'Ada Admin'
     from users, generate_series(1, 60) n where email = $1`,
    [company.email],
  )
  await goTo(page, 'Unknown Codes')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(more).toBeVisible()
  await expect(page.getByText('That is all.')).toBeHidden()
  const letThrough = await hold(page, '/api/unknown-codes?*')
  await more.press('Enter')
  await expect(more).toBeDisabled()
  await expect(more).toBeFocused()
  letThrough()
  await expect(page.getByText('That is all.')).toBeFocused()
  await expect(more).toBeHidden()
  await expect(page.getByText('X-60', { exact: true })).toBeVisible()
})

test('more unknown codes than one call takes are ignored at once, and it is said how many were where that breaks off', async ({
  admin: page,
  program,
  company,
}) => {
  await program.sql(
    `insert into unknown_codes (tenant_id, code, location, found_by, user_id, user_name)
     select tenant_id, 'X-' || n, 'PRIMARY', id, id, 'Ada Admin'
     from users, generate_series(1, 230) n where email = $1`,
    [company.email],
  )
  await goTo(page, 'Unknown Codes')
  for (let more = 0; more < 4; more += 1) await page.getByRole('button', { name: 'Show more' }).click()
  const all = page.getByRole('button', { name: 'Ignore all 230 shown' })
  let calls = 0
  await divert(page, '**/api/unknown-codes/decide', async (route) => {
    calls += 1
    if (calls === 2) return await route.fulfill({ status: 502, body: '<html>', contentType: 'text/html' })
    return await route.continue()
  })
  await all.click()
  await expect(
    page.getByText('200 codes were changed, the others were not: HTTP error! status: 502'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ignore all 30 shown' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('Back in the list.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Unknown Codes' })).toBeFocused()
  await page.getByLabel('Status').selectOption('Ignored')
  await expect(page.getByText('What is ignored in the list of those to decide appears here.')).toBeVisible()
  await page.getByLabel('Status').selectOption('To decide')
  await page.getByRole('button', { name: 'Ignore all 50 shown' }).click()
  await expect(page.getByText('50 codes are ignored from now on.')).toBeVisible()
  await page.getByLabel('Status').selectOption('Ignored')
  await expect(page.getByRole('list', { name: 'Unknown codes' }).getByRole('listitem')).toHaveCount(50)
})

test('the count room keeps itself up to date', async ({ admin: page, program, company }) => {
  await page.clock.install()
  const crew = await crewOf(program, company)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await expect(primary.getByText('Nobody is counting here now.')).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const reads = (sentence: string) =>
    asTimePasses(page, 5_000, (soon) => expect(primary.getByText(sentence)).toBeVisible(soon))
  await scan(crew.sam, 'A-1', 3)
  await reads('1 of 4 counted this month')
  await expect(primary.getByText('25%')).toBeVisible()
  await expect(
    primary.getByRole('list', { name: 'Who counts at PRIMARY' }).getByText('Sam Staff'),
  ).toBeVisible()
  await scan(crew.sam, 'X-9', 1)
  for (const barcode of ['A-3', 'A-3']) await scan(crew.sam, barcode, 4)
  await reads('2 of 4 counted this month')
  await expect(primary.getByText('differences to decide').locator('..')).toHaveText(/1$/)
  await expect(primary.getByText('unknown codes').locator('..')).toHaveText(/1$/)
})

test('what the count room could not load is asked for again', async ({ admin: page }) => {
  await page.clock.install()
  await goTo(page, 'Overview')
  await cut(page, '/api/counting/room')
  await goTo(page, 'Live Count Room')
  const failure = page.getByRole('alert').filter({ hasText: 'Error loading the count room' })
  await asTimePasses(page, 3_000, (soon) => expect(failure).toBeVisible(soon))
  await page.unroute('**/api/counting/room')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Primary Warehouse' })).toBeVisible()
  await expect(failure).toBeHidden()
})

test('an expected finish on another day stands beside the other figures of the count room, and not over them', async ({
  page,
  program,
}) => {
  await goOn(page, program, await register(program, 'enterprise'))
  // Of this year, for another is told without a time of day.
  const finish = `${new Date().getFullYear()}-09-30T20:58:00.000Z`
  await divert(page, '**/api/counting/room', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replaceAll('"expected_finish":null', `"expected_finish":"${finish}"`)
    await route.fulfill({
      response,
      body: text.replaceAll('"left":0', '"left":9').replaceAll('"total":0', '"total":9'),
    })
  })
  await goTo(page, 'Live Count Room')
  await expect(page.getByText(/\d:\d\d [AP]M/)).toHaveCount(4)
  const covered: string[] = []
  for (const [width, height] of [
    [360, 640],
    [900, 600],
    [1440, 900],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    const wide = await page
      .getByRole('definition')
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      )
    covered.push(...wide.map((text) => `${text} at ${width}`))
  }
  expect(covered).toEqual([])
})

test('the overview of an administrator follows what others count', async ({
  admin: page,
  program,
  company,
}) => {
  const crew = await crewOf(program, company)
  await page.clock.install()
  await goTo(page, 'Overview')
  const reads = (sentence: string) =>
    asTimePasses(page, 5_000, (soon) => expect(page.getByText(sentence)).toBeVisible(soon))
  await expect(page.getByText('0 of 4 counted at Primary Warehouse')).toBeVisible()
  await scan(crew.sam, 'A-1', 3)
  await reads('1 of 4 counted at Primary Warehouse')
  await scan(crew.sam, 'A-2', 57)
  await reads('2 of 4 counted at Primary Warehouse')
})

test('following ends with the session', async ({ admin: page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/events')) asked.push(request.url())
  })
  const begun = page.waitForRequest(/api\/events/)
  await goTo(page, 'Overview')
  await begun
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  // Not that of the page before, which the reload has ended.
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/events'))
  const menu = page.getByRole('button', { name: 'Open menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await ended
  const before = asked.length
  await page.waitForTimeout(3_000)
  expect(asked).toHaveLength(before)
})

test('deciding, nothing stands in the way of anybody', async ({ admin: page, program, company }) => {
  const crew = await crewOf(program, company)
  for (const barcode of ['A-2', 'A-2']) await scan(crew.sam, barcode, 75)
  await scan(crew.sam, 'X-9', 1)
  await goTo(page, 'Discrepancies')
  await expect(page.getByText('Two digits may have been swapped.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Choose A-2 at Primary Warehouse' }).check()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByLabel('Reason')).toHaveValue('Miscounted before')
  await expect(page.getByText('It fits the likely cause.')).toBeVisible()
  await page.getByLabel('Reason').selectOption('Choose a reason')
  await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('Choose a reason for accepting.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await goTo(page, 'Unknown Codes')
  await page.getByRole('button', { name: 'Make component' }).click()
  expect(await barriersOf(page)).toEqual([])
  await goTo(page, 'Live Count Room')
  await expect(page.getByText('1 of 4 counted this month')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
})
