import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt } from './build.mjs'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** Measures the count screen of the built program in a browser, as slow as a handheld. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { executablePath } = await ensureBrowser()
  const args = ['--import', 'tsx', join(root, 'bench', 'browser', 'main.ts')]
  await runVisibly(args, { CHROMIUM_PATH: executablePath })
})
