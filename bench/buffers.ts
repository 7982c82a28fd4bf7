import { locationCodes } from '@inventory-manager/contract/locations'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { onlyRow } from '../server/src/platform/db/only-row.ts'
import { firstIdAt } from '../server/src/platform/db/time-ids.ts'
import { median } from './load.ts'

/** A statement of the program with the values it is given. */
type Statement = { what: string; text: string; values: unknown[] }

const day = 86_400_000

/** The first id of an instant so many days ago. */
const idOf = (daysAgo: number) => firstIdAt(Date.now() - daysAgo * day)

const timeOf = (daysAgo: number) => new Date(Date.now() - daysAgo * day).toISOString()

const activity = `event, sku, quantity, location, user_name, created_at`
const spoken = `origin = 'server' and kind <> 'authentication' and event not in ('cycle_count_saved', 'weekly_count_saved')`

const own = 'where tenant_id = $1'

/** What charts ask: they read roll-ups. */
function chartsOf(tenant: string): Statement[] {
  return [
    {
      what: 'chart over time',
      text: `select day, sum(scans), sum(sum(scans)) over (order by day) from scan_days ${own} group by day order by day`,
      values: [tenant],
    },
    {
      what: 'chart of weeks',
      text: `with this_week as (select date_trunc('week', now() at time zone 'Europe/Berlin')::date as monday)
        select days.day::date as day, coalesce(scan_days.scans, 0) as scans
        from this_week
        cross join generate_series(
          (monday - 7 * ($2::integer - 1))::timestamp, (monday + 6)::timestamp, interval '1 day'
        ) as days (day)
        left join scan_days on scan_days.tenant_id = $1 and scan_days.location = $3
          and scan_days.day = days.day::date
        order by days.day`,
      values: [tenant, 4, 'PRIMARY'],
    },
    {
      what: 'SKUs counted most',
      text: `select components.id, components.barcode, components.description, counted.scans
        from (
          select component_id, sum(scans) as scans from stock ${own} and scans > 0 group by component_id
        ) as counted
        join components on components.id = counted.component_id
        where components.tenant_id = $1 order by counted.scans desc, components.barcode limit 10`,
      values: [tenant],
    },
  ]
}

/** What pages of the newest ask: the first one, and one after a cursor that is 500 days old. */
function pagesOf(tenant: string, barcode: string): Statement[] {
  const trail = `select * from audit_entries ${own} and id >= $2`
  return [
    { what: 'trail, first page', text: `${trail} order by id desc limit 11`, values: [tenant, idOf(100)] },
    {
      what: 'trail, after a cursor',
      text: `${trail} and id < $3 order by id desc limit 11`,
      values: [tenant, idOf(600), idOf(500)],
    },
    {
      what: 'dashboard',
      text: `select ${activity} from audit_entries ${own} and ${spoken} and id >= $2 order by id desc limit 10`,
      values: [tenant, idOf(100)],
    },
    {
      what: 'history of counts, first page',
      text: `select * from count_history ${own} and counted_at >= $2 and id >= $3
        order by counted_at desc, id desc limit 11`,
      values: [tenant, timeOf(100), idOf(101)],
    },
    {
      what: 'history of counts, after a cursor',
      text: `select * from count_history ${own} and counted_at >= $2 and id >= $3 and id < $4
          and (counted_at, id) < ($5, $6)
        order by counted_at desc, id desc limit 11`,
      values: [tenant, timeOf(600), idOf(601), idOf(492), timeOf(500), idOf(500)],
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
      what: 'history of a SKU, made later and come before',
      text: `select counts.* from unnest($6::text[]) as places (code)
        cross join lateral (
          select * from count_history ${own} and sku = $2 and location = places.code and id >= $3 and id < $4
            and counted_at >= $5
          order by date_trunc('milliseconds', counted_at) desc, id desc limit 11
        ) as counts
        order by date_trunc('milliseconds', counted_at) desc, id desc limit 11`,
      values: [tenant, barcode, idOf(10), idOf(3), timeOf(10), locationCodes],
    },
    {
      what: 'news',
      text: `select * from audit_entries ${own} and origin = 'server' and id >= $2
          and transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
          and transaction_id < pg_snapshot_xmax(pg_current_snapshot())
          and id >= (select id_at(now() - interval '1 day'))
        order by transaction_id limit 501`,
      values: [tenant, idOf(2)],
    },
  ]
}

