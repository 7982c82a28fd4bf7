import type { WebhookBody, WebhookEvent } from '@inventory-manager/contract/webhooks/endpoints'
import type { SealedEntry } from '../audit/chain-queries.ts'

function isSaid({ metadata }: SealedEntry, fact: string): boolean {
  return (
    typeof metadata === 'object' && metadata !== null && new Map(Object.entries(metadata)).get(fact) === true
  )
}

/** The events of a count that did not match. A first entry is none; where something newer was counted, nothing is opened. */
function eventsOfMismatch(entry: SealedEntry): WebhookEvent[] {
  if (!isSaid(entry, 'recorded')) return []
  return isSaid(entry, 'counted_since') ? ['count.recorded'] : ['count.recorded', 'discrepancy.opened']
}

/** A first entry that did not match was never told, so neither is that it was taken back. */
function tookBackRecorded({ metadata }: SealedEntry): boolean {
  return typeof metadata === 'object' && metadata !== null && 'undoes' in metadata
}

const ofComponents = /^(components?|barcode|quantity|stock|transfer|description|import|high_volume)_/

/** The events an audit entry is to a receiver. What a device only reported about itself is none. */
export function eventsOf(entry: SealedEntry): WebhookEvent[] {
  const { event, origin } = entry
  if (origin !== 'server') return []
  if (/_(count|view)_scan$|^count_history_added$/.test(event)) return ['count.recorded']
  if (event.endsWith('_mismatch')) return eventsOfMismatch(entry)
  if (/_(count|view)_undone$/.test(event)) return tookBackRecorded(entry) ? ['count.undone'] : []
  if (event === 'discrepancy_reopened') return ['discrepancy.opened']
  if (event.startsWith('discrepancy_')) return ['discrepancy.decided']
  return ofComponents.test(event) ? ['component.changed'] : []
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
