import { anyOf } from '../companies.ts'
import { median, run, type Request } from '../load.ts'
import type { Line } from '../report.ts'
import { anyCount } from '../requests.ts'
import type { World } from '../world.ts'

const rounds = 5
const seconds = 3

type Work = { what: string; clients: number; next: (world: World) => Request }

/** Nearly all of it is done by the node: the database only looks up who asks and notes what was printed. */
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

const counts: Work = { what: 'Counts', clients: 32, next: anyCount }

/** Requests a second by some clients who are spread over nodes. */
async function rateOf(world: World, origins: readonly string[], work: Work): Promise<number> {
  const loads = origins.map((origin) =>
    run({ origin, clients: work.clients / origins.length, seconds, next: () => work.next(world) }),
  )
  return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** Two nodes of the program on one database beside one of them, back to back in each round. */
export async function measureNodes(world: World): Promise<Line[]> {
  const second = await world.program.startSecondNode()
  const one = [world.program.url]
  const lines: Line[] = []
  for (const work of [labels, counts]) {
    const rates: { alone: number[]; both: number[] } = { alone: [], both: [] }
    for (let round = 0; round < rounds; round += 1) {
      rates.alone.push(await rateOf(world, one, work))
      rates.both.push(await rateOf(world, [...one, second.url], work))
    }
    const [alone, both] = [median(rates.alone), median(rates.both)]
    lines.push({
      what: `${work.what}, ${work.clients} clients, two nodes through one`,
      ours: `${both.toFixed(0)}/s`,
      reference: `${alone.toFixed(0)}/s`,
      ratio: both / alone,
      goal: 1.6,
    })
  }
  await second.stop()
  return lines
}
