import { statfs } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startProgram } from '../../e2e/program.ts'
import { countBuffers, listPlans, type Asking, type Cost } from '../buffers.ts'
import { makeCompany } from '../companies.ts'
import { addCompanies, addHistory, addLittleHistory, divideHistory } from '../fill.ts'
import { report, type Line } from '../report.ts'
import type { World } from '../world.ts'

/**
 * npm run bench:history -- 1000000 10000000 50000000 [--leave 20] [--recent 151]: the pages that statements touch with no counts
 * of a company and with so many over five years, beside 1,000 companies with 200 of each. A million counts are 1.1 GB; so many GB of
 * the disk stay free. Of more than it holds the last days are made as they would be then: what asks for no older ones, such as this
 * quarter and the last in 151 days, touches the same. Pages wander less than times, so that others may use the machine meanwhile.
 */
const components = 5_000
const companies = { count: 1_000, rows: 200 }
/** This quarter and those before it, and nearly all of their days. */
const quartersBefore = 19
const days = 1_780
const gigabyte = 1e9

const number = (value: number) => value.toLocaleString('en-US')

type Sql = World['sql']
/** How deep an index is, and how many branches its topmost page has: of some 200, when a level is added. */
type Index = { name: string; level: number; branches: number; megabytes: number }
/** A database and whose statements are asked in it. */
type Filled = { sql: Sql; databaseUrl: string; asking: Asking }
type Point = { what: string; costs: Map<string, Cost>; indexes: Index[] }

/** Nothing of this outlasts the run, so that nobody waits for the disk; and only what is measured reads. */
async function hurry(sql: Sql): Promise<void> {
  for (const name of ['fsync', 'full_page_writes', 'autovacuum']) {
    await sql(`alter system set ${name} = off`)
  }
  await sql('select pg_reload_conf()')
}

/** The indexes of seals, which are not in parts, and those of the last whole quarter. */
async function listIndexes(sql: Sql): Promise<Index[]> {
  const rows = await sql(
    `with quarter as (
      select to_char(date_trunc('quarter', now()) - interval '3 months', '_YYYY_"q"Q') as name
    )
    select pg_class.relname as name, root.level, items.live_items as branches,
      pg_relation_size(pg_class.oid) / 1000000 as megabytes
    from quarter
    join pg_index on pg_index.indrelid in (
      'audit_seals'::regclass, ('audit_entries' || quarter.name)::regclass, ('count_history' || quarter.name)::regclass
    )
    join pg_class on pg_class.oid = pg_index.indexrelid
    cross join lateral bench.bt_metap(pg_class.relname) as root
    cross join lateral bench.bt_page_stats(pg_class.relname, root.root) as items
    where root.root > 0
    order by 1`,
  )
  return rows.map(({ name, level, branches, megabytes }) => ({
    name: String(name),
    level: Number(level),
    branches: Number(branches),
    megabytes: Number(megabytes),
  }))
}

/** Whether the disk has room for so many counts beside what is to stay free: a count with its entry and its seal has 1.1 kB. */
async function checkRoom(rows: number, leave: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir())
  const free = (bavail * bsize) / gigabyte
  const needed = (rows * 1_100) / gigabyte
  if (free - needed < leave)
    throw new Error(`${free.toFixed(0)} GB are free, ${needed.toFixed(0)} are needed.`)
}

async function measure({ sql, databaseUrl, asking }: Filled, what: string): Promise<Point> {
  const costs = await countBuffers(databaseUrl, asking)
  const [size] = await sql('select pg_size_pretty(pg_database_size(current_database())) as size')
  const indexes = await listIndexes(sql)
  stdout.write(`${what}: ${String(size?.['size'])}, load ${loadavg()[0]?.toFixed(1)}\n`)
  for (const [statement, { pages, ms }] of costs) {
    stdout.write(
      `  ${statement.padEnd(44)}${String(pages).padStart(8)} pages ${ms.toFixed(2).padStart(9)} ms\n`,
    )
  }
  for (const { name, level, branches, megabytes } of indexes) {
    stdout.write(`  ${name.padEnd(44)} level ${level}, ${branches} branches, ${number(megabytes)} MB\n`)
  }
  return { what, costs, indexes }
}

/** Each point beside the first that has counts. */
function linesOf(points: readonly Point[]): Line[] {
  const [, first] = points
  if (first === undefined) return []
  return points.flatMap(({ what: size, costs, indexes }) => [
    ...[...costs].map(([what, { pages, ms }]) => {
      const few = first.costs.get(what)?.pages ?? NaN
      return {
        what: `Pages of ${what}, ${size}`,
        ours: `${pages}, ${ms.toFixed(2)} ms`,
        reference: `${few} with ${first.what}`,
        ratio: Math.max(few, 1) / Math.max(pages, 1),
        goal: 1 / 1.2,
      }
    }),
    ...indexes.map(({ name, level, branches, megabytes }) => {
      const few = first.indexes.find((index) => index.name === name)?.level ?? NaN
      return {
        what: `Levels of ${name}, ${size}`,
        ours: `${level}, ${branches} branches, ${megabytes} MB`,
        reference: `${few} with ${first.what}`,
        ratio: (few + 1) / (level + 1),
        goal: 1 / 1.2,
      }
    }),
  ])
}

async function prepare(sql: Sql): Promise<void> {
  await sql('create schema bench')
  await sql('create extension pageinspect schema bench')
  await hurry(sql)
  await addCompanies(sql, companies.count)
  await divideHistory(sql, quartersBefore)
  await addLittleHistory(sql, { rows: companies.rows, days })
  await sql('vacuum analyze')
}

/** The program with a company of its own, and others, on an empty database. */
async function withCompany<T>(work: (filled: Filled) => Promise<T>): Promise<T> {
  const program = await startProgram()
  const databaseUrl = await program.databaseUrl()
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const sql: Sql = async (statement, given = []) => (await owner.query(statement, given)).rows
    const { email, rows } = await makeCompany(program.url, components)
    await prepare(sql)
    const [own] = await sql(
      `select tenant_id::text as tenant, sessions.id::text as session
      from users join sessions using (tenant_id) where users.email = $1 and sessions.ended_at is null`,
      [email],
    )
    const ids = { tenant: String(own?.['tenant']), session: String(own?.['session']) }
    if (rows[0] === undefined) throw new Error('A company has components.')
    return await work({ sql, databaseUrl, asking: { ...ids, ...rows[0] } })
  } finally {
    await owner.end()
    await program.stop()
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { leave: { type: 'string', default: '20' }, recent: { type: 'string', default: String(days) } },
})
const [leave, recent] = [Number(values.leave), Number(values.recent)]

/** A company's costs with so many counts, made in the order of their time, on a database of its own. */
async function measureWith(all: number, { isLast }: { isLast: boolean }): Promise<Point> {
  const rows = Math.round((all * recent) / days)
  await checkRoom(rows, leave)
  return await withCompany(async (filled) => {
    const { sql, databaseUrl, asking } = filled
    await addHistory(sql, asking.tenant, { rows, days: recent })
    const made = rows < all ? `the last ${recent} days of ` : ''
    const point = await measure(filled, `${made}${number(all)} counts`)
    if (isLast) stdout.write(await listPlans(databaseUrl, asking))
    return point
  })
}

const sizes = [0, ...positionals.map(Number)]
const points: Point[] = []
for (const size of sizes) points.push(await measureWith(size, { isLast: size === sizes.at(-1) }))
const facts = { database: 'embedded', companies: '1,001', components: number(components), quarters: '20' }
await report({ name: 'history', isBit: true, facts }, linesOf(points))
