import { anyOf, ask } from '../companies.ts'
import { median, medianOf, run, type Figures, type Request } from '../load.ts'
import type { Line } from '../report.ts'
import { anyItem, anyList, anyTrailPage, countOf } from '../requests.ts'
import { runPgbench, type World } from '../world.ts'

const rounds = 5
const seconds = 3
const mostBytes = 200_000

type Read = { what: string; clients: number; next: (world: World) => Request }

const compressed = (world: World) => ({
  authorization: `Bearer ${anyOf(world.companies).token}`,
  'accept-encoding': 'br, gzip',
})

const item: Read = { what: 'One component by its code, 8 clients', clients: 8, next: anyItem }

const list: Read = { what: '5,000 components', clients: 1, next: anyList }

const status: Read = {
  what: '5,000 components with count status',
  clients: 1,
  next: (world) => ({
    method: 'POST',
    path: '/api/components/with-count-status',
    headers: compressed(world),
    body: { location: 'PRIMARY' },
  }),
}

const toCount: Read = {
  what: '5,000 components to count, as the count screen asks',
  clients: 1,
  next: (world) => ({
    method: 'GET',
    path: '/api/components/to-count?location=PRIMARY',
    headers: compressed(world),
  }),
}

const auditPage: Read = { what: 'Audit page of 10', clients: 1, next: anyTrailPage }

function bareItem(): Request {
  const index = Math.floor(Math.random() * 5000)
  const tenant = 1 + Math.floor(Math.random() * 20)
  return { method: 'GET', path: `/item/${tenant}/SKU-${String(index).padStart(6, '0')}` }
}

const figures = ({ perSecond, p50, bytes }: Figures) =>
  `${perSecond.toFixed(0)}/s, ${p50.toFixed(1)} ms, ${(bytes / 1000).toFixed(0)} kB`

async function measure(world: World, { clients, next }: Read): Promise<Figures> {
  return await run({ origin: world.program.url, clients, seconds, next: () => next(world) })
}

/** A list after somebody has counted in that company, so that it is written anew. */
async function measureAnew(world: World, { clients, next }: Read): Promise<Figures> {
  const { program, companies } = world
  return await run({
    origin: program.url,
    clients,
    seconds,
    next: () => next(world),
    async before({ headers }) {
      const company = companies.find(({ token }) => headers?.['authorization'] === `Bearer ${token}`)
      if (company === undefined) throw new Error('Every list is asked for by a company.')
      const { path, body } = countOf(company.token, anyOf(company.rows))
      await ask(program.url, { path, token: company.token, body })
    },
  })
}

const counts = 20

/** Some entries in each company's trail, so that a page of it is full. */
async function count({ program, companies }: World): Promise<void> {
  for (const { token, rows } of companies) {
    for (const row of rows.slice(0, counts)) {
      const { path, body } = countOf(token, row)
      await ask(program.url, { path, token, body })
    }
  }
}

/**
 * Everything else counted within four weeks, as in a warehouse that counts each month: lists have most to say then. The
 * reference's components too, so that its list says as much.
 */
async function countAll({ sql }: World): Promise<void> {
  await sql(
    `update stock set counted_at = clock_timestamp() - random() * interval '28 days', counted_source = 'monthly'
     where counted_at is null`,
  )
  await sql('vacuum analyze stock')
  await sql(
    `update bench.component
     set last_counted_date = clock_timestamp() - random() * interval '28 days', last_counted_location = 'PRIMARY',
       last_counted_source = 'monthly'
     where last_counted_date is null`,
  )
  await sql('vacuum analyze bench.component')
}

/** What a list takes after a count and while nothing changes, beside pgbench's list where there is one. */
function linesOf(
  what: string,
  { anew, unchanged }: Record<'anew' | 'unchanged', Figures>,
  direct: number | null,
): Line[] {
  const size: Line = {
    what: `${what}, bytes allowed through ours`,
    ours: figures(anew),
    reference: `${mostBytes / 1000} kB`,
    ratio: mostBytes / anew.bytes,
    goal: 1,
  }
  if (direct === null) return [size]
  const timed = (when: string, own: Figures): Line => ({
    what: `${what}, ${when}, pgbench's list through ours`,
    ours: figures(own),
    reference: `${direct.toFixed(1)} ms`,
    ratio: direct / own.p50,
    goal: 0.25,
  })
  return [size, timed('after a count', anew), timed('unchanged', unchanged)]
}

/** Reads beside the bare route and pgbench's list, back to back in each round. */
export async function measureReads(world: World): Promise<Line[]> {
  const ours = new Map<string, Figures[]>()
  const anew = new Map<string, Figures[]>()
  const bare: Figures[] = []
  const bareSingle: Figures[] = []
  const lists: number[] = []
  await count(world)
  await countAll(world)
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await run({ origin: world.bareOrigin, clients: item.clients, seconds, next: bareItem }))
    bareSingle.push(await run({ origin: world.bareOrigin, clients: 1, seconds, next: bareItem }))
    const direct = await runPgbench(world, { script: 'list.pgbench', clients: 1, seconds })
    if (direct !== null) lists.push(direct.p50)
    for (const read of [item, list, status, toCount, auditPage]) {
      ours.set(read.what, [...(ours.get(read.what) ?? []), await measure(world, read)])
    }
    for (const read of [list, status, toCount]) {
      anew.set(read.what, [...(anew.get(read.what) ?? []), await measureAnew(world, read)])
    }
  }
  const of = (read: Read) => medianOf(ours.get(read.what) ?? [])
  const [bareEight, bareOne] = [medianOf(bare), medianOf(bareSingle)]
  const lines: Line[] = [
    {
      what: `${item.what}, through bare`,
      ours: figures(of(item)),
      reference: figures(bareEight),
      ratio: of(item).perSecond / bareEight.perSecond,
      goal: 0.8,
    },
    {
      what: `${auditPage.what}, bare one-row read's time through ours`,
      ours: figures(of(auditPage)),
      reference: figures(bareOne),
      ratio: bareOne.p50 / of(auditPage).p50,
      goal: 0.5,
    },
  ]
  const direct = lists.length === 0 ? null : median(lists)
  for (const read of [list, status, toCount]) {
    const both = { anew: medianOf(anew.get(read.what) ?? []), unchanged: of(read) }
    lines.push(...linesOf(read.what, both, direct))
  }
  return lines
}
