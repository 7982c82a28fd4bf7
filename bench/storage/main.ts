import { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startProgram } from '../../e2e/program.ts'
import { onlyRow } from '../../server/src/platform/db/only-row.ts'
import { ask, makeCompany } from '../companies.ts'
import { countMany } from '../many-counts.ts'

/** npm run bench:storage -- [counts]: what a component, a bin and a count take on the disk, over all tables with their indexes. */

const counts = Number(argv[2] ?? 20_000)
const components = 5_000

/** Bytes of each table with its indexes, once everything is sealed and tidied up. */
async function sizesOf(owner: pg.Client): Promise<Map<string, number>> {
  const unsealed = 'select (select count(*) from audit_entries) > (select count(*) from audit_seals) as waits'
  while (onlyRow((await owner.query<{ waits: boolean }>(unsealed)).rows).waits) await sleep(500)
  await owner.query('vacuum')
  const { rows } = await owner.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

type Sizes = { before: Map<string, number>; after: Map<string, number>; of: number }

/** Says what one of many took, and in which tables. */
function tell(what: string, { before, after, of }: Sizes): void {
  const grown = [...after].map(([name, bytes]) => ({ name, each: (bytes - (before.get(name) ?? 0)) / of }))
  const all = grown.reduce((sum, { each }) => sum + each, 0)
  stdout.write(`${what}: ${Math.round(all)} bytes\n`)
  for (const { name, each } of grown.toSorted((a, b) => b.each - a.each).filter((table) => table.each >= 1)) {
    stdout.write(`  ${name.padEnd(16)} ${Math.round(each)}\n`)
  }
}

/** Where the log has got to, in bytes. */
async function logged(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
  )
  return Number(onlyRow(rows).bytes)
}

async function measure(url: string, owner: pg.Client): Promise<void> {
  const { token } = await makeCompany(url, 0)
  const empty = await sizesOf(owner)
  const rows = Array.from({ length: components }, (_, index) => ({
    barcode: String(4_006_381_000_000 + index),
    quantity: 3,
  }))
  const body = rows.map(({ barcode, quantity }, index) => ({
    barcode,
    description: `Hex bolt M8 stainless, pack ${index}`,
    primary_quantity: quantity,
  }))
  await ask(url, { path: '/api/components/import', token, body })
  const filled = await sizesOf(owner)
  tell('A component with stock at one location', { before: empty, after: filled, of: components })

  const placed = rows.map(({ barcode }, index) => ({ barcode, bin: `A-${index}`, minimum: index }))
  await ask(url, { path: '/api/components/place', token, body: { location: 'PRIMARY', components: placed } })
  const laid = await sizesOf(owner)
  tell('A bin with a minimum at one location', { before: filled, after: laid, of: components })

  await owner.query('checkpoint')
  const begun = await logged(owner)
  await countMany(url, { token, rows }, counts)
  stdout.write(`A count writes ${Math.round(((await logged(owner)) - begun) / counts)} bytes of log\n`)
  tell(`A count (of ${counts})`, { before: laid, after: await sizesOf(owner), of: counts })
}

const program = await startProgram()
const owner = new pg.Client({ connectionString: await program.databaseUrl() })
try {
  await owner.connect()
  await measure(program.url, owner)
} finally {
  await owner.end()
  await program.stop()
}
