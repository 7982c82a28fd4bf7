import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runCommand } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say, StopError } from './script.mjs'

/** Starts the program with a made-up company, away from any real data. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // Never into the operator's own database, whatever the environment says.
  env.DATA_DIR = env.DEMO_DATA_DIR ?? join(root, 'data-demo')
  delete env.DATABASE_URL
  delete env.DATABASE_APP_URL
  delete env.DATABASE_REPLICA_URL
  say('Making three months of a made-up company…')
  const { code, output } = await runCommand(execPath, [join(root, 'server', 'dist', 'cli.js'), 'demo'])
  if (code !== 0) throw new StopError(output.trim())
  say(output.trimEnd())
  await import('../server/dist/main.js')
})
