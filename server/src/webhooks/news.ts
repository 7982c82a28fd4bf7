import type { WebhookBody, WebhookEvent } from '@inventory-manager/contract/webhooks/endpoints'
import type { SealedEntry } from '../audit/chain-queries.ts'
import { groupOf, type EventGroup } from '../audit/events.ts'
import { readObject } from '../platform/db/json-object.ts'

function factOf({ metadata }: SealedEntry, fact: string): unknown {
  return new Map(Object.entries(readObject(metadata))).get(fact)
}

const isSaid = (entry: SealedEntry, fact: string): boolean => factOf(entry, fact) === true

/** The events of a count that did not match. A first entry is none; one that came too late opens nothing. */
function eventsOfMismatch(entry: SealedEntry): WebhookEvent[] {
  if (!isSaid(entry, 'recorded')) return []
  const opensNothing = isSaid(entry, 'counted_since') || isSaid(entry, 'recount_since')
  return opensNothing ? ['count.recorded'] : ['count.recorded', 'discrepancy.opened']
}

/** A first entry that did not match was never told, so neither is that it was taken back. */
const tookBackRecorded = (entry: SealedEntry): boolean => factOf(entry, 'undoes') !== undefined

/** What an entry is besides where the stock has moved with it. */
const movedIf = (moved: boolean): WebhookEvent[] => (moved ? ['component.changed'] : [])

const none = () => []

/** What an event is to receivers. */
const newsOf: Record<EventGroup, (entry: SealedEntry) => WebhookEvent[]> = {
  // Within the tolerance, or as the first count, the difference is accepted with it.
  counted: (entry) => ['count.recorded', ...movedIf(factOf(entry, 'accepted_difference') !== undefined)],
  differing: eventsOfMismatch,
  taken_back: (entry) =>
    tookBackRecorded(entry) ? ['count.undone', ...movedIf(factOf(entry, 'moved_back') !== undefined)] : [],
  noted: none,
  refused: none,
  written_down: () => ['count.recorded'],
  record_saved: none,
  record_deleted: none,
  marks_reset: none,
  difference_decided: ({ event }) => ['discrepancy.decided', ...movedIf(event === 'discrepancy_accepted')],
  recount_asked: () => ['discrepancy.decided'],
  difference_reopened: (entry) => [
    'discrepancy.opened',
    ...movedIf(factOf(entry, 'moved_back') !== undefined),
  ],
  unknown_code_found: none,
  unknown_code_decided: none,
  count_assigned: none,
  component_changed: () => ['component.changed'],
  components_changed: () => ['component.changed'],
  fallen_low: () => ['stock.low'],
  company_changed: none,
  signed_in_or_out: none,
  labels_made: none,
  administered: none,
  brought_back: none,
}

/** The events an audit entry is to a receiver. What a device only reported about itself is none. */
export function eventsOf(entry: SealedEntry): WebhookEvent[] {
  const group = entry.origin === 'server' ? groupOf(entry.event) : undefined
  return group === undefined ? [] : newsOf[group](entry)
}

/** What a receiver is told of an entry. */
export function bodyOf(type: WebhookEvent, entry: SealedEntry): WebhookBody {
  return {
    type,
    timestamp: entry.created_at.toISOString(),
    data: {
      id: entry.id,
      event: entry.event,
      sku: entry.sku,
      quantity: entry.quantity,
      location: entry.location,
      user_name: entry.user_name,
      user_type: entry.user_type,
    },
  }
}
