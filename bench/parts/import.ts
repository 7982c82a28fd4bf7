import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import { ask, makeCompany } from '../companies.ts'
import { median } from '../load.ts'
import type { Line } from '../report.ts'
import type { World } from '../world.ts'

const rounds = 5
const inFile = 10_000
const inLongFile = 200_000
const slice = 5_000

const barcodeOf = (index: number) => `IMP-${String(index).padStart(6, '0')}`
const descriptionOf = (index: number) => `Component number ${index} steel bracket M${index % 20}`

/** Milliseconds a piece of work takes. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Rows as COPY takes them, in one piece: each chunk of a stream goes to the server by itself. */
const copied = Array.from(
  { length: inFile },
  (_, i) => `${barcodeOf(i)}\t${descriptionOf(i)}\t${i % 500}\t${i % 300}\n`,
).join('')

/** The rows as the least any program does it: COPY into a temporary table and one upsert, in one transaction. */
async function copyAndUpsert(databaseUrl: string, round: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(
    'create temporary table given (barcode text, description text, p integer, s integer) on commit drop',
  )
  await pipeline(Readable.from([copied]), client.query(copyFrom('copy given from stdin')))
  await client.query(
    `insert into bench.component (
       tenant_id, barcode, description, primary_quantity, secondary_quantity, fulfillment_quantity, distribution_quantity
     )
     select $1, barcode, description, p, s, 0, 0 from given
     on conflict (tenant_id, barcode) do update
     set description = excluded.description, primary_quantity = excluded.primary_quantity,
       secondary_quantity = excluded.secondary_quantity`,
    [1000 + round],
  )
  await client.query('commit')
  await client.end()
}

const begun = z.object({ import: z.object({ id: z.string() }) })

/** Takes a long file in as the import screen does: slices of it, a look at what it would do, all or nothing. */
async function importFile(world: World, token: string, length: number) {
  const origin = world.program.url
  const body = {
    name: 'stock.csv',
    fields: ['barcode', 'description', 'primary_quantity', 'secondary_quantity'],
  }
  const { id } = begun.parse(await ask(origin, { path: '/api/imports', token, body })).import
  const staging = await time(async () => {
    for (let first = 0; first < length; first += slice) {
      const rows = Array.from({ length: Math.min(slice, length - first) }, (_, index) => {
        const line = first + index
        return {
          line: line + 2,
          cells: [barcodeOf(line), descriptionOf(line), String(line % 500), String(line % 300)],
        }
      })
      await ask(origin, { path: `/api/imports/${id}/rows`, token, body: { rows } })
    }
  })
  const preview = await time(() => ask(origin, { path: `/api/imports/${id}/preview`, token }))
  const commit = await time(() => ask(origin, { path: `/api/imports/${id}/commit`, token, body: {} }))
  return { staging, preview, commit }
}

const inMilliseconds = (value: number) => `${value.toFixed(0)} ms`

/** An import of 10,000 rows beside COPY and an upsert in the same round, and one of 200,000 in parts. */
export async function measureImport(world: World): Promise<Line[]> {
  const ours: number[] = []
  const again: number[] = []
  const wizard: number[] = []
  const bare: number[] = []
  const rows = Array.from({ length: inFile }, (_, index) => ({
    barcode: barcodeOf(index),
    description: descriptionOf(index),
    primary_quantity: index % 500,
    secondary_quantity: index % 300,
  }))
  for (let round = 0; round < rounds; round += 1) {
    const { token } = await makeCompany(world.program.url, 0)
    const other = await makeCompany(world.program.url, 0)
    bare.push(await time(() => copyAndUpsert(world.databaseUrl, round)))
    const send = () => ask(world.program.url, { path: '/api/components/import', token, body: rows })
    ours.push(await time(send))
    again.push(await time(send))
    const parts = await importFile(world, other.token, inFile)
    wizard.push(parts.staging + parts.preview + parts.commit)
  }
  const reference = median(bare)
  const line = (what: string, value: number): Line => ({
    what: `${what}, through COPY and an upsert`,
    ours: inMilliseconds(value),
    reference: inMilliseconds(reference),
    ratio: reference / value,
    goal: 1 / 3,
  })
  const long = await makeCompany(world.program.url, 0)
  const parts = await importFile(world, long.token, inLongFile)
  const all = parts.staging + parts.preview + parts.commit
  return [
    line('Import of 10,000 new components', median(ours)),
    line('The same import again', median(again)),
    line('10,000 rows through the import screen', median(wizard)),
    {
      what: '200,000 rows through the import screen, by a row of 10,000',
      ours: `${inMilliseconds(all)} (${inMilliseconds(parts.staging)}, ${inMilliseconds(parts.preview)}, ${inMilliseconds(parts.commit)})`,
      reference: inMilliseconds(median(wizard)),
      ratio: (median(wizard) / inFile) * (inLongFile / all),
      goal: 1,
    },
  ]
}
