import { argv } from 'node:process'
import { measureCount } from './parts/count.ts'
import { measureGrowth } from './parts/growth.ts'
import { measureImport } from './parts/import.ts'
import { measureNodes } from './parts/nodes.ts'
import { measureReads } from './parts/reads.ts'
import { report, type Line } from './report.ts'
import { startWorld, type World } from './world.ts'

const parts: Record<string, (world: World) => Promise<Line[]>> = {
  count: measureCount,
  import: measureImport,
  reads: measureReads,
  nodes: measureNodes,
  // Last: it leaves a database that is many times as large.
  growth: measureGrowth,
}

const wanted = argv.slice(2)
const unknown = wanted.find((name) => parts[name] === undefined)
if (unknown !== undefined) {
  throw new Error(`There is no part ${unknown}: the parts are ${Object.keys(parts).join(', ')}.`)
}
const world = await startWorld({ companies: 20, components: 5000 })
const [version] = await world.sql('show server_version')
const facts = { postgresql: String(version?.['server_version']), companies: '20', components: '5,000 each' }
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await report(name, await measure(world), facts)
}
await world.close()
