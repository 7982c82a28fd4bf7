import { namesNoSku } from '@inventory-manager/contract/audit/rules'
import type { LocationNames } from '@inventory-manager/contract/locations'
import { howMany, wholeNumber } from '@inventory-manager/contract/numbers'
import { signed } from '@inventory-manager/contract/signed'
import { placeName } from '@inventory-manager/contract/stock/places'
import type { AuditEvent, EventOf } from '../audit/events.ts'
import { seenEvent, type Sight } from '../audit/sight.ts'
import type { listRecentActivity, unlisted } from './queries.ts'

type Activity = Awaited<ReturnType<typeof listRecentActivity>>[number]

/** What of an entry its sentence is made of; `at` begins with a space where a location is known. */
type Facts = { sku: string; at: string; quantity: number; pieces: string; change: string }

const theirs = ({ quantity }: Facts) => (quantity === 1 ? 'its' : 'their')

const counted = ({ sku, at }: Facts) => `counted ${sku}${at}`
const differing = ({ sku, at }: Facts) => `found a difference on ${sku}${at}`
const takenBack = ({ sku, at }: Facts) => `took a count of ${sku} back${at}`
const cycleReset = () => 'reset the cycle count'

type Unlisted = EventOf<'signed_in_or_out'> | (typeof unlisted)[number]

/** What happened by itself, and only the program saw. */
const happenings = {
  stock_low: ({ sku, at }) => `${sku} fell below its minimum${at}`,
  stocks_low: ({ pieces }) => `Stock fell below its minimum ${pieces} times`,
} as const satisfies Partial<Record<AuditEvent, (facts: Facts) => string>>

