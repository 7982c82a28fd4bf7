import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isLockTimeout } from '../platform/db/errors.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { firstIdAt } from '../platform/db/time-ids.ts'
import { CommandError } from './command.ts'

/** The tables that lie in parts. */
export const histories = ['count_history', 'audit_entries'] as const

type History = (typeof histories)[number]

/** One part of one table; `rows` is PostgreSQL's own estimate, null before it has looked. */
export type Part = {
  history: History
  part: string
  firstId: string | null
  rows: number | null
  bytes: number
  isDetached: boolean
}

/** Parts of both tables, the attached ones oldest first, then the detached ones. */
export async function listParts(owner: pg.Pool): Promise<Part[]> {
  const { rows } = await owner.query<Part>(
    `
    select known.*, nullif(reltuples, -1)::float8 as rows, pg_total_relation_size(pg_class.oid)::float8 as bytes
    from (
      select history, part, relation, first_id as "firstId", false as "isDetached" from history_parts()
      union all
      select history, substr(relname, length(history) + 2), pg_class.oid, null, true
      from unnest($1::text[]) as history
      join pg_class on starts_with(relname, history || '_')
      where relnamespace = 'detached'::regnamespace and relkind = 'r'
    ) as known
    join pg_class on pg_class.oid = known.relation
    order by "isDetached", "firstId" nulls last, part, history
  `,
    [histories],
  )
  return rows
}

/** A part as people write it: 2026-Q4 for `2026_q4`. */
export const labelOf = (part: string) => part.replaceAll('_', '-').replace('-q', '-Q')
export const partOf = (label: string) => label.replaceAll('-', '_').toLowerCase()

/** The bounds of a part as its name says them: a quarter, or everything before one. */
function boundsOf(part: string): { from: string; to: string; firstId: string; nextId: string } {
  const [, before, year, quarter] = /^(before_)?(\d{4})_q([1-4])$/.exec(part) ?? []
  const start = Date.UTC(Number(year), 3 * (Number(quarter) - 1))
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + 3)
  if (before !== undefined) {
    const nextId = firstIdAt(start)
    return { from: 'minvalue', to: `'${nextId}'`, firstId: '00000000-0000-0000-0000-000000000000', nextId }
  }
  const [firstId, nextId] = [firstIdAt(start), firstIdAt(next.getTime())]
  return { from: `'${firstId}'`, to: `'${nextId}'`, firstId, nextId }
}

/** Something of each of the tables, for a statement about all. */
const named = (what: (history: History) => string) => histories.map(what).join(', ')

/** How long who counts may have to wait behind a change of the tables, and how often it is tried. */
const lockMs = 250
const mostTries = 60
const pauseMs = 500

/** Takes locks in a moment when nobody else has any of these tables for long: between tries none of them is held. */
async function lockPatiently(client: pg.PoolClient, locks: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query('savepoint locks')
    try {
      await client.query(locks)
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (tries === mostTries) {
        throw new CommandError(
          'Somebody reads the history all the time, an export perhaps. Try again later.',
          {
            cause: error,
          },
        )
      }
      await client.query('rollback to savepoint locks')
      await sleep(pauseMs)
    }
  }
}

