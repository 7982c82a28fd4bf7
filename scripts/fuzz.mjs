import { randomInt } from 'node:crypto'
import { argv } from 'node:process'
import { runVisibly, toolPath } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { runScript, StopError } from './script.mjs'

/** npm run fuzz -- [requests=20000] [seed]: hostile requests to every call; a seed from an earlier run repeats it. */
await runScript(async () => {
  const [requests = '20000', seed = String(randomInt(1_000_000_000))] = argv.slice(2)
  if (![requests, seed].every((text) => /^\d{1,9}$/.test(text))) {
    throw new StopError('Usage: npm run fuzz -- [requests=20000] [seed]')
  }
  await ensureInstalled()
  await runVisibly([toolPath('vitest'), 'run', '--project', 'server', 'test/fuzz/fuzz.test.ts'], {
    FUZZ_REQUESTS: requests,
    FUZZ_SEED: seed,
  })
})
