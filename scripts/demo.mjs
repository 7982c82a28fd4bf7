import { join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { ensureBuilt } from './build.mjs'
import { runCommand, runVisibly } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say, StopError } from './script.mjs'

/** Settings that reach what an operator has. */
const operators = /^(DATABASE_(APP_|REPLICA_)?URL|BACKUP_DIRECTORY|SMTP_URL|STRIPE_\w+)$/

const asksForHelp = argv.slice(2).some((word) => word === '--help' || word === '-h')

/** Starts the program with a made-up company, away from any real data. */
await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const cli = join(root, 'server', 'dist', 'cli.js')
  if (asksForHelp) {
    await runVisibly([cli, 'demo', '--help'])
    return
  }
  // Never into the operator's own database, backups, mails or payments, whatever the environment says.
  // An empty name would stand for the operator's own folder, as an empty setting counts as none.
  env.DATA_DIR = env.DEMO_DATA_DIR || join(root, 'data-demo')
  for (const name of Object.keys(env).filter((one) => operators.test(one))) delete env[name]
  say('Making three months of a made-up company…')
  const { code, output } = await runCommand(execPath, [cli, 'demo'])
  if (code !== 0) throw new StopError(output.trim())
  say(output.trimEnd())
  await import('../server/dist/main.js')
})
