import { daysRequestsAreKnown } from '@inventory-manager/contract/counting/rules'
import { hoursStaged } from '@inventory-manager/contract/imports/rules'
import { sql } from 'kysely'
import { keepDoing, type Background } from './background.ts'
import { listNamed, type Database, type Tx } from './db/database.ts'
import { onlyRow } from './db/only-row.ts'
import { forgetOldDeliveries, giveUpOldDeliveries } from './old-deliveries.ts'

const lookEveryMs = 3_600_000
/** So few that nobody who counts waits for them. */
const forgottenAtOnce = 1_000
/** Who looks after somebody's devices and links finds what went on in a quarter. */
const daysAccessIsKnown = 90
/** Above every window in which attempts are counted. */
const daysAttemptsAreKnown = 31

/** Forgets a company's oldest requests; says how many there were. */
async function forgetRequests(tx: Tx): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`
    with gone as (
      delete from operations
      where tenant_id = ${tx.tenantId}::uuid and (user_id, key) in (
        select user_id, key from operations
        where tenant_id = ${tx.tenantId}::uuid
          and uuid_hash_extended(tenant_id, 0) = uuid_hash_extended(${tx.tenantId}::uuid, 0)
          and created_at < now() - make_interval(days => ${daysRequestsAreKnown}::integer)
        order by created_at
        limit ${forgottenAtOnce}
      )
      returning 1
    )
    select count(*)::integer as forgotten from gone
  `.execute(tx.db)
  return onlyRow(rows).forgotten
}

/** Closes imports that nobody has decided about in time: what was read of a file days ago decides nothing. */
export async function expireImports(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('imports')
    .set({ status: 'expired', finished_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('status', '=', 'staged')
    .where(sql<boolean>`created_at < now() - make_interval(hours => ${hoursStaged})`)
    .execute()
}

/** Forgets rows of imports that nobody decided about; says how many there were. */
async function forgetStagedRows(tx: Tx): Promise<number> {
  await expireImports(tx)
  const { numAffectedRows } = await sql`
    delete from import_rows
    where tenant_id = ${tx.tenantId}::uuid and (import_id, line) in (
      select import_rows.import_id, import_rows.line
      from imports
      join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
      where imports.tenant_id = ${tx.tenantId}::uuid and imports.status = 'expired'
      limit ${forgottenAtOnce}
    )
  `.execute(tx.db)
  return Number(numAffectedRows)
}

/** Forgets sessions that ended long ago, but for the last one of each person, and links; says how many there were. */
async function forgetAccess(tx: Tx): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`
    with sessions_gone as (
      delete from sessions
      where tenant_id = ${tx.tenantId}::uuid and id in (
        select old.id from sessions old
        where old.tenant_id = ${tx.tenantId}::uuid
          and old.expires_at < now() - make_interval(days => ${daysAccessIsKnown}::integer)
          and exists (
            select from sessions later
            where later.tenant_id = ${tx.tenantId}::uuid and later.user_id = old.user_id
              and (later.last_used_at, later.id) > (old.last_used_at, old.id)
          )
        limit ${forgottenAtOnce}
      )
      returning 1
    ), links_gone as (
      delete from one_time_links
      where tenant_id = ${tx.tenantId}::uuid and id in (
        select old.id from one_time_links old
        where old.tenant_id = ${tx.tenantId}::uuid
          and old.expires_at < now() - make_interval(days => ${daysAccessIsKnown}::integer)
        limit ${forgottenAtOnce}
      )
      returning 1
    )
    select greatest((select count(*) from sessions_gone), (select count(*) from links_gone))::integer as forgotten
  `.execute(tx.db)
  return onlyRow(rows).forgotten
}

async function forgetAttempts({ outside }: Database): Promise<number> {
  const { numDeletedRows } = await outside
    .deleteFrom('attempts')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('attempts')
        .select('key')
        .where(
          'window_start',
          '<',
          sql<Date>`now() - make_interval(days => ${daysAttemptsAreKnown}::integer)`,
        )
        .limit(forgottenAtOnce),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Repeats a batch until one is not full. */
async function all(forget: () => Promise<number>): Promise<void> {
  let forgotten = forgottenAtOnce
  while (forgotten === forgottenAtOnce) forgotten = await forget()
}

/** Forgets deliveries also where nothing is sent, because every webhook is off or the plan has none. */
async function forgetDeliveries(tx: Tx): Promise<boolean> {
  await giveUpOldDeliveries(tx)
  return await forgetOldDeliveries(tx)
}

async function listCompanies(database: Database): Promise<string[]> {
  return await listNamed(database, sql`select companies_to_prune(${daysRequestsAreKnown}) as id`)
}

/** What cannot be forgotten of one company keeps nothing of the others; it is thrown when all else is done. */
async function forget(database: Database, companies: string[]): Promise<void> {
  await all(() => forgetAttempts(database))
  const failures: unknown[] = []
  for (const id of companies) {
    try {
      await all(() => database.inTenant(id, forgetRequests))
      await all(() => database.inTenant(id, forgetStagedRows))
      await all(() => database.inTenant(id, forgetAccess))
      while (await database.inTenant(id, forgetDeliveries));
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Requests of some companies could not be forgotten.')
}

/**
 * Forgets, of all companies, requests that nobody can repeat any more, rows of imports that nobody decided about, old deliveries of
 * webhooks, old sessions and links, and attempts that no limit looks at.
 */
export async function prune(database: Database): Promise<void> {
  await forget(database, await listCompanies(database))
}

/** Keeps forgetting what is of no use any more. */
export function keepPruning(database: Database, onError: (error: unknown) => void): Background {
  return keepDoing({
    pauseMs: lookEveryMs,
    onError,
    look: () => listCompanies(database),
    work: (companies) => forget(database, companies),
  })
}
