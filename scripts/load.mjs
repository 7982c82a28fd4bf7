import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** npm run test:load -- --minutes 30 --rate 200 [--slow 500] [--sign-ins 100] [--p99 150]: see bench/sustained/main.ts. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  await runVisibly(['--import', 'tsx', join(root, 'bench', 'sustained', 'main.ts'), ...argv.slice(2)])
})
