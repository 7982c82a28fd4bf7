import type { CompanyEvent, EventType } from '@inventory-manager/contract/events/endpoints'
import type { listEntriesSince } from './queries.ts'

type Entry = Awaited<ReturnType<typeof listEntriesSince>>[number]

const ofOneEvent: Record<string, EventType> = {
  components_imported: 'component',
  quantity_updated: 'component',
  weekly_count_saved: 'count',
  cycle_count_saved: 'count',
  count_history_added: 'count',
}

/** What kind of news an audit entry is to other screens; null for what they need not know. */
function typeOf({ kind, event }: Entry): EventType | null {
  const known = ofOneEvent[event]
  if (known !== undefined) return known
  if (event.endsWith('_scan') || event.endsWith('_mismatch')) return 'count'
  if (event.endsWith('_reset') || event.endsWith('_deleted')) return 'reset'
  if (event.startsWith('discrepancy_')) return 'discrepancy'
  if (event.startsWith('high_volume_')) return 'component'
  return kind === 'authentication' ? 'session' : null
}

function format(type: string, id: string, data: object): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** An entry as a server-sent event, or null when it is none. */
export function formatEntry(entry: Entry): string | null {
  const type = typeOf(entry)
  if (type === null) return null
  const data: CompanyEvent = {
    id: entry.id,
    event: entry.event,
    sku: entry.sku,
    location: entry.location,
    user_name: entry.user_name,
    timestamp: entry.created_at.toISOString(),
  }
  return format(type, entry.id, data)
}

/** Tells a client that it missed too much and must load anew. */
export function formatReload(id: string): string {
  return format('reload', id, {})
}

/** Keeps the connection from being taken for dead by proxies. */
export const heartbeat = ': still here\n\n'
