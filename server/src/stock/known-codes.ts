import { sql, type RawBuilder } from 'kysely'
import { recordAudits } from '../audit/queries.ts'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

/**
 * Settles unknown codes, at every location, that are known by now: what of the table is read for them, with a condition, is given. One
 * that is being scanned or decided at this moment stays for whoever does that.
 */
async function settle(tx: Tx, actor: Actor, known: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ code: string; location: string }>`
    with known as materialized (
      select unknown_codes.id
      from unknown_codes ${known}
        and unknown_codes.tenant_id = ${tx.tenantId}::uuid and unknown_codes.status in ('open', 'ignored')
      for update of unknown_codes skip locked
    )
    update unknown_codes
    set status = 'component', decided_by = ${actor.userName}, decided_at = statement_timestamp()
    where tenant_id = ${tx.tenantId}::uuid and id in (select id from known)
    returning code, location
  `.execute(tx.db)
  if (rows.length === 0) return
  const settled = { kind: 'configuration', event: 'unknown_code_settled', source: 'unknown_codes' } as const
  await recordAudits(
    tx,
    actor,
    rows.map(({ code, location }) => ({ ...settled, sku: code, location })),
  )
}

/**
 * Settles all unknown codes that find a component in use, by any barcode of it: in their own writing or the other one of a UPC, as
 * lookupCodes has them.
 */
export async function settleKnownCodes(tx: Tx, actor: Actor): Promise<void> {
  await findByWholeKeys(tx)
  await settle(
    tx,
    actor,
    sql`
      where exists (
        select from unnest(upc_writings(unknown_codes.code)) as writing (code)
        cross join lateral (
          select components.id from components
          where components.tenant_id = ${tx.tenantId}::uuid and components.barcode = writing.code
            and components.retired_at is null
          union all
          select components.id from alias_barcodes aliased
          join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = aliased.component_id
            and components.retired_at is null
          where aliased.tenant_id = ${tx.tenantId}::uuid and aliased.barcode = writing.code
          offset 0
        ) as found
      )`,
  )
}

/** As settleKnownCodes, only those of one component in use, looked up by its barcodes: the writings of a code are each other's. */
export async function settleCodesOf(tx: Tx, actor: Actor, componentId: string): Promise<void> {
  await settle(
    tx,
    actor,
    sql`
      where unknown_codes.code = any (array(
        select unnest(upc_writings(own.barcode))
        from (
          select barcode from components where tenant_id = ${tx.tenantId}::uuid and id = ${componentId}::uuid
          union all
          select barcode from alias_barcodes
          where tenant_id = ${tx.tenantId}::uuid and component_id = ${componentId}::uuid
        ) as own
      ))`,
  )
}
