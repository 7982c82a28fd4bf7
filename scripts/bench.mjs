import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** Measures the built program beside its references; names of parts choose some of them. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const args = ['--import', 'tsx', join(root, 'bench', 'main.ts'), ...argv.slice(2)]
  const bench = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => bench.on('exit', (code) => resolve(code ?? 1)))
})
