import type pg from 'pg'
import { sealCompany } from '../src/audit/chain.ts'
import type { Person, TestApp } from './test-app.ts'

/** Quarters before the present one that a test's database gets. */
export const oldQuarters = 6

/** The start of the quarter so many before the present one. */
export function quarterStart(before: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), 3 * Math.floor(now.getUTCMonth() / 3) - 3 * before))
}

/** A quarter as the command names it, so many before the present one. */
export function quarterLabel(before: number): string {
  const start = quarterStart(before)
  return `${start.getUTCFullYear()}-Q${start.getUTCMonth() / 3 + 1}`
}

const partName = (label: string) => label.replace('-Q', '_q')

/** Gives the empty history of a new database a part for each of the last quarters, as one has that ran for so long. */
export async function divideIntoQuarters(owner: pg.Pool): Promise<void> {
  const client = await owner.connect()
  await client.query('begin')
  for (const history of ['count_history', 'audit_entries']) await divide(client, history)
  await client.query('commit')
  client.release()
}

async function divide(client: pg.PoolClient, history: string): Promise<void> {
  const { rows } = await client.query<{ part: string }>(
    `select part from history_parts() where history = $1 and part like 'before%'`,
    [history],
  )
  await client.query(`drop table ${history}_${rows[0]?.part ?? ''}`)
  const add = async (part: string, from: string, end: Date) => {
    const [row] = (await client.query<{ id: string }>('select id_at($1) as id', [end])).rows
    const to = `'${row?.id ?? ''}'`
    const values = [history, `${history}_${part}`, `for values from (${from}) to (${to})`]
    await client.query('select add_history_part($1, $2, $3)', values)
    return to
  }
  const oldest = `before_${partName(quarterLabel(oldQuarters))}`
  let from = await add(oldest, 'minvalue', quarterStart(oldQuarters))
  for (let before = oldQuarters; before >= 0; before -= 1) {
    from = await add(partName(quarterLabel(before)), from, quarterStart(before - 1))
  }
}

/** A count and its entry of the trail, in the middle of the quarter so many before this one. */
async function writeCount(
  owner: pg.Pool,
  { tenantId, userId }: Person,
  { sku, before }: { sku: string; before: number },
): Promise<void> {
  const at = new Date(quarterStart(before).getTime() + 40 * 86_400_000 + Number(sku.at(-1)) * 60_000)
  await owner.query(
    `with at (id) as (select id_at($3, uuid_send(gen_random_uuid()))), counted as (
       insert into count_history (tenant_id, id, sku, location, quantity, count_type, count_session, source, user_id,
         user_type, user_name, counted_at, created_at)
       select $1, id, $4, 'PRIMARY', 5, 'monthly', 's', 'monthly', $2, 'admin', 'Bea', $3, $3 from at
     )
     insert into audit_entries (tenant_id, id, kind, event, sku, source, user_type, user_name, created_at)
     select $1, id, 'inventory_scan', 'monthly_count_scan', $4, 'monthly', 'admin', 'Bea', $3 from at`,
    [tenantId, userId, at, sku],
  )
}

/**
 * Four counts, of the oldest quarters and of the last one, and a trail that is sealed in their order, as it would have been then: what
 * the node has sealed meanwhile is new.
 */
export async function writeOldCounts(app: TestApp, person: Person): Promise<void> {
  await writeCount(app.owner, person, { sku: 'OLD-1', before: oldQuarters + 1 })
  await writeCount(app.owner, person, { sku: 'OLD-2', before: oldQuarters })
  await writeCount(app.owner, person, { sku: 'OLD-3', before: oldQuarters })
  await writeCount(app.owner, person, { sku: 'NEW-1', before: 1 })
  await app.owner.query(
    `begin; set local session_replication_role = replica;
     delete from audit_seals where tenant_id = '${person.tenantId}'; commit`,
  )
  await sealCompany(app.database, person.tenantId)
}
