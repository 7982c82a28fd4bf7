import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runScript } from './script.mjs'

await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // In this process, so that signals reach the server itself.
  await import('../server/dist/main.js')
})
