import type { Background } from '../platform/background.ts'
import type { Database } from '../platform/db/database.ts'
import { keepDoingForEach } from '../platform/each-apart.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import type { PayingProvider } from './billing.ts'
import { findSubscription, listCompaniesOverdue } from './plan-queries.ts'
import { refreshSubscription } from './stripe-webhook.ts'

const lookEveryMs = 3_600_000
/** Less than an hour, so that the same node asks in each of its rounds; another one has nothing to ask then. */
const askedAgainAfterMinutes = 50

type Parts = { database: Database; notices: Pick<Notices, 'changed'>; paying: PayingProvider }

async function askForOverdue({ database, notices, paying }: Parts, tenantId: string): Promise<void> {
  const known = await database.inTenant(tenantId, findSubscription)
  const subscriptionId = known?.subscription_id ?? null
  if (subscriptionId === null) return
  await refreshSubscription({ database, paying }, { tenantId, subscriptionId, event: null })
  notices.changed(tenantId)
}

/**
 * Keeps asking the provider for subscriptions that were paid for until a day ago or longer: whatever became of them, its event has not
 * come. One that it does not answer for keeps no other from being asked for.
 */
export function keepAskingForOverdue({
  onError,
  ...parts
}: Parts & { onError: (error: unknown) => void }): Background {
  return keepDoingForEach({
    pauseMs: lookEveryMs,
    onError,
    look: () => listCompaniesOverdue(parts.database, askedAgainAfterMinutes),
    work: (tenantId) => askForOverdue(parts, tenantId),
  })
}
