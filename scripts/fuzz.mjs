import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { root, say } from './script.mjs'

// npm run fuzz -- [requests=20000] [seed]: hostile requests to every call; a seed from an earlier run repeats it.
const [requests = '20000', seed = String(randomInt(1_000_000_000))] = argv.slice(2)
if (![requests, seed].every((text) => /^\d{1,9}$/.test(text))) {
  say('Usage: npm run fuzz -- [requests=20000] [seed]')
  exit(1)
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(execPath, [vitest, 'run', '--project', 'server', 'test/fuzz/fuzz.test.ts'], {
  cwd: root,
  env: { ...env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed },
  stdio: 'inherit',
})
exit(status ?? 1)
