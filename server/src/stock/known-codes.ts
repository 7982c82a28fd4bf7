import { sql } from 'kysely'
import { recordAudits } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

/**
 * Settles unknown codes, at every location, that find a component in use by now, by any barcode of it: in their own writing or the
 * other one of a UPC, as lookupCodes has them. One that is being scanned or decided at this moment stays for whoever does that.
 */
export async function settleKnownCodes(tx: Tx, actor: Actor): Promise<void> {
  const { rows } = await sql<{ code: string; location: string }>`
    with known as materialized (
      select unknown_codes.id
      from unknown_codes
      cross join lateral unnest(upc_writings(unknown_codes.code)) as writing (code)
      left join alias_barcodes aliased on aliased.tenant_id = ${tx.tenantId}::uuid and aliased.barcode = writing.code
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null
        and (components.barcode = writing.code or components.id = aliased.component_id)
      where unknown_codes.tenant_id = ${tx.tenantId}::uuid and unknown_codes.status in ('open', 'ignored')
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
