import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const running = new Set<ChildProcess>()
// A run that breaks off leaves nothing behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const startMs = 180_000
const endMs = 10_000

/** Of Node, where no other program is named. */
type Command = { program?: string; args: string[]; cwd: string; settings?: Record<string, string> }

function startChild({ program = execPath, args, cwd, settings = {} }: Command) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: env['PATH'], HOME: env['HOME'], NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    // The end of what it says explains why it ended; all of it would fill up memory.
    stream.on('data', (data: Buffer) => said.splice(0, Math.max(0, said.push(data.toString()) - 50)))
  }
  return { child, output: () => said.join('') }
}

/** Runs one command of a peer to its end. */
export async function runCommand(command: Command): Promise<void> {
  const { child, output } = startChild(command)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command.args.join(' ')} ended with ${code}:\n${output()}`)
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Starts a process of a peer; waits until it answers where `url` says something does. */
export async function startProcess(command: Command, url?: string): Promise<{ stop: () => Promise<void> }> {
  const { child, output } = startChild(command)
  const ended = once(child, 'exit')
  const deadline = Date.now() + startMs
  while (url !== undefined && !(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${command.args.join(' ')} did not start:\n${output()}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${command.args.join(' ')} did not answer:\n${output()}`)
    }
    await sleep(200)
  }
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const isLate = await Promise.race([ended.then(() => false), sleep(endMs, true, { ref: false })])
      if (isLate) child.kill('SIGKILL')
      await ended
    },
  }
}
