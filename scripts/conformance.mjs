import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isMain, root, runScript, say, StopError } from './script.mjs'
import { readPlaywrightTests, readVitestTests } from './test-reports.mjs'
import { reports } from './test-steps.mjs'

const page = join(root, 'docs', 'conformance.md')
const reference = /^`([^`]+)` (.+)$/

/**
 * The statements of the page: the rows of its tables, a statement and the tests that cover it.
 * @param {string} text
 */
function readStatements(text) {
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.startsWith('| ') && !/^\| (Statement|-+) /.test(line))
    .map(({ line, number }) => {
      const [, statement = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      return { number, statement, tests: tests.split('<br>').filter((test) => test !== '') }
    })
}

/**
 * What is wrong with the page: a statement without a test, and a named test that does not exist or did not pass.
 * @param {string} text
 * @param {Map<string, boolean>} passed whether each test of the last run passed, by file and title
 * @returns {{ statements: number, faults: string[] }}
 */
export function checkConformance(text, passed) {
  const statements = readStatements(text)
  const faults = statements.flatMap(({ number, statement, tests }) => {
    if (tests.length === 0) return [`Line ${number}: no test covers '${statement}'.`]
    return tests.flatMap((test) => {
      const [, file, title] = reference.exec(test) ?? []
      const result = passed.get(`${file} ${title}`)
      if (result === true) return []
      return [`Line ${number}: ${test} ${result === undefined ? 'does not exist' : 'did not pass'}.`]
    })
  })
  return { statements: statements.length, faults }
}

/**
 * Checks the conformance page against the reports of the last whole test run. Returns a summary line; throws StopError with a line
 * for each fault.
 */
export function runConformance() {
  const missing = Object.values(reports).filter((file) => !existsSync(file))
  if (missing.length > 0) {
    throw new StopError(
      `Run npm test first: ${missing.map((file) => relative(root, file)).join(' and ')} is missing.`,
    )
  }
  const passed = new Map([...readVitestTests(reports.vitest), ...readPlaywrightTests(reports.playwright)])
  const { statements, faults } = checkConformance(readFileSync(page, 'utf8'), passed)
  if (statements === 0) throw new StopError('The page holds no statement.')
  if (faults.length > 0) throw new StopError(faults.join('\n'))
  return `${statements} statements, each covered by a test that passed`
}

if (isMain(import.meta.url)) {
  await runScript(() => say(runConformance()))
}
