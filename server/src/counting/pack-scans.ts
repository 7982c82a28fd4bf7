import { sql } from 'kysely'
import type { Database, Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Claims, Identity } from '../platform/http/identity.ts'

type Scans = { key: string; codes: readonly string[] }

/**
 * Whether scans that counted one each turn out to be those of a pack: their code belongs to one of several pieces by now, and what
 * is sent under the key was not counted before it did. Throws 'unauthorized'.
 */
export type ArePacks = (claims: Claims, scans: Scans) => Promise<boolean>

async function isPackByNow(tx: Tx, userId: string, { key, codes }: Scans): Promise<boolean> {
  const { rows } = await sql<{ packs: boolean }>`
    select exists (
      select from alias_barcodes
      where tenant_id = ${tx.tenantId} and barcode in (${sql.join(codes)}) and pieces > 1
    ) and not exists (
      select from operations where tenant_id = ${tx.tenantId} and user_id = ${userId} and key = ${key}
    ) as packs
  `.execute(tx.db)
  return onlyRow(rows).packs
}

export function createArePacks(database: Database, identity: Pick<Identity, 'actorOf'>): ArePacks {
  return async (claims, scans) =>
    await database.readInTenant(claims.tenantId, async (tx) => {
      const { userId } = await identity.actorOf(tx, claims)
      return await isPackByNow(tx, userId, scans)
    })
}
