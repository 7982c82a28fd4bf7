import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { argv, execPath } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** npm run test:load -- --minutes 30 --rate 200 [--slow 500] [--sign-ins 100] [--p99 150]: see bench/sustained/main.ts. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const args = ['--import', 'tsx', join(root, 'bench', 'sustained', 'main.ts'), ...argv.slice(2)]
  const load = spawn(execPath, args, { cwd: root, stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => load.on('exit', (code) => resolve(code ?? 1)))
})
