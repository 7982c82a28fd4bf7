import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import { keepDoing, type Background } from '../platform/background.ts'
import type { Database } from '../platform/db/database.ts'
import { isAway } from '../platform/db/errors.ts'
import { listCompaniesToAsk } from './spot-schedule-queries.ts'
import { askDue, listDue } from './spot-schedule-service.ts'

/** How late after its beginning a day is noticed, at the most. */
const lookEveryMs = 300_000

type Parts = { database: Database; provider: BillingProvider }

/** Asks for all of a company that is due, each in a transaction of its own: it takes a second with 100,000 components. */
export async function askInCompany({ database, provider }: Parts, tenantId: string): Promise<void> {
  const due = await database.inTenant(tenantId, (tx) => listDue(tx, provider))
  for (const each of due) await database.inTenant(tenantId, (tx) => askDue(tx, each))
}

/** Keeps asking for the spot counts that recur, as their days begin where each company is. */
export function keepAskingForSpotCounts({
  onError,
  ...parts
}: Parts & { onError: (error: unknown) => void }): Background {
  const stopping = new AbortController()

  async function askEach(companies: readonly string[]): Promise<void> {
    for (const tenantId of companies) {
      if (stopping.signal.aborted) return
      try {
        await askInCompany(parts, tenantId)
      } catch (error) {
        // The next round goes on with the others.
        if (isAway(error)) throw error
        onError(error)
      }
    }
  }

  const asking = keepDoing({
    pauseMs: lookEveryMs,
    onError,
    look: () => listCompaniesToAsk(parts.database),
    work: askEach,
  })
  return {
    async stop() {
      stopping.abort()
      await asking.stop()
    },
  }
}
