import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const serverFile = join(import.meta.dirname, '../server/dist/main.js')
const commandFile = join(import.meta.dirname, '../server/dist/cli.js')

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/**
 * Below the ports that a system gives to whoever asks for any, which it would give away again until the program listens. Each
 * worker of the tests has its own, and begins anywhere among them, for others on the same machine.
 */
const ports = { first: 20_000, workers: 12, each: 1_000 }
const worker = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % ports.workers
let tried = randomInt(ports.each)

export async function freePort(): Promise<number> {
  tried += 1
  const port = ports.first + (tried % ports.each) * ports.workers + worker
  return (await isFree(port)) ? port : await freePort()
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

export type Program = {
  url: string
  /** The process that runs now. */
  pid(): number
  /** Stops the program as Ctrl-C does and starts it again on the same data. */
  restart(): Promise<void>
  /** Ends it without warning, as a power cut would, and starts it again. */
  kill(): Promise<void>
  addUser(user: { companyOf: string; email: string; name: string; password: string }): Promise<string>
  /** Makes the demo company, as `npm run demo` does. */
  makeDemoCompany(): Promise<string>
  /** Where its database listens, as the owner of it. */
  databaseUrl(): Promise<string>
  /** A second process of the program on the same database, as behind a load balancer; with settings of its own if any. */
  startSecondNode(
    settings?: Record<string, string>,
  ): Promise<{ url: string; pid: number; stop(): Promise<void> }>
  /** Runs a statement as the owner of the database: for what time or an operator would have brought about. */
  sql(statement: string, values: unknown[]): Promise<void>
  stop(): Promise<void>
}

/** Where the embedded database of a data folder listens, as its owner. */
async function ownerUrl(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres')
  const password = (await readFile(join(folder, 'owner-password'), 'utf8')).trim()
  const port = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[3]
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

/** Starts one process of the program and waits until it answers. */
async function startNode(environment: NodeJS.ProcessEnv, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [serverFile], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const deadline = Date.now() + 60_000
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The program did not start:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return child
}

function pidOf(child: ChildProcess | undefined): number {
  if (child?.pid === undefined) throw new Error('The program does not run.')
  return child.pid
}

async function endNode(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill(signal)
  await ended
}

/** The built program with its own port, data folder and embedded PostgreSQL: what a user runs. */
export async function startProgram(settings: Record<string, string> = {}): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inventory-manager-e2e-'))
  // As root the database runs as another user, who must be able to reach its folder.
  await chmod(dataDir, 0o711)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = {
    PATH: process.env['PATH'],
    PORT: String(port),
    DATA_DIR: dataDir,
    REGISTRATIONS_PER_HOUR: '10000',
    SIGN_INS_PER_ADDRESS: '10000',
    ...settings,
  }
  const databaseUrl = async () => settings['DATABASE_URL'] ?? (await ownerUrl(dataDir))
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = await startNode(environment, url)
  }

  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (child !== undefined) await endNode(child, signal)
  }

  async function runCommand(args: string[]): Promise<string> {
    return await new Promise((resolve, reject) => {
      const command = spawn(process.execPath, [commandFile, ...args], { env: environment })
      let said = ''
      command.stdout.on('data', (data: Buffer) => (said += data.toString()))
      command.stderr.on('data', (data: Buffer) => (said += data.toString()))
      command.on('close', (code) => (code === 0 ? resolve(said.trim()) : reject(new Error(said))))
    })
  }

  await start()
  return {
    url,
    pid: () => pidOf(child),
    async restart() {
      await end('SIGINT')
      await start()
    },
    async kill() {
      await end('SIGKILL')
      await start()
    },
    async addUser({ companyOf, email, name, password }) {
      const options = ['--company-of', companyOf, '--email', email, '--name', name, '--password', password]
      return await runCommand(['add-user', ...options])
    },
    makeDemoCompany: () => runCommand(['demo']),
    databaseUrl,
    async startSecondNode(own = {}) {
      const secondPort = await freePort()
      const secondUrl = `http://127.0.0.1:${secondPort}`
      // The same data folder, for the same secret; the database is the first one's.
      const shared = { PORT: String(secondPort), DATABASE_URL: await databaseUrl() }
      const second = await startNode({ ...environment, ...shared, ...own }, secondUrl)
      return { url: secondUrl, pid: pidOf(second), stop: () => endNode(second, 'SIGINT') }
    },
    async sql(statement, values) {
      const client = new pg.Client({ connectionString: await databaseUrl() })
      await client.connect()
      await client.query(statement, values)
      await client.end()
    },
    async stop() {
      await end('SIGINT')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
