import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkCatches } from './check-catches.mjs'
import { lastLines, runTool } from './command.mjs'
import { root } from './script.mjs'
import { countPlaywrightTests, countVitestTests } from './test-reports.mjs'

/**
 * @typedef {import('./command.mjs').CommandResult} CommandResult
 *
 * @typedef {object} StepResult
 * @property {string} title
 * @property {number} seconds
 * @property {number} passed
 * @property {number} failed
 * @property {string} summary one line
 * @property {string} [output] shown when something failed
 *
 * @typedef {object} Check
 * @property {string} key
 * @property {string} title
 * @property {() => Promise<StepResult>} run
 */

const testSeconds = 60 * 60
/** What the test runners report, for the steps that read it. */
export const reports = {
  vitest: join(root, '.cache', 'vitest.json'),
  playwright: join(root, '.cache', 'playwright.json'),
}
const takeTurn = limit(2)

/** @type {Check[]} */
export const staticChecks = [
  check('format', 'Format', [() => runTool('prettier', ['--check', '.'])]),
  check(
    'types',
    'Types',
    ['contract', 'server', 'web', 'e2e', 'bench', 'packages/client'].map(
      (part) => () => runTool('typescript-7#tsc', ['-p', part]),
    ),
  ),
  check('lint', 'Lint', [() => runTool('oxlint', ['--type-aware', '-c', '.oxlintrc.json'])]),
  check('catches', 'Swallowed errors', [checkCatches]),
  check('imports', 'Imports', [cruiseImports]),
  check('dead-code', 'Dead code', [() => runTool('knip', [])]),
]

export const unitTests = {
  key: 'unit',
  title: 'Unit and API tests',
  /** @param {boolean} isBuilt whether there is a program to start in place of its sources, which takes a third of the time */
  run: (isBuilt) =>
    runTests(unitTests.title, reports.vitest, {
      count: countVitestTests,
      start: () => {
        const args = ['run', '--reporter=default', '--reporter=json', `--outputFile=${reports.vitest}`]
        const env = isBuilt ? { BUILT_PROGRAM: join(root, 'server', 'dist') } : {}
        return runTool('vitest', args, { env, timeoutSeconds: testSeconds })
      },
    }),
}

/** What the tests just sent to the database, parsed: ops/citus/README.md says what it is for. */
export const statements = check('statements', 'Statements', [
  () => runTool('tsx', [join('server', 'test', 'statements', 'check.ts')]),
])

export const browserTests = {
  key: 'browser',
  title: 'Browser tests',
  /** @param {string} executablePath */
  run: (executablePath) =>
    runTests(browserTests.title, reports.playwright, {
      count: countPlaywrightTests,
      start: () =>
        runTool('@playwright/test#playwright', ['test', '-c', 'e2e', '--reporter=list,json'], {
          env: { CHROMIUM_PATH: executablePath, PLAYWRIGHT_JSON_OUTPUT_NAME: reports.playwright },
          timeoutSeconds: testSeconds,
        }),
    }),
}

/**
 * @param {string} key
 * @param {string} title
 * @param {(() => Promise<CommandResult>)[]} commands
 * @returns {Check}
 */
function check(key, title, commands) {
  const run = async () => {
    const results = await Promise.all(commands.map(takeTurn))
    const broken = results.filter((result) => result.code !== 0)
    const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
    const output = broken.map((result) => result.output).join('')
    const summary = lastLines(
      results.map((result) => result.output.replace(/^Finished in .*/m, '')).join(''),
      1,
    )
    if (broken.length > 0) return { title, seconds, passed: 0, failed: 1, summary: 'see its output', output }
    return { title, seconds, passed: 1, failed: 0, summary: summary || 'nothing to report' }
  }
  return { key, title, run }
}

/** With a TypeScript it cannot read, it finds no module, hence no fault. */
async function cruiseImports() {
  const folders = ['contract/src', 'server/src', 'web/src', 'e2e', 'bench', 'packages/client/src']
  const result = await runTool('dependency-cruiser#depcruise', [
    '--config',
    '.dependency-cruiser.cjs',
    ...folders,
  ])
  const modules = Number(/\((\d+) modules/.exec(result.output)?.[1] ?? 0)
  if (result.code !== 0 || modules > 0) return result
  return { ...result, code: 1, output: `${result.output}\nNo module was read, so nothing was checked.\n` }
}

/**
 * @param {string} title
 * @param {string} reportFile
 * @param {{ start: () => Promise<CommandResult>, count: (file: string) => import('./test-reports.mjs').TestCounts }} runner
 * @returns {Promise<StepResult>}
 */
async function runTests(title, reportFile, { start, count }) {
  mkdirSync(dirname(reportFile), { recursive: true })
  rmSync(reportFile, { force: true })
  const { code, output, seconds } = await start()
  const { passed, failed, skipped } = count(reportFile)
  // A run that broke outside any test, or held none, has not passed.
  const failures = failed === 0 && (code !== 0 || passed === 0) ? 1 : failed
  const summary = `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { title, seconds, passed, failed: failures, summary, output }
}

/**
 * Runs at most `places` pieces of work at a time.
 * @param {number} places
 */
function limit(places) {
  let free = places
  /** @type {(() => void)[]} */
  const waiting = []
  return async (/** @type {() => Promise<CommandResult>} */ work) => {
    if (free === 0) await new Promise((resolve) => waiting.push(() => resolve(undefined)))
    else free -= 1
    const result = await work()
    const next = waiting.shift()
    if (next) next()
    else free += 1
    return result
  }
}
