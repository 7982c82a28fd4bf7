import { runVisibly, toolPath } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { runScript } from './script.mjs'

/** After a migration: writes server/schema.sql and the row types anew, from a migrated database. */
await runScript(async () => {
  await ensureInstalled()
  const args = [toolPath('vitest'), 'run', '--project', 'server', 'test/schema.test.ts', '--update']
  await runVisibly(args, { UPDATE_SCHEMA: '1' })
})
