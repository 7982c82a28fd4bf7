import { median, medianOf, run, type Figures, type Request } from '../load.ts'
import type { Line } from '../report.ts'
import { anyCount, session } from '../requests.ts'
import { runPgbench, type World } from '../world.ts'

const rounds = 5
const seconds = 3

export function bareCount(): Request {
  const index = Math.floor(Math.random() * 5000)
  return {
    method: 'POST',
    path: '/count',
    body: {
      tenant: 1 + Math.floor(Math.random() * 20),
      barcode: `SKU-${String(index).padStart(6, '0')}`,
      quantity: (index * 7) % 500,
      location: 'PRIMARY',
      session,
    },
  }
}

const perSecond = (figures: Figures) => `${figures.perSecond.toFixed(0)}/s, p50 ${figures.p50.toFixed(1)} ms`

/** The count, everything in, beside a bare route and pgbench's transaction, back to back in each round. */
export async function measureCount(world: World): Promise<Line[]> {
  const lines: Line[] = []
  for (const clients of [1, 8, 32]) {
    const ours: Figures[] = []
    const bare: Figures[] = []
    const direct: { perSecond: number; p50: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await run({ origin: world.bareOrigin, clients, seconds, next: bareCount }))
      ours.push(await run({ origin: world.program.url, clients, seconds, next: () => anyCount(world) }))
      const measured = await runPgbench(world, { script: 'count.pgbench', clients, seconds })
      if (measured !== null) direct.push(measured)
    }
    const [own, reference] = [medianOf(ours), medianOf(bare)]
    lines.push({
      what: `Count, ${clients} clients, through bare Fastify`,
      ours: perSecond(own),
      reference: perSecond(reference),
      ratio: own.perSecond / reference.perSecond,
      goal: 1,
    })
    if (direct.length === 0) continue
    const tps = median(direct.map((one) => one.perSecond))
    const p50 = median(direct.map((one) => one.p50))
    lines.push({
      what: `Count, ${clients} clients, through pgbench`,
      ours: perSecond(own),
      reference: `${tps.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms`,
      ratio: clients === 1 ? p50 / own.p50 : own.perSecond / tps,
      goal: clients === 1 ? 1 / 1.5 : 1,
    })
  }
  return lines
}
