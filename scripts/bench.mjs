import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** Measures the built program beside its references; names of parts choose some of them. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  await runVisibly(['--import', 'tsx', join(root, 'bench', 'main.ts'), ...argv.slice(2)])
})
