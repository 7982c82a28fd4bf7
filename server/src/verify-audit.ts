import { auditMessages } from '@inventory-manager/contract/audit/messages'
import { verifyTrail, type KnownPlace } from './audit/chain.ts'
import type { Database } from './platform/db/database.ts'

type Check = {
  tenants: string[]
  /** A newest seal that was noted earlier. */
  known: (KnownPlace & { tenantId: string }) | null
  say: (line: string) => void
}

/** Checks every company's trail, one after the other, with a line for each; false where any is not intact. */
export async function verifyTrails(database: Database, { tenants, known, say }: Check): Promise<boolean> {
  let broken = 0
  let entries = 0
  for (const tenantId of tenants) {
    const { checked, head, fault } = await verifyTrail(
      database,
      tenantId,
      known?.tenantId === tenantId ? known : null,
    )
    entries += checked
    if (fault !== null) broken += 1
    const state = fault === null ? `${checked} entries intact` : auditMessages.fault(fault)
    say(`${tenantId}: ${state}${head === null ? '' : `, head ${tenantId}:${head.seq}:${head.hash}`}`)
  }
  say(`${tenants.length} companies checked, ${entries} entries good, ${broken} trails not intact.`)
  return broken === 0
}
