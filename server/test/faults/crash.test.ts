import { env, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../floor/model.ts'
import { startMortalDatabase, type MortalDatabase } from './database.ts'
import { judge, openFloor, startLoad, type Floor } from './floor.ts'
import { makeNode, type Node } from './node.ts'

// A slice of what `npm run test:faults` does at length; the same blows for the same seed.
const seed = Number(env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
const kills = Number(env['FAULTS_KILLS'] ?? 3)
const restarts = Number(env['FAULTS_RESTARTS'] ?? 2)
const terminations = Number(env['FAULTS_TERMINATIONS'] ?? 1)
/** Times the network to the database swallows everything; each takes long enough to be left out of the short run. */
const holes = Number(env['FAULTS_HOLES'] ?? 0)
/** Scans answered between two blows, at least. */
const scansPerKill = Number(env['FAULTS_SCANS'] ?? 20)
const people = 8
const perBlowMs = 20_000

const nothing = { lost: [], doubled: [], unasked: [] }

let database: MortalDatabase
let url: string
const nodes: Node[] = []
let databases = 0

beforeAll(async () => {
  database = await startMortalDatabase()
})
afterAll(async () => {
  for (const node of nodes) await node.remove()
  await database.stop()
})

/** Nodes on a new database of their own, all answering. */
async function startNodes(count: number): Promise<Node[]> {
  databases += 1
  url = await database.create(`faults_${databases}`)
  const started: Node[] = []
  for (let index = 0; index < count; index += 1) {
    const node = await makeNode(url)
    nodes.push(node)
    await node.start()
    started.push(node)
  }
  return started
}

/** Everything that could be wrong afterwards, all of which must be nothing. */
async function faultsOf(floor: Floor) {
  const { marks, progress, ...verdict } = await judge(database, url, floor)
  return { ...verdict, unexpected: floor.unexpected, wrongProgress: progress - marks }
}

const none = { history: nothing, audit: nothing, wrongStock: 0, unexpected: [], wrongProgress: 0 }

function tell(what: string, { acknowledged, retries }: Floor): void {
  stdout.write(
    `faults: ${what}; ${acknowledged.length} acknowledged, ${retries} sent again, 0 lost, 0 doubled (seed ${seed})\n`,
  )
}

/** Waits until people have counted for a while, however slow the machine is. */
async function someScans(floor: Floor): Promise<void> {
  const enough = floor.acknowledged.length + scansPerKill
  while (floor.acknowledged.length < enough) await sleep(5)
}

/** Lets people count while a process is killed again and again at random moments. */
async function killUnderLoad(
  node: Node,
  { times, keys }: { times: number; keys: 'kept' | 'fresh' },
): Promise<Floor> {
  const random = randomFrom(seed)
  const floor = await openFloor(node.url)
  const load = await startLoad(floor, { urls: [node.url], people, seed, keys })
  for (let kill = 0; kill < times; kill += 1) {
    await someScans(floor)
    await sleep(random.below(300))
    await node.end('SIGKILL')
    await node.start()
  }
  await sleep(300)
  await load.stop()
  return floor
}

describe('scans while the program is killed at random moments', () => {
  it(
    'are all kept, and each once',
    async () => {
      const [node] = await startNodes(1)
      if (node === undefined) throw new Error('There is no node.')
      const floor = await killUnderLoad(node, { times: kills, keys: 'kept' })
      expect(await faultsOf(floor)).toEqual(none)
      expect(floor.acknowledged.length).toBeGreaterThanOrEqual(scansPerKill)
      tell(`${kills} kills of the program`, floor)
    },
    60_000 + kills * perBlowMs,
  )

  it.runIf(env['FAULTS_CONTROL'] === 'on')(
    'are doubled where devices do not say that they send one again, so this test would see it',
    async () => {
      const [node] = await startNodes(1)
      if (node === undefined) throw new Error('There is no node.')
      const floor = await killUnderLoad(node, { times: Math.max(20, kills / 5), keys: 'fresh' })
      const { history, audit } = await judge(database, url, floor)
      expect(audit.lost).toEqual([])
      expect(audit.doubled.length).toBeGreaterThan(0)
      stdout.write(
        `faults: without keys ${audit.doubled.length} of ${floor.acknowledged.length} scans doubled, ${history.doubled.length} of them in the history\n`,
      )
    },
    60_000 + kills * perBlowMs,
  )
})

/** How long after a moment the next success was answered, in ms. */
async function untilSuccess(floor: Floor, since: number): Promise<number> {
  const deadline = since + 30_000
  while (floor.lastSuccess <= since && Date.now() < deadline) await sleep(5)
  return floor.lastSuccess > since ? floor.lastSuccess - since : Infinity
}

describe('scans while PostgreSQL is struck down and started again', () => {
  it(
    'are all kept, each once, and go on within five seconds of its return',
    async () => {
      const pair = await startNodes(2)
      const random = randomFrom(seed)
      const floor = await openFloor(pair[0]?.url ?? '')
      const urls = pair.map((node) => node.url)
      const load = await startLoad(floor, { urls, people, seed })
      const waits: number[] = []
      for (let restart = 0; restart < restarts; restart += 1) {
        await someScans(floor)
        await sleep(random.below(600))
        // In between, connections break though the database stays.
        if (restart % 3 === 2) database.cut()
        await sleep(random.below(200))
        await database.restartAtOnce()
        waits.push(await untilSuccess(floor, Date.now()))
      }
      await sleep(300)
      await load.stop()
      expect(await faultsOf(floor)).toEqual(none)
      expect(floor.acknowledged.length).toBeGreaterThanOrEqual(scansPerKill)
      expect(Math.max(...waits)).toBeLessThan(5_000)
      // The same processes all along: none fell over with its database.
      expect(pair.map((node) => node.output().match(/is ready/g)?.length)).toEqual([1, 1])
      tell(`${restarts} restarts of PostgreSQL, ${Math.max(...waits)} ms at most to the next success`, floor)
    },
    60_000 + restarts * perBlowMs,
  )
})

describe('scans while the network to the database swallows what is sent and says nothing', () => {
  it.runIf(holes > 0)(
    'are all kept, each once, and go on within ten seconds of its return',
    async () => {
      const pair = await startNodes(2)
      const random = randomFrom(seed)
      const floor = await openFloor(pair[0]?.url ?? '')
      const urls = pair.map((node) => node.url)
      const load = await startLoad(floor, { urls, people, seed })
      const waits: number[] = []
      for (let hole = 0; hole < holes; hole += 1) {
        await someScans(floor)
        await sleep(random.below(300))
        await database.swallowFor(500 + random.below(12_000))
        waits.push(await untilSuccess(floor, Date.now()))
      }
      await load.stop()
      expect(await faultsOf(floor)).toEqual(none)
      expect(Math.max(...waits)).toBeLessThan(10_000)
      expect(pair.map((node) => node.output().match(/is ready/g)?.length)).toEqual([1, 1])
      tell(`${holes} silences of the network, ${Math.max(...waits)} ms at most to the next success`, floor)
    },
    60_000 + holes * 90_000,
  )
})

describe('a program that is asked to end under load', () => {
  it(
    'answers every request it was sent before, and ends well',
    async () => {
      const [node] = await startNodes(1)
      if (node === undefined) throw new Error('There is no node.')
      const floor = await openFloor(node.url)
      const random = randomFrom(seed)
      for (let round = 0; round < terminations; round += 1) {
        const load = await startLoad(floor, { urls: [node.url], people, seed: seed + round })
        await someScans(floor)
        await sleep(random.below(300))
        floor.broken = []
        const asked = Date.now()
        expect(await node.end('SIGTERM')).toBe(0)
        await node.start()
        await load.stop()
        expect(floor.broken.filter((began) => began < asked)).toEqual([])
      }
      expect(await faultsOf(floor)).toEqual(none)
      expect(floor.acknowledged.length).toBeGreaterThanOrEqual(scansPerKill)
      tell(`${terminations} orderly ends under load`, floor)
    },
    60_000 + terminations * perBlowMs,
  )
})
