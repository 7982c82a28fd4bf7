import type { PlanKey } from '@inventory-manager/contract/plans'
import type { Tx } from './database.ts'

/**
 * Locks the company's row, so that changes which must not pass a limit together come one after another. Not `for update`,
 * which would hold up every insert that refers to the company, such as the difference a count opens.
 */
export async function lockCompany(tx: Tx): Promise<{ plan: PlanKey }> {
  return await tx.db
    .selectFrom('companies')
    .select('plan')
    .where('tenant_id', '=', tx.tenantId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}
