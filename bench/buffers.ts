import { locationCodes } from '@inventory-manager/contract/locations'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { firstIdAt } from '../server/src/platform/db/time-ids.ts'

/** A statement of the program with the values it is given. */
type Statement = { what: string; text: string; values: unknown[] }

const day = 86_400_000

/** The first id of an instant so many days ago. */
const idOf = (daysAgo: number) => firstIdAt(Date.now() - daysAgo * day)

const activity = `event, sku, quantity, location, user_name, created_at`
const spoken = `origin = 'server' and kind <> 'authentication' and event not in ('cycle_count_saved', 'weekly_count_saved')`

/** What the program asks where history grows: the forms of server/src, for one company. */
function statementsOf(tenant: string, session: string, barcode: string): Statement[] {
  const counted = {
    tenant,
    session,
    hash: 'h',
    plans: ['starter', 'professional', 'enterprise'],
    codes: [barcode],
  }
  const where = { quantity: 5, location: 'PRIMARY', source: 'monthly', count_session: 's', recount: false }
  const count = () => JSON.stringify([{ ...counted, ...where, key: randomUUID(), at: new Date() }])
  const trail = 'select * from audit_entries where tenant_id = $1 and id >= $2'
  const own = 'where tenant_id = $1'
  return [
    { what: 'a count', text: 'select record_counts($1, $2)', values: [count(), 'none'] },
    { what: 'trail, first page', text: `${trail} order by id desc limit 11`, values: [tenant, idOf(100)] },
    {
      what: 'trail, after a cursor',
      text: `${trail} and id < $3 order by id desc limit 11`,
      values: [tenant, idOf(400), idOf(300)],
    },
    {
      what: 'history of a SKU',
      text: `select counts.* from unnest($4::text[]) as places (code)
        cross join lateral (
          select * from count_history ${own} and sku = $2 and location = places.code and id >= $3
          order by id desc limit 11
        ) as counts
        order by counts.id desc limit 11`,
      values: [tenant, barcode, idOf(100), locationCodes],
    },
    {
      what: 'dashboard',
      text: `select ${activity} from audit_entries ${own} and ${spoken} and id >= $2 order by id desc limit 10`,
      values: [tenant, idOf(100)],
    },
    {
      what: 'chart over time',
      text: `select day, sum(scans), sum(sum(scans)) over (order by day) from scan_days ${own} group by day order by day`,
      values: [tenant],
    },
    {
      what: 'what waits for a seal',
      text: 'select * from seal_entries(array[$1::uuid], 2000)',
      values: [tenant],
    },
  ]
}

type Node = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
type Row = { 'QUERY PLAN': { Plan: Node }[] }

/** The pages each statement touches, as the application's role and the fourth time, when its plan is made. Changes nothing. */
export async function countBuffers(
  databaseUrl: string,
  company: { tenant: string; session: string; barcode: string },
): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const touched = new Map<string, number>()
  for (const { what, text, values } of statementsOf(company.tenant, company.session, company.barcode)) {
    for (let time = 0; time < 4; time += 1) {
      await client.query('begin; set local role inventory_manager_app')
      await client.query(`set local app.tenant_id = '${company.tenant}'`)
      const { rows } = await client.query<Row>({
        name: what,
        text: `explain (analyze, buffers, format json) ${text}`,
        values,
      })
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
      touched.set(what, (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN))
      await client.query('rollback')
    }
  }
  await client.end()
  return touched
}
