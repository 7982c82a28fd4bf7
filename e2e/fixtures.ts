import { randomUUID } from 'node:crypto'
import {
  test as base,
  expect,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type Route,
} from '@playwright/test'
import { addColleague, closedAt, leaveSession, type Person } from './people.ts'
import { startProgram, type Program } from './program.ts'

export type Company = { name: string; email: string; password: string }

type Fixtures = {
  /** A registered company, not signed in. */
  company: Company
  /** A page signed in as that company's administrator, at the Primary Warehouse, where the program is not open yet. */
  admin: Page
  /** A person of that company who counts, not signed in. */
  sam: Person
  /** A page signed in as that person, at the Primary Warehouse, where the program is not open yet. */
  staff: Page
  /** Opens an empty page on another device, where nobody is signed in; closed at the end of the test. */
  openElsewhere: (options?: BrowserContextOptions) => Promise<Page>
}

/** What a page may say on its console without failing the test: that a call or a part of the program did not arrive. */
const expectedNoise =
  /Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_\w+)|Failed to fetch dynamically imported module/

export async function register(program: Program, plan = 'professional'): Promise<Company> {
  const company = {
    name: 'Nordlager AG',
    email: `ada-${randomUUID()}@nordlager.example`,
    password: 'correct horse',
  }
  const response = await fetch(`${program.url}/api/auth/register-tenant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      companyName: company.name,
      contactEmail: company.email,
      contactName: 'Ada Admin',
      adminPasscode: company.password,
      plan,
      timeZone: 'Europe/Berlin',
    }),
  })
  if (!response.ok) throw new Error(`Registration answered ${response.status}.`)
  return company
}

export async function signIn(
  page: Page,
  person: { email: string; password: string },
  origin = '',
): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

export async function chooseLocation(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(name) }).check()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).click()
  // The button says 'Setting up...' meanwhile; the screen is left when its heading is gone.
  await expect(page.getByRole('heading', { name: 'Select your location' })).toBeHidden()
}

/** The day that the weekly count is of; its bar of progress has a name that begins alike. */
export const dayOf = (page: Page): Locator => page.getByLabel('Day', { exact: true })

/** Where links of the navigation lead that a test begins with. */
const addresses = new Map([
  ['Overview', '/overview'],
  ['Monthly Count', '/monthly-count'],
  ['Weekly Count', '/weekly-count'],
  ['Components', '/components'],
  ['Generate Labels', '/generate-labels'],
  ['Print Labels', '/print-settings'],
  ['Audit Trail', '/audit-trail'],
  ['Analytics', '/graphs'],
  ['Discrepancies', '/discrepancies'],
  ['Accuracy', '/accuracy'],
  ['Unknown Codes', '/unknown-codes'],
  ['Live Count Room', '/count-room'],
])

function addressOf(name: string): string {
  const address = addresses.get(name)
  if (address === undefined) throw new Error(`No test begins with ${name}.`)
  return address
}

function isOpen(page: Page): boolean {
  return new URL(page.url()).pathname !== closedAt
}

/**
 * Goes to a screen: by its link in the navigation, which is a sheet on a handheld, or where the program is not open yet, by its
 * address.
 */
export async function goTo(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open menu' })
  const administration = page.getByRole('button', { name: 'Administration' })
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name })
  const wasOpen = isOpen(page)
  if (!wasOpen) await page.goto(addressOf(name))
  await expect(menu.or(administration).or(link).first()).toBeVisible()
  if (!wasOpen) return
  if (await menu.isVisible()) await menu.click()
  else if (await link.isHidden()) await administration.click()
  const address = (await link.getAttribute('href')) ?? ''
  await link.click()
  // The screen before stays until what the next one needs is here.
  await page.waitForURL((url) => url.pathname === address)
}

/** What a page waits for from here on comes when its test lets time pass, not by itself; what it waited for before, as ever. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 10_000)
}

type Check = (soon: { timeout: number }) => Promise<void>

async function passTime(
  page: Page,
  often: { ms: number; times: number; timeout: number },
  check: Check,
): Promise<void> {
  let passed = -1
  const pass = async () => {
    if (passed >= 0 && passed < often.times) await page.clock.fastForward(often.ms)
    passed += 1
    await check({ timeout: 200 })
  }
  await expect(pass).toPass({ intervals: [400, 200, 250, 500, 1_000], timeout: often.timeout })
}

/**
 * Lets time pass on a page until it shows what comes then: what loads at once and then rests, or tries again after a pause, twice at
 * most, need not be waited for. What is told meanwhile is heard before, so that it comes while a list rests. The clock of the page is
 * installed before it waits, as the first thing; not on one that scanners write on, who are told from hands by how fast their keys come.
 * No more passes than twice the given time, or what comes each minute anyway would be taken for it.
 */
export async function asTimePasses(page: Page, ms: number, check: Check): Promise<void> {
  await passTime(page, { ms, times: 2, timeout: 10_000 }, check)
}

/** The same of what a page asks for each time so much has passed, until the server has done what it is to say. */
export async function asItIsAsked(page: Page, ms: number, check: Check): Promise<void> {
  await passTime(page, { ms, times: 40, timeout: 20_000 }, check)
}

/** What is told of what was done a moment ago comes within a second, and has the lists that it loads again rest for five. */
export async function takeInNews(page: Page): Promise<void> {
  await page.waitForTimeout(1_000)
  await page.clock.fastForward(5_000)
}

/** A page learns in its own time that calls of it go another way: what it sends at once might still reach the server. */
export async function awaitDiversion(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return
  await page.route('**/diverted', (route) => route.fulfill({ body: 'yes' }))
  const ask = () => page.evaluate(async () => await (await fetch('/diverted')).text())
  await expect.poll(ask).toBe('yes')
  await page.unroute('**/diverted')
}

type Handle = (route: Route) => unknown

/** From here on calls of a page go another way. */
export async function divert(page: Page, calls: string | RegExp, handle: Handle): Promise<void> {
  await page.route(calls, handle)
  await awaitDiversion(page)
}

/** The next call of a page goes another way. */
export async function divertOnce(page: Page, calls: string | RegExp, handle: Handle): Promise<void> {
  let isFirst = true
  // Playwright's own `times: 1` lets the first go on by itself where it is on its way when another route is taken away.
  await divert(page, calls, (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    return handle(route)
  })
}

/** Something between browser and server answers a call in its place, as proxies and captive portals do. */
export async function answerInstead(page: Page, path: string, answer: { status: number; body: string }) {
  await divert(page, `**${path}`, (route) => route.fulfill({ ...answer, contentType: 'text/html' }))
}

/** Keeps a call from the server until the function that comes back lets it through. */
export async function hold(page: Page, path: string): Promise<() => void> {
  const gate: { open: () => void } = { open: () => undefined }
  const opened = new Promise<void>((resolve) => (gate.open = resolve))
  await divert(page, `**${path}`, async (route) => {
    await opened
    await route.continue()
  })
  return gate.open
}

/** A call that the network swallows: it never fails and is never answered. */
export async function stall(page: Page, path: string): Promise<void> {
  await divert(page, `**${path}`, () => undefined)
}

/**
 * Has an answer that does not come given up after a twentieth of the time that the page on screen gives it; what comes back says how
 * many milliseconds that would have been, each time.
 */
export async function shortenPatience(page: Page): Promise<() => Promise<number[]>> {
  const asked = await page.evaluateHandle(() => {
    const asked: number[] = []
    const begin = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => {
      asked.push(ms)
      return begin(ms / 20)
    }
    return asked
  })
  return () => asked.jsonValue()
}

/** How long what a call that is cut off has failed may take to be said: after three tries, one and two seconds apart. */
export const afterTries = { timeout: 20_000 }

/** Cuts a call off, as a network that breaks does. */
export async function cut(page: Page, path: string): Promise<void> {
  await divert(page, `**${path}`, (route) => route.abort('connectionreset'))
}

/** Lets the next change through and loses its answer: the server has done it, and the page does not know. */
export async function loseAnswer(page: Page, path: string): Promise<void> {
  let isLost = false
  await divert(page, `**${path}`, async (route) => {
    // A list that stands at the same path is asked for in between.
    if (isLost || route.request().method() === 'GET') {
      await route.fallback()
      return
    }
    isLost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
}

/** From here on, until it is loaded again, a page cannot do one thing to its database, as where the disk is full. */
export async function fillDisk(page: Page, method: 'add' | 'delete'): Promise<void> {
  await page.evaluate((name) => {
    IDBObjectStore.prototype[name] = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError')
    }
  }, method)
}

/** Asks the API for a change as the person signed in on a page. */
export async function postFrom(page: Page, path: string, body: unknown): Promise<void> {
  const given = { path, text: JSON.stringify(body) }
  const status = await page.evaluate(async ({ path, text }) => {
    const response = await fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
      },
      body: text,
    })
    return response.status
  }, given)
  if (status !== 200 && status !== 201) throw new Error(`${path} answered ${status}.`)
}

/** Imports components through the API as the person signed in on a page. */
export async function importRows(page: Page, rows: Record<string, unknown>[]): Promise<void> {
  await postFrom(page, '/api/components/import', rows)
}

/** Shows, on a phone, what stands behind More beside a count; elsewhere it is there. */
export async function showMore(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'More', expanded: false })
  if (await more.isVisible()) await more.click()
}

/** Opens, on a handheld, the sheet with the list of a running count; elsewhere it is there. */
export async function showList(page: Page): Promise<void> {
  const list = page.getByRole('button', { name: 'List', exact: true })
  if (await list.isVisible()) await list.click()
}

/** Closes that sheet, where one is open. */
export async function hideList(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close dialog' })
  if (await close.isVisible()) await close.click()
}

/** Presses a button of the bar, which stands in a sheet on a handheld. */
export async function pressInBar(page: Page, name: string): Promise<void> {
  if (!isOpen(page)) await goTo(page, 'Overview')
  const menu = page.getByRole('button', { name: 'Open menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name }).first().click()
}

/** What each page says when its Content-Security-Policy or Trusted Types stopped something; see the page fixture. */
const violation = 'The policy was violated:'

/** Runs in every page before anything of its own. */
function reportViolations(said: string): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    // The console is what a test reads of every page, the closed ones too.
    // oxlint-disable-next-line no-console
    console.error(`${said} ${effectiveDirective} ${blockedURI} ${sample}`)
  })
}

function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    const { url } = message.location()
    const text = `${message.type()}: ${message.text()} ${url}`
    if (['error', 'warning'].includes(message.type()) && !expectedNoise.test(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
}

/** Into the output of the run, which is all that is left of it elsewhere, and as a picture beside it. */
async function tellWhatIsShown(page: Page, picture: string): Promise<void> {
  if (page.isClosed()) return
  const { innerText } = await page.evaluate(() => ({ innerText: document.body.innerText }))
  process.stdout.write(`What was shown at ${page.url()} when the test failed:\n${innerText}\n`)
  await page.screenshot({ path: picture })
}

export const test = base.extend<Fixtures, { program: Program }>({
  program: [
    async ({}, use) => {
      const program = await startProgram()
      await use(program)
      await program.stop()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ program }, use) => use(program.url),

  page: async ({ page }, use, testInfo) => {
    const complaints: string[] = []
    await page.context().addInitScript(reportViolations, violation)
    // Of every page of the test: whatever else one may say, no policy is ever violated.
    page.context().on('console', (message) => {
      if (message.text().startsWith(violation) && message.page() !== page) complaints.push(message.text())
    })
    listen(page, complaints)
    await use(page)
    if (testInfo.status !== testInfo.expectedStatus) {
      await tellWhatIsShown(page, testInfo.outputPath('when-it-failed.png'))
    }
    // Pages go on asking while their test ends: an answer on its way through a route would meet a closed page.
    const routed = [page.context(), ...page.context().pages()]
    await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })))
    expect(complaints, 'The browser console must stay silent.').toEqual([])
  },

  openElsewhere: async ({ browser }, use) => {
    const complaints: string[] = []
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      await context.addInitScript(reportViolations, violation)
      const page = await context.newPage()
      listen(page, complaints)
      return page
    })
    await Promise.all(contexts.map((context) => context.close()))
    expect(complaints, 'The browser console must stay silent on other devices, too.').toEqual([])
  },

  company: async ({ program }, use) => use(await register(program)),

  admin: async ({ page, program, company }, use) => {
    await leaveSession(page, program, company)
    await use(page)
  },

  sam: async ({ program, company }, use) => {
    const person = { email: `sam-${company.email}`, name: 'Sam Staff', password: 'another horse' }
    await addColleague(program, company, person)
    await use(person)
  },

  staff: async ({ page, program, sam }, use) => {
    await leaveSession(page, program, sam)
    await use(page)
  },
})

/** Presses a button in the moment in which the session is lost, before anything else is loaded without one. */
export async function pressWithoutSession(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    localStorage.removeItem('jwt_token')
    element.click()
  })
}

export { expect }
