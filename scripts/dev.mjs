import { join } from 'node:path'
import { env, execPath, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { endCommand, startCommand, toolPath } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say } from './script.mjs'

const port = env.PORT ?? '3000'

/**
 * @param {string} name also its folder
 * @param {string} tool
 * @param {string[]} args
 */
function startPart(name, tool, args) {
  const child = startCommand(execPath, [toolPath(tool), ...args], {
    cwd: join(root, name),
    env: { PORT: port, ...(stdout.isTTY && { FORCE_COLOR: '1' }) },
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => say(`${name.padEnd(6)} | ${line}`))
  }
  return child
}

await runScript(async () => {
  await ensureInstalled()
  say(`Starting the server on port ${port} and the web part beside it; Ctrl-C ends both.`)
  const children = [startPart('server', 'tsx', ['watch', 'src/main.ts']), startPart('web', 'vite', [])]
  for (const child of children) {
    child.on('close', (code) => {
      process.exitCode ??= code ?? 1
      for (const other of children) endCommand(other)
    })
  }
})
