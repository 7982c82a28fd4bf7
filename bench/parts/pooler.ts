import { randomBytes } from 'node:crypto'
import { stdout } from 'node:process'
import { pgbouncer, startPgbouncer } from '../../server/test/pgbouncer.ts'
import { medianOf, ratioOf, run, type Figures, type Request } from '../load.ts'
import type { Line } from '../report.ts'
import { anyCount, anyItem, anyList, anyTrailPage } from '../requests.ts'
import type { World } from '../world.ts'

const rounds = 5
const seconds = 3
/** As many as a node opens by itself. */
const serverConnections = 10

type Work = { what: string; clients: number; next: (world: World) => Request }

const works: Work[] = [
  { what: 'Count, 8 clients', clients: 8, next: anyCount },
  { what: 'Count, 32 clients', clients: 32, next: anyCount },
  { what: 'One component by its code, 8 clients', clients: 8, next: anyItem },
  { what: 'Audit page of 10, 8 clients', clients: 8, next: anyTrailPage },
  { what: '5,000 components', clients: 1, next: anyList },
]

/** A role as an operator makes it for the pooler, which has to know its password. */
async function makeRole(world: World): Promise<string> {
  const url = new URL(world.databaseUrl)
  const role = `${url.pathname.slice(1)}_pooler`
  const password = randomBytes(24).toString('base64url')
  await world.sql(`create role ${role} login password '${password}' in role inventory_manager_app`)
  await world.sql(`alter role ${role} set jit = off`)
  return Object.assign(url, { username: role, password }).href
}

const figuresOf = (rounds: readonly Figures[]) => {
  const { perSecond, p50 } = medianOf(rounds)
  return `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms`
}

type Sides = { ours: readonly Figures[]; beside: readonly Figures[]; goal: number }

const lineOf = (what: string, { ours, beside, goal }: Sides): Line => ({
  what,
  ours: figuresOf(ours),
  reference: figuresOf(beside),
  ratio: ratioOf(ours, beside),
  goal,
})

/** The same work by three nodes on one database, back to back in each round. */
async function compare(world: World, work: Work, nodes: { plain: string; pooled: string }): Promise<Line[]> {
  const origins = { named: world.program.url, ...nodes }
  const measured: Record<keyof typeof origins, Figures[]> = { named: [], plain: [], pooled: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['named', 'plain', 'pooled'] as const) {
      const load = { origin: origins[name], clients: work.clients, seconds, next: () => work.next(world) }
      measured[name].push(await run(load))
    }
  }
  const { named, plain, pooled } = measured
  return [
    lineOf(`${work.what}, unnamed, through named`, { ours: plain, beside: named, goal: 0.8 }),
    lineOf(`${work.what}, PgBouncer, through unnamed`, { ours: pooled, beside: plain, goal: 0.8 }),
    lineOf(`${work.what}, PgBouncer, through named`, { ours: pooled, beside: named, goal: 0.64 }),
  ]
}

/** A node behind PgBouncer in transaction mode beside nodes that are not: with and without names for statements. */
export async function measurePooler(world: World): Promise<Line[]> {
  if (pgbouncer === undefined) {
    stdout.write('\nPgBouncer is not installed here: pooler is left out.\n')
    return []
  }
  const pooler = await startPgbouncer(await makeRole(world), { serverConnections })
  const stops = [() => pooler.stop()]
  try {
    const plain = await world.program.startSecondNode({ DATABASE_PREPARED: 'off' })
    stops.unshift(() => plain.stop())
    const pooled = await world.program.startSecondNode({
      DATABASE_PREPARED: 'off',
      DATABASE_APP_URL: pooler.url,
    })
    stops.unshift(() => pooled.stop())
    const lines: Line[] = []
    for (const work of works) {
      lines.push(...(await compare(world, work, { plain: plain.url, pooled: pooled.url })))
    }
    return lines
  } finally {
    for (const stop of stops) await stop()
  }
}
