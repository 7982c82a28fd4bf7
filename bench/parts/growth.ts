import { env } from 'node:process'
import { anyOf, ask, type Company } from '../companies.ts'
import { countBuffers, type Cost } from '../buffers.ts'
import { addCompanies, addComponents, addHistory, divideHistory } from '../fill.ts'
import { median, medianOf, run, type Figures, type Request } from '../load.ts'
import type { Line } from '../report.ts'
import { countOf, weeklyCountOf } from '../requests.ts'
import type { World } from '../world.ts'
import { bareCount } from './count.ts'

const rounds = 5
const seconds = 2
const clients = 8
const companies = 10_000
const components = 1_000_000
/** SKUs on the weekly list of one day and location: many, and as few as most lists have. */
const listed = { many: 4_000, few: 20 }
/** Rows of the history, and as many of the trail, that one company gets; a tenth of them first. */
const history = Number(env['BENCH_HISTORY'] ?? 1_000_000)
const [quarters, days] = [8, 730]
/** The cost of a count may grow by a fifth. */
const flat = 1 / 1.2
const chartMs = 25

const number = (value: number) => value.toLocaleString('en-US')
const perSecond = ({ perSecond: rate }: Figures) => `${rate.toFixed(0)}/s`

type Side = { ours: number; bare: number }

/** Counts by any of some companies through those of the bare route, in rounds back to back. */
async function throughBare(world: World, next: () => Request): Promise<Side> {
  const sides: { ours: Figures[]; bare: Figures[] } = { ours: [], bare: [] }
  for (let round = 0; round < rounds; round += 1) {
    sides.bare.push(await run({ origin: world.bareOrigin, clients, seconds, next: bareCount }))
    sides.ours.push(await run({ origin: world.program.url, clients, seconds, next }))
  }
  return { ours: medianOf(sides.ours).perSecond, bare: medianOf(sides.bare).perSecond }
}

/** A line of two states of the database, each compared with the bare route at the time. */
function grown(what: string, before: Side, after: Side): Line {
  const of = ({ ours, bare }: Side) => `${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s`
  return {
    what,
    ours: of(after),
    reference: of(before),
    ratio: after.ours / after.bare / (before.ours / before.bare),
    goal: flat,
  }
}

/** Counts of one company beside those of another, back to back. */
async function beside(world: World, what: string, next: { large: () => Request; small: () => Request }) {
  const figures: { large: Figures[]; small: Figures[] } = { large: [], small: [] }
  const { url: origin } = world.program
  for (let round = 0; round < rounds; round += 1) {
    figures.small.push(await run({ origin, clients, seconds, next: next.small }))
    figures.large.push(await run({ origin, clients, seconds, next: next.large }))
  }
  const [large, small] = [medianOf(figures.large), medianOf(figures.small)]
  const line: Line = {
    what,
    ours: perSecond(large),
    reference: perSecond(small),
    ratio: large.perSecond / small.perSecond,
    goal: flat,
  }
  return line
}

const screens = [
  '/api/dashboard',
  '/api/analytics/progress-over-time',
  '/api/analytics/top-skus',
  '/api/analytics/heatmap',
  '/api/analytics/weekly-trends?location=PRIMARY',
  '/api/audit/trail?limit=10',
]

/** The 95th percentile of each screen's call in ms, the middle of five rounds. */
async function timeScreens(world: World, { token }: Company): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const path of screens) {
    const measured: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const request: Request = { method: 'GET', path, headers: { authorization: `Bearer ${token}` } }
      measured.push(
        (await run({ origin: world.program.url, clients: 1, seconds: 1, next: () => request })).p95,
      )
    }
    times.set(path, median(measured))
  }
  return times
}

function screenLines(before: Map<string, number>, after: Map<string, number>): Line[] {
  return screens.flatMap((path) => {
    const [few, many] = [before.get(path) ?? NaN, after.get(path) ?? NaN]
    const ours = `p95 ${many.toFixed(1)} ms`
    return [
      {
        what: `${path}, ${number(history)} counts`,
        ours,
        reference: `${chartMs} ms`,
        ratio: chartMs / many,
        goal: 1,
      },
      {
        what: `${path}, tenth of ${number(history)} counts through all`,
        ours,
        reference: `p95 ${few.toFixed(1)} ms`,
        ratio: few / many,
        goal: 1 / 1.3,
      },
    ]
  })
}

