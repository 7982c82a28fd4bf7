import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../e2e/program.ts'
import type { Request } from '../load.ts'
import { anyIndex, skuOf, type Peer } from './peer.ts'
import { startProcess } from './process.ts'

const fields =
  'id barcode description primaryQuantity secondaryQuantity fulfillmentQuantity distributionQuantity ' +
  'quarantineQuantity totalQuantity lastCountedDate lastCountedLocation lastCountedSource isHighVolume'

const ask = (query: string, variables: Record<string, unknown>): Request => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
  failure: '"errors"',
})

const countText = `mutation Count($tenant: Int!, $code: String!, $quantity: Int!, $session: String!) {
  countComponent(input: {tenant: $tenant, code: $code, quantity: $quantity, place: "PRIMARY", session: $session}) {
    component { ${fields} }
  }
}`

const itemText = `query Item($tenant: Int!, $code: String!) {
  componentByTenantIdAndBarcode(tenantId: $tenant, barcode: $code) { ${fields} }
}`

const anyTenant = () => 1 + Math.floor(Math.random() * 20)

async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (const file of ['../references/schema.sql', 'postgraphile.sql']) {
    await client.query(await readFile(join(import.meta.dirname, file), 'utf8'))
  }
  await client.end()
}

/**
 * What makes an API of a schema: GraphQL before the references' tables, 20 companies of 5,000 components, without sign-in or
 * tenancy. A count is a function that writes what the bare route writes.
 */
export const postgraphile: Peer = {
  name: 'PostGraphile',
  dependencies: { postgraphile: '4.14.1' },
  goal: { count: 2.5, item: 1.8 },
  async start({ folder, databaseUrl }) {
    await fill(databaseUrl)
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const where = [
      '--connection',
      databaseUrl,
      '--schema',
      'bench',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
    ]
    const production = [
      '--dynamic-json',
      '--disable-query-log',
      '--disable-graphiql',
      '--max-pool-size',
      '10',
    ]
    const cli = join(folder, 'node_modules', 'postgraphile', 'cli.js')
    const { stop } = await startProcess(
      { args: [cli, ...where, ...production, '--legacy-relations', 'omit'], cwd: folder },
      `${origin}/graphql`,
    )
    return {
      origin,
      stop,
      count() {
        const index = anyIndex()
        const session = 'Monthly_2026-11-21_PRIMARY_1732147200000'
        const quantity = (index * 7) % 500
        return ask(countText, { tenant: anyTenant(), code: skuOf(index), quantity, session })
      },
      item: () => ask(itemText, { tenant: anyTenant(), code: skuOf(anyIndex()) }),
    }
  },
}
