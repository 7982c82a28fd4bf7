import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt } from './build.mjs'
import { runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, StopError } from './script.mjs'

/**
 * What can be measured by itself: its folder in bench, whether it works on the built program, and whether in a browser.
 * @type {Partial<Record<string, { folder: string, isBuilt: boolean, inBrowser?: boolean }>>}
 */
const measures = {
  /** Beside references; names of parts choose some of them. */
  suite: { folder: '.', isBuilt: true },
  /** The label writer beside a bare one, pdfkit and pdf-lib. */
  labels: { folder: 'labels', isBuilt: false },
  /** The count screen, as slow as a handheld. */
  browser: { folder: 'browser', isBuilt: true, inBrowser: true },
  /** [counts=20000]: bytes of a count and of a component. */
  storage: { folder: 'storage', isBuilt: true },
  /** [counts…] [--leave 20] [--recent 151]: pages that statements touch as the history of one company grows. */
  history: { folder: 'history', isBuilt: true },
  /** [streams=500] [scans=2000]: what open streams of news cost a node. */
  streams: { folder: 'streams', isBuilt: true },
  /** --minutes 30 --rate 200 [--slow 500] [--sign-ins 100] [--p99 150]: see bench/sustained/main.ts. */
  sustained: { folder: 'sustained', isBuilt: true },
}

await runScript(async () => {
  const [name = '', ...rest] = argv.slice(2)
  const measure = measures[name]
  if (measure === undefined) throw new StopError(`Name one of: ${Object.keys(measures).join(', ')}.`)
  await ensureInstalled()
  if (measure.isBuilt) await ensureBuilt()
  const browser = measure.inBrowser === true ? await ensureBrowser() : null
  const environment = browser === null ? {} : { CHROMIUM_PATH: browser.executablePath }
  const main = join(root, 'bench', measure.folder, 'main.ts')
  await runVisibly(['--import', 'tsx', main, ...rest], environment)
})
