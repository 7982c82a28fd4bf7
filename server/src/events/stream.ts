import type { CompanyEvent, EventType } from '@inventory-manager/contract/events/endpoints'
import { findLocation } from '@inventory-manager/contract/locations'
import type { Role } from '@inventory-manager/contract/roles'
import { countTypes, type CountType } from '@inventory-manager/contract/values'
import { seesVerdicts, sightOf, withoutVerdict, type Sight } from '../audit/sight.ts'
import { readObject } from '../platform/db/json-object.ts'
import type { NewsEntry, Standing } from './queries.ts'

export const ofOneEvent: Record<string, EventType> = {
  components_imported: 'component',
  quantity_adjusted: 'component',
  quantity_updated: 'component',
  description_changed: 'component',
  component_retired: 'component',
  component_reinstated: 'component',
  barcode_added: 'component',
  barcode_removed: 'component',
  stock_moved: 'component',
  transfer_sent: 'component',
  transfer_received: 'component',
  transfer_cancelled: 'component',
  transfer_written_off: 'component',
  import_undone: 'component',
  weekly_count_saved: 'count',
  cycle_count_saved: 'count',
  admin_view_completed: 'count',
  count_history_added: 'count',
  unknown_code_found: 'discrepancy',
  role_changed: 'session',
  plan_changed: 'session',
  subscription_changed: 'session',
  settings_changed: 'session',
}

const scanned = /_(scan|mismatch)$/

/**
 * What an event is called to a role: staff see no verdict, of an accepted difference only that stock has moved, and of a reopened
 * one only that it was moved back or that a recount is asked for.
 */
function nameOf({ event, metadata }: NewsEntry, role: Role): string {
  if (role === 'admin') return event
  if (event === 'discrepancy_accepted') return 'stock_moved'
  if (event === 'discrepancy_reopened') {
    const facts = readObject(metadata)
    if (facts['moved_back'] !== undefined) return 'stock_moved'
    if (facts['status'] === 'recount') return 'discrepancy_recount'
  }
  return withoutVerdict(event)
}

/** What kind of news an event is to other screens; null for what they need not know. */
function typeOf(kind: string, event: string): EventType | null {
  const known = ofOneEvent[event]
  if (known !== undefined) return known
  if (scanned.test(event)) return 'count'
  if (/_(reset|deleted|undone)$/.test(event)) return 'reset'
  if (event.startsWith('discrepancy_') || event.startsWith('unknown_code_')) return 'discrepancy'
  if (event.startsWith('high_volume_')) return 'component'
  return kind === 'authentication' ? 'session' : null
}

/** What an import did to one component: the import itself is the news. */
function isOfAnImport({ kind, source }: NewsEntry): boolean {
  return kind === 'configuration' && source === 'import'
}

/** Differences and unknown codes are the administrators'; staff learn only what is to be counted again. */
function isFor(role: Role, type: EventType, event: string): boolean {
  return role === 'admin' || type !== 'discrepancy' || event === 'discrepancy_recount'
}

/** When a scan was made, by what was recorded of it. */
function scannedAt({ created_at: createdAt }: NewsEntry, counted: unknown): Date {
  const given = typeof counted === 'string' ? new Date(counted) : null
  return given === null || Number.isNaN(given.getTime()) ? createdAt : given
}

/** Which marks a recorded count has set, of those that stand now. */
function marksOf(
  metadata: Record<string, unknown>,
  { source, at, standing }: { source: CountType; at: Date; standing: Standing },
) {
  return {
    this_month: metadata['sets_mark'] !== false && at >= standing.month_start,
    today: metadata['sets_weekly_mark'] !== false && source === 'weekly' && at >= standing.day_start,
  }
}

function countOf(
  entry: NewsEntry,
  { standing, sight }: { standing: Standing; sight: Sight },
): CompanyEvent['count'] {
  const source = countTypes.find((type) => type === entry.source)
  if (source === undefined || !scanned.test(entry.event)) return undefined
  const metadata = readObject(entry.metadata)
  const at = scannedAt(entry, metadata['counted_at'])
  const recorded = entry.event.endsWith('_scan') || metadata['recorded'] === true
  return {
    source,
    counted_at: at.toISOString(),
    ...(seesVerdicts(sight) ? { recorded } : {}),
    ...(recorded ? marksOf(metadata, { source, at, standing }) : { this_month: false, today: false }),
    ...(sight === 'all' ? { stock_moved: metadata['accepted_difference'] !== undefined } : {}),
  }
}

function progressOf({ location }: NewsEntry, standing: Standing): CompanyEvent['progress'] {
  const place = location === null ? null : findLocation(location)
  if (place === null) return undefined
  return { counted: standing.counted[place.code] ?? 0, total: standing.total }
}

function format(type: string, id: string | null, data: object): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** An entry as a server-sent event for a role, or null when it is none. Counts are blind: staff see no verdict.
 * Without an id the client's place stays where it is. */
export function formatEntry(
  entry: NewsEntry,
  { role, id, standing }: { role: Role; id: string | null; standing: Standing },
): string | null {
  const event = nameOf(entry, role)
  const type = isOfAnImport(entry) ? null : typeOf(entry.kind, event)
  if (type === null || !isFor(role, type, event)) return null
  const count = countOf(entry, { standing, sight: sightOf({ role, strictBlindCounts: standing.is_strict }) })
  const progress = progressOf(entry, standing)
  const data: CompanyEvent = {
    id: entry.id,
    event,
    sku: entry.sku,
    location: entry.location,
    user_id: entry.user_id,
    user_name: entry.user_name,
    timestamp: entry.created_at.toISOString(),
    ...(count === undefined ? {} : { count }),
    ...(progress === undefined ? {} : { progress }),
  }
  return format(type, id, data)
}

/** Tells a client that it missed too much and must load anew. */
export function formatReload(id: string): string {
  return format('reload', id, {})
}

/** Keeps the connection from being taken for dead by proxies, and says where the stream stands. */
export function formatHeartbeat(id: string | null): string {
  return id === null ? ': still here\n\n' : `: still here\nid: ${id}\n\n`
}
