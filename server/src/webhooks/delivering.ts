import { setMaxListeners } from 'node:events'
import { daysSent, daysUntilDisabled, retryDelays } from '@inventory-manager/contract/webhooks/rules'
import { findHead, listSealedEntries } from '../audit/chain-queries.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { program } from '../audit/queries.ts'
import { keepDoing, type Background } from '../platform/background.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { eachApart } from '../platform/each-apart.ts'
import { makeResolver } from './names.ts'
import { bodyOf, eventsOf } from './news.ts'
import { forgetDeliveries } from './forgetting-queries.ts'
import {
  claimDeliveries,
  createDeliveries,
  listCompaniesToTell,
  listDueWebhooks,
  listToTellAmong,
  lockWebhooksBehind,
  movePosition,
  noteFailure,
  noteSuccess,
  settleDelivery,
  type Claimed,
} from './queries.ts'
import { send, type Outcome } from './sending.ts'
import { createFairQueue } from './fair-queue.ts'

const lookEveryMs = 1_000
const entriesAtOnce = 500
/** More than one look makes, and few enough for one statement. */
const forgottenAtOnce = 10_000
/** To one receiver in one turn. */
const sendAtOnce = 5

/**
 * Makes the deliveries of what was sealed since the last look, together with the new position: a crash leaves both or
 * neither. Only sealed entries are read, so nothing is told before its commit, and seals have no gaps, so none is missed.
 */
export async function makeDeliveries(tx: Tx): Promise<void> {
  const head = await findHead(tx)
  if (head === null) return
  for (const webhook of await lockWebhooksBehind(tx, head.seq)) {
    const range = { after: webhook.position, through: head.seq, days: daysSent, limit: entriesAtOnce }
    const entries = await listSealedEntries(tx, range)
    const deliveries = entries.flatMap((entry) =>
      eventsOf(entry)
        .filter((event) => webhook.events.includes(event))
        .map((event) => ({
          webhookId: webhook.id,
          entryId: entry.id,
          event,
          body: JSON.stringify(bodyOf(event, entry)),
        })),
    )
    await createDeliveries(tx, deliveries)
    const last = entries.length === entriesAtOnce ? entries.at(-1) : undefined
    await movePosition(tx, webhook.id, last?.seq ?? head.seq)
  }
  await forgetDeliveries(tx, forgottenAtOnce)
}

/** A tenth more or less, so that what failed together does not come back together. */
function jitter(seconds: number): number {
  return seconds * (0.9 + Math.random() * 0.2)
}

/** Writes down what came of an attempt, and what that means for the webhook. */
async function settle(tx: Tx, delivery: Claimed, { status, problem }: Outcome): Promise<void> {
  const wait = retryDelays[delivery.attempts - 1]
  const failed = wait === undefined ? 'failed' : 'waiting'
  const settled = await settleDelivery(tx, delivery, {
    status: problem === null ? 'delivered' : failed,
    delay: jitter(wait ?? 0),
    replyStatus: status,
    problem,
  })
  if (settled === null) return
  if (problem === null) {
    await noteSuccess(tx, settled.webhookId)
    return
  }
  const disabled = await noteFailure(tx, settled.webhookId, daysUntilDisabled)
  if (disabled === null) return
  await recordConfigurationChange(tx, program, {
    event: 'webhook_switched_off',
    source: 'api_access',
    url: disabled,
    reason: problem,
  })
}

type Parts = {
  database: Database
  allowPrivate: boolean
  onError: (error: unknown) => void
}

/** `tell`: some companies may have something to tell, however many there are. */
type Delivering = Background & { tell: (tenantIds: readonly string[]) => void }

/** Keeps telling receivers what happens in all companies. A receiver that is slow holds up nobody else. */
export function keepDelivering({ database, allowPrivate, onError }: Parts): Delivering {
  const sealed = new Set<string>()
  const stopping = new AbortController()
  // Each delivery on its way listens to it.
  setMaxListeners(0, stopping.signal)

  async function deliver(tenantId: string, delivery: Claimed): Promise<void> {
    const outcome = await send(delivery, { allowPrivate, makeResolver, signal: stopping.signal })
    // What was cut off by closing is taken up when its lease is over, here or on another node.
    if (stopping.signal.aborted && outcome.problem !== null) return
    await database.inTenant(tenantId, (tx) => settle(tx, delivery, outcome))
  }

  const queue = createFairQueue(async ({ tenantId, webhookId }) => {
    const claimed = await database.inTenant(tenantId, (tx) => claimDeliveries(tx, webhookId, sendAtOnce))
    // All of them, so that none goes on beyond its turn, or after the stop.
    const ends = await Promise.allSettled(claimed.map((delivery) => deliver(tenantId, delivery)))
    for (const end of ends) if (end.status === 'rejected') onError(end.reason)
    return claimed.length === 0 ? 'done' : 'more'
  }, onError)

  async function queueDue(tenantId: string): Promise<void> {
    const due = await database.inTenant(tenantId, async (tx) => {
      await makeDeliveries(tx)
      return await listDueWebhooks(tx)
    })
    for (const webhookId of due) queue.add({ tenantId, webhookId })
  }

  const work = (companies: readonly string[]) => eachApart(companies, queueDue, onError)

  const own = keepDoing({
    pauseMs: lookEveryMs,
    onError,
    async look() {
      const companies = [...sealed]
      sealed.clear()
      return await listToTellAmong(database, companies)
    },
    work,
  })
  const all = keepDoing({ pauseMs: lookEveryMs, onError, look: () => listCompaniesToTell(database), work })

  return {
    tell(tenantIds) {
      for (const tenantId of tenantIds) sealed.add(tenantId)
    },
    async stop() {
      stopping.abort()
      await Promise.all([own.stop(), all.stop(), queue.stop()])
    },
  }
}
