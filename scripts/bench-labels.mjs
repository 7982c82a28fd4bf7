import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** Measures the label writer beside a bare one, pdfkit and pdf-lib in one run. */
await runScript(async () => {
  await ensureInstalled()
  const args = ['--import', 'tsx', join(root, 'bench', 'labels', 'main.ts')]
  const bench = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => bench.on('exit', (code) => resolve(code ?? 1)))
})
