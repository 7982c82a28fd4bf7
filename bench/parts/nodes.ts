import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stdout } from 'node:process'
import { promisify } from 'node:util'
import { anyOf } from '../companies.ts'
import { median, run, type Request } from '../load.ts'
import type { Line } from '../report.ts'
import { anyCount, anyList } from '../requests.ts'
import type { World } from '../world.ts'

const rounds = 5
const seconds = 3

type Work = { what: string; clients: number; next: (world: World) => Request }

/** Hashing a password is the node's alone: what everybody does when a shift begins. */
const signIns: Work = {
  what: 'Sign-ins',
  clients: 8,
  next: (world) => {
    const { email, passcode } = anyOf(world.companies)
    return { method: 'POST', path: '/api/auth/login', body: { email, passcode } }
  },
}

/** Kept by the node: the database only says who asks and that nothing has changed. */
const lists: Work = { what: 'Lists of 5,000 components, unchanged', clients: 8, next: anyList }

/** Six tenths of it are done by the node; the database notes what was printed of each component. */
const labels: Work = {
  what: 'Files of 200 labels',
  clients: 4,
  next: (world) => {
    const { token, rows } = anyOf(world.companies)
    const components = rows.slice(0, 200).map(({ barcode }) => ({ barcode, description: 'Steel bracket' }))
    return {
      method: 'POST',
      path: '/api/generate-labels',
      headers: { authorization: `Bearer ${token}` },
      body: { components },
    }
  },
}

/** The database's, by more than half. */
const counts: Work = { what: 'Counts', clients: 32, next: anyCount }

const works = [signIns, lists, labels, counts]

/** Requests a second by some clients who are spread over nodes. */
async function rateOf(world: World, origins: readonly string[], work: Work): Promise<number> {
  const loads = origins.map((origin) =>
    run({ origin, clients: work.clients / origins.length, seconds, next: () => work.next(world) }),
  )
  return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0)
}

async function compare(world: World, origins: readonly string[], work: Work): Promise<Line> {
  const rates: { alone: number[]; both: number[] } = { alone: [], both: [] }
  for (let round = 0; round < rounds; round += 1) {
    rates.alone.push(await rateOf(world, origins.slice(0, 1), work))
    rates.both.push(await rateOf(world, origins, work))
  }
  const [alone, both] = [median(rates.alone), median(rates.both)]
  return {
    what: `${work.what}, ${work.clients} clients, two nodes through one`,
    ours: `${both.toFixed(0)}/s`,
    reference: `${alone.toFixed(0)}/s`,
    ratio: both / alone,
    goal: 1.6,
  }
}

/**
 * Holds a process to one core, as of the nodes of `--nodes cores` each has one, or to several, as 0-3; the database and the clients
 * keep all of them.
 */
async function holdToCore(pid: number, core: string): Promise<void> {
  await promisify(execFile)('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(pid)])
}

/** Holds each of two processes to a core of its own; false, with the reason said, where this machine cannot. */
async function holdEach(first: number, second: number): Promise<boolean> {
  try {
    await holdToCore(first, '0')
    await holdToCore(second, '1')
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error)
    stdout.write(`\nNodes on a core each are left out: ${reason}\n`)
    return false
  }
}

/** The cores that a process may take, as 0-3; null where this system does not tell. */
async function coresOf(pid: number): Promise<string | null> {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? await readFile(file, 'utf8') : ''
  return /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? null
}

/**
 * Two nodes of the program on one database beside one of them, back to back in each round: as they are, where one alone may
 * take all cores for its threads, and each on a core of its own.
 */
export async function measureNodes(world: World): Promise<Line[]> {
  const second = await world.program.startSecondNode()
  const origins = [world.program.url, second.url]
  const lines: Line[] = []
  const all = await coresOf(world.program.pid())
  try {
    for (const work of works) lines.push(await compare(world, origins, work))
    if (await holdEach(world.program.pid(), second.pid)) {
      for (const work of works) {
        const line = await compare(world, origins, work)
        lines.push({ ...line, what: `${line.what}, each on one core` })
      }
    }
  } finally {
    await second.stop()
    // What is measured next is the first node's again, by all cores.
    if (all !== null && (await coresOf(world.program.pid())) !== all)
      await holdToCore(world.program.pid(), all)
  }
  return lines
}
