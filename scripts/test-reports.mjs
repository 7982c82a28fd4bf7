import { existsSync, readFileSync } from 'node:fs'

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