export type Asking = { tenant: string; session: string; barcode: string; quantity: number }

/** Counts at the first location: of the quantity that is there, and of another. */
function countsOf({ tenant, session, barcode, quantity }: Asking): Statement[] {
  const counted = {
    tenant,
    session,
    hash: 'h',
    plans: ['starter', 'professional', 'enterprise'],
    codes: [barcode],
    location: 'PRIMARY',
    source: 'monthly',
    count_session: 's',
    recount: false,
  }
  const of = (found: number) =>
    JSON.stringify([{ ...counted, quantity: found, key: randomUUID(), at: new Date() }])
  const text = 'select record_counts($1, $2)'
  return [
    { what: 'a count', text, values: [of(quantity), 'none'] },
    { what: 'a count that does not match', text, values: [of(quantity + 5), 'none'] },
  ]
}

/** What the program asks where history grows: the forms of server/src, for one company. */
function statementsOf(asking: Asking): Statement[] {
  const { tenant, barcode } = asking
  return [
    ...countsOf(asking),
    ...pagesOf(tenant, barcode),
    ...chartsOf(tenant),
    {
      what: 'what waits for a seal',
      text: 'select * from seal_entries(array[$1::uuid], 2000)',
      values: [tenant],
    },
    {
      what: 'what waits for a seal, of all companies',
      text: 'select * from companies_to_seal()',
      values: [],
    },
  ]
}

type Node = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
type Row = { 'QUERY PLAN': { Plan: Node; 'Execution Time': number }[] }
/** What a statement costs: the middle of seven times. */
export type Cost = { pages: number; ms: number }

/** Times that are not measured: by then the database has chosen whether a statement keeps its plan. */
const before = 6
const measured = 7

/** Which node looks through all companies: the others go without (companies_to_seal). */
const turn = "select pg_advisory_xact_lock(hashtextextended('companies_to_seal', 0))"

/** Carries out each statement so many times as the application's role, and changes nothing. */
async function repeatEach(
  client: pg.Client,
  asking: Asking,
  carryOut: (statement: Statement, time: number) => Promise<void>,
): Promise<void> {
  for (const statement of statementsOf(asking)) {
    for (let time = 0; time < before + measured; time += 1) {
      await client.query(`begin; set local role inventory_manager_app; ${turn}`)
      await client.query(`set local app.tenant_id = '${asking.tenant}'`)
      await carryOut(statement, time)
      await client.query('rollback')
    }
  }
}

const literal = (value: unknown) =>
  pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value))

/** The pages each statement touches, shared buffers that were hit or read, and its time, prepared as the program's are. */
export async function countBuffers(databaseUrl: string, asking: Asking): Promise<Map<string, Cost>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const touched = new Map<string, Cost[]>()
  await repeatEach(client, asking, async ({ what, text, values }, time) => {
    if (time === 0) await client.query(`prepare "${what}" as ${text}`)
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const { rows } = await client.query<Row>(
      `explain (analyze, buffers, format json) execute "${what}"${given}`,
    )
    const { Plan: plan, 'Execution Time': ms } = onlyRow(onlyRow(rows)['QUERY PLAN'])
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    touched.set(what, [...(touched.get(what) ?? []), { pages, ms }])
  })
  await client.end()
  return new Map(
    [...touched].map(([what, costs]) => {
      const last = costs.slice(before)
      return [what, { pages: median(last.map(({ pages }) => pages)), ms: median(last.map(({ ms }) => ms)) }]
    }),
  )
}

/** The plans by which each statement, and those within its functions, are carried out. */
export async function listPlans(databaseUrl: string, asking: Asking): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("load 'auto_explain'")
  const told = { min_duration: 0, analyze: true, timing: false, buffers: true, nested_statements: true }
  for (const [name, value] of Object.entries({ ...told, parameter_max_length: 0, level: 'notice' })) {
    await client.query(`set auto_explain.log_${name} = ${value}`)
  }
  const plans = new Map<string, string[]>()
  let current: string[] = []
  client.on('notice', ({ message }) => current.push(message ?? ''))
  await repeatEach(client, asking, async ({ what, text, values }) => {
    current = []
    plans.set(what, current)
    await client.query({ name: what, text, values })
  })
  await client.end()
  return [...plans].map(([what, all]) => `## ${what}\n\n${[...new Set(all)].join('\n')}\n`).join('\n')
}
