import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from '@inventory-manager/contract/api-keys/endpoints'
import type { Database } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import { requireApiAccess, type Identity } from '../platform/http/identity.ts'
import { asAdministrator, onceShown } from '../platform/http/shown-once.ts'
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

type Parts = { database: Database; identity: Identity; callsPerMinute: number }

export function apiKeyRoutes(bind: Binder, parts: Parts): void {
  bind.member(listApiKeys, async ({ tx, actor }) => {
    requireApiAccess(actor)
    return { keys: (await listKeys(tx)).map(presentKey), calls_per_minute: parts.callsPerMinute }
  })

  bind.ownTransaction(createApiKey, async ({ claims, body, key }) =>
    asAdministrator(parts, claims, async (tx, actor) => {
      const operation = { key, call: createApiKey.path, body }
      const made = await onceShown({ tx, actor }, operation, () => makeKey(tx, actor, body))
      return { success: true, ...made }
    }),
  )

  bind.member(revokeApiKey, async ({ tx, actor, params }) => {
    await revokeKey(tx, actor, params.id)
    return { success: true }
  })
}
