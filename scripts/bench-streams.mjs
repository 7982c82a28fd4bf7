import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** npm run bench:streams -- [streams=500] [scans=2000]: what open streams of news cost a node of the built program. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  await runVisibly(['--import', 'tsx', join(root, 'bench', 'streams', 'main.ts'), ...argv.slice(2)])
})
