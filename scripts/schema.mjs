import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath, exit } from 'node:process'
import { root } from './script.mjs'

// After a migration: writes server/schema.sql and the row types anew, from a migrated database.
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(
  execPath,
  [vitest, 'run', '--project', 'server', 'test/schema.test.ts', '--update'],
  {
    cwd: root,
    env: { ...env, UPDATE_SCHEMA: '1' },
    stdio: 'inherit',
  },
)
exit(status ?? 1)
