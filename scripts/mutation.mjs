import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { ensureInstalled } from './install.mjs'
import { rulesInCode, targets } from './mutation/targets.mjs'
import { root, runScript, say, StopError } from './script.mjs'

/** @typedef {import('./mutation/attempts.mjs').Result} Result */

/** @param {readonly Result[]} results */
function report(results) {
  say('\nTarget                     Mutants  Killed  Survived  Score')
  for (const name of new Set(results.map(({ target }) => target))) {
    const own = results.filter(
      ({ target, outcome }) => target === name && ['killed', 'survived'].includes(outcome),
    )
    const killed = own.filter(({ outcome }) => outcome === 'killed').length
    const score = `${Math.round((100 * killed) / own.length)} %`
    const cells = [own.length, killed, own.length - killed].map((count) => String(count).padStart(8))
    say(`${name.padEnd(26)}${cells.join('')}${score.padStart(9)}`)
  }
  for (const { what, outcome } of results) if (outcome === 'survived') say(`survived: ${what}`)
}

/**
 * npm run test:mutation -- [target…] [--every=3]: takes the guards of the server away, and changes the rules in TypeScript
 * and in the database, one by one, and looks whether a test notices. All of it takes hours; --every=3 takes every third
 * change of a rule.
 */
async function runMutation() {
  await ensureInstalled()
  const every = Number(argv.find((word) => word.startsWith('--every='))?.split('=')[1] ?? 1)
  const names = argv.slice(2).filter((word) => !word.startsWith('--'))
  const known = ['guards', ...Object.keys(rulesInCode), ...targets.map(({ name }) => name)]
  /** @param {string} name */
  const isChosen = (name) => names.length === 0 || names.includes(name)
  if (!names.every((name) => known.includes(name)) || !Number.isInteger(every) || every < 1) {
    throw new StopError(`The targets are ${known.join(', ')}.`)
  }
  // Packages, and what loads some, only once they are installed.
  const { createVitest } = await import('vitest/node')
  const { anyTest, tryCode, tryGuards, tryTarget } = await import('./mutation/attempts.mjs')
  const vitest = await createVitest('test', {
    root,
    project: ['contract', 'server'],
    watch: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [{}],
    testNamePattern: anyTest,
  })
  try {
    await vitest.standalone()
    /** @type {Result[]} */
    const results = []
    if (isChosen('guards')) results.push(...(await tryGuards(vitest)))
    for (const [target, rules] of Object.entries(rulesInCode)) {
      if (isChosen(target)) results.push(...(await tryCode(vitest, { target, rules, every })))
    }
    for (const target of targets.filter(({ name }) => isChosen(name))) {
      results.push(...(await tryTarget(vitest, { target, every })))
    }
    report(results)
    mkdirSync(join(root, '.cache'), { recursive: true })
    writeFileSync(join(root, '.cache', 'mutation.json'), JSON.stringify(results, null, 1))
  } finally {
    await vitest.close()
  }
}

await runScript(runMutation)
