import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { measureCount } from './parts/count.ts'
import { measureGrowth } from './parts/growth.ts'
import { measureImport } from './parts/import.ts'
import { measureNodes } from './parts/nodes.ts'
import { measurePeers } from './parts/peers.ts'
import { measurePooler } from './parts/pooler.ts'
import { measureReads } from './parts/reads.ts'
import { report, type Line } from './report.ts'
import { startWorld, type World } from './world.ts'

/**
 * npm run bench -- [parts] [--server]: on the embedded database, or on the PostgreSQL server of BENCH_DATABASE_URL, or one
 * that is started from what this machine has installed.
 */

type Part =
  | { whole: (world: World) => Promise<Line[]> }
  /** Takes so long that its lines are kept as they come. */
  | { bits: (world: World) => AsyncIterable<Line[]> }

const parts: Record<string, Part> = {
  count: { whole: measureCount },
  import: { whole: measureImport },
  reads: { whole: measureReads },
  nodes: { whole: measureNodes },
  pooler: { whole: measurePooler },
  // Last: it leaves a database that is many times as large.
  growth: { bits: measureGrowth },
}
/** Measured only when asked for by name: it installs other programs first. */
const optional: Record<string, Part> = { peers: { bits: measurePeers } }

/** Measures a part and reports its lines. */
async function keep(
  world: World,
  part: Part,
  about: { name: string; facts: Record<string, string> },
): Promise<void> {
  if ('whole' in part) {
    const lines = await part.whole(world)
    if (lines.length > 0) await report({ ...about, isBit: false }, lines)
    return
  }
  for await (const lines of part.bits(world)) await report({ ...about, isBit: true }, lines)
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'boolean', default: false } },
})
const known = { ...parts, ...optional }
const unknown = positionals.find((name) => known[name] === undefined)
if (unknown !== undefined) {
  throw new Error(`There is no part ${unknown}: the parts are ${Object.keys(known).join(', ')}.`)
}
const wanted = positionals.length === 0 ? Object.keys(parts) : positionals
const world = await startWorld({ companies: 20, components: 5000 }, { onServer: values.server })
try {
  const [version] = await world.sql('show server_version')
  const database = values.server ? 'a PostgreSQL server' : 'embedded'
  const postgresql = String(version?.['server_version'])
  const facts = { database, postgresql, companies: '20', components: '5,000 each' }
  stdout.write(`PostgreSQL ${postgresql}, ${database}\n`)
  for (const [part, measure] of Object.entries(known)) {
    if (!wanted.includes(part)) continue
    const name = values.server ? `${part}-server` : part
    await keep(world, measure, { name, facts })
  }
} finally {
  await world.close()
}
