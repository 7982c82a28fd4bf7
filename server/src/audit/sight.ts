import type { Actor } from '../platform/http/identity.ts'
import { eventsIn, groupOf, type AuditEvent, type EventGroup } from './events.ts'

/**
 * How much of the trail somebody sees: administrators all; others not what was expected of a count, and in a company of
 * strictly blind counts not whether one was right either.
 */
export type Sight = 'all' | 'blind' | 'strictly_blind'

/** What is decided of differences: where staff get no verdict, this would be a late one. */
const decisions = ['difference_decided', 'difference_reopened'] as const satisfies EventGroup[]

/** Nor is told there that stock fell below a minimum, which a count within the tolerance does. */
const lateVerdicts = [...decisions, 'fallen_low'] as const satisfies EventGroup[]

const ofDifferences = new Set<EventGroup | undefined>([...decisions, 'recount_asked'])

/** What a count is called where its verdict is not told. */
const withoutVerdicts: Record<string, AuditEvent> = {
  monthly_count_mismatch: 'monthly_count_scan',
  weekly_count_mismatch: 'weekly_count_scan',
  admin_view_mismatch: 'admin_view_scan',
}

/** Settings that only administrators see: a tolerance that staff know is no blind count. */
const countSettings = new Set<unknown>([
  'currency',
  'count_tolerance_units',
  'count_tolerance_percent',
  'strict_blind_counts',
  'first_count_sets_stock',
])

const verdicts = ['attempt', 'recorded', 'counted_since', 'recount_since'] as const
const acceptedFacts = [
  'expected',
  'accepted_difference',
  'first_count',
  'moved_back',
  'settled_differences',
] as const

/**
 * What only administrators see elsewhere, too: costs, addresses of webhooks, which often hold a secret, how accurate counts were, and
 * what was said of them.
 */
const factsOfAdministrators = new Map<string, readonly string[]>(
  Object.entries({
    cost_changed: ['old_value', 'new_value'],
    count_noted: ['old_value', 'new_value'],
    webhook_added: ['url'],
    webhook_removed: ['url'],
    webhook_switched_on: ['url'],
    webhook_switched_off: ['url'],
    count_certificate_issued: ['lines', 'matched', 'tolerated'],
  } satisfies Partial<Record<AuditEvent, readonly string[]>>),
)

/** By which address an account signs in, whatever happened to it. */
const accountFact = 'email'

/** How much of the trail somebody of a role sees. */
export function sightOf({ role, strictBlindCounts }: Pick<Actor, 'role' | 'strictBlindCounts'>): Sight {
  if (role === 'admin') return 'all'
  return strictBlindCounts ? 'strictly_blind' : 'blind'
}

/** Whether somebody is told what came of others' counts. */
export function seesVerdicts(sight: Sight): boolean {
  return sight !== 'strictly_blind'
}

/** Whether somebody is told by which account something was done: addresses of colleagues are for administrators, here and in facts. */
export function seesAccounts(sight: Sight): boolean {
  return sight === 'all'
}

/** The events that are left out for some sight. */
export function unseenEvents(sight: Sight): readonly string[] {
  return sight === 'strictly_blind' ? eventsIn(...lateVerdicts) : []
}

/** The event of a count without its verdict. */
export function withoutVerdict(event: string): string {
  return withoutVerdicts[event] ?? event
}

/** The event as it is told to somebody. */
export function seenEvent(event: string, sight: Sight): string {
  return sight === 'strictly_blind' ? withoutVerdict(event) : event
}

/** The facts of a matching count that say by what it matched, and those that give the verdict away. */
function hiddenFacts(event: string, sight: Sight): readonly string[] {
  return sight === 'strictly_blind' || groupOf(event) === 'counted'
    ? [...acceptedFacts, ...verdicts]
    : acceptedFacts
}

/** The facts of an entry as they are told to somebody. */
export function seenFacts(
  { event, facts }: { event: string; facts: Record<string, unknown> },
  sight: Sight,
): Record<string, unknown> {
  if (sight === 'all') return facts
  // What a difference was, and why it was decided so, is for administrators.
  if (ofDifferences.has(groupOf(event))) return {}
  const isOfCounts = event === 'settings_changed' && countSettings.has(facts['setting'])
  const hidden = isOfCounts
    ? ['old_value', 'new_value']
    : (factsOfAdministrators.get(event) ?? hiddenFacts(event, sight))
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => name !== accountFact && !hidden.includes(name)),
  )
}
