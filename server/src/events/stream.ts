import type { CompanyEvent, EventType } from '@inventory-manager/contract/events/endpoints'
import { findLocation } from '@inventory-manager/contract/locations'
import type { Role } from '@inventory-manager/contract/roles'
import { countTypes, type CountType } from '@inventory-manager/contract/values'
import { groupOf, type EventGroup } from '../audit/events.ts'
import { seesVerdicts, sightOf, withoutVerdict, type Sight } from '../audit/sight.ts'
import { readObject } from '../platform/db/json-object.ts'
import { keptOf } from '../stock/kept-queries.ts'
import type { NewsEntry, Standing } from './queries.ts'

/** What kind of news an event is to other screens; null for what they need not know. */
const newsOf: Record<EventGroup, EventType | null> = {
  counted: 'count',
  differing: 'count',
  taken_back: 'reset',
  // Administrators read it beside the difference.
  noted: 'discrepancy',
  refused: null,
  written_down: 'count',
  record_saved: 'count',
  record_deleted: 'reset',
  marks_reset: 'reset',
  difference_decided: 'discrepancy',
  recount_asked: 'discrepancy',
  difference_reopened: 'discrepancy',
  unknown_code_found: 'discrepancy',
  unknown_code_decided: 'discrepancy',
  count_assigned: 'session',
  component_changed: 'component',
  components_changed: 'component',
  // Screens have heard what changed it, and load what shows stock again for that.
  fallen_low: null,
  company_changed: 'session',
  signed_in_or_out: 'session',
  labels_made: 'label',
  administered: null,
  brought_back: null,
}

/** Whether an entry is of a count that was judged. */
function isOfCount({ event }: NewsEntry): boolean {
  const group = groupOf(event)
  return group === 'counted' || group === 'differing'
}

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

function typeOf(event: string): EventType | null {
  const group = groupOf(event)
  return group === undefined ? null : newsOf[group]
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
  if (source === undefined || !isOfCount(entry)) return undefined
  const metadata = readObject(entry.metadata)
  const at = scannedAt(entry, metadata['counted_at'])
  const recorded = groupOf(entry.event) === 'counted' || metadata['recorded'] === true
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
  const { components, not_kept: notKept } = standing
  return { counted: standing.counted[place.code] ?? 0, total: keptOf(components, notKept, place.code) }
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
  const type = isOfAnImport(entry) ? null : typeOf(event)
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
