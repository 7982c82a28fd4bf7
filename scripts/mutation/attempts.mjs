import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { root, say, StopError } from '../script.mjs'
import { mutantsOfCode } from './code-mutants.mjs'
import { guards } from './guards.mjs'
import { mutantsOfFunction, mutantsOfPolicy } from './sql-mutants.mjs'

/**
 * @typedef {{ target: string, what: string, outcome: 'killed' | 'survived' | 'invalid' | 'unclear', by: string }} Result
 *
 * @typedef {import('vitest/node').Vitest} Vitest
 *
 * @typedef {import('./targets.mjs').Target} Target
 *
 * @typedef {import('./targets.mjs').Rules} Rules
 */

/** What compares the schema with the file that is checked in would notice anything. */
export const anyTest = /^(?!.*after a migration)/

/**
 * Runs test files one after the other until one fails, and gives its name; null where all pass.
 *
 * @param {Vitest} vitest
 * @param {readonly string[]} files
 */
async function firstFailure(vitest, files) {
  for (const file of files) {
    const specifications = await vitest.globTestSpecifications([file])
    if (specifications.length === 0) throw new StopError(`There is no test ${file}.`)
    // A failure of an earlier run would end this one: `bail` counts all it remembers.
    vitest.state.idMap.clear()
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return file
  }
  return null
}

/**
 * What came of a change that has been taken back: a test that fails without it too, as on a machine that is too busy, has
 * noticed nothing.
 *
 * @param {Vitest} vitest
 * @param {string | null} by
 * @returns {Promise<Pick<Result, 'outcome' | 'by'>>}
 */
async function outcomeOf(vitest, by) {
  if (by === null) return { outcome: 'survived', by: '' }
  return { outcome: (await firstFailure(vitest, [by])) === null ? 'killed' : 'unclear', by }
}

/** @param {Result} result */
function told(result) {
  say(`${result.outcome.padEnd(9)} ${result.target}: ${result.what} ${result.by}`)
  return result
}

/**
 * Runs tests while a file holds something else; it is put back whatever happens.
 *
 * @param {Vitest} vitest
 * @param {{ file: string, text: string, tests: readonly string[] }} change
 */
async function failureWith(vitest, { file, text, tests }) {
  const path = join(root, file)
  const before = readFileSync(path, 'utf8')
  const restore = () => writeFileSync(path, before)
  process.once('exit', restore)
  writeFileSync(path, text)
  vitest.invalidateFile(path)
  try {
    return await firstFailure(vitest, tests)
  } finally {
    restore()
    process.off('exit', restore)
    vitest.invalidateFile(path)
  }
}

/**
 * Takes away each guard of the server and runs its test.
 *
 * @param {Vitest} vitest
 * @returns {Promise<Result[]>}
 */
export async function tryGuards(vitest) {
  const failing = await firstFailure(vitest, [...new Set(guards.map(({ test }) => test))])
  if (failing !== null) throw new StopError(`${failing} fails without any change.`)
  const results = []
  for (const { what, file, from, to, test } of guards) {
    const text = readFileSync(join(root, file), 'utf8')
    if (text.split(from).length !== 2) throw new StopError(`${file} does not hold once: ${from}`)
    const by = await failureWith(vitest, { file, text: text.replace(from, () => to), tests: [test] })
    results.push(told({ target: 'guards', what, ...(await outcomeOf(vitest, by)) }))
  }
  return results
}

/**
 * @template T
 * @param {string} url
 * @param {(template: pg.Client) => Promise<T>} work
 */
async function inTemplate(url, work) {
  // Only for as long as it takes: a database that somebody is connected to cannot be copied.
  const template = new pg.Client({ connectionString: url })
  await template.connect()
  try {
    return await work(template)
  } finally {
    await template.end()
  }
}

/**
 * The mutants of a target, in the database that the tests copy.
 *
 * @param {pg.Client} template
 * @param {Target} target
 * @returns {Promise<{ what: string, sql: string, undo: string }[]>}
 */
async function mutantsOf(template, { functions }) {
  if (functions === 'policies') {
    const { rows } = await template.query(
      `select tablename as table, policyname as policy from pg_policies where schemaname = 'public' order by 1`,
    )
    return rows.flatMap((row) => mutantsOfPolicy(row))
  }
  const { rows } = await template.query(
    `select proname as name, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any ($1) order by 1`,
    [functions],
  )
  return rows.flatMap(({ name, definition }) =>
    mutantsOfFunction(name, definition).map((mutant) => ({ ...mutant, undo: definition })),
  )
}

/**
 * Changes a target's rules one by one and runs its tests.
 *
 * @param {Vitest} vitest
 * @param {{ target: Target, every: number }} what
 * @returns {Promise<Result[]>}
 */
export async function tryTarget(vitest, { target, every }) {
  const failing = await firstFailure(vitest, target.tests)
  if (failing !== null) throw new StopError(`${failing} fails without any change.`)
  const { ownerUrl, templateName } = vitest.getProjectByName('server').getProvidedContext()
  const url = new URL(ownerUrl)
  url.pathname = `/${templateName}`
  const run = (/** @type {string} */ sql) => inTemplate(url.href, (template) => template.query(sql))
  const mutants = await inTemplate(url.href, (template) => mutantsOf(template, target))
  const results = []
  for (const { what, sql, undo } of mutants.filter((_, index) => index % every === 0)) {
    const invalid = await run(sql).then(() => null, describeRefusal)
    if (invalid !== null) {
      results.push(told({ target: target.name, what, outcome: 'invalid', by: invalid }))
      continue
    }
    const by = await firstFailure(vitest, target.tests)
    await run(undo)
    results.push(told({ target: target.name, what, ...(await outcomeOf(vitest, by)) }))
  }
  return results
}

/**
 * Changes the rules of files in TypeScript one by one and runs their tests.
 *
 * @param {Vitest} vitest
 * @param {{ target: string, rules: readonly Rules[], every: number }} what
 * @returns {Promise<Result[]>}
 */
export async function tryCode(vitest, { target, rules, every }) {
  const results = []
  for (const { file, tests, only = anyTest } of rules) {
    vitest.setGlobalTestNamePattern(only)
    const failing = await firstFailure(vitest, tests)
    if (failing !== null) throw new StopError(`${failing} fails without any change.`)
    const mutants = mutantsOfCode(file, readFileSync(join(root, file), 'utf8'))
    for (const { what, text } of mutants.filter((_, index) => index % every === 0)) {
      const by = await failureWith(vitest, { file, text, tests })
      results.push(told({ target, what, ...(await outcomeOf(vitest, by)) }))
    }
  }
  vitest.setGlobalTestNamePattern(anyTest)
  return results
}

/** @param {unknown} error */
function describeRefusal(error) {
  if (error instanceof pg.DatabaseError) return error.message
  throw error
}
