import { join } from 'node:path'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript } from './script.mjs'

/** Measures the label writer beside a bare one, pdfkit and pdf-lib in one run. */
await runScript(async () => {
  await ensureInstalled()
  await runVisibly(['--import', 'tsx', join(root, 'bench', 'labels', 'main.ts')])
})
