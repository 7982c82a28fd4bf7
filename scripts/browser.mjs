import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { browserWays } from './browser-ways.mjs'
import { findBrowser, showsPages } from './find-browser.mjs'
import { withLock } from './lock.mjs'
import { root, say, StopError } from './script.mjs'

/** @typedef {import('./find-browser.mjs').Browser} Browser */

const knownFile = join(root, '.cache', 'browser', 'path.json')

/**
 * A Chromium for the browser tests; gets one if there is none.
 * @returns {Promise<Browser>}
 */
export async function ensureBrowser() {
  if (env.CHROMIUM_PATH && !existsSync(env.CHROMIUM_PATH)) {
    throw new StopError(
      `CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which is not there: correct it or unset it.`,
    )
  }
  if (env.CHROMIUM_PATH) return { executablePath: env.CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
  return withLock('browser', async () => {
    const browser = readKnown() ?? (await findBrowser()) ?? (await getBrowser())
    mkdirSync(dirname(knownFile), { recursive: true })
    writeFileSync(knownFile, JSON.stringify(browser))
    return browser
  })
}

/** @returns {Browser | null} */
function readKnown() {
  if (!existsSync(knownFile)) return null
  const browser = JSON.parse(readFileSync(knownFile, 'utf8'))
  return existsSync(browser.executablePath) ? browser : null
}

async function getBrowser() {
  for (const way of browserWays) {
    if (!way.isPossible()) continue
    say(`Getting a Chromium for the browser tests: ${way.title}…`)
    const { executablePath, problem } = await way.get()
    if (executablePath && (await showsPages(executablePath))) return { executablePath, source: way.title }
    say(`That did not work${problem ? ` (${problem})` : ': it shows no page'}.`)
  }
  throw new StopError(
    'The browser tests need a Chromium and none could be got: install Chrome or Chromium, or name one in CHROMIUM_PATH, and try again.',
  )
}
