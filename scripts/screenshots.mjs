import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt } from './build.mjs'
import { runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say, StopError } from './script.mjs'

const longestSeconds = 20 * 60

/** Makes pictures of every screen in three sizes, light and dark, from the built program. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { executablePath } = await ensureBrowser()
  const { code, output } = await runTool(
    '@playwright/test#playwright',
    ['test', '-c', join('e2e', 'pictures', 'playwright.config.ts')],
    { env: { CHROMIUM_PATH: executablePath }, timeoutSeconds: longestSeconds },
  )
  if (code !== 0) throw new StopError(output)
  say(`The pictures are in ${join(root, 'test-results', 'screenshots')}.`)
})
