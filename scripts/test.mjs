import { argv, stdout } from 'node:process'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runConformance } from './conformance.mjs'
import { runScript, say, StopError } from './script.mjs'
import { browserTests, statements, staticChecks, unitTests } from './test-steps.mjs'

/** @typedef {import('./test-steps.mjs').StepResult} StepResult */

const build = { key: 'build', title: 'Build' }
const conformance = { key: 'conformance', title: 'Conformance' }
const allKeys = [
  ...staticChecks.map((check) => check.key),
  unitTests.key,
  statements.key,
  build.key,
  browserTests.key,
  conformance.key,
]
const onlyOption = '--only='

/** @param {string[]} options */
function readChosenKeys(options) {
  const only = options.find((option) => option.startsWith(onlyOption))
  const unknownOption = options.find((option) => option !== only)
  if (unknownOption) throw new StopError(`Unknown option ${unknownOption}: there is ${onlyOption}step,step.`)
  if (!only) return allKeys
  const keys = only.slice(onlyOption.length).split(',')
  const unknownKey = keys.find((key) => !allKeys.includes(key))
  if (unknownKey !== undefined) {
    throw new StopError(`There is no step '${unknownKey}': the steps are ${allKeys.join(', ')}.`)
  }
  return keys
}

/** @param {string[]} keys */
async function runSteps(keys) {
  const checks = staticChecks.filter((check) => keys.includes(check.key))
  const results = await Promise.all(
    checks.map(async (check) => report(await runStep(check.title, check.run))),
  )
  const isProgramNeeded = [unitTests.key, build.key, browserTests.key].some((key) => keys.includes(key))
  if (isProgramNeeded) results.push(report(await runStep(build.title, ensureBuilt)))
  const isBuilt = isProgramNeeded && results.at(-1)?.failed === 0
  if (keys.includes(unitTests.key)) {
    say(`\n${unitTests.title}…`)
    results.push(report(await runStep(unitTests.title, () => unitTests.run(isBuilt))))
  }
  if (keys.includes(statements.key)) results.push(report(await runStep(statements.title, statements.run)))
  if (keys.includes(browserTests.key)) {
    say(`\n${browserTests.title}…`)
    results.push(report(await runStep(browserTests.title, () => runBrowserTests(isBuilt))))
  }
  if (keys.includes(conformance.key)) {
    results.push(report(await runStep(conformance.title, checkPage)))
  }
  return results
}

function checkPage() {
  return { title: conformance.title, seconds: 0, passed: 1, failed: 0, summary: runConformance() }
}

/** @param {boolean} isBuilt */
async function runBrowserTests(isBuilt) {
  if (!isBuilt) throw new StopError('Not run, for there is no build.')
  const browser = await ensureBrowser()
  say(`Using ${browser.executablePath} (from ${browser.source}).`)
  return browserTests.run(browser.executablePath)
}

/**
 * A step that breaks is a failed step: the others still run.
 * @param {string} title
 * @param {() => StepResult | Promise<StepResult | void>} work
 * @returns {Promise<StepResult>}
 */
async function runStep(title, work) {
  const started = performance.now()
  try {
    const result = await work()
    return result ?? { title, seconds: secondsSince(started), passed: 1, failed: 0, summary: 'done' }
  } catch (error) {
    const output = error instanceof StopError ? error.message : error.stack
    return { title, seconds: secondsSince(started), passed: 0, failed: 1, summary: 'see its output', output }
  }
}

/** @param {number} started */
function secondsSince(started) {
  return (performance.now() - started) / 1000
}

/** @param {StepResult} result */
function report(result) {
  const { title, seconds, failed, summary, output } = result
  say(`\n${failed === 0 ? '✔' : '✘'} ${title} (${seconds.toFixed(1)} s): ${summary}`)
  if (failed > 0 && output) stdout.write(output.endsWith('\n') ? output : `${output}\n`)
  return result
}

/**
 * @param {StepResult[]} results
 * @param {number} seconds
 */
function reportAll(results, seconds) {
  say('\nStep                    Seconds  Result')
  for (const { title, seconds: own, failed, summary } of results) {
    say(`${title.padEnd(22)}${own.toFixed(1).padStart(9)}  ${failed === 0 ? 'ok' : 'FAILED'}, ${summary}`)
  }
  say(`${'All, start to end'.padEnd(22)}${seconds.toFixed(1).padStart(9)}\n`)
}

/** @param {{ passed: number, failed: number }[]} results */
function reportTotals(results) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  if (failed > 0) process.exitCode = 1
  say(`${passed} passed, ${failed} failed`)
}

await runScript(async () => {
  const started = performance.now()
  const keys = readChosenKeys(argv.slice(2))
  const set = await runStep('Install', ensureInstalled)
  if (set.failed > 0) {
    report(set)
    reportTotals([set])
    return
  }
  const results = await runSteps(keys)
  reportAll(results, secondsSince(started))
  reportTotals(results)
})
