/** A table of the archive; `without` are columns that stay behind, `heavy` ones have rows of some megabytes. */
export type ArchivedTable = { name: string; without?: readonly string[]; weight?: 'light' | 'heavy' }

/** What a company is made of, in the order in which it can be put back: what is named comes before who names it. */
export const archivedTables: readonly ArchivedTable[] = [
  { name: 'companies' },
  // Whoever holds the archive must not be able to guess passwords at leisure.
  { name: 'users', without: ['password_hash'] },
  { name: 'components' },
  { name: 'alias_barcodes' },
  { name: 'placements' },
  { name: 'component_costs' },
  { name: 'not_kept' },
  { name: 'low_stock' },
  { name: 'stock' },
  { name: 'movements' },
  { name: 'transfers' },
  { name: 'high_volume_assignments' },
  { name: 'count_history' },
  { name: 'discrepancies' },
  { name: 'count_attempts' },
  { name: 'count_notes' },
  { name: 'count_progress' },
  { name: 'count_assignments' },
  { name: 'spot_counts' },
  { name: 'spot_schedules' },
  { name: 'count_resets' },
  { name: 'scan_days' },
  { name: 'weekly_counts', weight: 'heavy' },
  { name: 'cycle_counts', weight: 'heavy' },
  { name: 'cycle_resets' },
  { name: 'label_usage' },
  { name: 'label_jobs' },
  { name: 'labelled_components' },
  { name: 'label_prints' },
  { name: 'company_logos' },
  { name: 'imports' },
  { name: 'import_changes' },
  { name: 'import_confirmed' },
  { name: 'import_placements' },
  { name: 'import_costs' },
  { name: 'import_aliases' },
  { name: 'unknown_codes' },
  { name: 'unknown_code_scans' },
  // Transactions are numbered by the database an entry was written in.
  { name: 'audit_entries', without: ['transaction_id'] },
  // What the seals are of that have no entry here.
  { name: 'detached_history' },
  // They name no company, so the trail verifies under a new id too.
  { name: 'audit_seals' },
]

/** Tables of a company that an archive leaves out, each with its reason. */
export const leftOutTables: Readonly<Record<string, string>> = {
  sessions: 'nobody stays signed in over a move',
  api_keys: 'other programs get new keys at the new installation',
  api_key_prefixes: 'whose key a key is; keys stay behind',
  api_key_calls: 'how often keys were used; keys stay behind',
  webhooks: 'the old installation may still deliver to them, and their secrets are theirs alone',
  webhook_deliveries: 'what was or will be delivered by the old installation',
  operations: 'requests of the old installation are not repeated at the new one',
  one_time_links: 'invitations and password links hold for the installation that made them',
  subscriptions: 'what is paid for belongs to the payment account of an installation',
  billing_events: 'what the payment provider told the old installation',
  import_rows: 'rows that were not taken; their imports are restored as expired',
  weekly_progress: 'counted anew by the next weekly count',
}
