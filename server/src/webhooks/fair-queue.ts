/** A webhook that has deliveries due. */
type Due = { tenantId: string; webhookId: string }

/** Turns one node lets webhooks have at a time. */
const turnsAtOnce = 32
/** Of one company: the places of one whose receivers are slow are not those of the others. */
const turnsOfCompany = 4

export type FairQueue = {
  /** Has a webhook wait for its turn, unless it does or has one. */
  add: (due: Due) => void
  /** Lets no further turn begin, and ends when those that have begun are over. */
  stop: () => Promise<void>
}

/**
 * Lets webhooks take turns, each a short one; where a turn says that there is more to do, the webhook waits again, behind
 * all others. Next is always one of a company that has the fewest turns at the moment, of those the one that waits longest.
 */
export function createFairQueue(
  turn: (due: Due) => Promise<'more' | 'done'>,
  onError: (error: unknown) => void,
): FairQueue {
  const waiting = new Map<string, Due>()
  const running = new Map<string, Promise<void>>()
  const turnsOf = new Map<string, number>()
  let isStopped = false

  function change(tenantId: string, by: 1 | -1): void {
    const turns = (turnsOf.get(tenantId) ?? 0) + by
    if (turns === 0) turnsOf.delete(tenantId)
    else turnsOf.set(tenantId, turns)
  }

  function findNext(): Due | null {
    let next: Due | null = null
    let fewest = turnsOfCompany
    for (const due of waiting.values()) {
      const turns = turnsOf.get(due.tenantId) ?? 0
      if (turns < fewest) [next, fewest] = [due, turns]
    }
    return next
  }

  async function run(due: Due): Promise<void> {
    try {
      if ((await turn(due)) === 'more') waiting.set(due.webhookId, due)
    } catch (error) {
      onError(error)
    } finally {
      running.delete(due.webhookId)
      change(due.tenantId, -1)
      begin()
    }
  }

  function begin(): void {
    while (!isStopped && running.size < turnsAtOnce) {
      const next = findNext()
      if (next === null) return
      waiting.delete(next.webhookId)
      change(next.tenantId, 1)
      running.set(next.webhookId, run(next))
    }
  }

  return {
    add(due) {
      if (waiting.has(due.webhookId) || running.has(due.webhookId)) return
      waiting.set(due.webhookId, due)
      begin()
    },
    async stop() {
      isStopped = true
      await Promise.all(running.values())
    },
  }
}
