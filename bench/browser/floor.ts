import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test'
import { startProgram, type Program } from '../../e2e/program.ts'
import { makeCompany, type Company } from '../companies.ts'
import { watchPage, type Notes } from './watch.ts'

/** A tab in which somebody counts, and the company it is of. */
export type Floor = {
  program: Program
  browser: Browser
  company: Company
  page: Page
  devtools: CDPSession
  close: () => Promise<void>
}

const password = 'another horse'

async function signIn(page: Page, { url, email }: { url: string; email: string }): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).tap()
  await page.getByRole('radio', { name: /Primary Warehouse/ }).tap()
  await page.getByRole('button', { name: 'Continue to Dashboard' }).tap()
  await page.getByRole('heading', { name: /Welcome/ }).waitFor()
}

/**
 * Starts the built program and opens a running monthly count over so many components, as staff on a handheld: touched,
 * since a handheld has no mouse whose place is looked up in every frame.
 */
export async function openFloor(components: number): Promise<Floor> {
  const browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    ...(env['CHROMIUM_PATH'] === undefined ? {} : { executablePath: env['CHROMIUM_PATH'] }),
  })
  const program = await startProgram()
  const company = await makeCompany(program.url, components)
  const email = `sam-${company.email}`
  await program.addUser({ companyOf: company.email, email, name: 'Sam Staff', password })
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true })
  // What runs this file names the functions inside watchPage by a helper that the page does not have.
  await context.addInitScript('globalThis.__name = (value) => value')
  await context.addInitScript(watchPage)
  const page = await context.newPage()
  await signIn(page, { url: program.url, email })
  await page.goto(`${program.url}/monthly-count`)
  await page.getByRole('button', { name: 'Start Monthly Count' }).tap()
  await page.getByLabel('Barcode').waitFor()
  return {
    program,
    browser,
    company,
    page,
    devtools: await context.newCDPSession(page),
    async close() {
      await browser.close()
      await program.stop()
    },
  }
}

/** Makes the page so many times slower than this machine. */
export async function slowDown({ devtools }: Floor, rate: number): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

/** What the page noted since it was last asked. */
export async function takeNotes({ page }: Floor): Promise<Notes> {
  return await page.evaluate(() => {
    const { notes } = window
    const taken = { ...notes }
    Object.assign(notes, { enters: [], results: [], answers: [], letters: [] })
    return taken
  })
}

function pressKey({ devtools }: Floor, key: string): Promise<unknown> {
  const enter = { key, code: key, text: '\r', windowsVirtualKeyCode: 13 }
  const pressed = key === 'Enter' ? enter : { key, text: key }
  return devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed })
}

const keysOf = (line: string) => [...Array.from(line), 'Enter']

/** Types as a scanner does: all keys at once, each through the browser's own input events. */
export async function typeAtOnce(floor: Floor, lines: readonly string[]): Promise<void> {
  await Promise.all(lines.flatMap(keysOf).map((key) => pressKey(floor, key)))
}

/** Types as a person does, a key every so many milliseconds. */
export async function typeSlowly(floor: Floor, line: string, everyMs: number): Promise<void> {
  for (const key of keysOf(line)) {
    await sleep(everyMs)
    await pressKey(floor, key)
  }
}

/** The least value that a share of all, from 0 to 1, is not above (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
