import { forgetAccess } from './accounts/access-queries.ts'
import { forgetOldAttempts } from './accounts/attempt-queries.ts'
import { forgetStagedRows } from './imports/expiry-queries.ts'
import type { Forgettable } from './platform/pruning.ts'
import { forgetDeliveries } from './webhooks/old-deliveries.ts'

/** What is of no use any more after a while, by whose tables it lies in. */
export const forgettable: Forgettable = {
  ofEach: [forgetStagedRows, forgetAccess, forgetDeliveries],
  outside: [forgetOldAttempts],
}
