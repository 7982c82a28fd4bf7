import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { argv, env } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runVisibly, toolPath } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { isMain, root, runScript, say, StopError } from './script.mjs'

/**
 * npm run test:faults -- [kills=500] [restarts=50] [seed]: strikes the built program and its database down under load.
 * A seed from an earlier run repeats its moments. FAULTS_TERMINATIONS says how often it is asked
 * to end, FAULTS_HOLES how often the network to the database falls silent, FAULTS_SCANS how many scans are answered between two kills at least.
 */
async function runFaults() {
  const [kills = '500', restarts = '50', seed = String(randomInt(1_000_000))] = argv.slice(2)
  if (![kills, restarts, seed].every((text) => /^\d{1,6}$/.test(text))) {
    throw new StopError('Usage: npm run test:faults -- [kills=500] [restarts=50] [seed]')
  }
  await ensureInstalled()
  await ensureBuilt()
  say(`${kills} kills, ${restarts} restarts of PostgreSQL, seed ${seed}.`)
  await runVisibly([toolPath('vitest'), 'run', '--project', 'server', 'test/faults'], {
    BUILT_PROGRAM: join(root, 'server', 'dist'),
    FAULTS_KILLS: kills,
    FAULTS_RESTARTS: restarts,
    FAULTS_SCANS: env['FAULTS_SCANS'] ?? '100',
    FAULTS_HOLES: env['FAULTS_HOLES'] ?? '10',
    FAULTS_TERMINATIONS: env['FAULTS_TERMINATIONS'] ?? '20',
    FAULTS_SEED: seed,
    FAULTS_CONTROL: 'on',
  })
}

if (isMain(import.meta.url)) await runScript(runFaults)
