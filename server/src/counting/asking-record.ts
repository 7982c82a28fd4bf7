import type { EventOf } from '../audit/events.ts'
import { recordAudit, type AuditActor } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'

/** What somebody is asked to count of a location, and was before. */
export type AssignmentFacts = {
  due_on: string
  bins?: string[]
  due_before?: string
  bins_before?: string[]
}

type SpotFacts =
  { due_on: string; barcodes: readonly string[] } | { due_on: string; skus: number; skus_counted?: number }

type ScheduleFacts = { days: readonly string[]; minutes: number; people: number }

type Change = {
  event: EventOf<'count_assigned'>
  location: string
  /** Null for whoever counts there. */
  user: { id: string; name: string } | null
  facts: AssignmentFacts | SpotFacts | ScheduleFacts
}

/** Notes in the trail who was asked for what, or is asked no more. */
export async function recordAsking(
  tx: Tx,
  actor: AuditActor,
  { event, location, user, facts }: Change,
): Promise<void> {
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event,
    location,
    source: 'count_room',
    metadata: {
      type: 'config_change',
      ...(user === null ? {} : { user_id: user.id, name: user.name }),
      ...facts,
    },
  })
}
