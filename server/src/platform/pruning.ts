import { daysRequestsAreKnown } from '@inventory-manager/contract/counting/rules'
import { sql } from 'kysely'
import { keepDoing, type Background } from './background.ts'
import { listCompaniesBy, type Database, type OutsideDb, type Tx } from './db/database.ts'
import { onlyRow } from './db/only-row.ts'

const lookEveryMs = 3_600_000
/** So few that nobody who counts waits for them. */
const forgottenAtOnce = 1_000

/** Forgets some of what is of no use any more, and says whether there may be more. */
type Forget<From> = (from: From, atOnce: number) => Promise<boolean>

/** What is forgotten beside requests: of each company, and of those who are outside of any. */
export type Forgettable = { ofEach: readonly Forget<Tx>[]; outside: readonly Forget<OutsideDb>[] }

/** Forgets a company's oldest requests, which nobody can repeat any more. */
async function forgetRequests(tx: Tx, atOnce: number): Promise<boolean> {
  const { rows } = await sql<{ forgotten: number }>`
    with gone as (
      delete from operations
      where tenant_id = ${tx.tenantId}::uuid and (user_id, key) in (
        select user_id, key from operations
        where tenant_id = ${tx.tenantId}::uuid
          -- As the index operations_by_age has it.
          and uuid_hash_extended(tenant_id, 0) = uuid_hash_extended(${tx.tenantId}::uuid, 0)
          and created_at < now() - make_interval(days => ${daysRequestsAreKnown}::integer)
        order by created_at
        limit ${atOnce}
      )
      returning 1
    )
    select count(*)::integer as forgotten from gone
  `.execute(tx.db)
  return onlyRow(rows).forgotten === atOnce
}

/** Repeats a batch until there is no more. */
async function all<From>(
  forget: Forget<From>,
  run: (batch: (from: From) => Promise<boolean>) => Promise<boolean>,
) {
  while (await run((from) => forget(from, forgottenAtOnce)));
}

async function listCompanies(database: Database): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_to_prune(${daysRequestsAreKnown}) as id`)
}

/** What cannot be forgotten of one company keeps nothing of the others; it is thrown when all else is done. */
async function forgetAll(
  database: Database,
  companies: string[],
  { ofEach, outside }: Forgettable,
): Promise<void> {
  for (const forget of outside) await all(forget, (batch) => batch(database.outside))
  const failures: unknown[] = []
  for (const id of companies) {
    try {
      for (const forget of [forgetRequests, ...ofEach]) {
        await all(forget, (batch) => database.inTenant(id, batch))
      }
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Requests of some companies could not be forgotten.')
}

/** Forgets, of all companies, requests that nobody can repeat any more, and what else is named. */
export async function prune(database: Database, forgettable: Forgettable): Promise<void> {
  await forgetAll(database, await listCompanies(database), forgettable)
}

/** Keeps forgetting what is of no use any more. */
export function keepPruning(
  database: Database,
  forgettable: Forgettable,
  onError: (error: unknown) => void,
): Background {
  return keepDoing({
    pauseMs: lookEveryMs,
    onError,
    look: () => listCompanies(database),
    work: (companies) => forgetAll(database, companies, forgettable),
  })
}
