import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './script.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} TestCounts */

/**
 * @param {string} reportFile
 * @returns {TestCounts}
 */
export function countVitestTests(reportFile) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 0, skipped: 0 }
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  // A file that does not load has no tests in it that could fail.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @param {string} reportFile
 * @returns {TestCounts}
 */
export function countPlaywrightTests(reportFile) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 0, skipped: 0 }
  const { stats, errors } = JSON.parse(readFileSync(reportFile, 'utf8'))
  return {
    passed: stats.expected,
    // A test that passed only when tried again counts as failed; errors are those outside any test.
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }
}

/**
 * Whether each test passed, by its file and title.
 * @param {string} reportFile
 * @returns {Map<string, boolean>}
 */
export function readVitestTests(reportFile) {
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8'))
  return new Map(
    testResults.flatMap((file) =>
      file.assertionResults.map((test) => [
        `${relative(root, file.name)} ${test.title}`,
        test.status === 'passed',
      ]),
    ),
  )
}

/**
 * The same for the browser tests; a test passed when it did in every project that ran it.
 * @param {string} reportFile
 * @returns {Map<string, boolean>}
 */
export function readPlaywrightTests(reportFile) {
  /** @type {Map<string, boolean>} */
  const passed = new Map()
  const visit = (suite) => {
    for (const spec of suite.specs ?? []) {
      const key = `e2e/${spec.file} ${spec.title}`
      const ran = spec.tests.some((test) => test.status !== 'skipped')
      if (ran) passed.set(key, spec.ok && passed.get(key) !== false)
    }
    for (const inner of suite.suites ?? []) visit(inner)
  }
  for (const suite of JSON.parse(readFileSync(reportFile, 'utf8')).suites) visit(suite)
  return passed
}
