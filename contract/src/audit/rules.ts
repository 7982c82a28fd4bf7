export const auditKindNames = [
  'authentication',
  'configuration',
  'label_generation',
  'weekly_count',
  'monthly_count',
  'bulk_import',
  'inventory_scan',
] as const

export type AuditKind = (typeof auditKindNames)[number]

/** The kinds of audit entry: how each is labelled, and the SKU prefix it is written with (specification 5). */
export const auditKinds = {
  authentication: { label: 'Authentication', prefix: 'AUTH_' },
  configuration: { label: 'Configuration Change', prefix: 'CONFIG_' },
  label_generation: { label: 'Label Generation', prefix: 'LABEL_' },
  weekly_count: { label: 'Weekly Count', prefix: 'WEEKLY_COUNT_' },
  monthly_count: { label: 'Monthly Count', prefix: 'CYCLE_COUNT_' },
  bulk_import: { label: 'Bulk Import', prefix: 'BULK_IMPORT_' },
  inventory_scan: { label: 'Inventory Scan', prefix: '' },
} as const satisfies Record<AuditKind, { label: string; prefix: string }>

/** The choices of the action filter, matched as a substring of the derived label (specification 2 and 5). */
export const auditActionFilters = [
  'Inventory Scan',
  'Weekly Count',
  'Monthly Count',
  'Authentication',
  'Configuration',
  'Label Generation',
  'Bulk Import',
] as const

/** The kind a prefix stands for. Only for entries whose writer names no kind: a real SKU may look the same. */
export function kindOfPrefix(sku: string): AuditKind {
  const hasPrefix = (kind: AuditKind) =>
    auditKinds[kind].prefix !== '' && sku.startsWith(auditKinds[kind].prefix)
  return auditKindNames.find(hasPrefix) ?? 'inventory_scan'
}

/** Whether what happened, or a name of its kind, stands in an entry in place of a SKU. */
export function namesNoSku({ kind, event, sku }: { kind: AuditKind; event: string; sku: string }): boolean {
  const { prefix } = auditKinds[kind]
  return prefix === '' ? sku === event.toUpperCase() : sku.startsWith(prefix)
}

/** What this program's screens report of a SKU: that its history was looked at, and what was decided of an entry that was kept. */
export const skuReports = [
  'sku_history_viewed',
  'count_entry_taken_back',
  'count_entry_discarded',
  'count_entry_changed',
] as const

export type SkuReport = (typeof skuReports)[number]

function labelHolds(kind: AuditKind, text: string): boolean {
  return auditKinds[kind].label.toLowerCase().includes(text.toLowerCase())
}

/** The kinds whose label holds the text of the action filter (specification 5, 'Audit filters'), or the one that it names. */
export function kindsMatching(action: string): AuditKind[] {
  return auditKindNames.filter((kind) => kind === action || labelHolds(kind, action))
}

export type AuditFilter = {
  action: string
  sku: string
  /** Empty: anywhere, and nowhere. */
  location: string
  /** Part of a name or, for who sees it, of an account. */
  user: string
  from: Date | null
  to: Date | null
}

type Filterable = {
  kind: AuditKind
  sku: string
  location: string | null
  user_name: string
  user_account?: string | null | undefined
  timestamp: string
}

const holds = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase())

/** Whether somebody did what an entry tells of: by part of the name they had then, or of their account. */
function isBy({ user_name: name, user_account: account }: Filterable, part: string): boolean {
  return holds(name, part) || holds(account ?? '', part)
}

/** Whether an entry passes the filters of the audit screen (specification 5, 'Audit filters'). */
export function matchesAuditFilter(entry: Filterable, filter: AuditFilter): boolean {
  if (!labelHolds(entry.kind, filter.action)) return false
  if (!holds(entry.sku, filter.sku) || !isBy(entry, filter.user)) return false
  if (filter.location !== '' && entry.location !== filter.location) return false
  const at = new Date(entry.timestamp)
  if (filter.from !== null && at < filter.from) return false
  return filter.to === null || at <= filter.to
}
