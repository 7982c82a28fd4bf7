import type { AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { recurringDaysInWords } from '@inventory-manager/contract/counting/spot/spot-schedule-rules'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { namesNoSku } from '@inventory-manager/contract/audit/rules'
import { daysOfWeek } from '@inventory-manager/contract/calendar'
import { formatDateTime, formatDay } from '../lib/dates.ts'
import { parseJson } from '../lib/json.ts'
import { formatAmount, formatNumber, someOf } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'

type Facts = Record<string, unknown>

const plain = (value: string) => value
/** Names and codes are written in snake_case; what people write stays as it is. */
const code = (value: string) => (/^[a-z0-9_]+$/.test(value) ? value.replaceAll('_', ' ') : value)
const clause = (value: string) => value.replace(/\.$/, '')

/** How a fact is said, in the order in which facts are told: first what or whose it is. */
const subjects: Record<string, (value: string) => string> = {
  email: plain,
  barcode: plain,
  name: plain,
  key: (value) => `key ${value}`,
  url: plain,
  file: plain,
  list: code,
}

const circumstances: Record<string, (value: string) => string> = {
  pieces: (value) => (value === '1' ? 'one piece' : `pack of ${value}`),
  role: (value) => `role ${value}`,
  day: plain,
  location: placeName,
  from: (value) => `from ${placeName(value)}`,
  to: (value) => `to ${placeName(value)}`,
  minimum: (value) => `minimum ${value}`,
  expected: (value) => `expected ${value}`,
  counted: (value) => `counted ${value}`,
  accepted_difference: (value) => `difference of ${value} accepted`,
  first_count: () => 'first count',
  moved_back: (value) => `stock moved back by ${value}`,
  settled_differences: (value) => `${value} found before settled with it`,
  counted_since: () => 'counted since, before it came',
  recount_since: () => 'a recount asked for since, before it came',
  sets_mark: () => 'came late and marks nothing as counted',
  attempt: (value) => `attempt ${value}`,
  recorded: (value) => (value === 'yes' ? 'recorded' : 'not recorded'),
  reason: (value) => `reason: ${code(clause(value))}`,
  note: (value) => `note: ${clause(value)}`,
  way: (value) => `by ${code(value)}`,
  call: plain,
  bins: plain,
  barcodes: plain,
  days: plain,
  minutes: (value) => (value === '1' ? '1 minute' : `${value} minutes`),
  people: (value) => (value === '1' ? '1 person' : `${value} people`),
  skus: (value) => (value === '1' ? '1 SKU' : `${value} SKUs`),
  skus_counted: (value) => `${value} counted`,
  due_on: (value) => `by ${formatDay(value)}`,
  due_before: (value) => `before: by ${formatDay(value)}`,
  bins_before: (value) => `before: ${value}`,
  plan: (value) => `${value} plan`,
  scopes: (value) => `may ${value}`,
  created: (value) => `${value} new`,
  updated: (value) => `${value} changed`,
  unchanged: (value) => `${value} unchanged`,
  left_out: (value) => `${value} left out`,
  described: (value) => `${value} with another description`,
  placed: (value) => `${value} with another bin or minimum`,
  costed: (value) => `${value} with another unit cost`,
  aliased: (value) => `${value} other ${value === '1' ? 'barcode' : 'barcodes'} added`,
  reinstated: (value) => `${value} brought back`,
  retired: (value) => `${value} retired`,
  /** Of an import that was undone when components that it brought could not leave. */
  stay: (value) => `${value} stay`,
  sessions_ended: (value) => `sessions ended: ${value}`,
  checked: (value) => `${value} entries checked`,
  detached: (value) => `${value} not checked`,
}

/** A map, because devices give their facts any name, also such as every object has: '__proto__'. */
const phrases = new Map(Object.entries({ ...subjects, ...circumstances }))

/** Said elsewhere in the row, or what only machines read. */
const unsaid = new Set([
  'type',
  'event_type',
  'action',
  'setting',
  'config_type',
  'old_value',
  'new_value',
  'session',
  'counted_at',
  'undoes',
  'delivery',
  'sets_weekly_mark',
  'kept',
  'second',
])

/** From these one can tell what stock was expected, which counting staff must not know; a node of the version before sends them to all. */
const administrators = new Set(['expected', 'accepted_difference', 'first_count', 'moved_back'])

function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

function textOf(value: unknown): string {
  if (typeof value === 'string') return instant.test(value) ? formatDateTime(value) : value
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  if (isFacts(value)) return Object.entries(value).flatMap(factOf).join(' ')
  return ''
}

/** Which bins somebody is asked to count, or a sheet is of; all of them where none is named. */
function binsOf(names: readonly unknown[]): string {
  return names.length === 0 ? 'all bins' : binsInWords(names.map(textOf))
}

/** On which days of the week something recurs. */
function daysOf(names: readonly unknown[]): string {
  const days = daysOfWeek.filter((day) => names.includes(day))
  return days.length === names.length ? recurringDaysInWords(days) : textOf(names)
}

/** How many of the codes of an entry are said. */
const mostCodes = 10

/** A fact as text, before anything is said about it. */
function toldOf(name: string, value: unknown): string {
  if (name === 'filter' && typeof value === 'string') return textOf(parseJson(value))
  if (name === 'barcodes' && Array.isArray(value)) {
    return someOf(value.map(textOf), { most: mostCodes, of: value.length })
  }
  if (name === 'days' && Array.isArray(value)) return daysOf(value)
  return (name === 'bins' || name === 'bins_before') && Array.isArray(value) ? binsOf(value) : textOf(value)
}

function factOf([name, value]: [name: string, value: unknown]): string[] {
  if (unsaid.has(name) || name === 'id' || name.endsWith('_id')) return []
  const text = toldOf(name, value)
  if (text === '') return []
  return [phrases.get(name)?.(text) ?? `${code(name)}: ${text}`]
}

function logoWord(before: unknown, after: unknown): string {
  if (textOf(after) === '') return 'removed'
  return textOf(before) === '' ? 'set' : 'replaced'
}

/** In which bin a component lies, and below which stock it is low; each also where there is none. */
function placementOf(value: unknown): string {
  const { bin, minimum } = isFacts(value) ? value : {}
  return `bin ${textOf(bin) || 'none'}, minimum ${textOf(minimum) || 'none'}`
}

function manyOf(value: unknown): string {
  const { changed, location } = isFacts(value) ? value : {}
  const where = location === undefined ? '' : ` at ${placeName(textOf(location))}`
  return `${textOf(changed)} components${where}`
}

/** What one piece costs, without its currency: the company may have had another then. */
function costOf(value: unknown): string {
  return typeof value === 'number' ? formatAmount(value) : 'none'
}

/** What happened to so many components that only their number is told. */
const ofMany = new Set(['placements_changed', 'costs_changed', 'components_kept', 'components_not_kept'])

/** A change that is said in words of its own; null where it is not. */
function ownWords({ event_type: event, setting, old_value: before, new_value: after }: Facts): string | null {
  if (event === 'cost_changed') return `${costOf(before)} → ${costOf(after)}`
  if (event === 'placement_changed') return `${placementOf(before)} → ${placementOf(after)}`
  if (ofMany.has(textOf(event))) return manyOf(after)
  // It is told by signs that stand for the picture, and say nothing to people.
  return setting === 'logo' ? `logo: ${logoWord(before, after)}` : null
}

/** What a value was and is now, with the name of what has it. */
function changeOf(metadata: Facts): string[] {
  const { setting, config_type: type, old_value: before, new_value: after } = metadata
  if (before === undefined && after === undefined) return []
  const words = ownWords(metadata)
  if (words !== null) return [words]
  const name = textOf(setting ?? type)
  const label = name === '' ? '' : `${code(name)}: `
  const now = textOf(after) || 'none'
  // Something was done to a list, which is not told whole.
  if (isFacts(after) && !isFacts(before)) return [`${label}${now}`]
  return [`${label}${textOf(before) || 'none'} → ${now}`]
}

/** The facts of an entry in words: whose or what it is, what changed, and the circumstances. */
export function factsOf(metadata: Facts, isAdmin: boolean): string[] {
  // That a code is unknown says the event already.
  const { event_type: event, reason } = metadata
  const isSaid = (name: string) =>
    name === 'reason' && event === 'unknown_code_found' && reason === 'not_found'
  const isForAll = (name: string) => !administrators.has(name)
  const told = Object.entries(metadata).filter(([name]) => !isSaid(name) && (isAdmin || isForAll(name)))
  const facts = new Map(told)
  const named = (names: Facts) =>
    Object.keys(names).flatMap((name) => (facts.has(name) ? factOf([name, facts.get(name)]) : []))
  const others = told.filter(([name]) => !phrases.has(name)).flatMap(factOf)
  return [...named(subjects), ...changeOf(metadata), ...named(circumstances), ...others]
}

/** Their code is no component's, or was none when they happened. */
const ofNoComponent = new Set(['unknown_code_found', 'unknown_code_ignored', 'unknown_code_reopened'])

/** What a device tells of an entry that it had kept; its code may be the one that was refused because nothing has it. */
const ofKeptEntries = new Set(['count_entry_discarded', 'count_entry_changed', 'count_entry_taken_back'])
const isUnknown = (reason: string) => /^There is no component\b|\bnot[ _]found\b/i.test(reason)

type Named = Pick<AuditEntry, 'kind' | 'sku'> & { metadata: Facts }

/** Whether an entry names a component: where it names none, what happened stands in place of the SKU. */
export function namesComponent({ kind, sku, metadata }: Named): boolean {
  const event = textOf(metadata['event_type'])
  const isOfUnknown = ofKeptEntries.has(event) && isUnknown(textOf(metadata['reason']))
  return !namesNoSku({ kind, event, sku }) && !isOfUnknown && !ofNoComponent.has(event)
}

/** What people call what happened, where the code of it says something else to them. */
const happenings = new Map([
  ['count_noted', 'Note on a count'],
  ['cost_changed', 'Unit cost changed'],
  ['costs_changed', 'Unit costs changed'],
  ['component_kept', 'Kept and counted'],
  ['component_not_kept', 'No longer kept nor counted'],
  ['components_kept', 'Kept and counted'],
  ['components_not_kept', 'No longer kept nor counted'],
  ['count_assigned', 'Asked to count'],
  ['count_unassigned', 'No longer asked to count'],
  ['spot_count_asked', 'Asked for a spot count'],
  ['spot_count_taken_back', 'Spot count withdrawn'],
  ['spot_schedule_made', 'Recurring spot count set up'],
  ['spot_schedule_ended', 'Recurring spot count ended'],
  ['placement_changed', 'Bin or minimum changed'],
  ['placements_changed', 'Bins and minimums changed'],
  ['stock_low', 'Stock below its minimum'],
  ['stocks_low', 'Stocks below their minimums'],
])

function happeningOf(action: string): string {
  const words = code(action)
  return happenings.get(action) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** What happened, in words: the event, the quantity, where, and what is known of it. */
export function detailsOf(entry: AuditEntry, isAdmin: boolean): string {
  const { event_type: event, action = event } = entry.metadata
  const parts = [
    happeningOf(textOf(action)),
    entry.quantity === null ? '' : `quantity ${formatNumber(entry.quantity)}`,
    entry.location === null ? '' : placeName(entry.location),
    ...factsOf(entry.metadata, isAdmin),
    // As it is printed on the certificate.
    event === 'count_certificate_issued' ? `number ${entry.id}` : '',
    entry.origin === 'client' ? 'reported by the device' : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
