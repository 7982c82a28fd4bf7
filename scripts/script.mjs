import { realpathSync } from 'node:fs'
import { argv, env, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

/** The repository's top folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** A reason to stop that the reader can act on: shown as one sentence, without a stack trace. */
export class StopError extends Error {}

/** @param {string} text */
export function say(text) {
  stdout.write(`${text}\n`)
}

/** @param {string} moduleUrl */
export function isMain(moduleUrl) {
  return realpathSync(argv[1] ?? '') === fileURLToPath(moduleUrl)
}

/** @param {() => void | Promise<void>} main */
export async function runScript(main) {
  if (env.npm_lifecycle_event) endWithParent()
  try {
    await main()
  } catch (error) {
    if (!(error instanceof StopError)) throw error
    stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** npm passes SIGTERM to the shell it runs a script in, and that shell ends without telling the script. */
function endWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 300).unref()
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      // A second signal would cut a graceful end short.
      clearInterval(watch)
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    })
  }
}
