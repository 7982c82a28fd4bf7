import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import type { Background } from '../../platform/background.ts'
import type { Database } from '../../platform/db/database.ts'
import { eachApart, keepDoingForEach } from '../../platform/each-apart.ts'
import { listCompaniesToAsk } from './spot-schedule-queries.ts'
import { askDue, listDue } from './spot-schedule-service.ts'

/** How late after its beginning a day is noticed, at the most. */
const lookEveryMs = 300_000

type Parts = { database: Database; provider: BillingProvider; onError: (error: unknown) => void }

/**
 * Asks for all of a company that is due, each in a transaction of its own: it takes a second with 100,000 components, and one that
 * fails keeps no other from it. Throws where the database is away.
 */
export async function askInCompany({ database, provider, onError }: Parts, tenantId: string): Promise<void> {
  const due = await database.inTenant(tenantId, (tx) => listDue(tx, provider))
  const ask = async (id: string) => await database.inTenant(tenantId, (tx) => askDue(tx, provider, id))
  await eachApart(
    due.map(({ schedule }) => schedule.id),
    ask,
    onError,
  )
}

/** Keeps asking for the spot counts that recur, as their days begin where each company is. */
export function keepAskingForSpotCounts(parts: Parts): Background {
  return keepDoingForEach({
    pauseMs: lookEveryMs,
    onError: parts.onError,
    look: () => listCompaniesToAsk(parts.database),
    work: (tenantId) => askInCompany(parts, tenantId),
  })
}
