import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runScript } from './script.mjs'

/** Runs a command of the program's CLI: its name follows in package.json, its options on the command line. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const cli = new URL('../server/dist/cli.js', import.meta.url)
  process.argv.splice(1, 1, fileURLToPath(cli))
  await import(cli.href)
})
