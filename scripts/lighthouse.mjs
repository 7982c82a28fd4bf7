import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt } from './build.mjs'
import { endCommand, lastLines, runCommand, runNpm, startCommand } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say, StopError } from './script.mjs'

// Kept out of package.json: its lock file is not accepted everywhere.
const version = '12.8.2'
const folder = join(root, '.cache', 'lighthouse')
const debugPort = 9333
const leastScore = 0.95
/** Some of the screens, by their paths; all of them without any. */
const only = process.argv.slice(2)
const person = { email: 'ada@lighthouse.example', passcode: 'correct horse' }
const counter = { email: 'sam@lighthouse.example', passcode: 'another horse' }
const components = 5_000
/** The count screen on slow 4G and a mid-range phone, which is what Lighthouse takes for a mobile. */
const mostMsToInteractive = 2_500
const countScreen = '/monthly-count'

async function loadLighthouse() {
  const entry = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js')
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true })
    const args = [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      `lighthouse@${version}`,
    ]
    const { code, output } = await runNpm(args)
    if (code !== 0) {
      throw new StopError(`${lastLines(output, 15)}\nLighthouse ${version} could not be installed.`)
    }
  }
  return (await import(pathToFileURL(entry).href)).default
}

/** @typedef {{ url: string, command: (args: string[]) => Promise<void> }} Program */

/**
 * Runs the built program on a data folder of its own for as long as the work takes.
 * @template T
 * @param {string} dataDir
 * @param {(program: Program) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withProgram(dataDir, work) {
  const port = 4173
  const url = `http://127.0.0.1:${port}`
  // What is set here for a program of one's own is not for this one.
  const others = Object.fromEntries(Object.keys(env).map((name) => [name, undefined]))
  const options = { env: { ...others, PATH: env['PATH'], PORT: String(port), DATA_DIR: dataDir } }
  const program = startCommand(execPath, [join(root, 'server', 'dist', 'main.js')], options)
  const ended = once(program, 'close')
  let said = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      said += text
    })
  }
  try {
    if (!(await answers(url))) throw new StopError(`${lastLines(said, 15)}\nThe program did not start.`)
    return await work({
      url,
      async command(args) {
        const { code, output } = await runCommand(
          execPath,
          [join(root, 'server', 'dist', 'cli.js'), ...args],
          options,
        )
        if (code !== 0) throw new StopError(`${lastLines(output, 15)}\nThe command ${args[0]} failed.`)
      },
    })
  } finally {
    endCommand(program, 'SIGINT')
    await ended
  }
}

/**
 * Whether the program answers within a minute.
 * @param {string} url
 */
async function answers(url) {
  for (let tries = 0; tries < 300; tries += 1) {
    const ready = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

/**
 * One call of the program.
 * @param {string} url
 * @param {{ body: unknown, token?: string }} request
 */
async function post(url, { body, token }) {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new StopError(`${url} answered ${response.status}.`)
  return await response.json()
}

/**
 * A company with somebody who counts and much to count.
 * @param {Program} program
 */
async function makeCompany({ url, command }) {
  await post(`${url}/api/auth/register-tenant`, {
    body: {
      companyName: 'Lighthouse Ltd',
      contactEmail: person.email,
      contactName: 'Ada',
      adminPasscode: person.passcode,
      plan: 'professional',
    },
  })
  const { token } = await post(`${url}/api/auth/login`, { body: person })
  const rows = Array.from({ length: components }, (_, index) => ({
    barcode: `SKU-${String(index).padStart(6, '0')}`,
    description: `Component number ${index} steel bracket M${index % 20}`,
    primary_quantity: index % 500,
  }))
  await post(`${url}/api/components/import`, { body: rows, token })
  const { email, passcode } = counter
  const names = ['--company-of', person.email, '--email', email, '--name', 'Sam']
  await command(['add-user', ...names, '--password', passcode])
}

/**
 * Leaves a session in the browser's storage, as signing in does.
 * @param {string} url
 * @param {import('@playwright/test').BrowserContext} context
 * @param {typeof person} who
 */
async function signIn(url, context, who) {
  const { token, user } = await post(`${url}/api/auth/login`, { body: who })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.evaluate(
    (values) => Object.entries(values).forEach(([key, value]) => localStorage.setItem(key, value)),
    { jwt_token: token, user_data: JSON.stringify(user), selectedLocation: 'PRIMARY' },
  )
  // Signing in has loaded parts of the screen that is measured: somebody new has none of them, and no page loads more meanwhile.
  await page.goto('about:blank')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await page.close()
}

/** Each screen, and who is signed in on it. */
const screens = [
  { path: '/login', who: null },
  { path: '/overview', who: person },
  { path: countScreen, who: counter },
]

/**
 * Says what a screen reached, and gives a line for each thing that is not good enough.
 * @param {string} path
 * @param {any} lhr Lighthouse's own report; it is installed apart, without its types
 * @returns {string[]}
 */
function judge(path, lhr) {
  /** @type {{ title: string, score: number }[]} */
  const categories = Object.values(lhr.categories)
  /** @type {{ title: string, score: number | null, displayValue?: string }[]} */
  const audits = Object.values(lhr.audits)
  const interactive = Math.round(lhr.audits['interactive'].numericValue)
  const scores = categories.map(({ title, score }) => `${title} ${Math.round(score * 100)}`)
  say(`${path}: ${scores.join(', ')}; interactive after ${interactive} ms`)
  for (const { title, score, displayValue } of audits) {
    if (score !== null && score < 0.9) say(`  ${title}: ${displayValue ?? ''}`)
  }
  const isSlow = path === countScreen && interactive > mostMsToInteractive
  return [
    ...(isSlow ? [`${path}: interactive after ${interactive} ms, more than ${mostMsToInteractive}.`] : []),
    ...categories
      .filter(({ score }) => score < leastScore)
      .map(({ title, score }) => `${path}: ${title} is ${Math.round(score * 100)}.`),
  ]
}

/**
 * Scores the screens and gives a line for each thing that is not good enough.
 * @param {any} lighthouse installed apart, without its types
 * @param {{ program: Program, context: import('@playwright/test').BrowserContext }} started
 */
async function scoreScreens(lighthouse, { program, context }) {
  /** @type {string[]} */
  const low = []
  await makeCompany(program)
  // What was imported is news for ten seconds, and lists are loaded again for it.
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  for (const { path, who } of screens) {
    if (only.length > 0 && !only.includes(path)) continue
    if (who !== null) await signIn(program.url, context, who)
    const { lhr } = await lighthouse(`${program.url}${path}`, {
      port: debugPort,
      disableStorageReset: true,
      logLevel: 'error',
    })
    low.push(...judge(path, lhr))
  }
  return low
}

/**
 * Scores screens with Lighthouse's mobile preset: fails below 95 of 100 in any category, and where the count screen takes
 * long to react.
 */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const lighthouse = await loadLighthouse()
  const { executablePath } = await ensureBrowser()
  const { chromium } = await import('@playwright/test')
  const dataDir = await mkdtemp(join(tmpdir(), 'inventory-manager-lighthouse-'))
  try {
    await chmod(dataDir, 0o711)
    const low = await withProgram(dataDir, async (program) => {
      const context = await chromium.launchPersistentContext(join(dataDir, 'profile'), {
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debugPort}`],
      })
      try {
        return await scoreScreens(lighthouse, { program, context })
      } finally {
        await context.close()
      }
    })
    if (low.length > 0) throw new StopError(low.join('\n'))
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
})
