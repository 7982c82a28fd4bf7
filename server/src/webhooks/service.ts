import { once } from 'node:events'
import { maxTestsWaiting, maxWebhooks } from '@inventory-manager/contract/webhooks/rules'
import type { WebhookBody, WebhookEvent } from '@inventory-manager/contract/webhooks/endpoints'
import { findHead } from '../audit/chain-queries.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import { errorCode } from '../platform/error-code.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireApiAccess, type Actor } from '../platform/http/identity.ts'
import { isPublic, ownAddresses } from './addresses.ts'
import { findAddresses, isInternal, makeResolver, NoAddress } from './names.ts'
import {
  clearFailure,
  createDeliveries,
  createWebhook,
  getWebhook,
  getWebhookOf,
  lockAndCountTests,
  lockAndCountWebhooks,
  queueGivenUp,
  removeWebhook,
  requeue,
} from './queries.ts'
import { makeSecret } from './sending.ts'

const longestLookupMs = 2_000

/** No address, where name servers have none or say nothing. */
function noneYet(error: unknown): [] {
  if (error instanceof NoAddress || errorCode(error) !== undefined) return []
  throw error
}

/** Whether a host has no address of a private network; one that cannot be looked up now has none. */
async function isPublicNow(host: string): Promise<boolean> {
  const signal = AbortSignal.timeout(longestLookupMs)
  const unknown = once(signal, 'abort').then(() => [])
  const addresses = await Promise.race([
    findAddresses(host, { makeResolver, signal }).catch(noneYet),
    unknown,
  ])
  const own = ownAddresses()
  return addresses.every(({ address }) => isPublic(address, own))
}

/**
 * Throws 'invalid_request' for an address that leads into a private network. This tells early what each delivery checks
 * anyway; a name that cannot be looked up now may be later.
 */
export async function refusePrivate(url: string, allowPrivate: boolean): Promise<void> {
  if (allowPrivate) return
  const host = new URL(url).hostname.replaceAll(/^\[|\]$|\.$/g, '')
  if (!isInternal(host) && (await isPublicNow(host))) return
  throw new AppError('invalid_request', {
    sentence: 'This address is not public. Webhooks are sent to public addresses only.',
  })
}

/** Adds a webhook, which is told what happens from now on. Throws 'plan_required' and 'too_many_webhooks'. */
export async function addWebhook(
  tx: Tx,
  actor: Actor,
  { url, events }: { url: string; events: WebhookEvent[] },
): Promise<{ id: string; secret: string }> {
  requireApiAccess(actor)
  if ((await lockAndCountWebhooks(tx)) >= maxWebhooks) {
    throw new AppError('too_many_webhooks', {
      sentence: `A company has at most ${maxWebhooks} webhooks. Remove one first.`,
    })
  }
  const secret = makeSecret()
  const position = (await findHead(tx))?.seq ?? 0
  const { id } = await createWebhook(tx, { url, events, secret, position, createdBy: actor.userName })
  await recordConfigurationChange(tx, actor, { event: 'webhook_added', source: 'api_access', url, events })
  return { id, secret }
}

/** Switches a webhook on again; what happened meanwhile is sent, as far as it is not too long ago. */
export async function switchOn(tx: Tx, actor: Actor, id: string): Promise<void> {
  requireApiAccess(actor)
  const { url } = await getWebhook(tx, id)
  await clearFailure(tx, id)
  await queueGivenUp(tx, id)
  await recordConfigurationChange(tx, actor, { event: 'webhook_switched_on', source: 'api_access', url })
}

export async function remove(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { url } = await getWebhook(tx, id, { lock: 'to remove' })
  await removeWebhook(tx, id)
  await recordConfigurationChange(tx, actor, { event: 'webhook_removed', source: 'api_access', url })
}

/** Throws 'webhook_off' for a webhook that nothing is sent to. */
function requireOn({ disabled_at: disabledAt }: { disabled_at: Date | null }): void {
  if (disabledAt !== null) throw new AppError('webhook_off')
}

/** Puts a delivery of the type test into the queue. Throws 'plan_required', 'not_found', 'webhook_off' and 'too_many_tests'. */
export async function queueTest(tx: Tx, actor: Actor, id: string): Promise<void> {
  requireApiAccess(actor)
  requireOn(await getWebhook(tx, id, { lock: 'to keep' }))
  if ((await lockAndCountTests(tx, id)) >= maxTestsWaiting) throw new AppError('too_many_tests')
  const body: WebhookBody = {
    type: 'test',
    timestamp: new Date().toISOString(),
    data: {
      id: null,
      event: 'test',
      sku: 'TEST',
      quantity: null,
      location: null,
      user_name: actor.userName,
      user_type: actor.userType,
    },
  }
  await createDeliveries(tx, [{ webhookId: id, entryId: null, event: 'test', body: JSON.stringify(body) }])
}

/** Sends a delivery once more. Throws 'plan_required', 'not_found' and 'webhook_off'. */
export async function replay(tx: Tx, actor: Actor, id: string): Promise<void> {
  requireApiAccess(actor)
  requireOn(await getWebhookOf(tx, id))
  await requeue(tx, id)
  await recordConfigurationChange(tx, actor, {
    event: 'webhook_replayed',
    source: 'api_access',
    delivery: id,
  })
}
