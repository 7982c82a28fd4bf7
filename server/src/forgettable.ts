import { forgetAccess } from './accounts/forgetting-queries.ts'
import { forgetOldAttempts } from './accounts/attempt-queries.ts'
import { forgetStagedRows } from './imports/forgetting-queries.ts'
import type { Forgettable } from './platform/pruning.ts'
import { forgetDeliveries } from './webhooks/forgetting-queries.ts'

/** What is of no use any more after a while, by whose tables it lies in. */
export const forgettable: Forgettable = {
  ofEach: [forgetStagedRows, forgetAccess, forgetDeliveries],
  outside: [forgetOldAttempts],
}
