import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import pg from 'pg'
import { createVitest } from 'vitest/node'
import { ensureInstalled } from './install.mjs'
import { mutantsOfFunction, mutantsOfPolicy } from './mutation/sql-mutants.mjs'
import { targets } from './mutation/targets.mjs'
import { root, runScript, say, StopError } from './script.mjs'

/**
 * @typedef {{ target: string, what: string, outcome: 'killed' | 'survived' | 'invalid', by: string }} Result
 *
 * @typedef {{ what: string, sql: string, undo: string }} Mutant
 */

/**
 * The mutants of a target, in the database that the tests copy.
 *
 * @param {pg.Client} template
 * @param {import('./mutation/targets.mjs').Target} target
 * @returns {Promise<Mutant[]>}
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
 * Runs test files one after the other until one fails, and gives its name; null where all pass.
 *
 * @param {import('vitest/node').Vitest} vitest
 * @param {readonly string[]} files
 */
async function firstFailure(vitest, files) {
  for (const file of files) {
    const specifications = await vitest.globTestSpecifications([file])
    if (specifications.length === 0) throw new StopError(`There is no test ${file}.`)
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return file
  }
  return null
}

/**
 * @param {import('vitest/node').Vitest} vitest
 * @param {pg.Client} template
 * @param {{ target: import('./mutation/targets.mjs').Target, mutant: Mutant }} one
 * @returns {Promise<Result>}
 */
async function tryMutant(vitest, template, { target, mutant }) {
  const result = { target: target.name, what: mutant.what }
  try {
    await template.query(mutant.sql)
  } catch (error) {
    if (error instanceof pg.DatabaseError) return { ...result, outcome: 'invalid', by: error.message }
    throw error
  }
  // A database that somebody is connected to cannot be copied.
  const by = await firstFailure(vitest, target.tests)
  await template.query(mutant.undo)
  return { ...result, outcome: by === null ? 'survived' : 'killed', by: by ?? '' }
}

/** @param {readonly Result[]} results */
function report(results) {
  say('\nTarget                     Mutants  Killed  Survived  Score')
  for (const name of new Set(results.map(({ target }) => target))) {
    const own = results.filter(({ target, outcome }) => target === name && outcome !== 'invalid')
    const killed = own.filter(({ outcome }) => outcome === 'killed').length
    const score = `${Math.round((100 * killed) / own.length)} %`
    const cells = [own.length, killed, own.length - killed].map((count) => String(count).padStart(8))
    say(`${name.padEnd(26)}${cells.join('')}${score.padStart(9)}`)
  }
  for (const { what, outcome } of results) if (outcome === 'survived') say(`survived: ${what}`)
}

/**
 * npm run test:mutation -- [target…] [--every=3]: changes the rules in the database one by one and looks whether a test
 * notices. Takes an hour; --every=3 takes every third mutant.
 */
async function runMutation() {
  await ensureInstalled()
  const every = Number(argv.find((word) => word.startsWith('--every='))?.split('=')[1] ?? 1)
  const names = argv.slice(2).filter((word) => !word.startsWith('--'))
  const chosen = targets.filter(({ name }) => names.length === 0 || names.includes(name))
  if (chosen.length === 0 || !Number.isInteger(every) || every < 1) {
    throw new StopError(`The targets are ${targets.map(({ name }) => name).join(', ')}.`)
  }
  const vitest = await createVitest('test', {
    root,
    project: ['server'],
    watch: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [{}],
    // What compares the schema with the file that is checked in would notice anything.
    testNamePattern: '^(?!.*after a migration)',
  })
  try {
    await vitest.standalone()
    /** @type {Result[]} */
    const results = []
    for (const target of chosen) results.push(...(await tryTarget(vitest, { target, every })))
    report(results)
    writeFileSync(join(root, '.cache', 'mutation.json'), JSON.stringify(results, null, 1))
  } finally {
    await vitest.close()
  }
}

/**
 * @param {import('vitest/node').Vitest} vitest
 * @param {{ target: import('./mutation/targets.mjs').Target, every: number }} what
 */
async function tryTarget(vitest, { target, every }) {
  const failing = await firstFailure(vitest, target.tests)
  if (failing !== null) throw new StopError(`${failing} fails without any change.`)
  const context = vitest.getProjectByName('server').getProvidedContext()
  const url = new URL(context.ownerUrl)
  url.pathname = `/${context.templateName}`
  const results = []
  const mutants = await inTemplate(url.href, (template) => mutantsOf(template, target))
  for (const [index, mutant] of mutants.entries()) {
    if (index % every !== 0) continue
    const result = await tryMutant(
      vitest,
      { query: (sql) => inTemplate(url.href, (own) => own.query(sql)) },
      { target, mutant },
    )
    say(`${result.outcome.padEnd(9)} ${result.what} ${result.by}`)
    results.push(result)
  }
  return results
}

/**
 * @template T
 * @param {string} url
 * @param {(template: pg.Client) => Promise<T>} work
 */
async function inTemplate(url, work) {
  const template = new pg.Client({ connectionString: url })
  await template.connect()
  try {
    return await work(template)
  } finally {
    await template.end()
  }
}

await runScript(runMutation)
