import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env, platform } from 'node:process'
import { say } from './script.mjs'

/**
 * @typedef {object} Browser
 * @property {string} executablePath
 * @property {string} source where it comes from, in words
 */

/** The headless shell first: all of a Chromium draws its own windows too, which takes twice as long. */
const usualPlaces = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      join(folder, 'Chromium', 'Application', 'chrome.exe'),
      join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]),
}

/**
 * A Chromium that is on this machine and works, or null.
 * @returns {Promise<Browser | null>}
 */
export async function findBrowser() {
  if (env.CHROMIUM_PATH) return { executablePath: env.CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
  const { chromium } = await import('@playwright/test')
  const candidates = [
    ...(usualPlaces[platform] ?? []).map((executablePath) => ({ executablePath, source: 'this machine' })),
    { executablePath: chromium.executablePath(), source: "Playwright's own" },
  ]
  for (const candidate of candidates) {
    if (existsSync(candidate.executablePath) && (await showsPages(candidate.executablePath))) return candidate
  }
  return null
}

/**
 * A file of that name can be a stub (Ubuntu) or lack system libraries, so it has to show a page.
 * @param {string} executablePath
 */
export async function showsPages(executablePath) {
  const { chromium } = await import('@playwright/test')
  try {
    const browser = await chromium.launch({ executablePath, timeout: 30_000 })
    const page = await browser.newPage()
    await page.setContent('<p>ready</p>', { timeout: 10_000 })
    const isVisible = await page.getByText('ready').isVisible()
    await browser.close()
    return isVisible
  } catch (error) {
    say(`${executablePath} does not start: ${error.message.split('\n')[0]}`)
    return false
  }
}