/** What somebody did, behind their name. */
const deeds: Record<Exclude<AuditEvent, Unlisted | keyof typeof happenings>, (facts: Facts) => string> = {
  monthly_count_scan: counted,
  weekly_count_scan: counted,
  admin_view_scan: counted,
  monthly_count_mismatch: differing,
  weekly_count_mismatch: differing,
  admin_view_mismatch: differing,
  monthly_count_undone: takenBack,
  weekly_count_undone: takenBack,
  admin_view_undone: takenBack,
  count_noted: ({ sku, at }) => `said something about a count of ${sku}${at}`,
  monthly_count_reset: ({ at }) => `reset the monthly count${at}`,
  weekly_count_reset: () => 'reset the weekly count of a day',
  admin_view_completed: () => 'completed the cycle count',
  admin_view_reset: cycleReset,
  cycle_count_deleted: cycleReset,
  weekly_count_deleted: () => 'deleted the record of a weekly count',
  count_history_added: ({ sku, at }) => `wrote a count of ${sku} down${at}`,
  // Entries of before hold the event's name in its place.
  high_volume_configured: ({ sku }) =>
    sku.startsWith('CONFIG_') ? 'changed the weekly lists' : `changed the weekly days of ${sku}`,
  high_volume_added: () => 'added components to a weekly list',
  high_volume_removed: () => 'took components from a weekly list',
  high_volume_migrated: () => 'converted older weekly lists',
  unknown_code_found: ({ sku, at }) => `scanned an unknown code, ${sku}${at}`,
  unknown_code_resolved: ({ sku }) => `made a component of the unknown code ${sku}`,
  unknown_code_ignored: ({ sku }) => `ignored the unknown code ${sku}`,
  unknown_code_reopened: ({ sku }) => `put the unknown code ${sku} back`,
  discrepancy_accepted: ({ sku, at }) => `accepted a difference of ${sku}${at}`,
  discrepancy_dismissed: ({ sku, at }) => `dismissed a difference of ${sku}${at}`,
  discrepancy_recount: ({ sku, at }) => `asked for a recount of ${sku}${at}`,
  discrepancy_reopened: ({ sku, at }) => `reopened a difference of ${sku}${at}`,
  discrepancy_settled: ({ sku, at }) => `settled a difference of ${sku}${at}`,
  count_assigned: ({ at }) => `asked somebody to count${at}`,
  count_unassigned: ({ at }) => `withdrew a request to count${at}`,
  spot_count_asked: ({ at }) => `asked for a spot count${at}`,
  spot_count_taken_back: ({ at }) => `withdrew a spot count${at}`,
  spot_schedule_made: ({ at }) => `set up a recurring spot count${at}`,
  spot_schedule_ended: ({ at }) => `ended a recurring spot count${at}`,
  components_imported: ({ quantity }) => `imported ${howMany(quantity, 'component')}`,
  import_undone: ({ quantity }) => `took an import of ${howMany(quantity, 'component')} back`,
  labels_generated: ({ quantity }) => `generated ${howMany(quantity, 'label')}`,
  quantity_adjusted: ({ sku, at, change }) => `changed ${sku} by ${change}${at}`,
  quantity_updated: ({ sku, at, pieces }) => `set ${sku} to ${pieces}${at}`,
  description_changed: ({ sku }) => `changed the description of ${sku}`,
  cost_changed: ({ sku }) => `changed the unit cost of ${sku}`,
  costs_changed: () => 'changed unit costs',
  placement_changed: ({ sku, at }) => `changed the bin or minimum of ${sku}${at}`,
  placements_changed: () => 'changed bins and minimums',
  component_kept: ({ sku, at }) => `kept ${sku}${at} again`,
  component_not_kept: ({ sku, at }) => `left ${sku} out${at}`,
  components_kept: () => 'kept components at a location again',
  components_not_kept: () => 'left components out at a location',
  component_retired: ({ sku }) => `retired ${sku}`,
  component_reinstated: ({ sku }) => `brought ${sku} back`,
  barcode_added: ({ sku }) => `gave ${sku} another barcode`,
  barcode_removed: ({ sku }) => `took a barcode from ${sku}`,
  stock_moved: ({ sku, at, pieces }) => `moved ${pieces} of ${sku}${at}`,
  transfer_sent: (facts) => `sent ${facts.pieces} of ${facts.sku} on ${theirs(facts)} way${facts.at}`,
  transfer_received: ({ sku, at, pieces }) => `received ${pieces} of ${sku}${at}`,
  transfer_cancelled: (facts) =>
    `took ${facts.pieces} of ${facts.sku} back from ${theirs(facts)} way${facts.at}`,
  transfer_written_off: (facts) =>
    `wrote off ${facts.pieces} of ${facts.sku} on ${theirs(facts)} way${facts.at}`,
  user_invited: () => 'invited somebody to the team',
  invitation_accepted: () => 'joined the team',
  invitation_revoked: () => 'withdrew an invitation',
  role_changed: () => 'changed the role of somebody in the team',
  user_deactivated: () => 'deactivated somebody in the team',
  user_reactivated: () => 'reactivated somebody in the team',
  user_signed_out: () => 'signed somebody in the team out',
  user_added: () => 'added somebody to the team',
  password_link_made: () => 'made a password link for somebody in the team',
  name_changed: () => 'changed their own name',
  plan_changed: () => 'changed the plan',
  subscription_changed: () => 'changed the subscription',
  second_subscription: () => 'told of another subscription beside the first',
  settings_changed: () => 'changed the company settings',
  api_key_created: () => 'made an API key',
  api_key_revoked: () => 'revoked an API key',
  webhook_added: () => 'added a webhook',
  webhook_removed: () => 'removed a webhook',
  webhook_switched_on: () => 'switched a webhook on again',
  webhook_switched_off: () => 'switched a webhook off that kept failing',
  webhook_replayed: () => 'sent a message of a webhook again',
  list_exported: () => 'exported a list',
  archive_exported: () => 'exported everything of the company',
  company_restored: () => 'brought the company back from an archive',
  count_certificate_issued: ({ at }) => `made a count certificate${at}`,
  history_detached: () => 'detached a quarter of the history',
  history_attached: () => 'attached a quarter of the history again',
  audit_trail_verified: () => 'verified the audit trail',
}

const told = new Map(Object.entries(deeds))
const happened = new Map<string, (facts: Facts) => string>(Object.entries(happenings))

/** The SKU of an entry about a component; others have a name of their kind, or what happened, in its place. */
export function skuOf(entry: Activity): string | null {
  return namesNoSku(entry) ? null : entry.sku
}

/** An event of another version by its name, with what it was about. */
function namedDeed(event: string, entry: Activity): string {
  const name = event.replaceAll('_', ' ')
  const sku = skuOf(entry)
  return sku === null ? name : `${name}: ${sku}`
}

/** One line about one entry, as on the overview: who did what, and where by the company's own names; or what happened by itself. */
export function describeActivity(entry: Activity, sight: Sight, ownNames: LocationNames): string {
  const event = seenEvent(entry.event, sight)
  const quantity = entry.quantity ?? 0
  const at = entry.location === null ? '' : ` at ${placeName(entry.location, ownNames)}`
  const pieces = wholeNumber(quantity)
  const facts = { sku: entry.sku, at, quantity, pieces, change: signed(quantity) }
  const happening = happened.get(event)
  if (happening !== undefined) return happening(facts)
  return `${entry.user_name} ${told.get(event)?.(facts) ?? namedDeed(event, entry) + at}`
}
