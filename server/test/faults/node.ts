import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { startedProgram } from '../started.ts'

/** The secret of every node's installation. */
export const nodeSecret = 'a secret that all nodes of the fault tests share'

const startMs = 60_000

/** A place for one process of the program, at the same address each time it is started. */
export type Node = {
  url: string
  /** Starts the process and leaves it to itself. */
  launch(): void
  /** Starts the process and waits until it answers. */
  start(): Promise<void>
  /** Ends the process and tells its exit code; null where a signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  /** Waits until the process has ended by itself. */
  ended(): Promise<number | null>
  /** What the process running now, or last, has printed. */
  output(): string
  pid(): number | undefined
  /** Its data folder. */
  folder: string
  remove(): Promise<void>
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Where no database is given, the process brings its own. */
export async function makeNode(
  databaseUrl?: string,
  settings: Record<string, string> = {},
  options: string[] = [],
): Promise<Node> {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-node-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let output = ''

  function launch(): void {
    output = ''
    child = spawn(execPath, [...startedProgram, ...options], {
      env: {
        PATH: env['PATH'],
        PORT: String(port),
        DATA_DIR: folder,
        JWT_SECRET: nodeSecret,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()))
  }

  async function ended(): Promise<number | null> {
    if (child === null) return null
    if (!hasEnded(child)) await once(child, 'exit')
    return child.exitCode
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    child?.kill(signal)
    return await ended()
  }

  return {
    url,
    launch,
    async start() {
      launch()
      const deadline = Date.now() + startMs
      while (!(await isReady(url))) {
        if (child === null || hasEnded(child) || Date.now() > deadline) {
          throw new Error(`The program did not start:\n${output}`)
        }
        await sleep(20)
      }
    },
    end,
    ended,
    output: () => output,
    pid: () => child?.pid,
    folder,
    async remove() {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
