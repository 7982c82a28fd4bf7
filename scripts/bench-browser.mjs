import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { findBrowser } from './find-browser.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, StopError } from './script.mjs'

/** Measures the count screen of the built program in a browser, as slow as a handheld. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const browser = await findBrowser()
  if (browser === null) throw new StopError('There is no Chromium here; CHROMIUM_PATH says where one is.')
  const args = ['--import', 'tsx', join(root, 'bench', 'browser', 'main.ts')]
  const bench = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, CHROMIUM_PATH: browser.executablePath },
  })
  process.exitCode = await new Promise((resolve) => bench.on('exit', (code) => resolve(code ?? 1)))
})
