/*
 * Every event that this program writes into the audit trail, by what it is to those who read there: open screens, webhooks, the
 * lists that nodes keep, and people who may not see all of it. Whoever tells events apart does it by these groups.
 */

export type EventGroup =
  /** A count that matched, or nearly. */
  | 'counted'
  /** A count that did not match. */
  | 'differing'
  | 'taken_back'
  /** What whoever counted says of it. */
  | 'noted'
  /** A scan that was judged and not taken. */
  | 'refused'
  /** A count that a client brought with it. */
  | 'written_down'
  | 'record_saved'
  | 'record_deleted'
  | 'marks_reset'
  | 'difference_decided'
  | 'recount_asked'
  /** A difference that waits for a decision again. */
  | 'difference_reopened'
  | 'unknown_code_found'
  | 'unknown_code_decided'
  /** Who is to count what, and by when. */
  | 'count_assigned'
  /** Of the component that the entry names, and neither how many there are nor their order. */
  | 'component_changed'
  | 'components_changed'
  /** Stock that is below its minimum since, as the program saw it; what moved it, or set the minimum, has an entry of its own. */
  | 'fallen_low'
  /** What decides who may do what, or how counts are judged. */
  | 'company_changed'
  | 'signed_in_or_out'
  /** What changes nothing of stock, counts and settings. */
  | 'labels_made'
  | 'administered'
  /** What may have changed everything. */
  | 'brought_back'

const auditEvents = {
  monthly_count_scan: 'counted',
  weekly_count_scan: 'counted',
  admin_view_scan: 'counted',

  monthly_count_mismatch: 'differing',
  weekly_count_mismatch: 'differing',
  admin_view_mismatch: 'differing',

  monthly_count_undone: 'taken_back',
  weekly_count_undone: 'taken_back',
  admin_view_undone: 'taken_back',

  count_noted: 'noted',

  monthly_count_error: 'refused',
  weekly_count_error: 'refused',
  admin_view_error: 'refused',

  count_history_added: 'written_down',

  weekly_count_saved: 'record_saved',
  cycle_count_saved: 'record_saved',
  admin_view_completed: 'record_saved',
  weekly_count_deleted: 'record_deleted',
  cycle_count_deleted: 'record_deleted',
  admin_view_reset: 'record_deleted',
  monthly_count_reset: 'marks_reset',
  weekly_count_reset: 'marks_reset',

  discrepancy_accepted: 'difference_decided',
  discrepancy_dismissed: 'difference_decided',
  discrepancy_settled: 'difference_decided',
  discrepancy_recount: 'recount_asked',
  discrepancy_reopened: 'difference_reopened',

  unknown_code_found: 'unknown_code_found',
  unknown_code_ignored: 'unknown_code_decided',
  unknown_code_reopened: 'unknown_code_decided',
  unknown_code_resolved: 'unknown_code_decided',
  unknown_code_settled: 'unknown_code_decided',

  count_assigned: 'count_assigned',
  count_unassigned: 'count_assigned',
  spot_count_asked: 'count_assigned',
  spot_count_taken_back: 'count_assigned',
  spot_schedule_made: 'count_assigned',
  spot_schedule_ended: 'count_assigned',

  barcode_added: 'component_changed',
  barcode_removed: 'component_changed',
  description_changed: 'component_changed',
  cost_changed: 'component_changed',
  placement_changed: 'component_changed',
  quantity_adjusted: 'component_changed',
  quantity_updated: 'component_changed',
  stock_moved: 'component_changed',
  transfer_cancelled: 'component_changed',
  transfer_received: 'component_changed',
  transfer_sent: 'component_changed',
  transfer_written_off: 'component_changed',

  component_kept: 'components_changed',
  component_not_kept: 'components_changed',
  component_reinstated: 'components_changed',
  component_retired: 'components_changed',
  costs_changed: 'components_changed',
  components_imported: 'components_changed',
  components_kept: 'components_changed',
  components_not_kept: 'components_changed',
  high_volume_added: 'components_changed',
  high_volume_configured: 'components_changed',
  high_volume_migrated: 'components_changed',
  high_volume_removed: 'components_changed',
  import_undone: 'components_changed',
  placements_changed: 'components_changed',

  stock_low: 'fallen_low',
  stocks_low: 'fallen_low',

  plan_changed: 'company_changed',
  role_changed: 'company_changed',
  settings_changed: 'company_changed',
  subscription_changed: 'company_changed',

  access_refused: 'signed_in_or_out',
  email_confirmed: 'signed_in_or_out',
  login_failed: 'signed_in_or_out',
  login_successful: 'signed_in_or_out',
  logout_initiated: 'signed_in_or_out',
  logout_completed: 'signed_in_or_out',
  password_changed: 'signed_in_or_out',
  password_link_requested: 'signed_in_or_out',
  registration_completed: 'signed_in_or_out',
  sessions_ended: 'signed_in_or_out',

  api_key_created: 'administered',
  api_key_revoked: 'administered',
  archive_exported: 'administered',
  audit_trail_verified: 'administered',
  count_certificate_issued: 'administered',
  invitation_accepted: 'administered',
  invitation_revoked: 'administered',
  labels_generated: 'labels_made',
  list_exported: 'administered',
  name_changed: 'administered',
  password_link_made: 'administered',
  second_subscription: 'administered',
  user_added: 'company_changed',
  user_deactivated: 'company_changed',
  user_invited: 'administered',
  user_reactivated: 'company_changed',
  user_signed_out: 'administered',
  webhook_added: 'administered',
  webhook_removed: 'administered',
  webhook_replayed: 'administered',
  webhook_switched_off: 'administered',
  webhook_switched_on: 'administered',

  company_restored: 'brought_back',
  history_attached: 'brought_back',
  history_detached: 'brought_back',
} as const satisfies Record<string, EventGroup>

export type AuditEvent = keyof typeof auditEvents

/** The events of a group. */
export type EventOf<G extends EventGroup> = {
  [E in AuditEvent]: (typeof auditEvents)[E] extends G ? E : never
}[AuditEvent]

const groups = new Map<string, EventGroup>(Object.entries(auditEvents))

/** The group of an event; undefined for what a client named, or a version that had other events. */
export function groupOf(event: string): EventGroup | undefined {
  return groups.get(event)
}

/** The events of some groups. */
export function eventsIn(...wanted: EventGroup[]): string[] {
  return [...groups].filter(([, group]) => wanted.includes(group)).map(([event]) => event)
}
