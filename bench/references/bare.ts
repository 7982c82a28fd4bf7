import { env } from 'node:process'
import fastify from 'fastify'
import pg from 'pg'

/**
 * The least a server of this stack does for a count: one statement behind a Fastify route, without sign-in, tenancy,
 * ledger or idempotency. PORT and DATABASE_URL say where.
 */
const countText = `
  with c as (
    select id, barcode, description, primary_quantity from bench.component
    where tenant_id = $1 and barcode = $2 for update
  ), u as (
    update bench.component k
    set primary_quantity = $3, last_counted_date = now(), last_counted_location = $4, last_counted_source = 'monthly'
    from c where k.id = c.id
    returning k.id, k.barcode, k.description, k.total_quantity, c.primary_quantity as expected
  ), h as (
    insert into bench.count_history (
      tenant_id, component_id, sku, quantity, expected, location, count_type, source, user_id, count_session
    )
    select $1, id, barcode, $3, expected, $4, 'monthly', 'monthly', 1, $5 from u
  ), a as (
    insert into bench.audit_log (tenant_id, action, sku, quantity, location, source, user_type, user_name, metadata)
    select $1, 'inventory_scan', barcode, $3, $4, 'monthly', 'user', 'Sam Staff', $6::jsonb from u
  )
  select * from u`

const columns =
  'id, barcode, description, primary_quantity, secondary_quantity, fulfillment_quantity, distribution_quantity, ' +
  'quarantine_quantity, total_quantity, last_counted_date, last_counted_location, last_counted_source, ' +
  'is_high_volume, high_volume_config'

type Count = { tenant: number; barcode: string; quantity: number; location: string; session: string }

const pool = new pg.Pool({ connectionString: env['DATABASE_URL'], max: 10 })
const app = fastify({ logger: false })
const text = { type: 'string' }
const integer = { type: 'integer' }

app.post<{ Body: Count }>(
  '/count',
  {
    schema: {
      body: {
        type: 'object',
        required: ['tenant', 'barcode', 'quantity', 'location', 'session'],
        properties: { tenant: integer, barcode: text, quantity: integer, location: text, session: text },
      },
    },
  },
  async ({ body }) => {
    const { tenant, barcode, quantity, location, session } = body
    const values = [tenant, barcode, quantity, location, session, '{"type":"inventory_scan"}']
    const { rows } = await pool.query({ name: 'count', text: countText, values })
    const [component] = rows
    return { ok: true, match: component.expected === quantity, component }
  },
)

app.get<{ Params: { tenant: string; barcode: string } }>('/item/:tenant/:barcode', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'item',
    text: `select ${columns} from bench.component where tenant_id = $1 and barcode = $2`,
    values: [params.tenant, params.barcode],
  })
  return rows[0]
})

await app.listen({ port: Number(env['PORT']), host: '127.0.0.1' })