/** All of it or nothing. */
async function inTransaction<T>(owner: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '${lockMs}ms'`)
    const done = await work(client)
    await client.query('commit')
    client.release()
    return done
  } catch (error) {
    // Closing the connection takes back whatever was not finished.
    client.release(true)
    throw error
  }
}

/** An owner who is no superuser sees one company at a time. */
async function asCompany(client: pg.PoolClient, tenantId: string): Promise<void> {
  await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
}

/** Takes a part out of both tables, and notes of each company how much that is. Its rows lie in the schema `detached`. */
export async function detachPart(owner: pg.Pool, { part, tenants }: { part: string; tenants: string[] }) {
  const { firstId, nextId } = boundsOf(part)
  await inTransaction(owner, async (client) => {
    await lockPatiently(client, `lock table ${named((history) => `public.${history}_${part}`)} in share mode`)
    for (const history of histories) {
      for (const tenantId of tenants) {
        await asCompany(client, tenantId)
        await client.query(
          `insert into detached_history (tenant_id, history, part, first_id, next_id, entries)
           select $1, $2, $3, $4, $5, count(*) from public.${history}_${part} where tenant_id = $1
           having count(*) > 0
           on conflict (tenant_id, history, part) do update set entries = detached_history.entries + excluded.entries`,
          [tenantId, history, part, firstId, nextId],
        )
      }
    }
    const changed = named((history) => {
      const table = `public.${history}`
      return `only ${table}, ${table}_${part}, ${table}_rest`
    })
    await lockPatiently(client, `lock table ${changed} in access exclusive mode`)
    for (const history of histories) {
      await client.query(`alter table public.${history} detach partition public.${history}_${part}`)
      await client.query(`alter table public.${history}_${part} set schema detached`)
      // Nobody else may read there; forced, an owner who is no superuser could copy nothing out of it.
      await client.query(`alter table detached.${history}_${part} no force row level security`)
    }
  })
}

/** What came for that time since, from an archive perhaps, lies in the rest and moves to where it belongs. */
async function takeFromRest(client: pg.PoolClient, history: History, part: string): Promise<void> {
  const { firstId, nextId } = boundsOf(part)
  const [rest, own] = [`public.${history}_rest`, `public.${history}_${part}`]
  await client.query(`alter table ${rest} no force row level security`)
  await client.query(`alter table ${own} no force row level security`)
  await client.query(`alter table ${rest} disable trigger user`)
  await client.query(
    `with moved as (delete from ${rest} where id >= $1 and id < $2 returning *) insert into ${own} select * from moved`,
    [firstId, nextId],
  )
  await client.query(`alter table ${rest} enable trigger user`)
  await client.query(`alter table ${rest} force row level security`)
}

/** Gives a part what guards every part, whatever of it a copy brought back. */
async function guard(client: pg.PoolClient, history: History, part: string): Promise<void> {
  const own = `public.${history}_${part}`
  await client.query(`drop policy if exists own_company on ${own}`)
  await client.query(`drop trigger if exists audit_entries_stay on ${own}`)
  await client.query('select guard_history_part($1, $2)', [history, `${history}_${part}`])
}

/**
 * A company that was restored from elsewhere may lack entries of that time that were never in this part, whose rows are in
 * `table` now.
 */
async function forgetDetached(
  client: pg.PoolClient,
  { history, part, table, tenantId }: { history: History; part: string; table: string; tenantId: string },
): Promise<void> {
  const own = 'tenant_id = $1 and history = $2 and part = $3'
  const held = `(select count(*) from ${table} where tenant_id = $1)`
  const values = [tenantId, history, part]
  await client.query(`delete from detached_history where ${own} and entries <= ${held}`, values)
  await client.query(`update detached_history set entries = entries - ${held} where ${own}`, values)
}

type Attached = { part: string; tenants: string[] }

/** Makes the tables parts again. */
async function attachTables(client: pg.PoolClient, { part, tenants }: Attached): Promise<void> {
  const { from, to } = boundsOf(part)
  await lockPatiently(
    client,
    `lock table ${named((history) => `only public.${history}`)} in share update exclusive mode;
     lock table ${named((history) => `public.${history}_rest`)} in access exclusive mode`,
  )
  for (const history of histories) {
    const table = `public.${history}_${part}`
    await client.query(`alter table detached.${history}_${part} set schema public`)
    await takeFromRest(client, history, part)
    await guard(client, history, part)
    await client.query(
      `alter table public.${history} attach partition ${table} for values from (${from}) to (${to})`,
    )
    for (const tenantId of tenants) {
      await asCompany(client, tenantId)
      await forgetDetached(client, { history, part, table, tenantId })
    }
  }
}

/** Columns but those that hold another server's transaction numbers, which mean nothing here. */
async function listColumns(client: pg.PoolClient, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and atttypid <> 'xid8'::regtype`,
    [table],
  )
  return onlyRow(rows).columns
}

/** Moves the rows to the parts that hold that time here, and drops the tables. */
async function moveRows(client: pg.PoolClient, { part, tenants }: Attached): Promise<void> {
  for (const history of histories) {
    const table = `detached.${history}_${part}`
    const columns = await listColumns(client, table)
    for (const tenantId of tenants) {
      await asCompany(client, tenantId)
      await client.query(
        `insert into public.${history} (${columns}) select ${columns} from ${table} where tenant_id = $1`,
        [tenantId],
      )
      await forgetDetached(client, { history, part, table, tenantId })
    }
    await client.query(`drop table ${table}`)
  }
}

/** Whether a part that is attached has times of this one: after a restore one holds the whole past. */
async function isCovered(client: pg.PoolClient, part: string): Promise<boolean> {
  const { firstId, nextId } = boundsOf(part)
  const { rows } = await client.query(
    'select from history_parts() where first_id < $2 and next_id > $1 limit 1',
    [firstId, nextId],
  )
  return rows.length > 0
}

/** Takes away what a copy brought back of companies that are not here, as they were removed since; answers how many rows. */
async function dropStrangers(client: pg.PoolClient, { part, tenants }: Attached): Promise<number> {
  let dropped = 0
  for (const history of histories) {
    const table = `detached.${history}_${part}`
    await client.query(`alter table ${table} disable trigger user`)
    const { rowCount } = await client.query(`delete from ${table} where tenant_id <> all ($1)`, [tenants])
    await client.query(`alter table ${table} enable trigger user`)
    dropped += rowCount ?? 0
  }
  return dropped
}

/** Brings a detached part back into both tables; answers how many rows were of companies that are not here, and did not come. */
export async function attachPart(owner: pg.Pool, attached: Attached): Promise<number> {
  return await inTransaction(owner, async (client) => {
    const dropped = await dropStrangers(client, attached)
    if (await isCovered(client, attached.part)) await moveRows(client, attached)
    else await attachTables(client, attached)
    return dropped
  })
}
