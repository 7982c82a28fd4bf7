import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

/** The first of the given codes that is a component's barcode; null where none is. */
export async function findKnownCode(tx: Tx, codes: readonly string[]): Promise<string | null> {
  const rows = await tx.db
    .selectFrom('components')
    .select('barcode')
    .where('tenant_id', '=', tx.tenantId)
    .where('barcode', 'in', codes)
    .execute()
  const known = new Set(rows.map(({ barcode }) => barcode))
  return codes.find((code) => known.has(code)) ?? null
}

/**
 * Settles unknown codes, at every location, that find a component by now: by their own writing or the other one of a UPC, as
 * lookupCodes has them. One that is being scanned or decided at this moment stays for whoever does that.
 */
export async function settleKnownCodes(tx: Tx, actor: Actor): Promise<void> {
  await sql`
    with known as materialized (
      select unknown_codes.id
      from unknown_codes
      cross join lateral (values
        (unknown_codes.code),
        (case
          when unknown_codes.code ~ '^0[0-9]{12}$' then substr(unknown_codes.code, 2)
          when unknown_codes.code ~ '^[0-9]{12}$' then '0' || unknown_codes.code
        end)
      ) as writing (code)
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.barcode = writing.code
      where unknown_codes.tenant_id = ${tx.tenantId}::uuid and unknown_codes.status in ('open', 'ignored')
      for update of unknown_codes skip locked
    )
    update unknown_codes
    set status = 'component', decided_by = ${actor.userName}, decided_at = statement_timestamp()
    where tenant_id = ${tx.tenantId}::uuid and id in (select id from known)
  `.execute(tx.db)
}
