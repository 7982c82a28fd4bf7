import type { PlanKey } from '@inventory-manager/contract/plans'
import type { Tx } from './database.ts'

/** Locks the company's row, so that changes which must not pass a limit together come one after another. */
export async function lockCompany(tx: Tx): Promise<{ plan: PlanKey }> {
  return await tx.db
    .selectFrom('companies')
    .select('plan')
    .where('tenant_id', '=', tx.tenantId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
