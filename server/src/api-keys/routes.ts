import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from '@inventory-manager/contract/api-keys/endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { onceShown } from '../platform/http/shown-once.ts'
import { listKeys } from './queries.ts'
import { makeKey, revokeKey } from './service.ts'

function presentKey(row: Awaited<ReturnType<typeof listKeys>>[number]): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: `im_${row.prefix}`,
    scopes: row.scopes,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

export function apiKeyRoutes(bind: Binder, callsPerMinute: number): void {
  // Whatever the plan: a key that is known elsewhere can be revoked before another plan has it work again.
  bind.member(listApiKeys, async ({ tx }) => ({
    keys: (await listKeys(tx)).map(presentKey),
    calls_per_minute: callsPerMinute,
  }))

  bind.ownTransaction(
    createApiKey,
    ({ tx, actor, body, key }) => {
      const operation = { key, call: createApiKey.path, body }
      return onceShown({ tx, actor }, operation, () => makeKey(tx, actor, body))
    },
    ({ begun: made }) => Promise.resolve({ success: true, ...made }),
  )

  bind.member(revokeApiKey, async ({ tx, actor, params }) => {
    await revokeKey(tx, actor, params.id)
    return { success: true }
  })
}
