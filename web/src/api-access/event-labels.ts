import type { WebhookEvent } from '@inventory-manager/contract/webhooks/endpoints'

/** What a receiver can be told, in words. */
export const eventLabels: Record<WebhookEvent, string> = {
  'count.recorded': 'Count recorded',
  'count.undone': 'Count taken back',
  'discrepancy.opened': 'Discrepancy opened',
  'discrepancy.decided': 'Discrepancy decided',
  'component.changed': 'Component changed',
  'stock.low': 'Stock below its minimum',
}
