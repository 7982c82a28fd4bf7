import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** npm run bench:storage -- [counts=20000]: bytes of a count and of a component of the built program. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  await runVisibly(['--import', 'tsx', join(root, 'bench', 'storage', 'main.ts'), ...argv.slice(2)])
})
