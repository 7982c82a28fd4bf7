import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import { keepDoing, type Background } from '../platform/background.ts'
import type { Database } from '../platform/db/database.ts'
import { isAway } from '../platform/db/errors.ts'
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
  for (const { schedule } of due) {
    try {
      await database.inTenant(tenantId, (tx) => askDue(tx, provider, schedule.id))
    } catch (error) {
      if (isAway(error)) throw error
      onError(error)
    }
  }
}

/** Keeps asking for the spot counts that recur, as their days begin where each company is. */
export function keepAskingForSpotCounts(parts: Parts): Background {
  const { database, onError } = parts
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
    look: () => listCompaniesToAsk(database),
    work: askEach,
  })
  return {
    async stop() {
      stopping.abort()
      await asking.stop()
    },
  }
}
