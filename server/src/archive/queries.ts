import { trialDays } from '@inventory-manager/contract/plans'
import { sql } from 'kysely'
import { claimEmail } from '../accounts/queries.ts'
import type { Tx } from '../platform/db/database.ts'

/** The columns of a table in their order. */
export async function listColumns(tx: Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${`public.${table}`}) and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum
  `.execute(tx.db)
  return rows.map(({ name }) => name)
}

const rowsAtATime = { light: 2_000, heavy: 4 }

/** The rows of a table as lines of JSON, in pieces, by a cursor: in flat memory, however many there are. */
export async function* readLines(
  tx: Tx,
  { table, columns, weight }: { table: string; columns: readonly string[]; weight: 'light' | 'heavy' },
): AsyncGenerator<string[], void, undefined> {
  const cursor = sql.id(`archive_${table}`)
  const list = sql.join(columns.map((column) => sql.id(column)))
  await sql`
    declare ${cursor} no scroll cursor for
    select row_to_json(archived)::text as line
    from (select ${list} from ${sql.id(table)} where tenant_id = ${sql.lit(tx.tenantId)}::uuid) as archived
  `.execute(tx.db)
  for (;;) {
    const { rows } = await sql<{
      line: string
    }>`fetch ${sql.lit(rowsAtATime[weight])} from ${cursor}`.execute(tx.db)
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
  }
  await sql`close ${cursor}`.execute(tx.db)
}

export async function getCompanyName(tx: Tx): Promise<string> {
  const { name } = await tx.db
    .selectFrom('companies')
    .select('name')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return name
}

type Rows = {
  table: string
  columns: readonly string[]
  /** One JSON list. */
  rows: string
  /** Values that every row gets, in place of those it has. */
  extra: Readonly<Record<string, string | null>>
}

/** Puts rows back under the company of the transaction. */
export async function restoreRows(tx: Tx, { table, columns, rows, extra }: Rows): Promise<void> {
  const names = [...new Set([...columns, ...Object.keys(extra)])]
  const list = sql.join(names.map((name) => sql.id(name)))
  const same = JSON.stringify({ ...extra, tenant_id: tx.tenantId })
  await sql`
    insert into ${sql.id(table)} (${list})
    select ${list}
    from jsonb_array_elements(${rows}::jsonb) as given,
      -- One by one: jsonb_agg takes minutes for an object of many entries.
      jsonb_populate_record(null::${sql.id(table)}, given || ${same}::jsonb)
  `.execute(tx.db)
}

/** Gives an active administrator a password; false where there is none of that address. */
export async function setPassword(
  tx: Tx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('tenant_id', '=', tx.tenantId)
    .where('email', '=', email)
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes the addresses of who may sign in known for it; gives one that signs in elsewhere already, or null. */
export async function claimEmails(tx: Tx): Promise<string | null> {
  const users = await tx.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('tenant_id', '=', tx.tenantId)
    // Keys of other programs have a user, but no address.
    .where('role', '!=', 'api_key')
    .where('active', '=', true)
    .execute()
  for (const { id, email } of users) {
    const { rows } = await sql`select from find_login(${email})`.execute(tx.db)
    if (rows.length > 0) return email
    await claimEmail(tx, { email, id })
  }
  return null
}

/** A trial ends no later than one that begins now: an archive may say anything, and whoever has a trial may do all that its plan offers. */
export async function limitTrial(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('companies')
    .set({
      trial_ends_at: sql<Date>`least(trial_ends_at, now() + make_interval(hours => ${trialDays * 24}::integer))`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .execute()
}

/** Staged rows stay behind, so nothing can come of the imports that had them. */
export async function expireStagedImports(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('imports')
    .set({ status: 'expired', finished_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('status', '=', 'staged')
    .execute()
}
