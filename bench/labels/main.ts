import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { report, type Line } from '../report.ts'
import type { Cost } from './server.ts'

const count = 10_000
const rounds = 3

type Figures = Cost & { firstByteMs: number; worstPingMs: number }

async function startWriter(name: string): Promise<{ origin: string; process: ChildProcess }> {
  const path = fileURLToPath(new URL('server.ts', import.meta.url))
  const process = fork(path, [name], { execArgv: ['--import', 'tsx'] })
  const [origin] = await once(process, 'message')
  return { origin: String(origin), process }
}

/** Takes a file whole and gives the time to its first byte. */
async function take(origin: string, labels: number): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${origin}/labels?count=${labels}`)
  const reader = response.body?.getReader()
  await reader?.read()
  const first = performance.now() - start
  while (reader !== undefined && !(await reader.read()).done);
  return first
}

/** The slowest answer to small requests while a file is being made. */
async function worstPing(origin: string, work: Promise<unknown>): Promise<number> {
  const busy = { now: true }
  const done = work.finally(() => {
    busy.now = false
  })
  let worst = 0
  while (busy.now) {
    const start = performance.now()
    await (await fetch(`${origin}/ping`)).text()
    worst = Math.max(worst, performance.now() - start)
    await sleep(2)
  }
  await done
  return worst
}

/** One process a round: a smaller file warms it up, then CPU and memory, then the pings. */
async function measure(name: string): Promise<Figures> {
  const { origin, process } = await startWriter(name)
  await take(origin, 2_000)
  const firstByteMs = await take(origin, count)
  const cost: Cost = await (await fetch(`${origin}/cost`)).json()
  const worstPingMs = await worstPing(origin, take(origin, count))
  process.disconnect()
  await once(process, 'exit')
  return { ...cost, firstByteMs, worstPingMs }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const names = ['bare', 'ours', 'pdfkit', 'pdf-lib'] as const
const measured: Record<(typeof names)[number], Figures[]> = { bare: [], ours: [], pdfkit: [], 'pdf-lib': [] }
for (let round = 0; round < rounds; round += 1) {
  for (const name of names) measured[name].push(await measure(name))
}
const figure = (name: (typeof names)[number], key: keyof Figures) =>
  median(measured[name].map((figures) => figures[key]))

type Kind = {
  what: string
  key: keyof Figures
  unit: string
  limit: number | null
  leastOfBare: number | null
}

const kinds: Kind[] = [
  { what: 'CPU', key: 'cpuMs', unit: 'ms', limit: null, leastOfBare: 1 / 1.5 },
  { what: 'Growth of memory', key: 'growthMb', unit: 'MB', limit: 60, leastOfBare: null },
  { what: 'First byte', key: 'firstByteMs', unit: 'ms', limit: 50, leastOfBare: null },
  { what: 'Worst answer to another', key: 'worstPingMs', unit: 'ms', limit: 50, leastOfBare: null },
]
const lines = kinds.flatMap(({ what, key, unit, limit, leastOfBare }): Line[] => {
  const shown = (value: number) => `${value.toFixed(1)} ${unit}`
  const own = figure('ours', key)
  const against = (name: (typeof names)[number], goal: number): Line => ({
    what: `${what}, 10,000 labels, ${name}`,
    ours: shown(own),
    reference: shown(figure(name, key)),
    ratio: figure(name, key) / own,
    goal,
  })
  const allowed: Line[] =
    limit === null
      ? []
      : [
          {
            what: `${what}, 10,000 labels, allowed`,
            ours: shown(own),
            reference: shown(limit),
            ratio: limit / own,
            goal: 1,
          },
        ]
  return [...allowed, against('bare', leastOfBare ?? 0), against('pdfkit', 1), against('pdf-lib', 1)]
})
const facts = {
  labels: count.toLocaleString('en-US'),
  rounds: String(rounds),
  bytes: `${Math.round(figure('ours', 'bytes') / count)} a label, bare ${Math.round(figure('bare', 'bytes') / count)}`,
}
await report({ name: 'labels', isBit: false, facts }, lines)