async function tenantOf(world: World, { email }: Company): Promise<string> {
  const [row] = await world.sql('select tenant_id::text as id from users where email = $1', [email])
  return String(row?.['id'])
}

/** The pages that a company's statements touch now, the first of its SKUs counted. */
async function touchedBy(world: World, company: Company): Promise<Map<string, Cost>> {
  const tenant = await tenantOf(world, company)
  const [row] = await world.sql('select id from sessions where tenant_id = $1 and ended_at is null', [tenant])
  const [first] = company.rows
  if (first === undefined) throw new Error('A company has components.')
  return await countBuffers(world.databaseUrl, { tenant, session: String(row?.['id']), ...first })
}

function bufferLines(before: Map<string, Cost>, after: Map<string, Cost>): Line[] {
  return [...after].map(([what, { pages: many }]) => {
    const few = before.get(what)?.pages ?? NaN
    return {
      what: `Pages of ${what}, ${number(history)} counts`,
      ours: String(many),
      reference: `${few} at a tenth`,
      ratio: Math.max(few, 1) / Math.max(many, 1),
      goal: flat,
    }
  })
}

/** A count of one of the components that only the large company has. */
function largeCount(company: Company): Request {
  const barcode = `SKU-${components + Math.floor(Math.random() * components)}`
  return countOf(company.token, { barcode, quantity: 5 })
}

/** Puts the first SKUs of a company on Monday's list; gives counts of them, each counted before or not. */
async function listWeekly(world: World, { token, rows }: Company, count: number): Promise<() => Request> {
  const first = rows.slice(0, count)
  const barcodes = first.map(({ barcode }) => barcode)
  await ask(world.program.url, {
    path: '/api/components/bulk-high-volume',
    token,
    body: { barcodes, day: 'Monday', location: 'PRIMARY', action: 'add' },
  })
  // Known to the planner, as within a minute by itself: until then it may read the whole list for one SKU of it.
  await world.sql('analyze high_volume_assignments', [])
  return () => weeklyCountOf(token, anyOf(first))
}

/** What a count and the screens cost as companies, components and history grow. */
export async function* measureGrowth(world: World): AsyncGenerator<Line[], void, undefined> {
  const [first, second, third] = world.companies
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three are needed.')
  const own = (company: Company) => () => countOf(company.token, anyOf(company.rows))
  const any = () => own(anyOf(world.companies))()

  yield [
    await beside(
      world,
      `Weekly count with ${number(listed.many)} SKUs on the day's list, beside ${listed.few}`,
      {
        large: await listWeekly(world, second, listed.many),
        small: await listWeekly(world, third, listed.few),
      },
    ),
  ]

  const few = await throughBare(world, any)
  await addCompanies(world.sql, companies)
  const many = await throughBare(world, any)
  yield [grown(`Count, ${number(companies)} companies, through 20`, few, many)]

  await addComponents(world.sql, await tenantOf(world, second), components)
  yield [
    await beside(world, `Count among ${number(components)} components, beside 5,000`, {
      large: () => largeCount(second),
      small: own(third),
    }),
  ]

  const tenant = await tenantOf(world, first)
  await divideHistory(world.sql, quarters)
  await addHistory(world.sql, tenant, { rows: history / 10, days })
  const screensBefore = await timeScreens(world, first)
  const touchedBefore = await touchedBy(world, first)
  await addHistory(world.sql, tenant, { rows: history - history / 10, days })
  const screensAfter = await timeScreens(world, first)
  const touchedAfter = await touchedBy(world, first)
  const deep = await beside(world, `Count after ${number(history)} counts, beside a company with few`, {
    large: own(first),
    small: own(third),
  })
  const late = await throughBare(world, any)

  yield [
    deep,
    grown(`Count at the end of all this, ${number(history)} counts, through at first`, few, late),
    ...screenLines(screensBefore, screensAfter),
    ...bufferLines(touchedBefore, touchedAfter),
  ]
}
