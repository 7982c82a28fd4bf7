import { env, stdout } from 'node:process'
import { medianOf, ratioOf, run, type Figures, type Request } from '../load.ts'
import { installPeer } from '../peers/install.ts'
import { medusa } from '../peers/medusa.ts'
import type { Peer, RunningPeer } from '../peers/peer.ts'
import { postgraphile } from '../peers/postgraphile.ts'
import { tryton } from '../peers/tryton.ts'
import { vendure } from '../peers/vendure.ts'
import type { Line } from '../report.ts'
import { anyCount, anyItem } from '../requests.ts'
import type { World } from '../world.ts'

const rounds = 5
const seconds = 3
const peers = [postgraphile, vendure, medusa, tryton]

type Work = { what: string; clients: number; ours: () => Request; theirs: () => Request; goal: number }

const figures = ({ perSecond, p50 }: Figures) =>
  `${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s, p50 ${p50.toFixed(1)} ms`

/** The same work by ours and by the peer, back to back in each round. */
async function beside(world: World, { origin }: RunningPeer, work: Work): Promise<Line> {
  const { clients, goal } = work
  const [ours, theirs]: [Figures[], Figures[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await run({ origin, clients, seconds, next: work.theirs }))
    ours.push(await run({ origin: world.program.url, clients, seconds, next: work.ours }))
  }
  const [own, other] = [medianOf(ours), medianOf(theirs)]
  return {
    what: work.what,
    ours: figures(own),
    reference: figures(other),
    ratio: ratioOf(ours, theirs),
    goal,
  }
}

function worksOf(world: World, { name, goal }: Peer, { count, otherCounts = [], item }: RunningPeer): Work[] {
  const ours = () => anyCount(world)
  const counts = [{ through: name, theirs: count, goal: goal.count }]
  for (const other of otherCounts) {
    counts.push({ through: `${name}, ${other.how}`, theirs: other.next, goal: other.goal })
  }
  const items = { what: `Item, 8 clients, through ${name}`, ours: () => anyItem(world), theirs: item }
  return [
    ...counts.flatMap(({ through, ...work }) =>
      [8, 32].map((clients) => {
        return { ...work, what: `Count, ${clients} clients, through ${through}`, clients, ours }
      }),
    ),
    { ...items, clients: 8, goal: goal.item },
  ]
}

async function measurePeer(world: World, peer: Peer): Promise<Line[]> {
  const folder = await installPeer(peer)
  stdout.write(`Filling ${peer.name}…\n`)
  const running = await peer.start({ folder, databaseUrl: await world.makeDatabase(peer.name.toLowerCase()) })
  const lines: Line[] = []
  try {
    for (const work of worksOf(world, peer, running)) lines.push(await beside(world, running, work))
    return lines
  } finally {
    await running.stop()
  }
}

/** Ours beside other programs on the same server of PostgreSQL, one after the other; BENCH_PEERS names some of them. */
export async function* measurePeers(world: World): AsyncGenerator<Line[], void, undefined> {
  const names = env['BENCH_PEERS']?.toLowerCase().split(',')
  for (const peer of peers) {
    if (!(names?.includes(peer.name.toLowerCase()) ?? true)) continue
    const lack = peer.findLack?.() ?? null
    if (lack === null) yield await measurePeer(world, peer)
    else stdout.write(`${peer.name} is not here and is left out: ${lack}.\n`)
  }
}
