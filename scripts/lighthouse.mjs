import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say, StopError } from './script.mjs'

// Kept out of package.json: its lock file is not accepted everywhere.
const version = '12.8.2'
const folder = join(root, '.cache', 'lighthouse')
const debugPort = 9333
const leastScore = 0.95
const person = { email: 'ada@lighthouse.example', passcode: 'correct horse' }

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
    const install = spawn('npm', args, { stdio: 'ignore', shell: process.platform === 'win32' })
    const code = await new Promise((resolve) => install.on('exit', resolve))
    if (code !== 0) throw new StopError(`Lighthouse ${version} could not be installed.`)
  }
  return (await import(pathToFileURL(entry).href)).default
}

/**
 * Starts the built program on a data folder of its own.
 * @param {string} dataDir
 */
async function startProgram(dataDir) {
  const port = 4173
  const url = `http://127.0.0.1:${port}`
  const program = spawn(process.execPath, [join(root, 'server', 'dist', 'main.js')], {
    env: { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: dataDir },
    stdio: 'ignore',
  })
  for (let tries = 0; tries < 300; tries += 1) {
    const ready = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return { url, stop: () => program.kill('SIGINT') }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new StopError('The program did not start.')
}

/**
 * Leaves a session in the browser's storage, as signing in does.
 * @param {string} url
 * @param {import('@playwright/test').BrowserContext} context
 */
async function signIn(url, context) {
  const post = async (/** @type {string} */ path, /** @type {unknown} */ body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  await post('/api/auth/register-tenant', {
    companyName: 'Lighthouse Ltd',
    contactEmail: person.email,
    contactName: 'Ada',
    adminPasscode: person.passcode,
    plan: 'professional',
  })
  const { token, user } = await post('/api/auth/login', person)
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.evaluate(
    (values) => Object.entries(values).forEach(([key, value]) => localStorage.setItem(key, value)),
    { jwt_token: token, user_data: JSON.stringify(user), selectedLocation: 'PRIMARY' },
  )
  await page.close()
}

/** Scores /login and /overview with Lighthouse's mobile preset; fails below 95 of 100 in any category. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const lighthouse = await loadLighthouse()
  const { executablePath } = await ensureBrowser()
  const dataDir = await mkdtemp(join(tmpdir(), 'inventory-manager-lighthouse-'))
  await chmod(dataDir, 0o711)
  const program = await startProgram(dataDir)
  const context = await chromium.launchPersistentContext(join(dataDir, 'profile'), {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debugPort}`],
  })
  /** @type {string[]} */
  const low = []
  for (const path of ['/login', '/overview']) {
    if (path !== '/login') await signIn(program.url, context)
    const { lhr } = await lighthouse(`${program.url}${path}`, {
      port: debugPort,
      disableStorageReset: true,
      logLevel: 'error',
    })
    const scores = Object.values(lhr.categories).map(
      ({ title, score }) => `${title} ${Math.round(score * 100)}`,
    )
    say(`${path}: ${scores.join(', ')}`)
    for (const { title, score } of Object.values(lhr.categories)) {
      if (score < leastScore) low.push(`${path}: ${title} is ${Math.round(score * 100)}.`)
    }
    for (const audit of Object.values(lhr.audits)) {
      if (audit.score !== null && audit.score < 0.9) say(`  ${audit.title}: ${audit.displayValue ?? ''}`)
    }
  }
  await context.close()
  program.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  if (low.length > 0) throw new StopError(low.join('\n'))
})
