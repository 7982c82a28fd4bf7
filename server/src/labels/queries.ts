import type { LabelFormat } from '@inventory-manager/contract/labels/endpoints'
import type { LabelLogo } from '@inventory-manager/contract/labels/logo'
import type { Symbology } from '@inventory-manager/contract/labels/symbologies'
import { sql } from 'kysely'
import { findByKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** How long a reservation lasts that nobody renews: its server has died, or its reader has stopped reading. */
const reservationSeconds = 60

const expiry = sql<Date>`now() + make_interval(secs => ${reservationSeconds})`

/** Locks the company's month, so that jobs are reserved one after another, and gives its start. */
export async function lockMonth(tx: Tx, timeZone: string): Promise<Date> {
  await sql`
    insert into label_usage (tenant_id, month_start, used)
    values (${tx.tenantId}::uuid, start_of_month(now(), ${timeZone}), 0)
    on conflict (tenant_id, month_start) do nothing
  `.execute(tx.db)
  const { month_start } = await tx.db
    .selectFrom('label_usage')
    .select('month_start')
    .where('tenant_id', '=', tx.tenantId)
    .where('month_start', '=', sql<Date>`start_of_month(now(), ${timeZone})`)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return month_start
}

/** Labels used or reserved this month, and the day on which the count starts anew in the company's time zone. */
export async function getUsage(tx: Tx, timeZone: string): Promise<{ used: number; resetsOn: string }> {
  const { rows } = await sql<{ used: number; resets_on: string }>`
    select
      labels_used(${tx.tenantId}::uuid, start_of_month(now(), ${timeZone})) as used,
      to_char(date_trunc('month', now() at time zone ${timeZone}) + interval '1 month', 'YYYY-MM-DD') as resets_on
  `.execute(tx.db)
  const row = onlyRow(rows)
  return { used: row.used, resetsOn: row.resets_on }
}

/** Gives back the labels of reservations that have run out. The month must be locked. */
export async function releaseExpired(tx: Tx): Promise<void> {
  await sql`
    with expired as (
      update label_jobs set state = 'released', streams = 0
      where tenant_id = ${tx.tenantId}::uuid and state = 'reserved' and expires_at < now()
      returning month_start, labels
    ),
    total as (select month_start, sum(labels)::integer as labels from expired group by month_start)
    update label_usage set used = label_usage.used - total.labels
    from total
    where label_usage.tenant_id = ${tx.tenantId}::uuid and label_usage.month_start = total.month_start
  `.execute(tx.db)
}

/** Adds labels to a locked month unless that passes the limit (null: none); says whether it did. */
export async function addUsage(
  tx: Tx,
  charge: { monthStart: Date; labels: number; limit: number | null },
): Promise<boolean> {
  const added = await tx.db
    .updateTable('label_usage')
    .set((eb) => ({ used: eb('used', '+', charge.labels) }))
    .where('tenant_id', '=', tx.tenantId)
    .where('month_start', '=', charge.monthStart)
    .where((eb) => eb(eb('used', '+', charge.labels), '<=', charge.limit ?? 2_147_483_647))
    .returning('used')
    .executeTakeFirst()
  return added !== undefined
}

/** The job of an earlier request under the same key; null without one. */
export async function findJobOfKey(tx: Tx, userId: string, key: string) {
  const job = await tx.db
    .selectFrom('label_jobs')
    .select(['id', 'state', 'request_hash', 'labels', 'streams'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('request_key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  return job ?? null
}

export async function createJob(
  tx: Tx,
  job: { userId: string; key: string | null; hash: string; monthStart: Date; labels: number },
): Promise<string> {
  const { id } = await tx.db
    .insertInto('label_jobs')
    .values({
      tenant_id: tx.tenantId,
      user_id: job.userId,
      request_key: job.key,
      request_hash: job.hash,
      month_start: job.monthStart,
      labels: job.labels,
      expires_at: expiry,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reserves a job again that had given its labels back; they are charged to a locked month already. */
export async function reviveJob(tx: Tx, id: string, monthStart: Date): Promise<void> {
  await tx.db
    .updateTable('label_jobs')
    .set({ state: 'reserved', streams: 1, month_start: monthStart, expires_at: expiry })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}

/** One more reply is sent for a job that is being made. */
export async function joinJob(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('label_jobs')
    .set((eb) => ({ streams: eb('streams', '+', 1), expires_at: expiry }))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}

export async function renewJob(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('label_jobs')
    .set({ expires_at: expiry })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .execute()
}

/** Locks a job's month, then the job itself, in the order in which jobs are reserved too. */
export async function lockJob(tx: Tx, id: string) {
  const month = tx.db
    .selectFrom('label_jobs')
    .select('month_start')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
  await tx.db
    .selectFrom('label_usage')
    .select('used')
    .where('tenant_id', '=', tx.tenantId)
    .where('month_start', '=', month)
    .forUpdate()
    .execute()
  return await tx.db
    .selectFrom('label_jobs')
    .select(['id', 'state', 'streams', 'labels', 'month_start'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function setJob(
  tx: Tx,
  id: string,
  change: { state: 'confirmed'; streams: 0 } | { state: 'released' } | { streams: number },
): Promise<void> {
  await tx.db
    .updateTable('label_jobs')
    .set(change)
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}

export type Print = {
  items: readonly { barcode: string; description?: string | null | undefined; copies: number }[]
  /** Width and height in inches, such as '4x1.5'. */
  size: string
  symbology: Symbology
  format: LabelFormat
  userId: string
  userName: string
}

/** How many of the components with these barcodes have been labelled. */
export async function countLabelled(tx: Tx, barcodes: readonly string[]): Promise<number> {
  const { rows } = await sql<{ labelled: number }>`
    select count(distinct components.id)::integer as labelled
    from components
    join labelled_components on labelled_components.tenant_id = ${tx.tenantId}::uuid
      and labelled_components.component_id = components.id
    where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = any (${barcodes}::text[])
  `.execute(tx.db)
  return onlyRow(rows).labelled
}

/**
 * Records the labels of a job: a print for each component and description, and the component as labelled now. Barcodes
 * without a component are left out.
 */
export async function recordPrint(tx: Tx, print: Print): Promise<void> {
  const rows = print.items.map(({ barcode, description, copies }) => ({
    barcode,
    description: description ?? '',
    copies,
  }))
  await sql`
    with given as (
      select components.id, item.description, sum(item.copies)::integer as copies
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as item (barcode text, description text, copies integer)
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.barcode = item.barcode
      group by components.id, item.description
    ),
    printed as (
      insert into label_prints (
        tenant_id, component_id, copies, size, symbology, format, description, user_id, user_name
      )
      select ${tx.tenantId}::uuid, id, copies, ${print.size}, ${print.symbology}, ${print.format}, description,
        ${print.userId}::uuid, ${print.userName}
      from given
      returning 1
    )
    insert into labelled_components (tenant_id, component_id, description)
    select distinct on (id) ${tx.tenantId}::uuid, id, description from given order by id
    on conflict (tenant_id, component_id)
      do update set labelled_at = excluded.labelled_at, description = excluded.description
  `.execute(tx.db)
}

/** Every component that was ever labelled, as an array of JSON: however many there are, this process has nothing to do with each. */
export async function listLabelledComponents(tx: Tx): Promise<string> {
  await findByKeys(tx)
  const { rows } = await sql<{ list: string }>`
    select '[' || coalesce(string_agg(format(
      '{"id":"%s","last_labelled_at":"%s","current":%s}', labelled.component_id,
      to_char(labelled.labelled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      (labelled.description = component.description)::text
    ), ',' order by labelled.component_id), '') || ']' as list
    from labelled_components as labelled
    cross join lateral (
      select description from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = labelled.component_id
      limit 1
    ) as component
    where labelled.tenant_id = ${tx.tenantId}::uuid
  `.execute(tx.db)
  return onlyRow(rows).list
}

/** The company's logo as labels print it; null where they go without. */
export async function findLabelLogo(tx: Tx): Promise<LabelLogo | null> {
  const logo = await tx.db
    .selectFrom('company_logos')
    .select('label_rows')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirst()
  return logo?.label_rows ?? null
}
