import type { Page, Route } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  afterTries,
  awaitDiversion,
  chooseLocation,
  dayOf,
  divert,
  expect,
  fillDisk,
  goTo,
  hold,
  importRows,
  signIn,
  test,
} from './fixtures.ts'
import { countKept } from './kept.ts'
import { addColleague, askAs, beginSession } from './people.ts'
import { pauseOfHand, scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

const countCall = '**/api/components/update-with-tracking'

const makeComponents = (page: Page) =>
  importRows(page, [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 3 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 4 },
    { barcode: 'ABC123', description: 'Washer', primary_quantity: 5 },
  ])

/** From here on the counts of a page, and of others of its device, go another way. */
async function divertCounts(page: Page, handle: (route: Route) => unknown): Promise<void> {
  await page.context().route(countCall, handle)
  await awaitDiversion(page)
}

/** As if the network were gone for counts alone, so that the page itself can be loaded. */
async function loseCounts(page: Page): Promise<void> {
  await divertCounts(page, (route) => route.abort('internetdisconnected'))
}

const findCounts = (page: Page) => page.context().unrouteAll({ behavior: 'ignoreErrors' })

/** The codes of the counts that the server has, once for each. */
const countedCodes = (page: Page) =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('jwt_token')}` }
    const { history } = await (await fetch('/api/count-history', { headers })).json()
    return history.map(({ sku }: { sku: string }) => sku)
  })

/** Counts one component without a network and closes the page; gives another one, of the same device, with a network. */
async function countAndComeBack(page: Page): Promise<Page> {
  const context = page.context()
  await makeComponents(page)
  await startMonth(page)
  await loseCounts(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await page.close()
  await findCounts(page)
  return await context.newPage()
}

test.describe('what waits on the device', () => {
  test('is read on every screen, and leads to its count', async ({ staff: page }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseCounts(page)
    await scanLines(page, ['A-1', '3', 'A-2', '4', 'ABC123'])
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    const sign = page.getByRole('banner').getByRole('link', { name: 'Scans: 2 waiting' })
    await expect(sign).toBeHidden()
    await goTo(page, 'Components')
    await expect(sign).toBeVisible()
    expect(await barriersOf(page)).toEqual([])
    await sign.click()
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    await goTo(page, 'Components')
    await findCounts(page)
    await expect(sign).toBeHidden(afterTries)
  })

  test('survives a reload, and says so', async ({ staff: page }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseCounts(page)
    await scanLines(page, ['A-1', '3', 'A-2', '4', 'ABC123'])
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    await expect.poll(() => countKept(page)).toBe(2)
    await page.reload()
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    await expect(page.getByLabel('Barcode')).toHaveValue('ABC123')
    await findCounts(page)
    await expect(page.getByText('All 2 scans stored')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('list', { name: 'Recent scans' }).getByRole('listitem')).toHaveCount(2)
    await page.reload()
    await expect(page.getByText('All 2 scans stored')).toBeVisible()
    await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible()
  })

  test('survives the tab, and goes out from any screen though the network was down when the page began', async ({
    staff: page,
  }) => {
    const later = await countAndComeBack(page)
    let isDown = true
    await divert(later, '**/assets/active-count-*.js', async (route) => {
      await (isDown ? route.abort('internetdisconnected') : route.fallback())
    })
    const failed = later.waitForEvent('requestfailed', (request) =>
      request.url().includes('/assets/active-count-'),
    )
    const stored = later.waitForResponse(/update-with-tracking/)
    await later.goto('/overview')
    await failed
    isDown = false
    expect((await stored).status()).toBe(200)
  })

  /** What is written from here on is on its way to the disk for ever, and the network swallows what is sent. */
  async function loseWrites(page: Page): Promise<void> {
    await page.evaluate(() => {
      Object.defineProperty(IDBObjectStore.prototype, 'add', {
        value(this: IDBObjectStore) {
          return this.count()
        },
      })
      // A load that came behind a write which says that it is done would show that nothing was written.
      Object.defineProperty(IDBTransaction.prototype, 'addEventListener', {
        value(this: IDBTransaction, ...[type, listener]: Parameters<EventTarget['addEventListener']>) {
          if (type !== 'complete') EventTarget.prototype.addEventListener.call(this, type, listener)
        },
      })
    })
    await divertCounts(page, () => undefined)
  }

  const notesOf = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('being_written')))

  test('is there again where the page ended while it was being written, whatever the clock says, and goes out once', async ({
    staff: page,
    context,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseWrites(page)
    await scanLines(page, ['A-1', '3'])
    await expect.poll(() => notesOf(page)).toHaveLength(1)
    // The clock of the device is set back, as where a battery was taken out.
    await page.evaluate(() => {
      for (const [key, text] of Object.entries(localStorage)) {
        if (!key.startsWith('being_written')) continue
        const note = { ...JSON.parse(String(text)), at: Date.now() + 86_400_000 }
        localStorage.setItem(key, JSON.stringify(note))
      }
    })
    await page.close()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    const later = await context.newPage()
    const stored = later.waitForResponse(/update-with-tracking/)
    await later.goto('/monthly-count')
    expect(await (await stored).json()).toMatchObject({ success: true, matched: true })
    await expect.poll(() => notesOf(later)).toEqual([])
    await later.reload()
    const list = later.getByRole('list', { name: 'Components to count' })
    await expect(list.getByText(/^Counted/)).toHaveCount(1)
    expect(await countedCodes(later)).toEqual(['A-1'])
  })

  test('is there again in its order, all that was scanned and not written yet, where the page is opened at once', async ({
    staff: page,
    context,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseWrites(page)
    await scanLines(page, ['A-2', '4', 'ABC123', '5', 'A-1', '3'])
    await expect(page.getByText('3 scanned, 0 stored, 3 waiting')).toBeVisible()
    await page.close()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    const later = await context.newPage()
    const sent: unknown[] = []
    later.on('request', (request) => {
      if (request.url().endsWith('/update-with-tracking')) sent.push(request.postDataJSON())
    })
    await later.goto('/monthly-count')
    const list = later.getByRole('list', { name: 'Components to count' })
    await expect(list.getByText(/^Counted/)).toHaveCount(3, { timeout: 20_000 })
    expect(sent).toMatchObject([{ barcode: 'A-2' }, { barcode: 'ABC123' }, { barcode: 'A-1' }])
    await expect.poll(() => notesOf(later)).toEqual([])
  })

  test('is there again where the page is loaded anew while it was being written, though nothing reaches the server', async ({
    staff: page,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseWrites(page)
    await scanLines(page, ['A-2', '4', 'ABC123', '5', 'A-1', '3'])
    await expect(page.getByText('3 scanned, 0 stored, 3 waiting')).toBeVisible()
    await loseCounts(page)
    await page.reload()
    // What a page has noted is another's once it is some seconds old.
    await expect(page.getByText('3 scanned, 0 stored, 3 waiting')).toBeVisible({ timeout: 20_000 })
    await findCounts(page)
    await expect(page.getByText('All 3 scans stored')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('3 of 3 counted, 100% complete')).toBeVisible()
  })

  test('waits for its own person when the session ends, and nobody else sends or sees it', async ({
    admin: page,
    program,
    company,
  }) => {
    await makeComponents(page)
    const person = { email: `kim-${company.email}`, name: 'Kim Counter', password: 'third horse' }
    await addColleague(program, company, person)
    const signOutHere = () => page.evaluate(() => localStorage.clear())
    await signOutHere()
    await signIn(page, person)
    await chooseLocation(page, 'Primary Warehouse')
    await expect(page.getByRole('banner')).toBeVisible()
    await startMonth(page)
    await loseCounts(page)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
    const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
    const ended = await fetch(`${program.url}/api/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(ended.status).toBe(200)
    await findCounts(page)
    await expect(page).toHaveURL(/\/login$/, { timeout: 30_000 })

    await signIn(page, company)
    await chooseLocation(page, 'Primary Warehouse')
    await goTo(page, 'Monthly Count')
    await expect(page.getByText('Expected 3')).toBeVisible()
    await page.getByRole('button', { name: 'Start Admin View' }).click()
    await expect(page.getByText('No scans yet')).toBeVisible()
    await expect(page.getByText('waits on this device')).toHaveCount(0)

    await signOutHere()
    const stored = page.waitForResponse(/update-with-tracking/)
    await signIn(page, person)
    expect((await stored).status()).toBe(200)
    await chooseLocation(page, 'Primary Warehouse')
    await expect(page.getByRole('banner')).toBeVisible()
    await goTo(page, 'Monthly Count')
    await expect(page.getByText('1 scan stored')).toBeVisible()
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
  })

  test('goes out past an answer that the browser could not write down, and each is stored once', async ({
    staff: page,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await page.evaluate(() => {
      const stores = IDBObjectStore.prototype
      const own = Object.getOwnPropertyDescriptor(stores, 'delete')
      Object.defineProperty(stores, 'delete', {
        configurable: true,
        value: () => {
          if (own !== undefined) Object.defineProperty(stores, 'delete', own)
          throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
        },
      })
    })
    await scanLines(page, ['A-1', '3', 'A-2', '4', 'ABC123', '5'])
    await expect(page.getByText('All 3 scans stored')).toBeVisible()
    await page.reload()
    await expect(page.getByText('All 3 scans stored')).toBeVisible()
    await expect(page.getByText('3 of 3 counted, 100% complete')).toBeVisible()
    expect((await countedCodes(page)).toSorted()).toEqual(['A-1', 'A-2', 'ABC123'])
  })

  test('is kept by the page where the browser keeps nothing, and that is said', async ({ staff: page }) => {
    await makeComponents(page)
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('No storage here.', 'InvalidStateError')
      }
    })
    await startMonth(page)
    await expect(page.getByText('This browser cannot store anything on this device')).toBeVisible()
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scan stored')).toBeVisible()
  })

  test('is sent by the page that alone kept it once its person has signed in there again', async ({
    admin: page,
    program,
    company,
  }) => {
    await makeComponents(page)
    const person = { email: `kim-${company.email}`, name: 'Kim Counter', password: 'third horse' }
    await addColleague(program, company, person)
    await page.evaluate(() => localStorage.clear())
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('No storage here.', 'InvalidStateError')
      }
    })
    await signIn(page, person)
    await chooseLocation(page, 'Primary Warehouse')
    await expect(page.getByRole('banner')).toBeVisible()
    await startMonth(page)
    await loseCounts(page)
    await scanLines(page, ['A-1', '3', 'A-2', '4'])
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${program.url}/api/auth/logout`, { method: 'POST', headers })).status).toBe(200)
    await findCounts(page)
    await expect(page).toHaveURL(/\/login$/, { timeout: 30_000 })
    await expect(
      page.getByText('2 scans wait on this device. They are sent after you sign in here again.'),
    ).toBeVisible()
    await expect(
      page.getByText(
        'This browser cannot store anything on this device: its storage is full or blocked. Keep this page open until all scans are stored.',
      ),
    ).toBeVisible()
    await page.getByLabel('Email').fill(person.email)
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const closing = await asked
    expect(closing.type()).toBe('beforeunload')
    await closing.dismiss()
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await chooseLocation(page, 'Primary Warehouse')
    await expect(page.getByText('2 of 3 counted, 66% complete')).toBeVisible({ timeout: 30_000 })
  })

  test('is noted no more once the page’s memory took it and it is stored', async ({ staff: page }) => {
    await makeComponents(page)
    await startMonth(page)
    await fillDisk(page, 'add')
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scan stored')).toBeVisible()
    await expect(page.getByText('This browser cannot store anything on this device')).toBeVisible()
    const notes = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('being_written')))
    await expect.poll(notes).toEqual([])
  })

  test('goes out though there is no room for what another page has noted', async ({ staff: page }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseCounts(page)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('inventory-manager')
        opening.addEventListener('success', () => resolve(opening.result))
      })
      const [job] = await new Promise<object[]>((resolve) => {
        const reading = database.transaction('jobs').objectStore('jobs').getAll()
        reading.addEventListener('success', () => resolve(reading.result))
      })
      database.close()
      localStorage.setItem('being_written_lost', JSON.stringify({ at: 0, job: { ...job, id: 'lost' } }))
    })
    await page.addInitScript(() => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }
    })
    await page.reload()
    await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
    await findCounts(page)
    await expect(page.getByText('1 scan stored')).toBeVisible({ timeout: 30_000 })
  })

  test('is kept again by the page where the browser has thrown away what it kept', async ({
    staff: page,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await loseCounts(page)
    await scanLines(page, ['A-1', '3', 'A-2', '4'])
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    const devTools = await page.context().newCDPSession(page)
    const { origin } = new URL(page.url())
    await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    await expect.poll(() => countKept(page), { timeout: 30_000 }).toBe(2)
    await page.reload()
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    await findCounts(page)
    await expect(page.getByText('All 2 scans stored')).toBeVisible({ timeout: 30_000 })
  })

  test('is answered in silence after the session ended in another tab', async ({ staff: page, context }) => {
    await makeComponents(page)
    await startMonth(page)
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await divertCounts(page, async (route) => {
      const response = await route.fetch()
      await answered
      await route.fulfill({ response })
    })
    const [sent, answering] = [page.waitForRequest(countCall), page.waitForResponse(countCall)]
    const other = await context.newPage()
    await other.goto('/health')
    await page.bringToFront()
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
    // The count waits on the device first, and one that was never sent is never answered.
    await sent
    await other.evaluate(() => localStorage.clear())
    await expect(page).toHaveURL(/\/login$/)
    answer()
    await (await answering).finished()
    // What goes wrong in a page fails its test.
    await page.waitForTimeout(500)
  })

  test('is kept for its person though somebody else has signed in unnoticed', async ({
    staff: page,
    program,
    company,
  }) => {
    const colleague = { email: `eve-${company.email}`, name: 'Eve Else', password: 'eve-else-password' }
    await addColleague(program, company, colleague)
    const { token: other } = await beginSession(program, colleague)
    await makeComponents(page)
    await startMonth(page)
    await loseCounts(page)
    // Of another tab the page would hear a moment later.
    const own = await page.evaluate((token) => {
      const before = localStorage.getItem('jwt_token') ?? ''
      localStorage.setItem('jwt_token', token)
      return before
    }, other)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
    await page.evaluate((token) => localStorage.setItem('jwt_token', token), own)
    await findCounts(page)
    await page.reload()
    await expect(page.getByText('1 scan stored')).toBeVisible({ timeout: 30_000 })
  })
})

test('what the server refuses later waits for a decision: another code, or discarded with a trace', async ({
  staff: page,
  context,
}) => {
  await makeComponents(page)
  await startMonth(page)
  await context.setOffline(true)
  await scanLines(page, ['A-l', '3', 'GHOST-9', '7', 'A-2', '4'])
  await expect(page.getByText('3 scanned, 0 stored, 3 waiting')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('3 scanned, 1 stored, 2 to decide')).toBeVisible()
  await page.reload()
  await expect(page.getByText('3 scanned, 1 stored, 2 to decide')).toBeVisible()

  await page.getByRole('button', { name: 'Decide on A-l' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unknown code' })
  await expect(
    dialog.getByText(
      'It is kept with its quantity for an administrator. Discard it here, or correct the code.',
    ),
  ).toBeVisible()
  await dialog.getByLabel('Code').focus()
  await scanLines(page, ['A-7', 'A-1'])
  await expect(dialog.getByLabel('Code')).toHaveValue('A-1')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()

  await page.getByRole('button', { name: 'Decide on GHOST-9' }).click()
  // The trail is loaded once: what is told after that is not in it.
  const told = page.waitForResponse(
    (response) => response.request().postData()?.includes('count_entry_discarded') === true,
  )
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Scans to decide' })).toHaveCount(0)

  await told
  await goTo(page, 'Audit Trail')
  await page.getByLabel('SKU').fill('GHOST-9')
  // That it was unknown, and that it was discarded.
  await expect(page.getByText(/Showing 2 of \d+ total entries/)).toBeVisible()
})

test('scans that a proxy answers wait until the server is back, and one that a firewall refuses each time waits for a person', async ({
  staff: page,
}) => {
  await makeComponents(page)
  await startMonth(page)
  const answers = {
    'A-1': { status: 521, contentType: 'text/html', body: '<h1>Web server is down</h1>' },
    'A-2': { status: 404, json: { message: 'no Route matched' } },
    ABC123: { status: 404, json: { error: 'Not Found' } },
  }
  for (const [index, [code, answer]] of Object.entries(answers).entries()) {
    await divertCounts(page, (route) => route.fulfill(answer))
    await scanLines(page, [code, String(index + 3)])
    await expect(page.getByText(/, 1 waiting$/)).toBeVisible()
    await findCounts(page)
    await expect(page.getByText(index === 0 ? '1 scan stored' : `All ${index + 1} scans stored`)).toBeVisible(
      {
        timeout: 30_000,
      },
    )
  }

  // A firewall that dislikes one of them holds up no other: the server answers what else it is asked.
  await divertCounts(page, async (route) => {
    const isDisliked = route.request().postData()?.includes('GHOST') === true
    await (isDisliked ? route.fulfill({ status: 403, body: '<h1>Blocked</h1>' }) : route.fallback())
  })
  await scanLines(page, ['GHOST-9', '7', 'A-1', '3'])
  await expect(page.getByText('5 scanned, 4 stored, 1 to decide')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('list', { name: 'Scans to decide' })).toContainText('Refused on the way')
  await page.getByRole('button', { name: 'Decide on GHOST-9' }).click()
  const dialog = page.getByRole('dialog', { name: 'Not stored' })
  await expect(dialog.getByText('Something between this device and the server')).toBeVisible()
})

/** The browser has no room left for what a page keeps of a tab. */
async function fillTab(page: Page): Promise<void> {
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
}

test('a tab that has no room left counts all the same', async ({ staff: page }) => {
  await makeComponents(page)
  await goTo(page, 'Monthly Count')
  await fillTab(page)
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Recent scans' }).getByRole('listitem')).toHaveCount(2)
})

test('a count that was started before the calendar of the company came goes on in a tab that has no room left', async ({
  staff: page,
}) => {
  await makeComponents(page)
  const letThrough = await hold(page, '/api/company/settings')
  await goTo(page, 'Monthly Count')
  await fillTab(page)
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const calendar = page.waitForResponse(/\/api\/company\/settings$/)
  letThrough()
  await calendar
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scan stored')).toBeVisible()
})

test('what was refused while its person had no seat in the plan is sent again together, and a decision that the device cannot keep is said, and asked for again', async ({
  staff: page,
}) => {
  const sentence = 'This device could not keep your decision: its storage may be full. Decide again.'
  await makeComponents(page)
  await startMonth(page)
  const error =
    'Your company has more users than its plan allows. You can read everything but change nothing: ask an administrator.'
  const body = JSON.stringify({ error, code: 'not_seated' })
  await divertCounts(page, (route) => route.fulfill({ status: 402, body, contentType: 'application/json' }))
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(page.getByText('2 scanned, 0 stored, 2 to decide')).toBeVisible()
  await expect(
    page.getByRole('list', { name: 'Scans to decide' }).getByText('No seat in the plan'),
  ).toHaveCount(2)
  await findCounts(page)
  await fillDisk(page, 'delete')
  await page.getByRole('button', { name: 'Decide on A-2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Not stored' })
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog.getByText(sentence)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send all 2 again' }).click()
  await expect(page.getByText(sentence)).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Send all 2 again' }).click()
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
})

test('who decides before a count is started stays at what is to decide, and at the heading after the last', async ({
  staff: page,
}) => {
  await makeComponents(page)
  await startMonth(page)
  const body = JSON.stringify({ error: 'You may not count here.', code: 'forbidden' })
  await divertCounts(page, (route) => route.fulfill({ status: 403, body, contentType: 'application/json' }))
  await scanLines(page, ['A-1', '3', 'A-2', '4', 'ABC123', '5'])
  await expect(page.getByText('3 scanned, 0 stored, 3 to decide')).toBeVisible()
  // The count itself runs in its own tab.
  const tab = await page.context().newPage()
  await tab.goto('/monthly-count')
  const discard = async (barcode: string) => {
    await tab.getByRole('button', { name: `Decide on ${barcode}` }).click()
    await tab.getByRole('dialog', { name: 'Not stored' }).getByRole('button', { name: 'Discard' }).click()
  }
  await discard('A-1')
  await expect(tab.getByRole('group', { name: 'Decisions' })).toBeFocused()
  await discard('A-2')
  await expect(tab.getByRole('group', { name: 'Decisions' })).toBeFocused()
  await findCounts(page)
  await tab.getByRole('button', { name: 'Send it again' }).click()
  await expect(tab.getByRole('list', { name: 'Scans to decide' })).toBeHidden()
  await expect(tab.getByRole('heading', { name: 'Monthly Count' })).toBeFocused()
})

test('a scan that is too old to be stored is discarded and counted again', async ({ staff: page }) => {
  await makeComponents(page)
  await page.clock.setFixedTime(new Date(Date.now() - 8 * 86_400_000))
  await startMonth(page)
  await loseCounts(page)
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await page.clock.setFixedTime(new Date())
  await findCounts(page)
  await page.getByRole('button', { name: 'Decide on A-1' }).click({ timeout: 45_000 })
  const dialog = page.getByRole('dialog', { name: 'Not stored' })
  await expect(
    dialog.getByText('This count is more than 7 days old and can no longer be accepted. Count it again.'),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  await expect(dialog.getByLabel('Code')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('list', { name: 'Scans to decide' })).toHaveCount(0)
})

test('a scan of a component that is retired says so, wherever it is shown', async ({ staff: page }) => {
  const sentence = 'This component is retired. An administrator can bring it back.'
  await makeComponents(page)
  await startMonth(page)
  const body = JSON.stringify({ error: sentence, code: 'barcode_retired' })
  await divertCounts(page, (route) => route.fulfill({ status: 404, body, contentType: 'application/json' }))
  await scanLines(page, ['A-1', '3'])
  const panel = page.getByRole('status').filter({ has: page.locator('p.font-mono') })
  await expect(panel).toContainText('Retired')
  await expect(panel).toContainText(sentence)
  await expect(page.getByRole('list', { name: 'Recent scans' }).getByText('Retired')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Scans to decide' }).getByText('Retired')).toBeVisible()
  await page.getByRole('button', { name: 'Decide on A-1' }).click()
  await expect(page.getByRole('dialog', { name: 'Not stored' }).getByText(sentence)).toBeVisible()
})

test('a scan without a network says that it is kept, then what came of it; what is wrong is listed', async ({
  staff: page,
  context,
}) => {
  await makeComponents(page)
  await startMonth(page)
  const panel = page.getByRole('status').filter({ has: page.locator('p.font-mono') })
  await scanLines(page, ['A-1', '3'])
  await expect(panel).toContainText('Right')
  await context.setOffline(true)
  await scanLines(page, ['A-2', '9'])
  await expect(panel).toContainText('Kept on this device. It is sent when the network is back.')
  await expect(panel).toContainText('A-2')
  await scanLines(page, ['ABC123', '5'])
  await expect(panel).toContainText('ABC123')
  await expect(panel).toContainText('Kept')
  await context.setOffline(false)
  await expect(panel).toContainText('✓ Washer - Quantity matches!')
  await expect(page.getByText('All 3 scans stored, 1 to count again')).toBeVisible()
  const wrong = page.getByRole('list', { name: 'Scans to count again' })
  await expect(wrong.getByText('A-2')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(wrong.getByText('A-2')).toBeVisible()
  await scanLines(page, ['A-2', '4'])
  await expect(panel).toContainText('✓ Nut - Quantity matches!')
  await expect(wrong).toHaveCount(0)
})

test('a scan that is delivered after the count was reset leaves its component to be counted', async ({
  staff: page,
}) => {
  await makeComponents(page)
  await startMonth(page)
  await loseCounts(page)
  await page.clock.setFixedTime(new Date(Date.now() - 20 * 60_000))
  await scanLines(page, ['A-1', '3'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await page.clock.setFixedTime(new Date())
  // The reset is news, for which the list is loaded again.
  const loadedAgain = page.waitForResponse(/to-count/)
  const reset = await page.evaluate(async () => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ location: 'PRIMARY' })
    return (await fetch('/api/components/reset-counts', { method: 'POST', headers, body })).status
  })
  expect(reset).toBe(200)
  await (await loadedAgain).finished()
  await findCounts(page)
  await expect(page.getByText('1 scan stored')).toBeVisible({ timeout: 45_000 })
  const recent = page.getByRole('list', { name: 'Recent scans' })
  await expect(recent.getByText('Right')).toBeVisible()
  // What the reply says is drawn in the list within half a second.
  await page.waitForTimeout(1_000)
  await expect(page.getByText('0 of 3 counted, 0% complete')).toBeVisible()
  await expect(page.getByRole('button', { name: /^A-1.*Bolt/ })).toContainText('Pending')
})

test.describe('taking the last entry back', () => {
  test('undoes what is stored, by button and by command code, and asks for a recount again where the right one was taken back', async ({
    staff: page,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await scanLines(page, ['A-1', '3', 'A-2', '9'])
    await expect(page.getByText('All 2 scans stored')).toBeVisible()
    await page.getByRole('button', { name: 'Undo last' }).click()
    await expect(page.getByText('Took back: A-2.').first()).toBeVisible()
    await expect(page.getByText('1 scan stored')).toBeVisible()
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
    await scanLines(page, ['IM:UNDO'])
    await expect(page.getByText('0 of 3 counted, 0% complete')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Recent scans' }).getByText('Undone')).toHaveCount(2)
    await scanLines(page, ['IM:UNDO'])
    await expect(page.getByText('There is no entry of yours to take back.')).toBeVisible()
    await expect(page.getByText('No scans yet')).toBeVisible()

    await scanLines(page, ['A-2', '9'])
    const again = page.getByRole('list', { name: 'Scans to count again' })
    await expect(again.getByText('A-2')).toBeVisible()
    await scanLines(page, ['A-2', '4'])
    await expect(page.getByText('✓ Nut - Quantity matches!')).toBeVisible()
    await expect(again).toBeHidden()
    await scanLines(page, ['IM:UNDO'])
    await expect(again.getByText('A-2')).toBeVisible()
    await scanLines(page, ['IM:UNDO'])
    await expect(again).toBeHidden()
  })

  test('takes what was scanned last, though the clock of the device was set back before', async ({
    staff: page,
  }) => {
    const setClock = (minutes: number) => page.clock.setFixedTime(new Date(Date.now() + minutes * 60_000))
    await makeComponents(page)
    await startMonth(page)
    await setClock(30)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 scan stored')).toBeVisible()
    await setClock(20)
    await scanLines(page, ['A-2', '4'])
    await expect(page.getByText('All 2 scans stored')).toBeVisible()
    await setClock(10)
    await loseCounts(page)
    await scanLines(page, ['ABC123', '5'])
    await expect(page.getByText('3 scanned, 2 stored, 1 waiting')).toBeVisible()
    await scanLines(page, ['IM:UNDO'])
    await findCounts(page)
    await expect(page.getByText('Took back: ABC123.').first()).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('All 2 scans stored')).toBeVisible()
    await scanLines(page, ['IM:UNDO'])
    await expect(page.getByText('Took back: A-2.').first()).toBeVisible()
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
  })

  test('takes an administrator’s count out of the cycle', async ({ admin: page }) => {
    await makeComponents(page)
    await goTo(page, 'Monthly Count')
    await page.getByRole('button', { name: 'Start Admin View' }).click()
    await expect(page.getByLabel('Barcode')).toBeFocused()
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
    await scanLines(page, ['IM:UNDO'])
    await expect(page.getByText('0 of 3 counted, 0% complete')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Expected 3')).toBeVisible()
  })

  test('takes two back when asked twice, and nothing that was scanned after', async ({
    staff: page,
    context,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await context.setOffline(true)
    await scanLines(page, ['A-1', '3', 'A-2', '4', 'ABC123', '5'])
    await expect(page.getByText('3 scanned, 0 stored, 3 waiting')).toBeVisible()
    await scanLines(page, ['IM:UNDO', 'IM:UNDO', 'A-2', '9'])
    await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('All 2 scans stored, 1 to count again')).toBeVisible()
    await expect(page.getByText('1 of 3 counted, 33% complete')).toBeVisible()
  })
})

test.describe('the scanner', () => {
  test('obeys command codes and goes to another location, but asks first while scans wait', async ({
    staff: page,
    context,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    await scanLines(page, ['ABC123', 'A-2'])
    await page.getByLabel('Quantity').fill('7')
    await pauseOfHand(page)
    await scanLines(page, ['IM:X10'])
    await expect(page.getByLabel('Quantity')).toHaveValue('70')
    await scanLines(page, ['IM:NEXT'])
    await expect(page.getByLabel('Barcode')).toHaveValue('A-2')
    await page.getByLabel('Quantity').fill('4')
    await pauseOfHand(page)
    await scanLines(page, ['IM:SUBMIT'])
    await expect(page.getByText('✓ Nut - Quantity matches!')).toBeVisible()

    await context.setOffline(true)
    await scanLines(page, ['A-1', '3'])
    await expect(page.getByText('2 scanned, 1 stored, 1 waiting')).toBeVisible()
    await scanLines(page, ['IM:LOC:SECONDARY'])
    const dialog = page.getByRole('dialog', { name: 'Change location?' })
    await expect(dialog.getByText('1 scan is waiting on this device.')).toBeVisible()
    await scanLines(page, ['ABC123'])
    await expect(page.getByText('Not counted: first say whether the location changes.')).toBeVisible()
    await expect(page.getByText('2 scanned, 1 stored, 1 waiting')).toBeVisible()
    await expect(page.getByLabel('Barcode')).toHaveValue('')
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Go to Secondary Warehouse' }).click()
    await expect(page.getByText('Secondary Warehouse').first()).toBeVisible()
  })
  test('goes to another location, and what was asked of this one goes with it, on either count', async ({
    staff: page,
    program,
    company,
  }) => {
    await importRows(page, [{ barcode: 'A-1' }])
    for (const location of ['PRIMARY', 'SECONDARY']) {
      const body = { barcodes: ['A-1'], day: 'Wednesday', location, action: 'add' }
      await askAs(program, company, { path: '/api/components/bulk-high-volume', body })
    }
    const askAndLeave = async (start: string, code: string) => {
      await page.getByRole('button', { name: start }).click()
      await page.getByRole('button', { name: 'Reset Count' }).click()
      await expect(page.getByRole('dialog', { name: 'Reset Count' })).toBeVisible()
      await scanLines(page, [code])
      await expect(page.getByRole('button', { name: start, includeHidden: true })).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await goTo(page, 'Monthly Count')
    await askAndLeave('Start Monthly Count', 'IM:LOC:SECONDARY')
    await goTo(page, 'Weekly Count')
    await dayOf(page).selectOption('Wednesday')
    await askAndLeave('Start Count', 'IM:LOC:PRIMARY')
  })

  test('finds components in the list, where a scan into that search or on a checkbox is a scan and presses nothing, loses what it puts around a code, and takes a doubled code once', async ({
    staff: page,
  }) => {
    await makeComponents(page)
    await startMonth(page)
    const barcode = page.getByLabel('Barcode')
    const list = page.getByRole('list', { name: 'Components to count' })
    await page.getByLabel('Find in the list').pressSequentially('wash', { delay: 150 })
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(list.getByText('ABC123')).toBeVisible()
    await pauseOfHand(page)
    await scanLines(page, ['A-1'])
    await expect(barcode).toHaveValue('A-1')
    await expect(page.getByLabel('Quantity')).toBeFocused()
    await expect(page.getByLabel('Find in the list')).toHaveValue('')
    await expect(list.getByRole('listitem')).toHaveCount(3)

    await page.getByRole('button', { name: 'Next Item' }).click()
    await expect(barcode).toHaveValue('')
    const sound = page.getByLabel('Sound and vibration')
    await sound.focus()
    await scanLines(page, ['CODE WITH SPACE'])
    await expect(barcode).toHaveValue('CODE WITH SPACE')
    await expect(sound).toBeChecked()

    await page.getByRole('button', { name: 'Next Item' }).click()
    await page.getByRole('button', { name: 'Scanner' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scanner' })
    await dialog.getByLabel('Before the code').fill(']C1')
    await dialog.getByLabel('After the code').fill('#')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await barcode.focus()
    await scanLines(page, [']C1A-1#', '3'])
    await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
    await scanLines(page, ['ABC123ABC123'])
    await expect(barcode).toHaveValue('ABC123')
    await expect(page.getByText('ABC123 arrived twice in one scan. It is taken once.')).toBeVisible()
  })

  test('speaks results where the person wants to hear them', async ({ staff: page }) => {
    await makeComponents(page)
    await page.addInitScript(() => {
      SpeechSynthesis.prototype.speak = ({ text }) => {
        document.title = text
      }
    })
    await startMonth(page)
    await page.getByLabel('Hands-free: speak results').check()
    await scanLines(page, ['A-1', '3'])
    await expect(page).toHaveTitle('Right. Bolt, 3.')
    await scanLines(page, ['A-2', '9'])
    await expect(page).toHaveTitle('Recount. Nut, 9.')
  })
})
